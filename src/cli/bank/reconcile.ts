/**
 * `acct bank reconcile` for a person: one line at a time, with what it may be and why.
 *
 * Each answer is kept at once, so that Ctrl-C leaves what is done done. What was done can be undone
 * from the next question on.
 */
import { allOf, anyOf, compare } from "../../client/condition.ts";
import { type Account, account } from "../../resources/account.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankSuggestion,
} from "../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../resources/bank-statement.ts";
import { contact } from "../../resources/contact.ts";
import { type Cents, writeDecimal } from "../../resources/decimal.ts";
import { type AcctError, NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { counted } from "../../resources/scalar.ts";
import { quoted } from "../../wire/query/scanner.ts";
import type { Context } from "../framework/context.ts";
import { type Choice, type Questions, terminalQuestions } from "../prompts/questions.ts";
import { safeLine } from "../render/safe.ts";
import { linesPath, matchLine } from "./lines.ts";

type Asked = Readonly<Record<string, string>>;

/** What a person decides about a line. */
type Decision =
  | { readonly kind: "match"; readonly input: BankMatchInput }
  | { readonly kind: "other" }
  | { readonly kind: "account" }
  | { readonly kind: "transfer" }
  | { readonly kind: "ignore" }
  | { readonly kind: "skip" }
  | { readonly kind: "back" }
  | { readonly kind: "undo" }
  | { readonly kind: "stop" };

interface Talk {
  readonly ctx: Context;
  readonly account: Account;
  readonly asked: Asked;
  readonly ask: Questions;
}

/** @param ask  how to ask; on the terminal unless a test answers by script */
export async function reconcileByHand(
  ctx: Context,
  account: Account,
  asked: Asked,
  ask?: Questions,
): Promise<void> {
  if (ask === undefined && !ctx.flags.input) {
    throw new UsageError("NoTerminal", "Nobody is here to ask; --auto does what is certain.");
  }
  const talk: Talk = { ctx, account, asked, ask: ask ?? (await terminalQuestions(ctx)) };
  const lines = await waiting(talk);
  const changed = new Map<string, BankStatementLine>();
  const done: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as BankStatementLine;
    const decision = await decide(talk, line, {
      at,
      count: lines.length,
      canUndo: done.length > 0,
    });
    if (decision.kind === "stop") break;
    if (decision.kind === "back") at = Math.max(0, at - 1);
    else if (decision.kind === "skip") at += 1;
    else if (decision.kind === "undo") at = await undo(talk, lines, done, changed);
    else {
      const after = await carryOut(talk, line, decision);
      if (after === undefined) continue;
      changed.set(line.BankStatementLineID, after);
      done.push(line.BankStatementLineID);
      at += 1;
    }
  }
  await ctx.out.records(bankStatementLine, changed.values());
  const left = lines.length - changed.size;
  ctx.out.say(
    left === 0
      ? `Every line of ${account.Code} ${account.Name} is explained.`
      : `${counted(left, "line")} of ${account.Code} ${account.Name} left to explain.`,
  );
}

