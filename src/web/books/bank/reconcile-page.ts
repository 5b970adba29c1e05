/**
 * Page for reconciling: each bank statement line beside its possible matches in the books, with the
 * balances and the number of lines above, and what was done today below.
 *
 * A chosen suggestion is sent back exactly as shown, and the service decides whether it still
 * applies.
 */
import { localMs } from "../../../ledger/dates/timezones.ts";
import { lockedUntil } from "../../../ledger/locks.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { Account } from "../../../resources/account.ts";
import type { BankSuggestion } from "../../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { NotFoundError } from "../../../resources/errors.ts";
import { counted, readId } from "../../../resources/scalar.ts";
import { allOf, anyOf, compare } from "../../../wire/query/condition.ts";
import { addressWith, linkBeside, linkFrom, trailFields } from "../../frame/breadcrumbs.ts";
import {
  type Content,
  type FilterField,
  filterForm,
  isolated,
  link,
} from "../../frame/components.ts";
import type { Page } from "../../frame/page-context.ts";
import type { BooksContext } from "../context.ts";
import { accountsOf, titleOf } from "../ledger/account-ledger.ts";
import { accountAddress, day, money } from "../shown-values.ts";
import { certainPart } from "./certain.ts";
import {
  anchorOf,
  inBank,
  type LineAt,
  type LineContext,
  lineForm,
  type TabName,
  tabLink,
  tabNames,
  tabPart,
  tabs,
} from "./line-context.ts";
import { matchTab } from "./match-tab.ts";
import { newTab } from "./new-tab.ts";
import { isLocked, type Named, namedIn, offersOf } from "./offers.ts";
import { ruleTab } from "./rule-tab.ts";
import { lastStatement, loadBookBalance } from "./standing.ts";
import { transferTab } from "./transfer-tab.ts";
import {
  filtersIn,
  isLater,
  type LineFilters,
  type LinePage,
  laterIn,
  linesMax,
  linesPath,
  linesWaiting,
  ofBank,
  pageOfLines,
  suggestionsAt,
} from "./waiting-lines.ts";

/** Errors of an act on a line; the fields that were sent stand in the form of the request. */
export interface LineFault {
  readonly line: string;
  readonly messages: readonly string[];
}

const { fields } = bankStatementLine;

export async function showReconcile(ctx: BooksContext, code = ""): Promise<Page> {
  return reconcilePage(ctx, code, undefined);
}

/** What the page is about, whatever it shows. */
export async function lineContextOf(ctx: BooksContext, code: string): Promise<LineContext> {
  const accounts = await accountsOf(ctx);
  const bank = bankNamed(accounts, code);
  const path = `/bank/${encodeURIComponent(code)}/reconcile`;
  const page = ctx.query.get("page") ?? undefined;
  return {
    ctx,
    bank,
    accounts,
    locked: lockedUntil(ctx.organisation),
    mayChange: ctx.allows("POST", `${linesPath}/{BankStatementLineID}/Match`),
    path,
    hiddenFields: Object.entries({ ...filtersIn(ctx), page }),
  };
}

export async function reconcilePage(
  ctx: BooksContext,
  code: string,
  fault: LineFault | undefined,
): Promise<Page> {
  const context = await lineContextOf(ctx, code);
  const { bank, mayChange, path } = context;
  const filters = filtersIn(ctx);
  const waitingLines = await linesWaiting(ctx, bank);
  const isFiltered = [filters.q, filters.from, filters.to, filters.line].some((text) => text);
  const fittingLines = isFiltered ? await linesWaiting(ctx, bank, filters) : waitingLines;
  const byLine = waitingLines.length === 0 ? new Map() : await suggestionsAt(ctx, bank);
  const isCertain = ({ BankStatementLineID }: BankStatementLine) => byLine.has(BankStatementLineID);
  const certainLines = waitingLines.filter(isCertain);
  const linePage = pageOfLines(ctx, fittingLines, filters.only, isCertain);
  const ids = linePage.lines.map(({ BankStatementLineID }) => BankStatementLineID);
  const suggestions = ids.length === 0 ? new Map() : await suggestionsAt(ctx, bank, ids);
  const at =
    (suggestionsByLine: ReadonlyMap<string, readonly BankSuggestion[]>) =>
    (line: BankStatementLine): LineAt => ({
      line,
      suggestions: suggestionsByLine.get(line.BankStatementLineID) ?? [],
      values: ctx.query,
    });
  const lines = linePage.lines.map(at(suggestions));
  const title = `Reconcile ${titleOf(bank)}`;
  const isAccepting = mayChange && ctx.query.get("accept") === "certain" && certainLines.length > 0;
  const body = isAccepting
    ? await certainPart(context, certainLines.map(at(byLine)), fault?.messages ?? [])
    : html`${tabsOf(context, filters, linePage)}
${filterForm(ctx, path, filterFields, { ...filters })}
${await linesOf(context, lines, fault)}
${pagerOf(context, linePage)}
${await doneToday(context)}
${mayChange ? keysHelp : ""}`;
  return {
    title,
    heading: isolated(title),
    status: fault === undefined ? 200 : 400,
    body: html`${await standingOf(context, waitingLines.length, certainLines.length)}
${body}`,
  };
}

