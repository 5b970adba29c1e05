/** Questions that classify a statement line for which there is no suggestion. */

import { type Account, account } from "../../resources/account.ts";
import type { BankMatchInput } from "../../resources/bank-match.ts";
import type { BankRuleInput } from "../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../resources/bank-statement.ts";
import { amountText } from "../../resources/common.ts";
import { contact } from "../../resources/contact.ts";
import { creditNote } from "../../resources/credit-note.ts";
import type { Cents } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { money as moneyField } from "../../resources/field.ts";
import { invoice } from "../../resources/invoice.ts";
import { allOf, anyOf, compare } from "../../wire/query/condition.ts";
import { quoted } from "../../wire/query/scanner.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Choice, Context } from "../context/context.ts";
import { askInTurn, type Questions } from "../framework/questions.ts";
import { safeLine } from "../render/safe.ts";
import { parseValue } from "../values/value.ts";

export interface MatchTalk {
  readonly ctx: Context;
  /** The bank account of the lines. */
  readonly account: Account;
  readonly ask: Questions;
}

export const money = (amount: number, { CurrencyCode }: { readonly CurrencyCode?: string }) =>
  amountText(amount, CurrencyCode);

const askers = {
  other: askDocuments,
  account: askAccount,
  accounts: askAccounts,
  transfer: askTransfer,
} as const;

/** Answers to what a line is other than a suggestion: documents, an account, or a transfer. */
export type Unsuggested = keyof typeof askers;

/**
 * Asks how to match a line.
 *
 * @returns undefined where the user chose no match
 */
export function askMatch(
  talk: MatchTalk,
  line: BankStatementLine,
  kind: Unsuggested,
): Promise<BankMatchInput | undefined> {
  return askers[kind](talk, line);
}

/** Asks for a bank rule that covers a line, and returns the rule with the match of that line. */
export async function askRule(
  talk: MatchTalk,
  line: BankStatementLine,
): Promise<{ readonly rule: BankRuleInput; readonly match: BankMatchInput }> {
  let text = line.Payee ?? line.Description ?? "";
  let name = text;
  let account: Account | undefined;
  let party = "";
  const needed = (typed: string) => {
    if (typed.trim() === "") throw new UsageError("MissingValue", "An answer is needed.");
    return typed.trim();
  };
  await askInTurn(talk.ask, [
    {
      ask: async (ask) => {
        const message = "Of which lines? Those whose payee or text has";
        text = await ask.text({ message, initial: text, editable: true, read: needed });
      },
    },
    {
      ask: async (ask) => {
        account = await accountSearched(talk.ctx, ask, "Which account?");
      },
    },
    {
      ask: async (ask) => {
        party = await askContact({ ...talk, ask }, line);
      },
    },
    {
      ask: async (ask) => {
        name = await ask.text({ message: "Name of the rule", initial: name, read: needed });
      },
    },
  ]);
  const Lines = [{ AccountCode: account?.Code ?? "" }];
  const Contact = { Name: party };
  const direction = { Field: "direction", Test: "equals", Value: line.Amount > 0 ? "in" : "out" };
  const Conditions = [{ Field: "payeeOrText", Test: "contains", Value: text }, direction];
  return {
    rule: { Name: name, Conditions, Lines, Contact } as BankRuleInput,
    match: { Contact, Lines },
  };
}

/** A document that a line of this direction may pay or refund. */
interface PayableDocument {
  readonly Kind: "Invoice" | "CreditNote";
  readonly DocumentID: string;
  readonly name: string;
  /** Amount due in the currency of the document. */
  readonly due: Cents;
  readonly currency: string | undefined;
}

/** Asks for documents until they add up to the line; a difference is a fee or a partial payment. */
async function askDocuments(
  talk: MatchTalk,
  line: BankStatementLine,
): Promise<BankMatchInput | undefined> {
  const { ask } = talk;
  const own = await currencyOf(talk);
  const chosen: PayableDocument[] = [];
  const sum = () => chosen.reduce((total, { due }) => total + due, 0);
  for (;;) {
    const left = Math.abs(line.Amount) - sum();
    if (left <= 0 && chosen.length > 0) break;
    const document = await ask.search<PayableDocument | undefined>({
      message: chosen.length === 0 ? "Which one?" : `And which one, for ${money(left, line)}?`,
      source: async (term) => {
        const open = await openDocuments(talk, line, term);
        // Several documents must be in the account's currency; a foreign one takes the whole line.
        const choices = open
          .filter(({ DocumentID }) => chosen.every((each) => each.DocumentID !== DocumentID))
          .filter(({ currency }) => chosen.length === 0 || currency === own)
          .map((each): Choice<PayableDocument | undefined> => {
            const unit = each.currency === own ? "" : ` ${each.currency}`;
            const due = `${amountText(each.due, each.currency)}${unit}`;
            return { name: safeLine(`${each.name} ${due}`), value: each };
          });
        const noMore = { name: "No more", value: undefined };
        return chosen.length === 0 ? choices : [...choices, noMore];
      },
    });
    if (document === undefined) break;
    if (document.currency !== own) return { Documents: named([document]) };
    chosen.push(document);
  }
  if (chosen.length === 0) return undefined;
  const over = sum() - Math.abs(line.Amount);
  if (over === 0 || (over > 0 && chosen.length === 1 && !(await isFee(ask, money(over, line))))) {
    return { Documents: named(chosen) };
  }
  const Lines = await askDifference(talk, line, over);
  const Documents = chosen.map(({ Kind, DocumentID, due }) => ({ Kind, DocumentID, Amount: due }));
  return { Documents, Lines };
}