/** The lines that wait, the oldest first. */
async function waiting({ ctx, account: { AccountID } }: Talk): Promise<BankStatementLine[]> {
  const client = await ctx.client();
  const found: BankStatementLine[] = [];
  const where = allOf([
    `BankAccount.AccountID==guid("${AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", "UNRECONCILED"),
  ]);
  for await (const line of client.list(bankStatementLine, { where, order: "Date ASC" })) {
    found.push(line);
  }
  return found;
}

const money = (amount: number) => writeDecimal(amount, 2);

interface Progress {
  readonly at: number;
  readonly count: number;
  readonly canUndo: boolean;
}

async function decide(
  talk: Talk,
  line: BankStatementLine,
  { at, count, canUndo }: Progress,
): Promise<Decision> {
  const { ctx, ask } = talk;
  const suggestions = await suggestionsFor(talk, line);
  const direction = line.Amount > 0 ? "in" : "out";
  const about = [line.Payee, line.Description].filter((each) => each !== undefined).join(" · ");
  ctx.out.say("");
  ctx.out.say(`${at + 1} of ${count}   ${line.Date}   ${money(line.Amount)} ${direction}`);
  if (about !== "") ctx.out.say(`   ${safeLine(about)}`);
  const names = await namesOf(ctx, suggestions);
  const choices: Choice<Decision>[] = [
    ...suggestions.map(
      (each, place): Choice<Decision> => ({
        name: `${names[place]}${each.Evidence === undefined ? "" : ` — ${safeLine(each.Evidence)}`}`,
        short: names[place] ?? "",
        value: { kind: "match", input: inputOf(each) },
      }),
    ),
    { name: "Another invoice or bill…", value: { kind: "other" } },
    {
      name: line.Amount > 0 ? "Money received, to an account…" : "Money spent, on an account…",
      value: { kind: "account" },
    },
    { name: "A transfer between own accounts…", value: { kind: "transfer" } },
    { name: "Ignore the line", value: { kind: "ignore" } },
    { name: "Skip it for now", value: { kind: "skip" } },
    ...(at === 0 ? [] : [{ name: "Back to the line before", value: { kind: "back" } as const }]),
    ...(canUndo ? [{ name: "Undo the last one", value: { kind: "undo" } as const }] : []),
    { name: "Stop here", value: { kind: "stop" } },
  ];
  return ask.choose({ message: "What is it?", choices });
}

async function suggestionsFor(
  { ctx, asked }: Talk,
  { BankStatementLineID }: BankStatementLine,
): Promise<BankSuggestion[]> {
  const client = await ctx.client();
  return client.at(bankSuggestion, `${linesPath}/Suggestions`, {
    ...asked,
    line: BankStatementLineID,
  });
}

/** What of a suggestion is sent to accept it. */
function inputOf(suggestion: BankSuggestion): BankMatchInput {
  const {
    BankStatementLineID: _line,
    IsCertain: _certain,
    Evidence: _evidence,
    Obstacles: _obstacles,
    BankRuleID: _rule,
    ...input
  } = suggestion;
  return input as BankMatchInput;
}

/** What suggestions would do, in words. */
async function namesOf(ctx: Context, suggestions: readonly BankSuggestion[]): Promise<string[]> {
  const ids = suggestions.flatMap(({ Documents = [] }) =>
    Documents.flatMap(({ DocumentID, Kind }) =>
      Kind === "Invoice" && DocumentID !== undefined ? [DocumentID] : [],
    ),
  );
  const documents = new Map<string, Invoice>();
  const client = await ctx.client();
  const distinct = [...new Set(ids)];
  if (distinct.length > 0) {
    const parameters = { IDs: distinct.join(",") };
    for await (const each of client.list(invoice, {
      parameters,
      fields: ["InvoiceID", "InvoiceNumber", "Contact"],
    })) {
      documents.set(each.InvoiceID, each);
    }
  }
  return suggestions.map(({ Documents = [], Records = [], Lines = [], TransferAccount }) => {
    const parts = [
      ...Documents.map(({ DocumentID = "", Amount = 0, Kind = "Invoice" }) => {
        const found = documents.get(DocumentID);
        const name = found?.InvoiceNumber ?? Kind;
        return `${name} ${found?.Contact?.Name ?? ""} ${money(Amount)}`.replace(/\s+/g, " ");
      }),
      ...Records.map(({ Kind = "Payment" }) => `the ${inWords(Kind)} that the book has`),
      ...Lines.map(({ AccountCode, Amount }) =>
        Amount === undefined ? `account ${AccountCode}` : `account ${AccountCode} ${money(Amount)}`,
      ),
      ...(TransferAccount === undefined ? [] : ["a transfer between own accounts"]),
    ];
    return safeLine(parts.join(" + "));
  });
}

const inWords = (kind: string) => kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

/** @returns the line as it is then; undefined where it was refused, or the person thought better of it */
async function carryOut(
  talk: Talk,
  line: BankStatementLine,
  decision: Decision,
): Promise<BankStatementLine | undefined> {
  const { ctx } = talk;
  const client = await ctx.client();
  const id = line.BankStatementLineID;
  try {
    if (decision.kind === "ignore") return await client.perform(bankStatementLine, id, "Ignore");
    const input = decision.kind === "match" ? decision.input : await inputFor(talk, line, decision);
    return input === undefined ? undefined : await matchLine(ctx, id, input);
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    ctx.out.say(messageOf(error));
    return undefined;
  }
}

function messageOf(error: AcctError): string {
  const messages = error.details.map(({ message }) => message);
  return safeLine(messages.length === 0 ? error.message : messages.join(" "));
}

function inputFor(
  talk: Talk,
  line: BankStatementLine,
  { kind }: Decision,
): Promise<BankMatchInput | undefined> {
  if (kind === "other") return documentsAsked(talk, line);
  if (kind === "account") return accountAsked(talk, line);
  return transferAsked(talk);
}

/** Documents one after the other, until they come to the line; the rest is a fee, or a part is paid. */
async function documentsAsked(
  { ctx, ask }: Talk,
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
        return [
          ...choices,
          { name: chosen.length === 0 ? "None, back" : "No more", value: undefined },
        ];
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
  return Lines === undefined ? undefined : { Documents: paidInFull(chosen), Lines };
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
  { ctx, ask }: Pick<Talk, "ctx" | "ask">,
  line: BankStatementLine,
  over: number,
): Promise<BankMatchInput["Lines"] | undefined> {
  const found = await accountSearched(ctx, ask, `Where does the difference of ${money(over)} go?`);
  if (found?.Code === undefined) return undefined;
  const Amount = (line.Amount > 0 ? -over : over) as Cents;
  return [{ AccountCode: found.Code, Amount }];
}

async function accountAsked(
  { ctx, ask }: Talk,
  line: BankStatementLine,
): Promise<BankMatchInput | undefined> {
  const found = await accountSearched(ctx, ask, "Which account?");
  if (found?.Code === undefined) return undefined;
  const Name = await ask.search<string | undefined>({
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
        { name: "Back", value: undefined },
      ];
    },
  });
  return Name === undefined
    ? undefined
    : { Contact: { Name }, Lines: [{ AccountCode: found.Code }] };
}

async function transferAsked({
  ctx,
  ask,
  account: own,
}: Talk): Promise<BankMatchInput | undefined> {
  const found = await accountSearched(
    ctx,
    ask,
    "Which of your accounts?",
    (each) => each.Type === "BANK" && each.AccountID !== own.AccountID,
  );
  return found && { TransferAccount: { AccountID: found.AccountID } };
}

async function accountSearched(
  ctx: Context,
  ask: Questions,
  message: string,
  fits: (account: Account) => boolean = ({ Type }) => Type !== "BANK",
): Promise<Account | undefined> {
  const client = await ctx.client();
  const known: Account[] = [];
  const active = compare(account.fields, "Status", "==", "ACTIVE");
  for await (const each of client.list(account, { where: active, order: "Code ASC" })) {
    if (fits(each)) known.push(each);
  }
  return ask.search<Account | undefined>({
    message,
    source: (term) => {
      const wanted = term.toLowerCase();
      const name = (each: Account) => `${each.Code ?? ""}  ${each.Name}`;
      return [
        ...known
          .filter((each) => name(each).toLowerCase().includes(wanted))
          .map((each) => ({ name: safeLine(name(each)), value: each })),
        { name: "Back", value: undefined },
      ];
    },
  });
}

/** Takes the last decision back. @returns the place of its line */
async function undo(
  { ctx }: Talk,
  lines: readonly BankStatementLine[],
  done: string[],
  changed: Map<string, BankStatementLine>,
): Promise<number> {
  const id = done.pop() ?? "";
  const client = await ctx.client();
  await client.perform(bankStatementLine, id, "Unmatch");
  changed.delete(id);
  return lines.findIndex(({ BankStatementLineID }) => BankStatementLineID === id);
}
