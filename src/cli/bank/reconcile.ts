/**
 * `acct bank reconcile` on a terminal: shows one line at a time, with its suggestions and their
 * reasons.
 *
 * Each answer is saved at once, so that Ctrl-C loses nothing. From the next question on the last
 * answer can be undone.
 */

import { type Account, account as accountResource } from "../../resources/account.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankSuggestion,
} from "../../resources/bank-match.ts";
import { bankRule } from "../../resources/bank-rule.ts";
import { type BankStatementLine, bankStatementLine } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type AcctError, NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { counted } from "../../resources/scalar.ts";
import { allOf, compare } from "../../wire/query/condition.ts";
import type { Choice, Context } from "../context/context.ts";
import { leaving, type Questions, terminalQuestions } from "../framework/questions.ts";
import { safeLine } from "../render/safe.ts";
import {
  askDifference,
  askMatch,
  askRule,
  askTransferAmount,
  type MatchTalk,
  money,
  type Unsuggested,
} from "./match-questions.ts";
import { linesPath, matchLine } from "./statement-lines.ts";

type ReconcileFlags = Readonly<Record<string, string>>;

/** How the user classifies a line. */
type Explanation =
  | { readonly kind: "match"; readonly suggestion: BankSuggestion }
  | { readonly kind: Unsuggested }
  | { readonly kind: "rule" }
  | { readonly kind: "ignore" };

type LineDecision =
  | Explanation
  | { readonly kind: "skip" }
  | { readonly kind: "back" }
  | { readonly kind: "undo" }
  | { readonly kind: "stop" };

interface ReconcileContext extends MatchTalk {
  readonly asked: ReconcileFlags;
}

/**
 * Reconciles the lines of an account by questions.
 *
 * @param ask  the prompts; of the terminal, except in tests with scripted answers
 */
