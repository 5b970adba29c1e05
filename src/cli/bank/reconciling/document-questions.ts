/** Questions for the documents that a line pays or pays back, and for what is left of it. */

import type { Client } from "../../../client/client.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { amountText } from "../../../resources/common.ts";
import type { Cents } from "../../../resources/decimal.ts";
import type { Fields } from "../../../resources/field.ts";
import { creditNote, invoice, overpayment, prepayment } from "../../../resources/index.ts";
import { allOf, anyOf, compare } from "../../../wire/query/condition.ts";
import { quotedText } from "../../../wire/query/scanner.ts";
import type { Choice } from "../../context/context.ts";
import { isBackRequest, type QuestionStep, type Questions } from "../../framework/questions.ts";
import { safeLine } from "../../render/safe.ts";
import type { KnownDocument } from "./match-parts.ts";
import {
  currencyOf,
  type MatchDraft,
  type MatchLines,
  type MatchTalk,
  money,
} from "./match-questions.ts";

const documentsMax = 20;

/** Documents less the line, in cents; negative where the documents are less. */
export const overOf = ({ chosenDocuments }: MatchDraft, { Amount }: BankStatementLine): number =>
  chosenDocuments.reduce((sum, { due }) => sum + due, 0) - Math.abs(Amount);

const isForeign = (matchTalk: MatchTalk, { chosenDocuments: [first] }: MatchDraft): boolean =>
  first !== undefined && first.currency !== currencyOf(matchTalk);

