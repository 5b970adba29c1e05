/**
 * Acts of the reconciling page. Each is an operation of its own; afterwards the page is shown at the
 * next line, with what was done and what takes it back.
 */
import { type BankMatchInput, bankMatch } from "../../../resources/bank-match.ts";
import { bankRule } from "../../../resources/bank-rule.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import {
  type AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
} from "../../../resources/errors.ts";
import { readId } from "../../../resources/scalar.ts";
import { addressWith, withTrailOf } from "../../frame/breadcrumbs.ts";
import type { PageResponse } from "../../frame/page-context.ts";
import { messagesOf } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { certainIn, fingerprintOf } from "./certain.ts";
import { anchorOf, type LineContext } from "./line-context.ts";
import { matchFrom } from "./match-tab.ts";
import { newFrom } from "./new-tab.ts";
import { inputOf, readMatch, unreadable } from "./offers.ts";
import { lineContextOf, reconcilePage } from "./reconcile-page.ts";
import { ruleFrom } from "./rule-tab.ts";
import { transferFrom } from "./transfer-tab.ts";
import {
  filtersIn,
  laterHeader,
  linePath,
  linesWaiting,
  pageOfLines,
  suggestionsAt,
} from "./waiting-lines.ts";

/** Handles a form of the page. */
export async function actOnLine(ctx: BooksContext, code = ""): Promise<PageResponse> {
  const form = ctx.form ?? new URLSearchParams();
  // The form of a tab says by its own fields what is done with which line.
  const ids = form.has("do") ? form.getAll("line") : form.getAll("open");
  const lines = [...new Set(ids.flatMap((id) => readId(id) ?? []))];
  const [line = ""] = lines;
  const actName = form.get("do") ?? form.get("tab") ?? "";
  const context = await lineContextOf(ctx, code);
  if (!context.mayChange) throw new AuthError("Forbidden", "You may not reconcile here.", 403);
  if (actName === "later" || actName === "now") {
    const nextLine = actName === "now" ? line : await nextTo(context, line);
    const headers = laterHeader(ctx, line, actName === "later");
    return { seeOther: addressAfter(ctx, { done: actName, of: [line], next: nextLine }), headers };
  }
  try {
    if (actName === "accept") return await acceptCertain(context, code, form);
    // The next line is read before: afterwards this one no longer says where it stood.
    const nextLine = actName === "undo" ? line : await nextTo(context, line);
    await carryOut(context, actName, lines);
    return { seeOther: addressAfter(ctx, { done: doneBy(actName), of: lines, next: nextLine }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return reconcilePage(ctx, code, { line, messages: faultsOf(form, error) });
  }
}

const isRefusal = (error: unknown): error is AcctError =>
  error instanceof RefusedError || error instanceof NotFoundError;

/** A suggestion that is refused was shown before the book changed: the page shows fresh ones. */
function faultsOf(form: URLSearchParams, error: AcctError): readonly string[] {
  const messages = messagesOf(error);
  return form.has("match") && error.code !== "StaleForm"
    ? [
        "The book has changed since this page was shown; these are the suggestions now.",
        ...messages,
      ]
    : messages;
}

const doneBy = (actName: string) =>
  actName === "undo" || actName === "ignore" || actName === "rule" ? actName : "match";

/** The line after one on its page, else the one before it. */
async function nextTo({ ctx, bank }: LineContext, line: string): Promise<string | undefined> {
  const filters = filtersIn(ctx);
  const fittingLines = await linesWaiting(ctx, bank, { ...filters, line: undefined });
  const certainByLine = filters.only === "certain" ? await suggestionsAt(ctx, bank) : undefined;
  const isCertain = ({ BankStatementLineID }: BankStatementLine) =>
    certainByLine?.has(BankStatementLineID) === true;
  const { lines } = pageOfLines(ctx, fittingLines, filters.only, isCertain);
  const at = lines.findIndex(({ BankStatementLineID }) => BankStatementLineID === line);
  return (lines[at + 1] ?? lines[at - 1])?.BankStatementLineID;
}

interface DoneAct {
  readonly done: string;
  readonly of: readonly string[];
  readonly next: string | undefined;
}

/** Parameters of the page that an act ends. */
const droppedNames: ReadonlySet<string> = new Set(["via", "done", "of", "next", "line", "accept"]);

function addressAfter(ctx: BooksContext, { done, of, next }: DoneAct): string {
  const [path = ""] = ctx.here.split("?", 1);
  const query = [...ctx.query].filter(([name]) => !droppedNames.has(name));
  const to = addressWith(path, [...query, ["done", done], ["of", of.join(",")], ["next", next]]);
  return `${withTrailOf(ctx, to)}#${next === undefined ? "said" : anchorOf(next)}`;
}

async function carryOut(
  context: LineContext,
  actName: string,
  lines: readonly string[],
): Promise<void> {
  const { client, form } = context.ctx;
  const [id = ""] = lines;
  if (actName === "ignore") await client.perform(bankStatementLine, id, "Ignore");
  else if (actName === "undo") {
    for (const text of lines) await client.perform(bankStatementLine, text, "Unmatch");
  } else if (actName === "match" && form?.has("match")) {
    await matchLine(context.ctx, id, readMatch(form.get("match") ?? ""));
  } else await carryOutTab(context, actName, id);
}

async function carryOutTab(context: LineContext, tabName: string, id: string): Promise<void> {
  const { ctx } = context;
  const line = await ctx.client.find(bankStatementLine, id);
  const at = { line, suggestions: [], values: ctx.form ?? new URLSearchParams() };
  switch (tabName) {
    case "match":
      await matchLine(ctx, id, await matchFrom(context, at));
      return;
    case "new":
      await matchLine(ctx, id, await newFrom(context, at));
      return;
    case "transfer": {
      const { input, otherLine } = transferFrom(context, at);
      const { Matches = [] } = (await matchLine(ctx, id, input)) ?? {};
      const RecordID = Matches.find(({ Kind }) => Kind === "BankTransfer")?.RecordID;
      if (otherLine === undefined || RecordID === undefined) return;
      await matchLine(ctx, otherLine, { Records: [{ Kind: "BankTransfer", RecordID }] });
      return;
    }
    case "rule": {
      const { rule, input } = await ruleFrom(context, at);
      // A contact that the rule names is made with its first line.
      await matchLine(ctx, id, input);
      await ctx.client.create(bankRule, rule);
      return;
    }
    default:
      throw unreadable();
  }
}

async function matchLine(
  { client }: BooksContext,
  id: string,
  input: BankMatchInput,
): Promise<BankStatementLine | undefined> {
  const [line] = await client.act(bankStatementLine, `${linePath(id)}/Match`, {
    takes: bankMatch,
    input,
  });
  return line;
}

/** Books the listed lines that are still certain as they were listed; the others are told. */
async function acceptCertain(
  context: LineContext,
  code: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { ctx, bank } = context;
  const suggestionsByLine = await suggestionsAt(ctx, bank);
  const doneIds: string[] = [];
  const refusedTexts: string[] = [];
  for (const takenLine of form.getAll("take")) {
    const [key = "", fingerprint] = takenLine.split(":");
    const id = readId(key) ?? "";
    const suggestion = certainIn(suggestionsByLine.get(id) ?? []);
    if (suggestion === undefined || fingerprintOf(suggestion) !== fingerprint) {
      refusedTexts.push("A line is no longer what was listed, and still waits.");
      continue;
    }
    try {
      await matchLine(ctx, id, inputOf(suggestion));
      doneIds.push(id);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusedTexts.push(...messagesOf(error));
    }
  }
  if (refusedTexts.length > 0 || doneIds.length === 0) {
    const told = doneIds.length === 0 ? [] : [`${doneIds.length} of the lines are reconciled.`];
    const messages = refusedTexts.length === 0 ? ["Choose a line."] : [...told, ...refusedTexts];
    return reconcilePage(ctx, code, { line: "", messages });
  }
  return { seeOther: addressAfter(ctx, { done: "match", of: doneIds, next: undefined }) };
}
