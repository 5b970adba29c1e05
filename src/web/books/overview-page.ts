/** First page: the overview of the company, with a link from each figure to its details. */
import { financialYear } from "../../ledger/dates/calendar.ts";
import { chartSvg } from "../../output/chart/svg.ts";
import type { Chart } from "../../output/chart.ts";
import { html, type Markup } from "../../output/markup.ts";
import { type OverviewParts, overviewParts } from "../../output/overview.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { type Overview, overview, overviewPath } from "../../resources/overview.ts";
import { counted } from "../../resources/scalar.ts";
import { addressWith, linkFrom } from "../frame/breadcrumbs.ts";
import { type Content, isolated, link, table } from "../frame/components.ts";
import type { Page } from "../frame/page-context.ts";
import { type RecordList, recordLists } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";
import { ignoreForbidden } from "./ledger/postings.ts";
import { latestIn } from "./records/list.ts";
import { reportPath } from "./reports/report-catalogue.ts";
import { accountAddress, day, money } from "./shown-values.ts";

export async function showOverview(ctx: BooksContext): Promise<Page> {
  const state = await stateOf(ctx);
  const { Name } = ctx.organisation;
  return {
    title: "Overview",
    heading: isolated(Name),
    body: state === undefined ? await withoutFigures(ctx) : tilesOf(ctx, state),
  };
}

/** Reads the overview; undefined without permission, or where the service has none. */
async function stateOf({ client, allows }: BooksContext): Promise<Overview | undefined> {
  if (!allows("GET", overviewPath)) return undefined;
  const answer = await client.at(overview, overviewPath).catch(ignoreForbidden);
  return answer?.[0];
}

function tilesOf(ctx: BooksContext, state: Overview): Markup {
  const parts = overviewParts(state);
  const locked = parts.locks.map(({ date }) => date).sort();
  const last = locked.at(-1);
  const lock = last === undefined ? "" : html` \u00b7 The books are locked up to ${day(last)}.`;
  return html`<p class="soft">${day(state.Date)}${lock}</p>
<div class="tiles">
${cashTile(ctx, state, parts)}
${monthsTile(ctx, state, parts)}
${owedTile(ctx, "in", parts)}
${owedTile(ctx, "out", parts)}
${waitingTile(ctx, state)}
${taxTile(ctx, parts)}
</div>`;
}

