/** The questions that say what a line of a statement is, where no suggestion does. */
import { allOf, anyOf, compare } from "../../client/condition.ts";
import { type Account, account } from "../../resources/account.ts";
import type { BankMatchInput } from "../../resources/bank-match.ts";
import type { BankRuleInput } from "../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../resources/bank-statement.ts";
import { contact } from "../../resources/contact.ts";
import { type Cents, writeDecimal } from "../../resources/decimal.ts";
import { UsageError } from "../../resources/errors.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { quoted } from "../../wire/query/scanner.ts";
import type { Choice, Context } from "../framework/context.ts";
import { inTurn, type Questions } from "../prompts/questions.ts";
import { safeLine } from "../render/safe.ts";

export interface MatchTalk {
  readonly ctx: Context;
  /** Whose lines they are. */
  readonly account: Account;
  readonly ask: Questions;
}

export const money = (amount: number) => writeDecimal(amount, 2);

const askers = {
  other: documentsAsked,
  account: accountAsked,
  transfer: transferAsked,
} as const;

/** What a person may say that a line is: other documents, an account, a transfer. */
export type Unsuggested = keyof typeof askers;

/** @returns undefined where the person named nothing */
export function askMatch(
  talk: MatchTalk,
  line: BankStatementLine,
  kind: Unsuggested,
): Promise<BankMatchInput | undefined> {
  return askers[kind](talk, line);
}

/** A rule for lines like this one, and what it makes of this one. */
export async function askRule(
  talk: MatchTalk,
  line: BankStatementLine,
): Promise<{ readonly rule: BankRuleInput; readonly match: BankMatchInput }> {
  let text = line.Payee ?? line.Description ?? "";
  let name = text;
  let found: Account | undefined;
  let party = "";
  const needed = (typed: string) => {
    if (typed.trim() === "") throw new UsageError("MissingValue", "An answer is needed.");
    return typed.trim();
  };
  await inTurn(talk.ask, [
    {
      ask: async (ask) => {
        const message = "Of which lines? Those whose payee or text has";
        text = await ask.text({ message, initial: text, editable: true, read: needed });
      },
    },
    {
      ask: async (ask) => {
        found = await accountSearched(talk.ctx, ask, "Which account?");
      },
    },
    {
      ask: async (ask) => {
        party = await contactAsked({ ...talk, ask }, line);
      },
    },
    {
      ask: async (ask) => {
        name = await ask.text({ message: "Name of the rule", initial: name, read: needed });
      },
    },
  ]);
  const Lines = [{ AccountCode: found?.Code ?? "" }];
  const Contact = { Name: party };
  const direction = { Field: "direction", Test: "equals", Value: line.Amount > 0 ? "in" : "out" };
  const Conditions = [{ Field: "payeeOrText", Test: "contains", Value: text }, direction];
  return {
    rule: { Name: name, Conditions, Lines, Contact } as BankRuleInput,
    match: { Contact, Lines },
  };
}

/** Documents one after the other, until they come to the line; the rest is a fee, or a part is paid. */
async function documentsAsked(
  { ctx, ask }: MatchTalk,
  line: BankStatementLine,
): Promise<BankMatchInput | undefined> {
  const Type = line.Amount > 0 ? "ACCREC" : "ACCPAY";
  const client = await ctx.client();
  const chosen: Invoice[] = [];
  for (;;) {
    const sum = chosen.reduce((total, { AmountDue }) => total + AmountDue, 0);
    const left = Math.abs(line.Amount) - sum;
    if (left <= 0 && chosen.length > 0) break;
    const found = await ask.search<Invoice | undefined>({
      message: chosen.length === 0 ? "Which one?" : `And which one, for ${money(left)}?`,
      source: async (term) => {
        const open = allOf([
          compare(invoice.fields, "Type", "==", Type),
          compare(invoice.fields, "Status", "==", "AUTHORISED"),
          term === ""
            ? undefined
            : anyOf([
                `InvoiceNumber.Contains(${quoted(term)})`,
                `Contact.Name.Contains(${quoted(term)})`,
              ]),
        ]);
        const choices: Choice<Invoice | undefined>[] = [];
        for await (const each of client.list(invoice, {
          where: open,
          limit: 20,
          order: "DueDate ASC",
        })) {
          if (chosen.some(({ InvoiceID }) => InvoiceID === each.InvoiceID)) continue;
          const name = `${each.InvoiceNumber ?? ""} ${each.Contact?.Name ?? ""} ${money(each.AmountDue)}`;
          choices.push({ name: safeLine(name), value: each });
        }
        const noMore = { name: "No more", value: undefined };
        return chosen.length === 0 ? choices : [...choices, noMore];
      },
    });
    if (found === undefined) break;
    chosen.push(found);
  }
  if (chosen.length === 0) return undefined;
  const Documents = chosen.map(({ InvoiceID }) => ({
    Kind: "Invoice" as const,
    DocumentID: InvoiceID,
  }));
  const sum = chosen.reduce((total, { AmountDue }) => total + AmountDue, 0);
  const over = sum - Math.abs(line.Amount);
  if (over === 0 || (over > 0 && chosen.length === 1 && !(await isFee(ask, over))))
    return { Documents };
  const Lines = await differenceAsked({ ctx, ask }, line, over);
  return { Documents: paidInFull(chosen), Lines };
}

