/**
 * Page for reconciling: each bank statement line beside its possible matches in the books.
 *
 * It is the only page that changes the books. A chosen suggestion is sent back exactly as shown,
 * and the service decides whether it still applies.
 */

import { lockedUntil } from "../../../ledger/locks.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import { type BankSuggestion, bankMatch, bankSuggestion } from "../../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { NotFoundError, RefusedError } from "../../../resources/errors.ts";
import { pathOf } from "../../../resources/field.ts";
import { isDay, readId } from "../../../resources/scalar.ts";
import { allOf, anyOf, compare } from "../../../wire/query/condition.ts";
import {
  addressWith,
  linkBeside,
  linkFrom,
  trailFields,
  withTrailOf,
} from "../../frame/breadcrumbs.ts";
import {
  type Content,
  type FilterField,
  filterForm,
  isolated,
  link,
  pageIn,
  pager,
  part,
} from "../../frame/components.ts";
import type { Page, PageResponse } from "../../frame/page-context.ts";
import { messagesOf } from "../../frame/router.ts";
import type { BooksContext } from "../context.ts";
import { accountsOf, titleOf } from "../ledger/account-ledger.ts";
import { accountAddress, day, money } from "../shown-values.ts";
import { documentsOf, lineIn, manualForm, matchIn, type Offering, offersOf } from "./offers.ts";

/** Maximum number of statement lines per page, the oldest first. */
const linesMax = 15;
/** Number of recently reconciled lines that are listed with an undo button. */
const undoMax = 5;

const linesPath = pathOf(bankStatementLine);
const linePath = (id: string) => `${linesPath}/${encodeURIComponent(id)}`;

/** Error messages about one statement line. */
interface LineFault {
  readonly line: string;
  readonly messages: readonly string[];
}

/** Data that the statement lines of a page are shown with. */
interface Beside {
  readonly ctx: BooksContext;
  readonly bank: Account;
  readonly mayChange: boolean;
  readonly fault: LineFault | undefined;
  /** Address of the page with its filters, below the base. */
  readonly here: string;
}

export async function showReconcile(ctx: BooksContext, code = ""): Promise<Page> {
  return pageOf(ctx, code, undefined);
}

async function pageOf(
  ctx: BooksContext,
  code: string,
  fault: LineFault | undefined,
): Promise<Page> {
  const accounts = await accountsOf(ctx);
  const bank = bankNamed(accounts, code);
  const path = `/bank/${encodeURIComponent(code)}/reconcile`;
  const values = valuesIn(ctx);
  const { lines, count, page } = await linesOn(ctx, bank, values);
  const own = { ...values, page: page === 1 ? undefined : String(page) };
  const beside: Beside = {
    ctx,
    bank,
    mayChange: ctx.allows("POST", `${linesPath}/{BankStatementLineID}/Match`),
    fault,
    here: addressWith(path, Object.entries(own)),
  };
  const suggestions = await suggestionsFor(ctx, bank, lines);
  const documents = await documentsOf(ctx, [...suggestions.values()].flat());
  const offering = {
    ctx,
    bank,
    accounts,
    documents,
    locked: lockedUntil(ctx.organisation),
  };
  const pairs = lines.map((line, at) =>
    pairOf(beside, offering, { line, at }, suggestions.get(line.BankStatementLineID) ?? []),
  );
  const title = `Reconcile ${titleOf(bank)}`;
  const isOne = values.line !== undefined;
  return {
    title,
    heading: isolated(title),
    status: fault === undefined ? 200 : 400,
    body: html`<p class="soft">${isOne ? link(linkBeside(ctx, path), "All lines that wait") : waitingText(count, values)}${
      beside.mayChange ? "" : " You may look at them, and not change them."
    } ${link(linkFrom(ctx, accountAddress(bank.Code ?? bank.AccountID) ?? "/accounts"), "Postings of the account")}</p>
${isOne ? "" : filterForm(ctx, path, filters, values)}
${withMessage(beside, pairs)}
${isOne ? await skipLink(beside, path, lines[0]) : pager(ctx, path, values, { page, isLast: page * linesMax >= count })}
${await recentLines(beside)}`,
  };
}