function bankNamed(accounts: readonly Account[], code: string): Account {
  const id = readId(code);
  const account = accounts.find(({ Code, AccountID }) => Code === code || AccountID === id);
  if (account?.Type === "BANK") return account;
  throw new NotFoundError("NotFound", `There is no bank account ${code.slice(0, 60)}.`);
}

// --- above the lines -------------------------------------------------------------------------------

async function standingOf(context: LineContext, waiting: number, certain: number): Promise<Markup> {
  const { ctx, bank, mayChange, path } = context;
  const statement = await lastStatement(ctx, bank);
  const book = await loadBookBalance(ctx, bank);
  const balance = statement?.balance;
  const shown = (cents: Cents | undefined) =>
    cents === undefined ? "\u2013" : money(ctx, cents, bank.CurrencyCode);
  const of =
    statement?.day === undefined || balance === undefined
      ? ""
      : html` <span class="soft">(${statement.isCounted ? "counted on to " : ""}${day(statement.day)})</span>`;
  const difference = balance === undefined || book === undefined ? undefined : balance - book;
  const key = bank.Code ?? bank.AccountID;
  const report = linkFrom(ctx, addressWith("/reports/bank-reconciliation", [["account", key]]));
  const why =
    difference === undefined || difference === 0 ? "" : html` ${link(report, "What is it?")}`;
  const all =
    certain === 0 || !mayChange
      ? ""
      : html` <a class="act other" href="${linkBeside(ctx, addressWith(path, [["accept", "certain"]]))}">Accept all ${certain}\u2026</a>`;
  const may = mayChange ? "" : " You may look at them, and not change them.";
  return html`<dl class="facts standing"><div><dt>Statement</dt><dd>${shown(balance)}${of}</dd></div><div><dt>Book</dt><dd>${link(linkFrom(ctx, accountAddress(key) ?? "/accounts"), html`${shown(book)}`)}</dd></div><div><dt>Difference</dt><dd>${shown(difference as Cents | undefined)}${why}</dd></div></dl>
<p>${waiting === 0 ? "Every line of the bank is explained." : html`${waiting} ${waiting === 1 ? "waits" : "wait"} \u00b7 ${certain} certain`}${all}${may}</p>`;
}

const filterFields: readonly FilterField[] = [
  { kind: "search", name: "q", label: "Search" },
  { kind: "date", name: "from", label: "From" },
  { kind: "date", name: "to", label: "To" },
];

function tabsOf({ ctx, path }: LineContext, filters: LineFilters, { counts }: LinePage): Markup {
  const { only, q, from, to } = filters;
  const tab = (name: LineFilters["only"], text: string, count: number) => {
    const to_ = linkBeside(ctx, addressWith(path, Object.entries({ q, from, to, only: name })));
    const isHere = name === only && filters.line === undefined;
    return html`<li><a href="${to_}"${isHere ? html` aria-current="page"` : ""}>${text} ${count}</a></li>`;
  };
  return html`<nav class="minor" aria-label="Lines"><ul class="strip">${tab(undefined, "All", counts.all)}${tab("certain", "Certain", counts.certain)}${tab("in", "Money in", counts.in)}${tab("out", "Money out", counts.out)}</ul></nav>`;
}

/** `51 to 100 of 152`, first and last page, and a box with the number of the page. */
function pagerOf({ ctx, path, hiddenFields: kept }: LineContext, linePage: LinePage): Content {
  const { page, first, lines, count, isLast } = linePage;
  if (lines.length === 0) return "";
  const said = html`<span class="soft">${first} to ${first + lines.length - 1} of ${count}</span>`;
  if (page === 1 && isLast) return html`<p>${said}</p>`;
  const own = kept.filter(([name]) => name !== "page");
  const to = (number: number, text: string, name: string) =>
    html`<a class="act other" href="${linkBeside(ctx, addressWith(path, [...own, ["page", number === 1 ? undefined : String(number)]]))}" aria-label="${name}">${text}</a>`;
  const pages = Math.ceil(count / linesMax);
  const hidden = [...own, ...trailFields(ctx)].flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  return html`<nav class="pager" aria-label="Pages">${said}${page === 1 ? "" : html`${to(1, "\u00ab", "First page")}${to(page - 1, "\u2039", "Previous page")}`}
<form method="get" action="${ctx.base}${path}">${hidden}<label for="page">Page</label> <input id="page" name="page" type="number" min="1" max="${pages}" value="${page}"> <button class="act other">Go</button></form>${isLast ? "" : html`${to(page + 1, "\u203a", "Next page")}${to(pages, "\u00bb", "Last page")}`}</nav>`;
}

