/**
 * `acct bank reconcile` on a terminal: shows one line at a time, with its suggestions and their
 * reasons.
 *
 * What an answer does is shown before it is booked; each is saved at once, so that Ctrl-C loses
 * nothing. Going back from the first question of a line leads to the line before, and what became
 * of any line can be undone in the end.
 */

import { mediumDate } from "../../../ledger/dates/calendar.ts";
import type { Account } from "../../../resources/account.ts";
import {
  type BankMatchInput,
  type BankSuggestion,
  bankSuggestion,
} from "../../../resources/bank-match.ts";
import { bankRule } from "../../../resources/bank-rule.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import {
  type AcctError,
  NotFoundError,
  RefusedError,
  UsageError,
} from "../../../resources/errors.ts";
import { runDigits } from "../../../resources/operation.ts";
import { counted, wordsOf } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import type { Choice, Context } from "../../context/context.ts";
import {
  askInTurn,
  goBack,
  isBackRequest,
  isLeaveRequest,
  keyedQuestions,
  leavable,
  type QuestionStep,
  type Questions,
  withBack,
} from "../../framework/questions.ts";
import { safeLine } from "../../render/safe.ts";
import { linesPath, matchLine } from "../statement-lines.ts";
import { accountUse } from "./account-order.ts";
import { standingOf } from "./account-standing.ts";
import { type Booking, inputOf, questionsOf } from "./line-answers.ts";
import { lookLines } from "./look.ts";
import { asPart, MatchNames } from "./match-parts.ts";
import { type MatchTalk, money, newDraft } from "./match-questions.ts";
import { type RuleDraft, ruleOf, ruleSteps } from "./rule-questions.ts";

type ReconcileFlags = Readonly<Record<string, string>>;

type Explanation = Booking | { readonly kind: "ignore" };

/** An answer that leads to another line. */
interface Move {
  readonly kind: "skip" | "back" | "undo" | "stop";
}

type Decision = Explanation | Move;

const isMove = (decision: Decision): decision is Move =>
  ["skip", "back", "undo", "stop"].includes(decision.kind);

interface ReconcileContext extends MatchTalk {
  /** GUID of the run, and how many operations it has made. */
  readonly run: { readonly id: string; count: number };
  readonly flags: ReconcileFlags;
  readonly lines: readonly BankStatementLine[];
  /** Lines that are done, as they are now, by id in the order of doing. */
  readonly done: Map<string, BankStatementLine>;
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
  const lines = await waitingLines(ctx, account);
  if (lines.length === 0) {
    ctx.out.say(`No lines wait at ${account.Code ?? account.Name}.`);
    return;
  }
  const client = await ctx.client();
  const dialogue: ReconcileContext = {
    ctx,
    account,
    flags: query,
    lines,
    done: new Map(),
    run: { id: crypto.randomUUID(), count: 0 },
    names: await MatchNames.of(client),
    use: await accountUse(client),
    ask: ask === undefined ? await keyedQuestions(ctx) : withBack(ask),
  };
  try {
    await explainLines(dialogue);
  } catch (error) {
    if (!isLeaveRequest(error)) throw error;
  }
  if (dialogue.done.size > 0 || !ctx.out.isScreen)
    await ctx.out.records(bankStatementLine, dialogue.done.values());
  const linesLeft = lines.length - dialogue.done.size;
  ctx.out.say(
    linesLeft === 0
      ? `Every line of ${account.Code} ${account.Name} is explained.`
      : `${counted(linesLeft, "line")} of ${account.Code} ${account.Name} left to explain.`,
  );
}

/** Asks for one line after the other, then for those that are to be undone. */
async function explainLines(dialogue: ReconcileContext): Promise<void> {
  const { lines } = dialogue;
  for (let at = 0; ; ) {
    if (at >= lines.length) {
      const undoneAt = await askAtEnd(dialogue);
      if (undoneAt === undefined) return;
      at = undoneAt;
      continue;
    }
    const nextLine = await explainLine(dialogue, at);
    if (nextLine === undefined) return;
    at = nextLine;
  }
}