function tile(id: string, heading: string, ...content: readonly Content[]): Markup {
  return html`<section class="tile"><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

// --- cash --------------------------------------------------------------------------------------

function cashTile(
  ctx: BooksContext,
  { BankAccounts = [], Cash }: Overview,
  { cash }: OverviewParts,
): Markup {
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
  const rows = BankAccounts.map((each): Content[] => {
    const { AccountID, Code, Name, Balance, UnreconciledLines } = each;
    const key = Code ?? AccountID;
    const ledger = addressWith(accountAddress(key) ?? "/accounts", days);
    const reconcile = `/bank/${encodeURIComponent(key)}/reconcile`;
    const foreign =
      each.BalanceInCurrency === undefined
        ? ""
        : html`<br><span class="soft">${each.CurrencyCode} ${money(ctx, each.BalanceInCurrency, each.CurrencyCode)}</span>`;
    return [
      isolated(Code === undefined ? Name : `${Code} ${Name}`),
      UnreconciledLines === 0
        ? html`<span class="soft">none</span>`
        : link(linkFrom(ctx, reconcile), String(UnreconciledLines)),
      html`${link(linkFrom(ctx, ledger), money(ctx, Balance))}${foreign}`,
    ];
  });
  const keys = BankAccounts.map(({ Code, AccountID }) => encodeURIComponent(Code ?? AccountID));
  const all = keys.length === 0 ? undefined : addressWith(`/accounts/${keys.join(",")}`, days);
  return tile(
    "cash",
    "Cash",
    html`<p class="big">${all === undefined ? money(ctx, Cash) : link(linkFrom(ctx, all), money(ctx, Cash))}</p>`,
    table({
      caption: "Bank accounts",
      columns: [
        { heading: "Account" },
        { heading: "To reconcile" },
        { heading: "Balance", figures: true },
      ],
      rows,
      empty: "There are no bank accounts.",
    }),
    cash.points.length === 0 ? "" : chartWithFigures(ctx, "cash-chart", cash),
  );
}

/** Width of a drawing in points; it scales with its container, text included. */
const drawingWidth = 420;

const chartMarkup = (ctx: BooksContext, id: string, chart: Chart): Markup =>
  chartSvg(chart, { id, width: drawingWidth, marks: ctx.marks });

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
  { Months = [] }: Overview,
  { profit, results }: OverviewParts,
): Markup {
  const links = Months.map(({ FromDate, ToDate }) =>
    linkFrom(
      ctx,
      addressWith(reportPath("ProfitAndLoss"), [
        ["from", FromDate],
        ["to", ToDate],
      ]),
    ),
  );
  const shown = profit === undefined ? "" : money(ctx, profit);
  return tile(
    "months",
    "Income and expenses",
    html`<p class="big">${links.length === 0 ? shown : link(links.at(-1) ?? "", shown)}</p>
<p class="soft">Profit this month so far</p>`,
    chartWithFigures(ctx, "months-chart", results, links),
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
  const { heading, title, ages, credits, total, due, chart } = owed[side];
  const aged = linkFrom(ctx, addressWith(reportPath(report), [["date", ctx.today]]));
  const dueLine = (name: keyof typeof dueWords): Markup => {
    const { amount, count } = due[name];
    const { words, nothing } = dueWords[name];
    if (count === 0) return html`<span class="soft">${nothing}</span>`;
    const to = linkFrom(ctx, addressWith(list, [["due", name]]));
    return html`${link(to, money(ctx, amount))} ${words}, ${counted(count, "document")}`;
  };
  const rows: (readonly Content[])[] = [
    ...ages.map(({ label, amount, count }, at) => [
      at === 0 ? label : `${label} days`,
      String(count),
      money(ctx, amount),
    ]),
    ...(credits === 0 ? [] : [["Credits", "", money(ctx, credits)]]),
  ];
  return tile(
    `owed-${side}`,
    heading,
    html`<p class="big">${link(aged, money(ctx, total))}</p>
<p>${dueLine("overdue")}<br>${dueLine("week")}</p>`,
    table({
      caption: title,
      columns: [
        { heading: "Overdue by" },
        { heading: "Documents", figures: true },
        { heading: "Amount", figures: true },
      ],
      rows,
    }),
    chart === undefined ? "" : chartMarkup(ctx, `owed-${side}-chart`, chart),
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

function waitingTile(ctx: BooksContext, { Waiting = [] }: Overview): Markup {
  const rows = Waiting.map(({ Type, Status, Count, FromDate }): Content[] => {
    const list = listOfType(Type);
    const words = `${list?.title ?? Type}`;
    const to = list && addressWith(list.path, [["status", Status]]);
    return [
      to === undefined ? words : link(linkFrom(ctx, to), words),
      html`${Status === "DRAFT" ? "Draft" : "Awaiting approval"}<br><span class="soft">since ${day(FromDate)}</span>`,
      String(Count),
    ];
  });
  return tile(
    "waiting",
    "Drafts and approvals",
    table({
      caption: "Drafts and approvals",
      columns: [{ heading: "What" }, { heading: "State" }, { heading: "Count", figures: true }],
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
  return tile(
    "tax",
    "Tax",
    html`<p class="big">${link(linkFrom(ctx, to), money(ctx, Amount))}</p>
<p class="soft">${title} of ${day(FromDate)} to ${day(ToDate)}, so far</p>`,
  );
}

// --- without figures -----------------------------------------------------------------------------------

/**
 * Overview for readers without permission for reports: the latest records of the lists they may
 * see.
 */
async function withoutFigures(ctx: BooksContext): Promise<Markup> {
  const lists = ["/invoices", "/bills", "/contacts"].flatMap(
    (path) => recordLists.find((each) => each.path === path) ?? [],
  );
  const parts: Content[] = [];
  for (const list of lists) {
    if (!ctx.allows("GET", list.asked)) continue;
    const latest = await latestIn(ctx, list);
    if (latest !== undefined) parts.push(latest);
  }
  return html`<p class="soft">The figures of the company are not shown here.</p>${parts}`;
}