const keysHelp = html`<details id="keys"><summary>Keys</summary><p>Enter accepts what is offered for the line; n and p go to the next and the previous line; m, t and r open Match, Transfer and Rule; l leaves the line for later; u undoes what was done last; ? shows this list.</p></details>`;

// --- the lines -------------------------------------------------------------------------------------

async function linesOf(
  context: LineContext,
  lines: readonly LineAt[],
  fault: LineFault | undefined,
): Promise<Content> {
  const { ctx } = context;
  const recordNames = await namedIn(ctx, lines);
  const message = doneMessage(context);
  const nextId = ctx.query.get("next");
  const isOnPage = lines.some(({ line }) => line.BankStatementLineID === nextId);
  const isGone =
    fault !== undefined && lines.every(({ line }) => line.BankStatementLineID !== fault.line);
  const laterIds = laterIn(ctx);
  const sections: Markup[] = [];
  for (const lineAt of lines) {
    const id = lineAt.line.BankStatementLineID;
    const lineFault = fault?.line === id ? fault : undefined;
    const said = lineFault !== undefined ? faultMarkup(lineFault) : id === nextId ? message : "";
    sections.push(
      await lineSection(context, lineAt, {
        named: recordNames,
        message: said,
        isLater: isLater(laterIds, lineAt.line),
        isSent: lineFault !== undefined,
      }),
    );
  }
  const emptyNote =
    lines.length === 0 && Object.values(filtersIn(ctx)).some((value) => value !== undefined)
      ? html`<p>No line fits these filters. ${link(linkBeside(ctx, context.path), "Clear")}</p>`
      : "";
  return html`${isGone ? faultMarkup(fault) : ""}${isOnPage ? "" : message}${emptyNote}${sections}`;
}

const faultMarkup = ({ messages }: LineFault) =>
  html`<div class="wrong" role="alert">${messages.map((message) => html`<p>${message}</p>`)}</div>`;

interface SectionOptions {
  readonly named: Named;
  /** Message about what was done or refused. */
  readonly message: Content;
  readonly isLater: boolean;
  /** Whether the fields of its tab were sent, and refused. */
  readonly isSent: boolean;
}

async function lineSection(
  around: LineContext,
  at: LineAt,
  { named, message: said, isLater, isSent }: SectionOptions,
): Promise<Markup> {
  const { ctx, bank, mayChange } = around;
  const { line } = at;
  const id = line.BankStatementLineID;
  const values = isSent && ctx.form?.has("tab") ? ctx.form : ctx.query;
  const isOpen = values === ctx.form || values.get("open") === id;
  const tab = isOpen ? tabNames.find((tabName) => tabName === values.get("tab")) : undefined;
  const [payee, ...texts] = textOf(line);
  return html`<section class="pair" id="${anchorOf(id)}" tabindex="-1" aria-labelledby="title-${id}">
${said}
<div class="side">
<h2 id="title-${id}"><span>${day(line.Date)}</span> <span class="figure">${money(ctx, Math.abs(line.Amount) as Cents, bank.CurrencyCode)} ${line.Amount < 0 ? "out" : "in"}</span></h2>
${payee === undefined ? "" : html`<p class="payee">${isolated(payee)}</p>`}
<p class="soft">${texts.map((text, index) => html`${index === 0 ? "" : " \u00b7 "}${isolated(text)}`)} ${link(linkFrom(ctx, `/bank-statement-lines/${id}`), html`All that the bank says`)}</p>
</div>
<div class="side">
${offersOf(around, at, named)}
${mayChange ? actsOf(around, at, tab, isLater) : ""}
</div>
${mayChange && tab !== undefined && !(isLocked(around, at) && tab !== "match") ? tabPart(tabs[tab].title, await tabOf(around, { ...at, values }, tab)) : ""}
</section>
`;
}

export const textOf = ({ Payee, Description, OtherAccount, References = [] }: BankStatementLine) =>
  [Payee, Description, OtherAccount, ...References].filter(
    (text): text is string => text !== undefined && text !== "",
  );

