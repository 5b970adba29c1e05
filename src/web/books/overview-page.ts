/** First page: the overview of the company, with a link from each figure to its details. */
import { financialYear, shortDate } from "../../ledger/dates/calendar.ts";
import { chartSvg } from "../../output/chart/svg.ts";
import type { Chart } from "../../output/chart.ts";
import { html, type Markup } from "../../output/markup.ts";
import {
  firstSteps,
  isEmptyBook,
  type OverviewParts,
  overviewParts,
} from "../../output/overview.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { type Overview, overview, overviewPath } from "../../resources/overview.ts";
import { counted } from "../../resources/scalar.ts";
import { addressWith, linkFrom } from "../frame/breadcrumbs.ts";
import { type Content, isolated, link, table } from "../frame/components.ts";
import type { Page } from "../frame/page-context.ts";
import { noBankAccounts } from "./bank/no-bank-accounts.ts";
import { lastStatement } from "./bank/standing.ts";
import { type RecordList, recordLists } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";
import { ignoreForbidden } from "./ledger/postings.ts";
import { plansPath } from "./plans/decision-forms.ts";
import { countWaitingPlans } from "./plans/plan-pages.ts";
import { latestIn } from "./records/list.ts";
import { totalText } from "./records/list-parts.ts";
import { ageFilters } from "./records/list-query.ts";
import { reportPath } from "./reports/report-catalogue.ts";
import { accountAddress, day, lateBy, money } from "./shown-values.ts";

export async function showOverview(ctx: BooksContext): Promise<Page> {
  const state = await stateOf(ctx);
  const { Name } = ctx.organisation;
  return {
    title: "Overview",
    heading: isolated(Name),
    body: state === undefined ? await overviewWithoutFigures(ctx) : await tilesOf(ctx, state),
  };
}

/** Reads the overview; undefined without permission, or where the service has none. */
async function stateOf({ client, allows }: BooksContext): Promise<Overview | undefined> {
  if (!allows("GET", overviewPath)) return undefined;
  const answer = await client.at(overview, overviewPath).catch(ignoreForbidden);
  return answer?.[0];
}

async function tilesOf(ctx: BooksContext, state: Overview): Promise<Markup> {
  if (isEmptyBook(state)) return stepsOf(ctx);
  const parts = overviewParts(state);
  const locked = parts.locks.map(({ date }) => date).sort();
  const last = locked.at(-1);
  const lock = last === undefined ? "" : html` \u00b7 The books are locked up to ${day(last)}.`;
  return html`<p class="soft">${day(state.Date)}${lock}</p>
<div class="tiles">
${await cashTile(ctx, state, parts)}
${monthsTile(ctx, state, parts)}
${owedTile(ctx, "in", parts)}
${owedTile(ctx, "out", parts)}
${debtorsTile(ctx, state)}
${await waitingTile(ctx, state)}
${taxTile(ctx, parts)}
</div>`;
}

function stepsOf(ctx: BooksContext): Markup {
  const steps = firstSteps.map(
    ({ command, what, page }) =>
      html`<li>${link(
        page && linkFrom(ctx, page),
        what.replace(/^./, (letter) => letter.toUpperCase()),
      )}<br><code>${command}</code></li>`,
  );
  return html`<p>Nothing is recorded in this book yet. Begin with one of these:</p>
<ul class="cards">${steps}</ul>`;
}

