/** The first page: the state of the company, each figure with a link to what is behind it. */
import { financialYear, shortDate } from "../../ledger/dates/calendar.ts";
import { chartSvg } from "../../output/chart/svg.ts";
import type { Chart } from "../../output/chart.ts";
import { html, type Markup } from "../../output/markup.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import { type Overview, type Owed, overview, overviewPath } from "../../resources/overview.ts";
import { taxReturns } from "../../resources/tax-report.ts";
import type { Page } from "../frame/page-context.ts";
import { type Content, isolated, link, table } from "../frame/parts.ts";
import { addressWith, linkFrom } from "../frame/trail.ts";
import { type RecordList, recordLists } from "./catalogue.ts";
import type { BooksContext } from "./context.ts";
import { unseen } from "./ledger/postings.ts";
import { latestIn } from "./records/list.ts";
import { reportPath } from "./reports/catalogue.ts";
import { accountAddress, day, money } from "./values.ts";

export async function showOverview(ctx: BooksContext): Promise<Page> {
  const state = await stateOf(ctx);
  const { Name } = ctx.organisation;
  return {
    title: "Overview",
    heading: isolated(Name),
    body: state === undefined ? await withoutFigures(ctx) : tilesOf(ctx, state),
  };
}

/** Undefined where the reader may not see figures, or the service has none. */
async function stateOf({ client, allows }: BooksContext): Promise<Overview | undefined> {
  if (!allows("GET", overviewPath)) return undefined;
  const found = await client.at(overview, overviewPath).catch(unseen);
  return found?.[0];
}

function tilesOf(ctx: BooksContext, state: Overview): Markup {
  return html`<p class="soft">${day(state.Date)}${locksOf(state)}</p>
<div class="tiles">
${cashTile(ctx, state)}
${monthsTile(ctx, state)}
${owedTile(ctx, "in", "Owed to us", state.Receivables)}
${owedTile(ctx, "out", "Owed by us", state.Payables)}
${waitingTile(ctx, state)}
${taxTile(ctx, state)}
</div>`;
}

function locksOf({ PeriodLockDate, EndOfYearLockDate }: Overview): Content {
  const last = [PeriodLockDate, EndOfYearLockDate]
    .filter((each) => each !== undefined)
    .sort()
    .at(-1);
  return last === undefined ? "" : html` \u00b7 The books are locked up to ${day(last)}.`;
}

function tile(id: string, heading: string, ...content: readonly Content[]): Markup {
  return html`<section class="tile"><h2 id="${id}">${heading}</h2>
${content}</section>
`;
}

// --- cash --------------------------------------------------------------------------------------

function cashTile(ctx: BooksContext, { BankAccounts = [], Cash }: Overview): Markup {
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
    cashChart(ctx, BankAccounts),
  );
}

type BankAccount = NonNullable<Overview["BankAccounts"]>[number];

function cashChart(ctx: BooksContext, banks: readonly BankAccount[]): Content {
  const days = (banks[0]?.History ?? []).map((end) => end.Date);
  if (days.length === 0) return "";
  const sums = days.map((_, at) =>
    banks.reduce((sum, { History = [] }) => sum + (History[at]?.Balance ?? 0), 0),
  ) as Cents[];
  return chartWithFigures(ctx, "cash-chart", {
    title: "Cash at the end of each month",
    axis: "time",
    form: "bars",
    series: [{ name: "Cash", amounts: sums }],
    points: days.map((date) => ({ label: monthOf(date) })),
    measure: 0,
    isSum: false,
  });
}

/** `Nov 26` */
const monthOf = (date: string) => shortDate(date).replace(/^\d+ /, "");

/** Width of a drawing, whose letters grow and shrink with its place. */
const drawingWidth = 420;

/** A chart, and its figures as a table for those who cannot see it or want them exactly. */
function chartWithFigures(
  ctx: BooksContext,
  id: string,
  chart: Chart,
  links: readonly (string | undefined)[] = [],
): Markup {
  const { title, series, points } = chart;
  const own = { ...chart, currency: ctx.organisation.BaseCurrency };
  return html`${chartSvg(own, { id, width: drawingWidth, marks: ctx.marks })}
<details><summary>${title}: the figures</summary>
${table({
  caption: title,
  columns: [{ heading: "Month" }, ...series.map(({ name }) => ({ heading: name, figures: true }))],
  rows: points.map(({ label }, at) => [
    links[at] === undefined ? label : link(links[at], label),
    ...series.map(({ amounts }) => money(ctx, amounts[at] ?? (0 as Cents))),
  ]),
})}</details>`;
}

// --- income and expenses ---------------------------------------------------------------------------