function waitingText(count: number, values: ReconcileParameters): string {
  if (Object.values(values).some((each) => each !== undefined)) {
    return `${count} of the lines that wait ${count === 1 ? "fits" : "fit"} these filters.`;
  }
  return count === 0
    ? "Every line of the bank is explained."
    : `${count} ${count === 1 ? "line waits" : "lines wait"} to be explained, the oldest first.`;
}

function bankNamed(accounts: readonly Account[], code: string): Account {
  const id = readId(code);
  const account = accounts.find(({ Code, AccountID }) => Code === code || AccountID === id);
  if (account?.Type === "BANK") return account;
  throw new NotFoundError("NotFound", `There is no bank account ${code.slice(0, 60)}.`);
}

// --- which lines -----------------------------------------------------------------------------------

const filters: readonly FilterField[] = [
  { kind: "search", name: "q", label: "Payee or text" },
  { kind: "date", name: "from", label: "From" },
  { kind: "date", name: "to", label: "To" },
  { kind: "amount", name: "amount", label: "Amount" },
];

type ReconcileParameters = Readonly<
  Partial<Record<"q" | "from" | "to" | "amount" | "line", string>>
>;

function valuesIn({ query }: BooksContext): ReconcileParameters {
  const textIn = (name: string, isGood: (text: string) => boolean) => {
    const text = query.get(name)?.trim() ?? "";
    return text !== "" && isGood(text) ? text : undefined;
  };
  return {
    q: textIn("q", () => true),
    from: textIn("from", isDay),
    to: textIn("to", isDay),
    amount: textIn("amount", (text) => centsOf(text) !== undefined),
    line: textIn("line", (text) => readId(text) !== undefined),
  };
}

const centsOf = (text: string) => readDecimal(text.replaceAll(",", ""), scaleOf.money);

const { fields } = bankStatementLine;

const ofBank = ({ AccountID }: Account) => `BankAccount.AccountID==guid("${AccountID}")`;
const isWaiting = compare(fields, "Status", "==", "UNRECONCILED");

/** Statement lines of the requested page, or of the last page there is, and their total number. */
async function linesOn(
  ctx: BooksContext,
  bank: Account,
  { q, from, to, amount, line }: ReconcileParameters,
) {
  const cents = amount === undefined ? undefined : centsOf(amount);
  const where = allOf([
    ofBank(bank),
    isWaiting,
    from && compare(fields, "Date", ">=", from),
    to && compare(fields, "Date", "<=", to),
    cents === undefined
      ? undefined
      : anyOf([cents, -cents].map((each) => compare(fields, "Amount", "==", each))),
    line && compare(fields, "BankStatementLineID", "==", line),
  ]);
  const query = { where, order: "Date ASC", searchTerm: q, limit: linesMax };
  const read = async (page: number) => {
    const lines: BankStatementLine[] = [];
    const list = ctx.client.list(bankStatementLine, { ...query, page, count: true });
    for await (const each of list) lines.push(each);
    return { page, lines, count: list.itemCount ?? lines.length };
  };
  const result = await read(pageIn(ctx));
  return result.lines.length > 0 || result.page === 1
    ? result
    : read(Math.max(1, Math.ceil(result.count / linesMax)));
}

async function linesBy(
  { client }: BooksContext,
  where: string | undefined,
  order: string,
  limit: number,
): Promise<BankStatementLine[]> {
  const lines: BankStatementLine[] = [];
  const query = { where, order, limit, count: false };
  for await (const line of client.list(bankStatementLine, query)) lines.push(line);
  return lines;
}

const addressOf = (path: string, { BankStatementLineID }: BankStatementLine) =>
  addressWith(path, [["line", BankStatementLineID]]);