export async function reconcileByHand(
  ctx: Context,
  account: Account,
  query: ReconcileFlags,
  ask?: Questions,
): Promise<void> {
  if (ask === undefined && !ctx.flags.input) {
    throw new UsageError("NoTerminal", "Nobody is here to ask; --auto does what is certain.");
  }
  const talk: ReconcileContext = {
    ctx,
    account,
    asked: query,
    ask: ask ?? (await terminalQuestions(ctx)),
  };
  const lines = await waitingLines(talk);
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

/** Returns the unreconciled lines, the oldest first. */
async function waitingLines({
  ctx,
  account: { AccountID },
}: ReconcileContext): Promise<BankStatementLine[]> {
  const client = await ctx.client();
  const where = allOf([
    `BankAccount.AccountID==guid("${AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", "UNRECONCILED"),
  ]);
  return Array.fromAsync(client.list(bankStatementLine, { where, order: "Date ASC" }));
}

interface Progress {
  readonly at: number;
  readonly count: number;
  readonly canUndo: boolean;
}

async function decide(
  talk: ReconcileContext,
  line: BankStatementLine,
  { at, count, canUndo }: Progress,
): Promise<LineDecision> {
  const { ctx, ask } = talk;
  const suggestions = await suggestionsFor(talk, line);
  const direction = line.Amount > 0 ? "in" : "out";
  const about = [line.Payee, line.Description].filter((each) => each !== undefined).join(" · ");
  ctx.out.say("");
  ctx.out.say(`${at + 1} of ${count}   ${line.Date}   ${money(line.Amount, line)} ${direction}`);
  if (about !== "") ctx.out.say(`   ${safeLine(about)}`);
  const names = await namesOf(ctx, line, suggestions);
  const choices: Choice<LineDecision>[] = [
    ...suggestions.map(
      (each, place): Choice<LineDecision> => ({
        name: `${names[place]}${each.Evidence === undefined ? "" : ` — ${safeLine(each.Evidence)}`}`,
        short: names[place] ?? "",
        value: { kind: "match", suggestion: each },
      }),
    ),
    { name: "Another invoice or bill…", value: { kind: "other" } },
    {
      name: line.Amount > 0 ? "Money received, to an account…" : "Money spent, on an account…",
      value: { kind: "account" },
    },
    {
      name:
        line.Amount > 0
          ? "Money received, to several accounts…"
          : "Money spent, on several accounts…",
      value: { kind: "accounts" },
    },
    { name: "A transfer between own accounts…", value: { kind: "transfer" } },
    { name: "An account, and a rule for others like it…", value: { kind: "rule" } },
    { name: "Ignore the line", value: { kind: "ignore" } },
    { name: "Skip it for now", value: { kind: "skip" } },
    ...(at === 0 ? [] : [{ name: "Back to the line before", value: { kind: "back" } as const }]),
    ...(canUndo ? [{ name: "Undo the last one", value: { kind: "undo" } as const }] : []),
    { name: "Stop here", value: { kind: "stop" } },
  ];
  return ask.choose({ message: "What is it?", choices });
}

async function suggestionsFor(
  { ctx, asked }: ReconcileContext,
  { BankStatementLineID }: BankStatementLine,
): Promise<BankSuggestion[]> {
  const client = await ctx.client();
  return client.at(bankSuggestion, `${linesPath}/Suggestions`, {
    ...asked,
    line: BankStatementLineID,
  });
}

/** Returns the request that accepts a suggestion; asks for the account of a difference. */
async function acceptedMatch(
  talk: ReconcileContext,
  line: BankStatementLine,
  suggestion: BankSuggestion,
): Promise<BankMatchInput> {
  const {
    BankStatementLineID: _line,
    IsCertain: _certain,
    Evidence: _evidence,
    Obstacles: _obstacles,
    BankRuleID: _rule,
    Difference,
    ...input
  } = suggestion;
  const other = input.TransferAccount?.AccountID;
  if (other !== undefined) {
    const client = await talk.ctx.client();
    const moved = await askTransferAmount(talk, line, await client.find(accountResource, other));
    return { ...input, ...moved } as BankMatchInput;
  }
  if (Difference === undefined) return input as BankMatchInput;
  const over = (line.Amount > 0 ? -Difference : Difference) as Cents;
  const own = await askDifference(talk, line, over);
  return { ...input, Lines: [...(input.Lines ?? []), ...own] } as BankMatchInput;
}

/** Describes in words the effect of each suggestion. */
async function namesOf(
  ctx: Context,
  line: BankStatementLine,
  suggestions: readonly BankSuggestion[],
): Promise<string[]> {
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
      fields: ["InvoiceID", "InvoiceNumber", "Contact", "CurrencyCode"],
    })) {
      documents.set(each.InvoiceID, each);
    }
  }
  return suggestions.map((suggestion) => {
    const { Documents = [], Records = [], Lines = [], TransferAccount, Difference } = suggestion;
    const parts = [
      ...Documents.map(({ DocumentID = "", Amount = 0, Kind = "Invoice" }) => {
        const invoice = documents.get(DocumentID);
        const name = invoice?.InvoiceNumber ?? Kind;
        const words = [name, invoice?.Contact?.Name, money(Amount, invoice ?? {})];
        return words.filter(Boolean).join(" ").replace(/\s+/g, " ");
      }),
      ...Records.map(({ Kind = "Payment" }) => `the ${inWords(Kind)} that the book has`),
      ...Lines.map(({ AccountCode, Amount }) =>
        Amount === undefined
          ? `account ${AccountCode}`
          : `account ${AccountCode} ${money(Amount, line)}`,
      ),
      ...(TransferAccount === undefined ? [] : ["a transfer between own accounts"]),
      ...(Difference === undefined ? [] : [`${money(Difference, line)} to an account…`]),
    ];
    return safeLine(parts.join(" + "));
  });
}

const inWords = (kind: string) => kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

/**
 * Executes an answer.
 *
 * @returns the updated line; undefined where it was refused or the user went back
 */
async function carryOut(
  talk: ReconcileContext,
  line: BankStatementLine,
  decision: Explanation,
): Promise<BankStatementLine | undefined> {
  const { ctx } = talk;
  const client = await ctx.client();
  const id = line.BankStatementLineID;
  try {
    if (decision.kind === "ignore") return await client.perform(bankStatementLine, id, "Ignore");
    if (decision.kind === "rule") {
      const rule = await leaving(talk.ask, (ask) => askRule({ ...talk, ask }, line));
      if (rule === undefined) return undefined;
      // The contact that a rule names is created with the first line.
      const matched = await matchLine(ctx, id, rule.match);
      const { Name } = await client.create(bankRule, rule.rule);
      ctx.out.say(`Made the rule ${safeLine(Name)}; acct bank rule remove takes it away.`);
      return matched;
    }
    const input = await leaving(talk.ask, (ask) =>
      decision.kind === "match"
        ? acceptedMatch({ ...talk, ask }, line, decision.suggestion)
        : askMatch({ ...talk, ask }, line, decision.kind),
    );
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

/**
 * Undoes the last answer.
 *
 * @returns the index of its line
 */
async function undo(
  { ctx }: ReconcileContext,
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