/** Asks for documents until they add up to the line; going back takes the last one out. */
export function documentsStep(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep {
  return {
    ask: async (ask) => {
      // Asked again, the last document is chosen anew, or none more.
      if (draft.chosenDocuments.length > 0 && overOf(draft, line) >= 0) draft.chosenDocuments.pop();
      for (;;) {
        try {
          const document = await askDocument(matchTalk, ask, line, draft);
          if (document === undefined) return;
          draft.chosenDocuments.push(document);
        } catch (error) {
          if (!isBackRequest(error) || draft.chosenDocuments.pop() === undefined) throw error;
          continue;
        }
        if (isForeign(matchTalk, draft) || overOf(draft, line) >= 0) return;
      }
    },
  };
}

function askDocument(
  matchTalk: MatchTalk,
  ask: Questions,
  line: BankStatementLine,
  { chosenDocuments: chosen }: MatchDraft,
): Promise<KnownDocument | undefined> {
  const ownCurrency = currencyOf(matchTalk);
  const left = -overOf({ chosenDocuments: chosen, lines: [] }, line);
  return ask.search<KnownDocument | undefined>({
    message: chosen.length === 0 ? "Which one?" : `And which one, for ${money(left, line)}?`,
    source: async (term) => {
      const openOnes = await openDocuments(await matchTalk.ctx.client(), line, term);
      const contact = (chosen[0]?.contact ?? line.Payee ?? "").toLowerCase();
      const rank = (document: KnownDocument) =>
        (document.contact.toLowerCase() === contact ? 2 : 0) + (document.due === left ? 1 : 0);
      // Several documents must be in the account's currency; a foreign one takes the whole line.
      const choices = openOnes
        .filter(({ DocumentID }) => chosen.every((document) => document.DocumentID !== DocumentID))
        .filter(({ currency }) => chosen.length === 0 || currency === ownCurrency)
        .toSorted((a, b) => rank(b) - rank(a))
        .map((each): Choice<KnownDocument | undefined> => {
          const unit = each.currency === ownCurrency ? "" : ` ${each.currency}`;
          const dueText = `${amountText(each.due, each.currency)}${unit}`;
          return { name: safeLine(`${each.number} ${each.contact} ${dueText}`), value: each };
        });
      const doneChoice = { name: "Done", value: undefined };
      return chosen.length === 0 || term !== "" ? choices : [doneChoice, ...choices];
    },
  });
}

/**
 * Reads open documents: for money in, invoices and what suppliers pay back; for money out, bills
 * and what customers are paid back.
 */
async function openDocuments(
  client: Client,
  { Amount }: BankStatementLine,
  term: string,
): Promise<KnownDocument[]> {
  const isIn = Amount > 0;
  const isAmount = /^\d+(\.\d{1,2})?$/.test(term);
  const filterOf = (fields: Fields, type: string, number?: string) => {
    const dueField = "AmountDue" in fields ? "AmountDue" : "RemainingCredit";
    const searched = [
      ...(number === undefined ? [] : [`${number}.Contains(${quotedText(term)})`]),
      ...(isAmount ? [`${dueField}==${term}`] : []),
      `Contact.Name.Contains(${quotedText(term)})`,
    ];
    return allOf([
      compare(fields, "Type", "==", type),
      compare(fields, "Status", "==", "AUTHORISED"),
      term === "" ? undefined : anyOf(searched),
    ]);
  };
  const limit = documentsMax;
  const bills = {
    where: filterOf(invoice.fields, isIn ? "ACCREC" : "ACCPAY", "InvoiceNumber"),
    limit,
  };
  const documents: KnownDocument[] = [];
  for await (const record of client.list(invoice, { ...bills, order: "DueDate ASC" })) {
    const { InvoiceID, InvoiceNumber = "", Contact, AmountDue, CurrencyCode } = record;
    const who = { number: InvoiceNumber, contact: Contact?.Name ?? "" };
    documents.push({
      ...{ Kind: "Invoice", DocumentID: InvoiceID, due: AmountDue, currency: CurrencyCode, ...who },
    });
  }
  const credits = {
    where: filterOf(creditNote.fields, isIn ? "ACCPAYCREDIT" : "ACCRECCREDIT", "CreditNoteNumber"),
    limit,
  };
  for await (const record of client.list(creditNote, { ...credits, order: "Date ASC" })) {
    const { CreditNoteID, CreditNoteNumber = "", Contact, RemainingCredit, CurrencyCode } = record;
    const shownNames = { number: CreditNoteNumber, contact: Contact?.Name ?? "" };
    documents.push({
      ...{ Kind: "CreditNote", DocumentID: CreditNoteID, due: RemainingCredit, ...shownNames },
      currency: CurrencyCode,
    });
  }
  for (const resource of [overpayment, prepayment] as const) {
    const type = `${isIn ? "SPEND" : "RECEIVE"}-${resource.name.toUpperCase()}`;
    const query = { where: filterOf(resource.fields, type), limit, order: "Date ASC" };
    for await (const record of client.list(resource as typeof overpayment, query)) {
      const { Handle = "", Contact, RemainingCredit, CurrencyCode } = record;
      const id = (record as unknown as Readonly<Record<string, string>>)[resource.id] ?? "";
      documents.push({
        ...{ Kind: resource.name, DocumentID: id, due: RemainingCredit, number: Handle },
        ...{ contact: Contact?.Name ?? "", currency: CurrencyCode },
      });
    }
  }
  return documents.filter(({ due }) => due > 0);
}

/** Asks what becomes of the difference between documents and line. */
export function restStep(
  talk: MatchTalk,
  line: BankStatementLine,
  draft: MatchDraft,
): QuestionStep {
  return {
    when: () =>
      draft.chosenDocuments.length > 0 && !isForeign(talk, draft) && overOf(draft, line) !== 0,
    ask: async (ask) => {
      const over = overOf(draft, line);
      const size = money(Math.abs(over), line);
      const last = draft.chosenDocuments.at(-1);
      const due = last?.due ?? 0;
      const contactName = safeLine(last?.contact ?? "");
      const isIn = line.Amount > 0;
      draft.rest = await ask.choose<NonNullable<MatchDraft["rest"]>>({
        message:
          over > 0 ? `The line is ${size} less than what is due.` : `${size} are left of the line.`,
        initial: draft.rest,
        choices:
          over > 0
            ? [
                {
                  name: `${safeLine(last?.number ?? "")} pays ${money(due - over, line)} of ${money(due, line)}, leaves ${size} due`,
                  value: "part",
                },
                { name: `Write off ${size} to an account…`, value: "account" },
              ]
            : [
                { name: `Keep ${size} as an overpayment of ${contactName}`, value: "Overpayment" },
                {
                  name: `Keep ${size} as a deposit for a later ${isIn ? "invoice" : "bill"}…`,
                  value: "Prepayment",
                },
                { name: `${size} to an account…`, value: "account" },
              ],
      });
    },
  };
}

/** Returns the documents of a match; of a part payment the last one with what is left for it. */
export function paidDocuments(matchTalk: MatchTalk, line: BankStatementLine, draft: MatchDraft) {
  const excessWidth = overOf(draft, line);
  const lastIndex = draft.chosenDocuments.length - 1;
  return draft.chosenDocuments.map(({ Kind, DocumentID, due }, at) => {
    if (isForeign(matchTalk, draft)) return { Kind, DocumentID };
    const restPart = at === lastIndex && excessWidth > 0 && draft.rest === "part" ? excessWidth : 0;
    return { Kind, DocumentID, Amount: (due - restPart) as Cents };
  });
}

/** Returns the line of a match for the difference between documents and line. */
export function restLines(talk: MatchTalk, line: BankStatementLine, draft: MatchDraft): MatchLines {
  const { rest, accountCode = "", taxType } = draft;
  const excessAmount = isForeign(talk, draft) ? 0 : overOf(draft, line);
  if (excessAmount === 0 || rest === undefined || rest === "part") return [];
  const Amount = (line.Amount > 0 ? -excessAmount : excessAmount) as Cents;
  if (rest === "Overpayment") return [{ KeptAs: rest, Amount }];
  const coded = { AccountCode: accountCode, Amount, ...(taxType && { TaxType: taxType }) };
  return [rest === "Prepayment" ? { ...coded, KeptAs: rest } : coded];
}