/** Link from a page of a single line to the next unreconciled line. */
async function skipLink(
  { ctx, bank }: Beside,
  path: string,
  line: BankStatementLine | undefined,
): Promise<Content> {
  if (line === undefined) return html`<p>This line does not wait.</p>`;
  const from = compare(fields, "Date", ">=", line.Date);
  const later = await linesBy(ctx, allOf([ofBank(bank), isWaiting, from]), "Date ASC", 100);
  const at = later.findIndex((each) => each.BankStatementLineID === line.BankStatementLineID);
  const next = later[at + 1];
  if (next === undefined) return "";
  return html`<nav class="pager" aria-label="Lines"><a class="act other" rel="next" href="${linkBeside(ctx, addressOf(path, next))}">Skip to the next line</a></nav>`;
}

// --- a line --------------------------------------------------------------------------------------

interface Placed {
  readonly line: BankStatementLine;
  /** Index of the line on the page. */
  readonly at: number;
}

const anchorOf = (line: string) => `line-${line}`;

function pairOf(
  beside: Beside,
  around: Omit<Offering, "form">,
  { line, at }: Placed,
  suggestions: readonly BankSuggestion[],
): Markup {
  const { ctx, bank, mayChange, fault, here } = beside;
  const id = line.BankStatementLineID;
  const [path = ""] = here.split("?", 1);
  const own = fault?.line === id ? fault : undefined;
  const form = (what: string, content: Content) => formOf(beside, { line, at }, what, content);
  const offering = { ...around, form: mayChange ? form : undefined };
  const title = html`${day(line.Date)}, ${money(ctx, Math.abs(line.Amount) as Cents, bank.CurrencyCode)} ${line.Amount < 0 ? "out" : "in"}`;
  return html`<section class="pair" id="${anchorOf(id)}" tabindex="-1">
<div>
<h2>${link(linkBeside(ctx, addressOf(path, line)), title)}</h2>
${textOf(line).map((text) => html`<p>${isolated(text)}</p>`)}
<p>${link(linkFrom(ctx, `/bank-statement-lines/${id}`), "All that the bank says")}</p>
</div>
<div>
${own === undefined ? "" : html`<div class="wrong" role="alert">${own.messages.map((each) => html`<p>${each}</p>`)}</div>`}
${offersOf(offering, line, suggestions)}
${manualForm(offering, line)}
</div>
</section>
`;
}

const textOf = ({ Payee, Description, OtherAccount, References = [] }: BankStatementLine) =>
  [Payee, Description, OtherAccount, ...References].filter(
    (each): each is string => each !== undefined && each !== "",
  );

/**
 * Suggested matches of the lines of a page, by line; one request for all costs as much as for one.
 */
async function suggestionsFor(
  { client }: BooksContext,
  { Code, AccountID }: Account,
  lines: readonly BankStatementLine[],
): Promise<ReadonlyMap<string, BankSuggestion[]>> {
  if (lines.length === 0) return new Map();
  const ids = lines.map((line) => line.BankStatementLineID);
  const parameters = { account: Code ?? AccountID, lines: ids.join(",") };
  const answer = await client.at(bankSuggestion, `${linesPath}/Suggestions`, parameters);
  return Map.groupBy(answer, (each) => each.BankStatementLineID);
}

/** Form about a statement line; after an error, the page is shown at that line again. */
function formOf(
  { ctx, here }: Beside,
  { line, at }: Placed,
  what: string,
  content: Content,
): Markup {
  const fields = [
    ["token", ctx.formToken],
    ["line", line.BankStatementLineID],
    ["at", String(at)],
    ["do", what],
    ...trailFields(ctx),
  ] as const;
  const action = `${ctx.base}${here}#${anchorOf(line.BankStatementLineID)}`;
  return html`<form class="by-hand" method="post" action="${action}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${content}</form>`;
}