function monthsTile(ctx: BooksContext, { Months = [] }: Overview): Markup {
  const links = Months.map(({ FromDate, ToDate }) =>
    linkFrom(
      ctx,
      addressWith(reportPath("ProfitAndLoss"), [
        ["from", FromDate],
        ["to", ToDate],
      ]),
    ),
  );
  const latest = Months.at(-1);
  const profit = latest === undefined ? "" : money(ctx, latest.Profit);
  return tile(
    "months",
    "Income and expenses",
    html`<p class="big">${links.length === 0 ? profit : link(links.at(-1) ?? "", profit)}</p>
<p class="soft">Profit this month so far</p>`,
    chartWithFigures(
      ctx,
      "months-chart",
      {
        title: "Income and expenses by month",
        axis: "time",
        form: "bars",
        series: [
          { name: "Income", amounts: Months.map(({ Income }) => Income) },
          { name: "Expenses", amounts: Months.map(({ Expenses }) => Expenses) },
          { name: "Profit", amounts: Months.map(({ Profit }) => Profit), isLine: true },
        ],
        points: Months.map(({ FromDate }, at) => ({
          label: monthOf(FromDate),
          href: links[at],
        })),
        measure: 2,
        isSum: true,
      },
      links,
    ),
  );
}

// --- what is owed ------------------------------------------------------------------------------------

const owing = {
  in: { report: "AgedReceivables", list: "/invoices", others: "customers" },
  out: { report: "AgedPayables", list: "/bills", others: "suppliers" },
} as const;

function owedTile(
  ctx: BooksContext,
  side: keyof typeof owing,
  heading: string,
  owed: Owed,
): Markup {
  const { report, list } = owing[side];
  const aged = linkFrom(ctx, addressWith(reportPath(report), [["date", ctx.today]]));
  const due = (value: string) => linkFrom(ctx, addressWith(list, [["due", value]]));
  const {
    Buckets = [],
    Credits,
    Total,
    Overdue,
    OverdueCount,
    DueThisWeek,
    DueThisWeekCount,
  } = owed;
  const rows: (readonly Content[])[] = [
    ...Buckets.map(({ Name, Amount, Count }) => [
      Name === "Current" ? "Not due yet" : `${Name} days`,
      String(Count),
      money(ctx, Amount),
    ]),
    ...(Credits === 0 ? [] : [["Credits", "", money(ctx, Credits)]]),
  ];
  return tile(
    `owed-${side}`,
    heading,
    html`<p class="big">${link(aged, money(ctx, Total))}</p>
<p>${
      OverdueCount === 0
        ? html`<span class="soft">Nothing is overdue.</span>`
        : html`${link(due("overdue"), money(ctx, Overdue))} overdue, ${OverdueCount} ${OverdueCount === 1 ? "document" : "documents"}`
    }<br>${
      DueThisWeekCount === 0
        ? html`<span class="soft">Nothing is due this week.</span>`
        : html`${link(due("week"), money(ctx, DueThisWeek))} due this week, ${DueThisWeekCount} ${DueThisWeekCount === 1 ? "document" : "documents"}`
    }</p>`,
    table({
      caption: `${heading} by age`,
      columns: [
        { heading: "Overdue by" },
        { heading: "Documents", figures: true },
        { heading: "Amount", figures: true },
      ],
      rows,
    }),
    ageChart(ctx, `owed-${side}-chart`, heading, Buckets),
  );
}

function ageChart(
  ctx: BooksContext,
  id: string,
  heading: string,
  buckets: NonNullable<Owed["Buckets"]>,
): Content {
  if (buckets.every(({ Amount }) => Amount === 0)) return "";
  const chart: Chart = {
    title: `${heading} by age`,
    currency: ctx.organisation.BaseCurrency,
    axis: "names",
    form: "bars",
    series: [{ name: heading, amounts: buckets.map(({ Amount }) => Amount) }],
    points: buckets.map(({ Name }) => ({ label: Name === "Current" ? "Not due yet" : Name })),
    measure: 0,
    isSum: true,
  };
  return chartSvg(chart, { id, width: drawingWidth, marks: ctx.marks });
}

// --- what waits --------------------------------------------------------------------------------------

/** The list that has the documents of a type. */
function listOfType(type: string): RecordList | undefined {
  return type === "MANJOURNAL"
    ? recordLists.find(({ path }) => path === "/manual-journals")
    : (recordLists.find(({ types }) => types?.includes(type)) ??
        recordLists.find(({ resource }) => isTypeOf(resource, type)));
}

/** Whether documents of a type are of a resource, which may have but the one type. */
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

function taxTile(ctx: BooksContext, { Tax }: Overview): Content {
  if (Tax === undefined) return "";
  const { ReportType, FromDate, ToDate, Amount } = Tax;
  const to = addressWith(reportPath(ReportType), [
    ["from", FromDate],
    ["to", ToDate],
  ]);
  return tile(
    "tax",
    "Tax",
    html`<p class="big">${link(linkFrom(ctx, to), money(ctx, Amount))}</p>
<p class="soft">${taxReturns[ReportType].title} of ${day(FromDate)} to ${day(ToDate)}, so far</p>`,
  );
}

// --- without figures -----------------------------------------------------------------------------------

/** What somebody sees who may see no reports: the latest of the lists that they may see. */
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