/** Returns the unreconciled lines, the oldest first. */
async function waitingLines(ctx: Context, { AccountID }: Account): Promise<BankStatementLine[]> {
  const client = await ctx.client();
  const condition = allOf([
    `BankAccount.AccountID==guid("${AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", "UNRECONCILED"),
  ]);
  return Array.fromAsync(client.list(bankStatementLine, { where: condition, order: "Date ASC" }));
}

/**
 * Asks for a line until something became of it.
 *
 * @returns the place of the line that is next; undefined to stop
 */
async function explainLine(dialogue: ReconcileContext, at: number): Promise<number | undefined> {
  const { lines, done } = dialogue;
  const line = lines[at] as BankStatementLine;
  const id = line.BankStatementLineID;
  if (done.has(id)) return askAboutDone(dialogue, at);
  const draft: RuleDraft = newDraft();
  let lastDecision: Decision | undefined;
  for (;;) {
    const decision = await decide(dialogue, at, lastDecision);
    if (isMove(decision)) {
      if (decision.kind === "stop") return undefined;
      if (decision.kind === "back") return Math.max(0, at - 1);
      if (decision.kind === "skip") return at + 1;
      return undo(dialogue, [...done.keys()].at(-1) ?? "");
    }
    lastDecision = decision;
    const ownDialogue = { ...dialogue, ctx: asOwnOperation(dialogue) };
    const lineAfter = await carryOut(ownDialogue, line, draft, decision);
    if (lineAfter === undefined) continue;
    done.set(id, lineAfter);
    return at + 1;
  }
}

/**
 * Returns a context whose writes are an operation of their own in the log: `acct undo` takes back
 * one line. Those of a run have ids that differ in their last digits alone, so that `acct undo
 * --run` finds all of them.
 */
function asOwnOperation(talk: ReconcileContext): Context {
  talk.run.count += 1;
  const operation = `${talk.run.id.slice(0, -runDigits)}${talk.run.count.toString(16).padStart(runDigits, "0")}`;
  const client = async () => (await talk.ctx.client()).within(operation);
  return Object.assign(Object.create(talk.ctx) as Context, { client });
}

/** Offers to undo what became of a line that the user went back to. */
async function askAboutDone(dialogue: ReconcileContext, at: number): Promise<number | undefined> {
  const line = dialogue.lines[at] as BankStatementLine;
  const id = line.BankStatementLineID;
  const outcome = outcomeOf(dialogue.done.get(id) ?? line);
  const decision = await askOrBack(() =>
    dialogue.ask.choose<"undo" | "on" | "back">({
      message: `${titleOf(line)} is done: ${outcome}.`,
      choices: [
        { name: "Leave it, and go on", value: "on" },
        { name: "Undo it, and ask again", value: "undo" },
        ...(at === 0 ? [] : [{ name: "Back to the line before", value: "back" } as const]),
      ],
    }),
  );
  if (decision === "undo") return undo(dialogue, id);
  return decision === "on" ? at + 1 : Math.max(0, at - 1);
}

/** Runs a question; going back from it is an answer too. */
async function askOrBack<T>(ask: () => Promise<T>): Promise<T | "back"> {
  try {
    return await ask();
  } catch (error) {
    if (isBackRequest(error)) return "back";
    throw error;
  }
}

/**
 * Lists what became of each line, any of which can be undone.
 *
 * @returns the place of the line that was undone; undefined when the user is done
 */
async function askAtEnd(dialogue: ReconcileContext): Promise<number | undefined> {
  const { ask, done, lines } = dialogue;
  if (done.size === 0) return undefined;
  const lastId = [...done.keys()].at(-1) ?? "";
  const undoneId = await askOrBack(() =>
    ask.choose<string>({
      message: "That was the last line. What became of them:",
      choices: [
        { name: "All is right", value: "" },
        { name: "Undo the last one", value: lastId },
        ...lines.flatMap((line) => {
          const lineAfter = done.get(line.BankStatementLineID);
          return lineAfter === undefined
            ? []
            : [
                {
                  name: `Undo ${titleOf(line)}: ${outcomeOf(lineAfter)}`,
                  value: line.BankStatementLineID,
                },
              ];
        }),
      ],
    }),
  );
  if (undoneId === "") return undefined;
  return undo(dialogue, undoneId === "back" ? lastId : undoneId);
}

const titleOf = (line: BankStatementLine): string =>
  safeLine(
    [line.Handle ?? line.Date, money(line.Amount, line), line.Payee].filter(Boolean).join(" "),
  );

/** What became of a line: `INV-0218`, `payment`, `ignored`. */
function outcomeOf({ Status, Matches = [] }: BankStatementLine): string {
  if (Status === "IGNORED") return "ignored";
  return safeLine(
    Matches.map(({ Number: number, Kind = "" }) => number ?? wordsOf(Kind).toLowerCase()).join(
      ", ",
    ),
  );
}

async function decide(
  dialogue: ReconcileContext,
  at: number,
  lastDecision: Decision | undefined,
): Promise<Decision> {
  const { ctx, ask, lines, done, names, account } = dialogue;
  const line = lines[at] as BankStatementLine;
  const suggestions = await suggestionsFor(dialogue, line);
  const direction = line.Amount > 0 ? "in" : "out";
  const lineTexts = [line.Payee, line.Description].filter((text) => text !== undefined).join(" · ");
  const standingLines = await standingOf(ctx, account, names, lines.length - done.size);
  const progress = done.size === 0 ? [] : [`${done.size} done`];
  ctx.out.say("");
  ctx.out.say([...standingLines, ...progress].join(" · "));
  ctx.out.say(
    `${at + 1} of ${lines.length}   ${mediumDate(line.Date)}   ${names.money(Math.abs(line.Amount), line.CurrencyCode ?? names.base)} ${direction}`,
  );
  if (lineTexts !== "") ctx.out.say(`   ${safeLine(lineTexts)}`);
  const offered: Choice<Decision>[] = [];
  for (const suggestion of suggestions.flatMap((each) => [asPart(line, each) ?? [], each].flat())) {
    const name = await suggestionName(names, line, suggestion);
    const why = suggestion.Evidence === undefined ? "" : ` — ${safeLine(suggestion.Evidence)}`;
    offered.push({ name: `${name}${why}`, short: name, value: { kind: "match", suggestion } });
  }
  const otherDecisions = otherChoices(line, at, done.size > 0);
  const find = otherDecisions.find(({ value }) => value.kind === "documents")?.value;
  const initial = otherDecisions.find(({ value }) => value.kind === lastDecision?.kind)?.value;
  const choices = [...offered, ...otherDecisions];
  const decision = await askOrBack(() =>
    ask.choose({ message: "What is it?", choices, find, initial }),
  );
  return decision === "back" ? { kind: at === 0 ? "stop" : "back" } : decision;
}

/** What a line may be beside its suggestions, and what can be done instead. */
function otherChoices(line: BankStatementLine, at: number, canUndo: boolean): Choice<Decision>[] {
  const isIn = line.Amount > 0;
  const received = isIn ? "Money received, to" : "Money spent, on";
  const otherWays: readonly (readonly [Decision["kind"], string])[] = [
    [
      "documents",
      isIn ? "Another invoice, or money paid back…" : "Another bill, or money paid back…",
    ],
    ["account", `${received} an account…`],
    ["accounts", `${received} several accounts…`],
    ["Overpayment", `Keep it as an overpayment${isIn ? "" : " at a supplier"}…`],
    ["Prepayment", `Keep it as a deposit for a later ${isIn ? "invoice" : "bill"}…`],
    ["transfer", "A transfer between own accounts…"],
    ["rule", "An account, and a rule for others like it…"],
    ["ignore", "Ignore the line"],
    ["skip", "Skip it for now"],
    ...(at === 0 ? [] : [["back", "Back to the line before"] as const]),
    ...(canUndo ? [["undo", "Undo the last one"] as const] : []),
    ["stop", "Stop here"],
  ];
  return otherWays.map(([kind, name]) => ({ name, value: { kind } as Decision }));
}

async function suggestionsFor(
  { ctx, flags: asked }: ReconcileContext,
  { BankStatementLineID }: BankStatementLine,
): Promise<BankSuggestion[]> {
  const client = await ctx.client();
  return client.at(bankSuggestion, `${linesPath}/Suggestions`, {
    ...asked,
    line: BankStatementLineID,
  });
}

/** `INV-0218 Moa Coffee Roasters 547.40 settles it + …`. */
async function suggestionName(
  names: MatchNames,
  line: BankStatementLine,
  suggestion: BankSuggestion,
): Promise<string> {
  const parts = await names.parts(line, suggestion);
  const words = parts.map(({ number, name, amount, currency, effect }) =>
    [number, name, names.money(amount, currency), effect].filter(Boolean).join(" "),
  );
  return words.join(" + ");
}

/**
 * Asks what an answer lacks, shows what it does, and does it.
 *
 * @returns the updated line; undefined where the user went back
 */
async function carryOut(
  dialogue: ReconcileContext,
  line: BankStatementLine,
  draft: RuleDraft,
  decision: Explanation,
): Promise<BankStatementLine | undefined> {
  const client = await dialogue.ctx.client();
  const id = line.BankStatementLineID;
  if (decision.kind === "ignore") {
    return tryOrSay(dialogue, () => client.perform(bankStatementLine, id, "Ignore"));
  }
  if (decision.kind === "match" && isLookItself(decision.suggestion)) {
    return tryOrSay(dialogue, () => matchLine(dialogue.ctx, id, inputOf(decision.suggestion)));
  }
  let lineAfter: BankStatementLine | undefined;
  const waiting = dialogue.lines.filter((each) => !dialogue.done.has(each.BankStatementLineID));
  const { steps, input } = questionsOf(dialogue, line, draft, decision);
  const look: QuestionStep = {
    ask: async (ask) => {
      const match = input();
      for (const text of await lookLines(dialogue.names, line, match)) dialogue.ctx.out.say(text);
      const isRight = await ask.choose({
        message: "Book it? (Enter = yes, < = back, Esc = leave)",
        choices: [{ name: "Yes", value: true }],
      });
      if (!isRight) goBack();
      lineAfter = await tryOrSay(dialogue, () =>
        decision.kind === "rule"
          ? matchByRule(dialogue, line, draft, match)
          : matchLine(dialogue.ctx, id, match),
      );
      // A refusal keeps all answers: the last question is asked again.
      if (lineAfter === undefined) goBack();
    },
  };
  const stepsAsked = decision.kind === "rule" ? ruleSteps(dialogue, line, draft, waiting) : steps;
  await leavable(dialogue.ask, (ask) => askInTurn(ask, [...stepsAsked, look]));
  return lineAfter;
}

/** Whether a suggestion says all that will be booked: an exact amount that needs no person. */
const isLookItself = ({ IsCertain, Difference, Lines = [] }: BankSuggestion): boolean =>
  IsCertain && Difference === undefined && Lines.length === 0;

/** Runs what the service may refuse; a refusal is said. */
async function tryOrSay<T>({ ctx }: MatchTalk, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
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

/** Makes a rule and matches its line; the rule goes again where the match is refused. */
async function matchByRule(
  { ctx }: MatchTalk,
  line: BankStatementLine,
  draft: RuleDraft,
  match: BankMatchInput,
): Promise<BankStatementLine> {
  const client = await ctx.client();
  const { Contact: _made, ...rule } = ruleOf(draft, line);
  const { BankRuleID, Name } = await client.create(bankRule, rule);
  const remove = () => client.update(bankRule, BankRuleID, { Status: "DELETED" });
  try {
    // The contact may be made by the match, so that the rule is given it afterwards.
    const matched = await matchLine(ctx, line.BankStatementLineID, match);
    if (match.Contact !== undefined) {
      await client.update(bankRule, BankRuleID, { Contact: match.Contact as { Name: string } });
    }
    ctx.out.say(`Made the rule ${safeLine(Name)}; acct bank rule remove takes it away.`);
    return matched;
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Undoes what became of a line.
 *
 * @returns the place of the line
 */
async function undo({ ctx, lines, done }: ReconcileContext, id: string): Promise<number> {
  const client = await ctx.client();
  await client.perform(bankStatementLine, id, "Unmatch");
  done.delete(id);
  return lines.findIndex(({ BankStatementLineID }) => BankStatementLineID === id);
}