/** Recently reconciled lines, each with an undo button. */
async function recentLines(beside: Beside): Promise<Content> {
  const { ctx, bank, mayChange } = beside;
  const by = (status: string) =>
    linesBy(
      ctx,
      allOf([ofBank(bank), compare(fields, "Status", "==", status)]),
      "UpdatedDateUTC DESC",
      undoMax,
    );
  const lately = [...(await by("RECONCILED")), ...(await by("IGNORED"))]
    .toSorted((a, b) => b.UpdatedDateUTC - a.UpdatedDateUTC)
    .slice(0, undoMax);
  const items = lately.map((line, at) => {
    const about = textOf(line)[0] ?? "";
    const state = line.Status === "IGNORED" ? "ignored" : "reconciled";
    const undo = html`<button class="act other">Undo<span class="unseen"> ${line.Date} ${about}</span></button>`;
    return html`<li><div>${link(linkFrom(ctx, `/bank-statement-lines/${line.BankStatementLineID}`), day(line.Date))} ${money(ctx, line.Amount, bank.CurrencyCode)} ${isolated(about)} <span class="soft">${state}</span></div>
${mayChange ? formOf(beside, { line, at }, "undo", undo) : ""}</li>`;
  });
  const message = ctx.query.get("done") === "undo" ? messageOf(beside) : "";
  if (message === "" && items.length === 0) return "";
  return part("lately", "Explained last", message, html`<ul class="offers">${items}</ul>`);
}

const saidId = "said";

/** Message about the completed action, with a link to a line that is unreconciled again. */
function messageOf({ ctx, here }: Pick<Beside, "ctx" | "here">): Content {
  const words = dones[ctx.query.get("done") ?? ""];
  if (words === undefined) return "";
  const line = readId(ctx.query.get("of") ?? "");
  const [path = ""] = here.split("?", 1);
  const to = linkBeside(ctx, addressWith(path, [["line", line]]));
  return html`<p class="said" role="status" id="${saidId}" tabindex="-1">${words}${line === undefined ? "" : html` ${link(to, "Show it")}`}</p>`;
}

/** Lines of the page, with the message inserted at the position of the line acted on. */
function withMessage(beside: Beside, pairs: readonly Markup[]): Content {
  const { query } = beside.ctx;
  if (query.get("done") === "undo") return html`${pairs}`;
  const at = Math.min(Number(query.get("at")) || 0, pairs.length);
  return html`${(pairs as Content[]).toSpliced(at, 0, messageOf(beside))}`;
}

const dones: Readonly<Record<string, string>> = {
  match: "The line is reconciled.",
  ignore: "The line is ignored.",
  undo: "It was taken back: the line waits again.",
};

// --- what is done --------------------------------------------------------------------------------

/** Handles a form: carries out the chosen action, then redirects to the page. */
export async function act(ctx: BooksContext, code = ""): Promise<PageResponse> {
  const { client } = ctx;
  const form = ctx.form ?? new URLSearchParams();
  const line = lineIn(form);
  const what = form.get("do") ?? "";
  try {
    if (what === "ignore") await client.perform(bankStatementLine, line, "Ignore");
    else if (what === "undo") await client.perform(bankStatementLine, line, "Unmatch");
    else {
      const input = matchIn(what, form);
      await client.act(bankStatementLine, `${linePath(line)}/Match`, { takes: bankMatch, input });
    }
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    return pageOf(ctx, code, { line, messages: messagesOf(error) });
  }
  const [path = ""] = ctx.here.split("?", 1);
  const query = [...ctx.query].filter(([name]) => !gone.has(name));
  const to = addressWith(path, [
    ...query,
    ["done", Object.hasOwn(dones, what) ? what : "match"],
    ["at", form.get("at") ?? ""],
    ["of", what === "undo" ? line : undefined],
  ]);
  return { seeOther: `${withTrailOf(ctx, to)}#${saidId}` };
}

/**
 * Query parameters that are dropped after an action: the previous message, and the line it was
 * about.
 */
const gone: ReadonlySet<string> = new Set(["via", "done", "at", "of", "line"]);