const named = (documents: readonly PayableDocument[]) =>
  documents.map(({ Kind, DocumentID }) => ({ Kind, DocumentID }));

async function currencyOf({ ctx, account: { CurrencyCode } }: MatchTalk) {
  if (CurrencyCode !== undefined) return CurrencyCode;
  return (await homeAt(ctx, await ctx.client())).currency;
}

const documentsMax = 20;

/**
 * Returns open documents: for money in, invoices and supplier credits refunded; for money out,
 * bills and customer credits.
 */
async function openDocuments(
  { ctx }: MatchTalk,
  { Amount }: BankStatementLine,
  term: string,
): Promise<PayableDocument[]> {
  const client = await ctx.client();
  const isIn = Amount > 0;
  const documents: PayableDocument[] = [];
  const searched = (number: string) =>
    term === ""
      ? undefined
      : anyOf([`${number}.Contains(${quoted(term)})`, `Contact.Name.Contains(${quoted(term)})`]);
  const invoices = allOf([
    compare(invoice.fields, "Type", "==", isIn ? "ACCREC" : "ACCPAY"),
    compare(invoice.fields, "Status", "==", "AUTHORISED"),
    searched("InvoiceNumber"),
  ]);
  const list = { limit: documentsMax };
  for await (const each of client.list(invoice, {
    ...list,
    where: invoices,
    order: "DueDate ASC",
  })) {
    documents.push({
      Kind: "Invoice",
      DocumentID: each.InvoiceID,
      name: `${each.InvoiceNumber ?? ""} ${each.Contact?.Name ?? ""}`.trim(),
      due: each.AmountDue,
      currency: each.CurrencyCode,
    });
  }
  const credits = allOf([
    compare(creditNote.fields, "Type", "==", isIn ? "ACCPAYCREDIT" : "ACCRECCREDIT"),
    compare(creditNote.fields, "Status", "==", "AUTHORISED"),
    searched("CreditNoteNumber"),
  ]);
  for await (const each of client.list(creditNote, {
    ...list,
    where: credits,
    order: "Date ASC",
  })) {
    documents.push({
      Kind: "CreditNote",
      DocumentID: each.CreditNoteID,
      name: `${each.CreditNoteNumber ?? ""} ${each.Contact?.Name ?? ""}`.trim(),
      due: each.RemainingCredit,
      currency: each.CurrencyCode,
    });
  }
  return documents;
}

function isFee(ask: Questions, over: string): Promise<boolean> {
  return ask.choose({
    message: `The line is ${over} less than what is due.`,
    choices: [
      { name: "It pays a part; the rest stays due", value: false },
      { name: "The difference is a fee or a discount, to an account…", value: true },
    ],
  });
}

/**
 * Asks for the account of the difference between documents and line.
 *
 * @param over  documents less line, in cents; negative where the documents are less
 */
export async function askDifference(
  { ctx, ask }: Pick<MatchTalk, "ctx" | "ask">,
  line: BankStatementLine,
  over: number,
): Promise<NonNullable<BankMatchInput["Lines"]>> {
  const message = `Where does the difference of ${money(Math.abs(over), line)} go?`;
  const account = await accountSearched(ctx, ask, message);
  const Amount = (line.Amount > 0 ? -over : over) as Cents;
  return [{ AccountCode: account.Code ?? "", Amount }];
}

async function askAccount(talk: MatchTalk, line: BankStatementLine): Promise<BankMatchInput> {
  let AccountCode = "";
  let Name = "";
  await askInTurn(talk.ask, [
    {
      ask: async (ask) => {
        AccountCode = (await accountSearched(talk.ctx, ask, "Which account?")).Code ?? "";
      },
    },
    {
      ask: async (ask) => {
        Name = await askContact({ ...talk, ask }, line);
      },
    },
  ]);
  return { Contact: { Name }, Lines: [{ AccountCode }] };
}