function actsOf(
  context: LineContext,
  at: LineAt,
  open: TabName | undefined,
  isLater: boolean,
): Markup {
  const id = at.line.BankStatementLineID;
  const offeredTabs = isLocked(context, at) ? [] : tabNames;
  const links = offeredTabs.map((name) => {
    const { title, key } = tabs[name];
    const marks = html`${key === undefined ? "" : html` aria-keyshortcuts="${key}"`}${name === open ? html` aria-current="true"` : ""}`;
    return html`<a href="${tabLink(context, id, name)}"${marks}>${title}</a>`;
  });
  const plainButton = (actName: string, text: string, key = "") =>
    lineForm(
      context,
      id,
      actName,
      html`<button class="plain"${key === "" ? "" : html` aria-keyshortcuts="${key}"`}>${text}</button>`,
    );
  return html`<div class="ways">${links}${
    isLater ? plainButton("now", "Bring it back") : plainButton("later", "Leave for later", "l")
  }${plainButton("ignore", "Ignore the line")}</div>`;
}

function tabOf(context: LineContext, at: LineAt, tab: TabName): Promise<Markup> {
  const tabPages = { match: matchTab, new: newTab, transfer: transferTab, rule: ruleTab };
  return tabPages[tab](context, at);
}

// --- what was done ---------------------------------------------------------------------------------

const dones: Readonly<Record<string, readonly [one: string, several: string]>> = {
  match: ["The line is reconciled.", "lines are reconciled."],
  rule: ["The line is reconciled, and the rule is made.", "lines are reconciled."],
  ignore: ["The line is ignored.", "lines are ignored."],
  undo: ["It was taken back: the line waits again.", "were taken back: the lines wait again."],
  later: ["The line waits behind the others until midnight.", ""],
  now: ["The line is back among the others.", ""],
};

/** Message about what was done, with what takes it back. */
function doneMessage(around: LineContext): Content {
  const { ctx, path } = around;
  const doneWord = ctx.query.get("done") ?? "";
  const words = Object.hasOwn(dones, doneWord) ? dones[doneWord] : undefined;
  if (words === undefined) return "";
  const lines = (ctx.query.get("of") ?? "").split(",").flatMap((id) => readId(id) ?? []);
  const text = lines.length > 1 ? `${lines.length} ${words[1]}` : words[0];
  const [first] = lines;
  const back =
    doneWord === "undo" || doneWord === "now" || first === undefined
      ? ""
      : lineForm(
          around,
          first,
          doneWord === "later" ? "now" : "undo",
          html`${lines.slice(1).map((id) => html`<input type="hidden" name="line" value="${id}">`)}<button class="act other">${lines.length > 1 ? `Undo all ${lines.length}` : "Undo"}</button>`,
        );
  const show =
    doneWord === "undo" && first !== undefined
      ? link(linkBeside(ctx, addressWith(path, [["line", first]])), "Show it")
      : "";
  return html`<div class="said" role="status" id="said" tabindex="-1"><span>${text}</span> ${around.mayChange ? back : ""}${show}</div>`;
}

/** Lines shown of those that were done today; the others are folded. */
const openMax = 3;
const todayMax = 200;

async function doneToday(around: LineContext): Promise<Content> {
  const { ctx, mayChange } = around;
  const lines = await linesDone(around);
  if (lines.length === 0) return "";
  const items = lines.map((line) => {
    const about = textOf(line)[0] ?? "";
    const state = line.Status === "IGNORED" ? "ignored" : "reconciled";
    const undo = html`<button class="act other">Undo<span class="unseen"> ${day(line.Date)} ${about}</span></button>`;
    return html`<li><div>${link(linkFrom(ctx, `/bank-statement-lines/${line.BankStatementLineID}`), day(line.Date))} ${inBank(around, line.Amount)} ${line.Amount < 0 ? "out" : "in"} ${isolated(about)} <span class="soft">${state}</span></div>
${mayChange ? lineForm(around, line.BankStatementLineID, "undo", undo) : ""}</li>`;
  });
  const more =
    items.length <= openMax
      ? ""
      : html`<details><summary>${counted(items.length - openMax, "line")} before these</summary><ul class="offers">${items.slice(openMax)}</ul></details>`;
  return html`<section class="lately" aria-labelledby="today"><h2 id="today">Done today: ${lines.length}</h2><ul class="offers">${items.slice(0, openMax)}</ul>${more}</section>`;
}

/** Lines reconciled or ignored since midnight where the organisation is, the latest first. */
async function linesDone({ ctx, bank }: LineContext): Promise<BankStatementLine[]> {
  const now = ctx.clock();
  const originLength = localMs(now, ctx.numberMarks.timezone);
  const midnightMs = now - (originLength % 86_400_000);
  const states = ["RECONCILED", "IGNORED"].map((text) => compare(fields, "Status", "==", text));
  const since = compare(fields, "UpdatedDateUTC", ">=", midnightMs);
  const query = {
    where: allOf([ofBank(bank), anyOf(states), since]),
    order: "UpdatedDateUTC DESC",
  };
  return Array.fromAsync(
    ctx.client.list(bankStatementLine, { ...query, limit: todayMax, count: false }),
  );
}