const paidInFull = (chosen: readonly Invoice[]) =>
  chosen.map(({ InvoiceID, AmountDue }) => ({
    Kind: "Invoice" as const,
    DocumentID: InvoiceID,
    Amount: AmountDue,
  }));

function isFee(ask: Questions, over: number): Promise<boolean> {
  return ask.choose({
    message: `The line is ${money(over)} less than what is due.`,
    choices: [
      { name: "It pays a part; the rest stays due", value: false },
      { name: "The difference is a fee or a discount, to an account…", value: true },
    ],
  });
}

/** @param over  by how much the documents are more than the line; below zero, less */
async function differenceAsked(
  { ctx, ask }: Pick<MatchTalk, "ctx" | "ask">,
  line: BankStatementLine,
  over: number,
): Promise<NonNullable<BankMatchInput["Lines"]>> {
  const found = await accountSearched(ctx, ask, `Where does the difference of ${money(over)} go?`);
  const Amount = (line.Amount > 0 ? -over : over) as Cents;
  return [{ AccountCode: found.Code ?? "", Amount }];
}

async function accountAsked(talk: MatchTalk, line: BankStatementLine): Promise<BankMatchInput> {
  let AccountCode = "";
  let Name = "";
  await inTurn(talk.ask, [
    {
      ask: async (ask) => {
        AccountCode = (await accountSearched(talk.ctx, ask, "Which account?")).Code ?? "";
      },
    },
    {
      ask: async (ask) => {
        Name = await contactAsked({ ...talk, ask }, line);
      },
    },
  ]);
  return { Contact: { Name }, Lines: [{ AccountCode }] };
}

function contactAsked({ ctx, ask }: MatchTalk, line: BankStatementLine): Promise<string> {
  return ask.search<string>({
    message: line.Amount > 0 ? "From whom?" : "To whom?",
    source: async (term) => {
      const wanted = term === "" ? (line.Payee ?? "") : term;
      const client = await ctx.client();
      const names: string[] = [];
      const query = wanted === "" ? {} : { searchTerm: wanted };
      for await (const each of client.list(contact, { ...query, limit: 10 })) names.push(each.Name);
      const isNew =
        wanted !== "" && !names.some((each) => each.toLowerCase() === wanted.toLowerCase());
      return [
        ...names.map((name) => ({ name: safeLine(name), value: name })),
        ...(isNew ? [{ name: `A new contact: ${safeLine(wanted)}`, value: wanted }] : []),
      ];
    },
  });
}

async function transferAsked({ ctx, ask, account: own }: MatchTalk): Promise<BankMatchInput> {
  const { AccountID } = await accountSearched(
    ctx,
    ask,
    "Which of your accounts?",
    (each) => each.Type === "BANK" && each.AccountID !== own.AccountID,
  );
  return { TransferAccount: { AccountID } };
}

async function accountSearched(
  ctx: Context,
  ask: Questions,
  message: string,
  fits: (account: Account) => boolean = ({ Type, Code }) => Type !== "BANK" && Code !== undefined,
): Promise<Account> {
  const client = await ctx.client();
  const known: Account[] = [];
  const active = compare(account.fields, "Status", "==", "ACTIVE");
  for await (const each of client.list(account, { where: active, order: "Code ASC" })) {
    if (fits(each)) known.push(each);
  }
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