/** Asks for accounts with parts of the line, the last with the remainder, and for the contact. */
async function askAccounts(talk: MatchTalk, line: BankStatementLine): Promise<BankMatchInput> {
  const { ctx, ask } = talk;
  const whole = Math.abs(line.Amount);
  const Lines: NonNullable<BankMatchInput["Lines"]>[number][] = [];
  for (let left = whole; left > 0; ) {
    const message =
      left === whole ? "Which account?" : `And which account, for ${money(left, line)}?`;
    const account = await accountSearched(ctx, ask, message);
    const rest = left as Cents;
    const part = await ask.text<Cents>({
      message: `How much of ${money(rest, line)}? (nothing: all of it)`,
      read: (typed) => readPart(typed, rest, money(rest, line)),
    });
    const Amount = (line.Amount < 0 ? -part : part) as Cents;
    Lines.push({ AccountCode: account.Code ?? "", Amount });
    left -= part;
  }
  return { Contact: { Name: await askContact(talk, line) }, Lines };
}

/**
 * Parses a part of the amount of a line.
 *
 * @throws UsageError for a text that is not a part of `rest`
 */
function readPart(typed: string, rest: Cents, shown: string): Cents {
  if (typed.trim() === "") return rest;
  const part = parseValue(moneyField(), typed.trim(), { name: "the amount" }) as Cents;
  if (part > 0 && part <= rest) return part;
  throw new UsageError("BadValue", `It must be above zero and at most ${shown}.`);
}

function askContact({ ctx, ask }: MatchTalk, line: BankStatementLine): Promise<string> {
  return ask.search<string>({
    message: line.Amount > 0 ? "From whom?" : "To whom?",
    source: async (term) => {
      const wanted = term === "" ? (line.Payee ?? "") : term;
      const client = await ctx.client();
      const query = { ...(wanted === "" ? {} : { searchTerm: wanted }), limit: 10 };
      const names = await Array.fromAsync(client.list(contact, query), ({ Name }) => Name);
      const isNew =
        wanted !== "" && !names.some((each) => each.toLowerCase() === wanted.toLowerCase());
      return [
        ...names.map((name) => ({ name: safeLine(name), value: name })),
        ...(isNew ? [{ name: `A new contact: ${safeLine(wanted)}`, value: wanted }] : []),
      ];
    },
  });
}

async function askTransfer(talk: MatchTalk, line: BankStatementLine): Promise<BankMatchInput> {
  const { ctx, ask, account: own } = talk;
  const other = await accountSearched(
    ctx,
    ask,
    "Which of your accounts?",
    (each) => each.Type === "BANK" && each.AccountID !== own.AccountID,
  );
  const TransferAccount = { AccountID: other.AccountID };
  return { TransferAccount, ...(await askTransferAmount(talk, line, other)) };
}

/** Asks for the amount on the other account of a transfer, where its currency differs. */
export async function askTransferAmount(
  talk: MatchTalk,
  line: BankStatementLine,
  other: Account,
): Promise<Pick<BankMatchInput, "TransferAmount">> {
  const currency = await currencyOf({ ...talk, account: other });
  if (currency === (await currencyOf(talk))) return {};
  const verb = line.Amount > 0 ? "left" : "came to";
  const TransferAmount = await talk.ask.text<Cents | undefined>({
    message: `How much ${verb} ${other.Name}, in ${currency}? (nothing: at the day's rate)`,
    read: (typed) =>
      typed.trim() === ""
        ? undefined
        : (parseValue(moneyField(), typed.trim(), { name: "the amount" }) as Cents),
  });
  return TransferAmount === undefined ? {} : { TransferAmount };
}

async function accountSearched(
  ctx: Context,
  ask: Questions,
  message: string,
  fits: (account: Account) => boolean = ({ Type, Code }) => Type !== "BANK" && Code !== undefined,
): Promise<Account> {
  const client = await ctx.client();
  const where = compare(account.fields, "Status", "==", "ACTIVE");
  const active = await Array.fromAsync(client.list(account, { where, order: "Code ASC" }));
  const known = active.filter(fits);
  return ask.search<Account>({
    message,
    source: (term) => {
      const wanted = term.toLowerCase();
      const name = (each: Account) => `${each.Code ?? ""}  ${each.Name}`;
      return known
        .filter((each) => name(each).toLowerCase().includes(wanted))
        .map((each) => ({ name: safeLine(name(each)), value: each }));
    },
  });
}