function tileMarkup(id: string, heading: string, ...content: readonly Content[]): Markup {
  return html`<section class="tile"><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

/** The figure that a tile is about, with its currency. */
function bigFigure(ctx: BooksContext, cents: Cents, href: string | undefined): Markup {
  const { BaseCurrency } = ctx.organisation;
  return html`<p class="big">${link(href, html`${BaseCurrency} ${money(ctx, cents)}`)}</p>
`;
}

// --- cash --------------------------------------------------------------------------------------

async function cashTile(
  ctx: BooksContext,
  { BankAccounts = [], Cash }: Overview,
  { cash }: OverviewParts,
): Promise<Markup> {
  const { today } = ctx;
  const year = financialYear(
    today,
    ctx.organisation.FinancialYearEndDay,
    ctx.organisation.FinancialYearEndMonth,
  );
  const days = [
    ["from", year.from],
    ["to", today],
  ] as const;
  const rows: Content[][] = [];
  for (const each of BankAccounts) {
    const { AccountID, Code, Name, Balance, UnreconciledLines } = each;
    const key = Code ?? AccountID;
    const ledger = addressWith(accountAddress(key) ?? "/accounts", days);
    const reconcile = `/bank/${encodeURIComponent(key)}/reconcile`;
    const last = await lastStatement(ctx, each);
    const foreign =
      each.BalanceInCurrency === undefined
        ? ""
        : html`<br><span class="soft">${each.CurrencyCode} ${money(ctx, each.BalanceInCurrency, each.CurrencyCode)}</span>`;
    rows.push([
      html`${isolated(Code === undefined ? Name : `${Code} ${Name}`)}${
        UnreconciledLines === 0
          ? ""
          : html`<br>${link(linkFrom(ctx, reconcile), `${counted(UnreconciledLines, "line")} to reconcile`)}`
      }`,
      last?.balance === undefined
        ? "\u2013"
        : html`${money(ctx, last.balance, each.CurrencyCode)}${last.day === undefined ? "" : html`<br><span class="soft">${day(last.day)}</span>`}`,
      html`${link(linkFrom(ctx, ledger), money(ctx, Balance))}${foreign}`,
    ]);
  }
  const keys = BankAccounts.map(({ Code, AccountID }) => encodeURIComponent(Code ?? AccountID));
  const allLink = keys.length === 0 ? undefined : addressWith(`/accounts/${keys.join(",")}`, days);
  return tileMarkup(
    "cash",
    "Cash",
    bigFigure(ctx, Cash, allLink && linkFrom(ctx, allLink)),
    table({
      caption: "Bank accounts",
      columns: [
        { heading: "Account" },
        { heading: "Statement", figures: true },
        { heading: "Book", figures: true },
      ],
      rows,
      empty: noBankAccounts,
    }),
    cash.points.length === 0 ? "" : chartWithFigures(ctx, "cash-chart", cash),
  );
}

/** Width of a drawing in points; it scales with its container, text included. */
const drawingWidth = 320;

const chartMarkup = (ctx: BooksContext, id: string, chart: Chart): Markup =>
  chartSvg(chart, { id, width: drawingWidth, marks: ctx.numberMarks });

/** A chart, and its figures as a table for screen readers and for exact amounts. */
function chartWithFigures(
  ctx: BooksContext,
  id: string,
  chart: Chart,
  links: readonly (string | undefined)[] = [],
): Markup {
  const { title, series } = chart;
  const points = chart.points.map((point, at) => ({ ...point, href: links[at] }));
  return html`${chartMarkup(ctx, id, { ...chart, points })}
<details><summary>${title}: the figures</summary>
${table({
  caption: title,
  columns: [{ heading: "Month" }, ...series.map(({ name }) => ({ heading: name, figures: true }))],
  rows: points.map(({ label, href }, at) => [
    href === undefined ? label : link(href, label),
    ...series.map(({ amounts }) => money(ctx, amounts[at] ?? (0 as Cents))),
  ]),
})}</details>`;
}

// --- income and expenses ---------------------------------------------------------------------------

function monthsTile(
  ctx: BooksContext,
  { Months = [], SameMonthLastYear }: Overview,
  { profit, results }: OverviewParts,
): Markup {
  const to = ({ FromDate, ToDate }: (typeof Months)[number]) =>
    linkFrom(
      ctx,
      addressWith(reportPath("ProfitAndLoss"), [
        ["from", FromDate],
        ["to", ToDate],
      ]),
    );
  const compared = [...Months.slice(-2).toReversed(), SameMonthLastYear];
  return tileMarkup(
    "months",
    "Income and expenses",
    profit === undefined ? "" : bigFigure(ctx, profit, to(compared[0] ?? SameMonthLastYear)),
    html`<p class="soft">Profit this month so far</p>`,
    table({
      caption: "Beside last month, and the same month of last year",
      columns: [
        { heading: "Month" },
        { heading: "Income", figures: true },
        { heading: "Expenses", figures: true },
        { heading: "Profit", figures: true },
      ],
      rows: compared.map((record) => [
        link(to(record), shortDate(record.FromDate).replace(/^\d+ /, "")),
        money(ctx, record.Income),
        money(ctx, record.Expenses),
        money(ctx, record.Profit),
      ]),
    }),
    chartWithFigures(ctx, "months-chart", results, Months.map(to)),
  );
}

// --- what is owed ------------------------------------------------------------------------------------

const owing = {
  in: { report: "AgedReceivables", list: "/invoices" },
  out: { report: "AgedPayables", list: "/bills" },
} as const;

const dueWords = {
  overdue: { words: "overdue", nothing: "Nothing is overdue." },
  week: { words: "due this week", nothing: "Nothing is due this week." },
} as const;

function owedTile(ctx: BooksContext, side: keyof typeof owing, { owed }: OverviewParts): Markup {
  const { report, list } = owing[side];
  const { heading, credits, total, due, chart } = owed[side];
  const aged = linkFrom(ctx, addressWith(reportPath(report), [["date", ctx.today]]));
  const dueLine = (name: keyof typeof dueWords): Markup => {
    const { amount, count } = due[name];
    const { words, nothing } = dueWords[name];
    if (count === 0) return html`<span class="soft">${nothing}</span>`;
    const to = linkFrom(ctx, addressWith(list, [["due", name]]));
    return html`${link(to, money(ctx, amount))} ${words}, ${counted(count, "document")}`;
  };
  const bucketTo = (at: number) =>
    at === 0 ? aged : linkFrom(ctx, addressWith(list, [["due", ageFilters[at - 1]]]));
  const points = chart?.points.map((point, at) => ({ ...point, href: bucketTo(at) }));
  return tileMarkup(
    `owed-${side}`,
    heading,
    bigFigure(ctx, total, aged),
    html`<p>${dueLine("overdue")}<br>${dueLine("week")}${credits === 0 ? "" : html`<br>${money(ctx, credits)} in credits`}</p>`,
    chart === undefined || points === undefined
      ? ""
      : chartMarkup(ctx, `owed-${side}-chart`, { ...chart, points }),
  );
}

function debtorsTile(ctx: BooksContext, { Debtors = [] }: Overview): Content {
  if (Debtors.length === 0) return "";
  return tileMarkup(
    "debtors",
    "Who owes most",
    table({
      caption: "Who owes most",
      columns: [{ heading: "Customer" }, { heading: "Amount", figures: true }],
      rows: Debtors.map(({ ContactID, Name, Amount, DueDate }) => [
        html`${link(linkFrom(ctx, `/contacts/${ContactID}`), Name)}${lateBy(ctx, { AmountDue: Amount, DueDate, Status: "AUTHORISED" })}`,
        link(
          linkFrom(
            ctx,
            addressWith("/invoices", [
              ["contact", ContactID],
              ["status", "AUTHORISED"],
            ]),
          ),
          money(ctx, Amount),
        ),
      ]),
    }),
  );
}

// --- what waits --------------------------------------------------------------------------------------

/** List of the documents of a type. */
function listOfType(type: string): RecordList | undefined {
  return type === "MANJOURNAL"
    ? recordLists.find(({ path }) => path === "/manual-journals")
    : (recordLists.find(({ types }) => types?.includes(type)) ??
        recordLists.find(({ resource }) => isTypeOf(resource, type)));
}

/** Whether a resource has documents of a type; it may have only that type. */
function isTypeOf({ name, fields: { Type } }: Resource, type: string): boolean {
  return Type?.kind === "choice" ? Type.values.includes(type) : name.toUpperCase() === type;
}

async function waitingTile(ctx: BooksContext, { Waiting = [] }: Overview): Promise<Markup> {
  const rows: Content[][] = [];
  for (const { Type, Status, Count, FromDate } of Waiting) {
    const list = listOfType(Type);
    const to = list && addressWith(list.path, [["status", Status]]);
    const state = Status === "DRAFT" ? "drafts" : "awaiting approval";
    rows.push([
      html`${link(to && linkFrom(ctx, to), `${list?.title ?? Type}, ${state}`)}<br><span class="soft">since ${day(FromDate)}</span>`,
      String(Count),
      (list && (await totalText(ctx, list, Status))) ?? "\u2013",
    ]);
  }
  const planCount = (await countWaitingPlans(ctx)) ?? 0;
  if (planCount > 0) {
    const to = linkFrom(ctx, addressWith(plansPath, [["state", "WAITING"]]));
    rows.push([link(to, "Plans of people and agents"), String(planCount), "\u2013"]);
  }
  return tileMarkup(
    "waiting",
    "To approve",
    table({
      caption: "To approve",
      columns: [
        { heading: "What" },
        { heading: "Count", figures: true },
        { heading: "Amount", figures: true },
      ],
      rows,
      empty: "No draft waits, and nothing is to be approved.",
    }),
  );
}

function taxTile(ctx: BooksContext, { tax }: OverviewParts): Content {
  if (tax === undefined) return "";
  const { ReportType, FromDate, ToDate, Amount, title } = tax;
  const to = addressWith(reportPath(ReportType), [
    ["from", FromDate],
    ["to", ToDate],
  ]);
  return tileMarkup(
    "tax",
    "Tax",
    bigFigure(ctx, Amount, linkFrom(ctx, to)),
    html`<p class="soft">${title} of ${day(FromDate)} to ${day(ToDate)}, so far</p>`,
  );
}

// --- without figures -----------------------------------------------------------------------------------

/**
 * Overview for readers without permission for reports: the latest records of the lists they may
 * see.
 */
async function overviewWithoutFigures(ctx: BooksContext): Promise<Markup> {
  const lists = ["/invoices", "/bills", "/contacts"].flatMap(
    (path) => recordLists.find((recordList) => recordList.path === path) ?? [],
  );
  const parts: Content[] = [];
  for (const list of lists) {
    if (!ctx.allows("GET", list.asked)) continue;
    const latest = await latestIn(ctx, list);
    if (latest !== undefined) parts.push(latest);
  }
  return html`<p class="soft">The figures of the company are not shown here.</p>${parts}`;
}
