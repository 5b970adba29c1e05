/**
 * Addresses that figures of a report link to: the ledger of their accounts, with the same period,
 * basis and tracking, or else the explanation of the figure by the service.
 */
import { isApart } from "../../../ledger/reports/layouts/balance-sheet.ts";
import { reportRange } from "../../../ledger/reports/report-rows.ts";
import { figureOf, type ReportTable } from "../../../output/report-table.ts";
import type { Cell, CellRow, Column, Row } from "../../../output/table.ts";
import type { Account } from "../../../resources/account.ts";
import { type ReportDrill, reports } from "../../../resources/report.ts";
import type { TrackingCategory } from "../../../resources/tracking-category.ts";
import { noValue, type Report } from "../../../wire/report.ts";
import { addressWith } from "../../frame/breadcrumbs.ts";
import type { BooksContext } from "../context.ts";
import { reportPath } from "./report-catalogue.ts";
import { type Span, type SpanRequest, type Spans, spansOf } from "./spans.ts";

/** Position of a figure in a report: its line and column, both from 1, or its box. */
export type FigurePlace =
  | { readonly line: number; readonly column: number }
  | { readonly row: string };

/** Address of the page of a figure. @param values  values of the form fields of the report page */
export function figureAddress(
  slug: string,
  values: Readonly<Record<string, string | undefined>>,
  figurePlace: FigurePlace,
): string {
  const at = Object.entries(figurePlace).map(([name, value]) => [name, String(value)] as const);
  return addressWith(`/figures/${slug}`, [...Object.entries(values), ...at]);
}

/** A report with its request parameters and the addresses its figures can link to. */
export interface DrillQuery {
  readonly ctx: BooksContext;
  readonly report: Report;
  readonly parameters: Readonly<Record<string, string>>;
  /** Address of the explanation of a figure; undefined where the service explains none. */
  readonly explained: ((figurePlace: FigurePlace) => string) | undefined;
  readonly accounts: readonly Account[];
  readonly tracking: readonly TrackingCategory[];
}

/** AccountIDs of the rows above a row, which a total may sum. */
interface Above {
  /** AccountIDs in the section of the row. */
  readonly section: readonly string[];
  readonly report: readonly string[];
  /** AccountIDs since the last heading without rows of its own, such as Liabilities. */
  readonly group: readonly string[];
}

/** Request parameters from which the periods of the columns are derived. */
const spanRequest = ({ ctx: { today, organisation }, parameters }: DrillQuery): SpanRequest => ({
  parameters,
  today,
  yearEnd: {
    day: organisation.FinancialYearEndDay,
    month: organisation.FinancialYearEndMonth,
  },
});

/** Period of each column; undefined for a report whose figures have no links. */
function spansIn(query: DrillQuery, columns: readonly Column[]): Spans | undefined {
  const { ReportID: name } = query.report;
  if (!isDrilled(name)) return undefined;
  const trackedPairs = trackedColumns(query, columns);
  if (trackedPairs === undefined) return spansOf[name](spanRequest(query));
  const { fromDate, toDate } = query.parameters;
  const range = reportRange(fromDate, toDate, query.ctx.today);
  return (column) => {
    const options = trackedPairs[column];
    return options && { ...range, options };
  };
}

const isDrilled = (name: string): name is keyof typeof spansOf => name in spansOf;

const noDrill: ReportDrill = { totals: "nothing", results: "nothing" };
const drillOf = (name: string): ReportDrill => (isDrilled(name) ? reports[name].drill : noDrill);

/** AccountIDs whose postings a row without an account of its own sums. */
function summedBy(name: string, row: CellRow, above: Above): readonly string[] {
  const drill = drillOf(name);
  const kind = row.role === "total" ? drill.totals : drill.results;
  const of = drill.rows?.[figureOf(row)] ?? kind;
  return of === "nothing" ? [] : above[of];
}

/**
 * Tracking options of each column of a profit and loss by tracking; undefined for other reports.
 */
function trackedColumns({ report, parameters, tracking }: DrillQuery, columns: readonly Column[]) {
  const { trackingCategoryID, trackingOptionID } = parameters;
  if (trackingCategoryID === undefined && trackingOptionID === undefined) return undefined;
  const header = report.Rows.find(({ RowType }) => RowType === "Header")?.Cells ?? [];
  const options = tracking.flatMap(({ Options = [] }) => Options);
  return header.map(({ Value: heading = "" }, at): readonly string[] | undefined => {
    if (trackingOptionID !== undefined) return [trackingOptionID];
    if (columns[at]?.id === "total") return [];
    const namedPair = tracking
      .find((trackingCategory) => trackingCategory.TrackingCategoryID === trackingCategoryID)
      ?.Options?.filter(({ Name }) => Name === heading);
    const [option, other] = namedPair ?? options.filter(({ Name }) => Name === heading);
    return option?.TrackingOptionID === undefined || other !== undefined
      ? undefined
      : [option.TrackingOptionID];
  });
}

/** Pseudo AccountID on the line of the current year's profit. */
const currentYearId = "abababab-abab-abab-abab-abababababab";
/** Pseudo AccountID on the line of all currency gains. */
const currencyGainsId = "FXGROUPID";
const currencyGainAccounts: ReadonlySet<string | undefined> = new Set([
  "BANKCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
]);

/** Ids of text columns whose text may look like a figure. */
const textRowIds: ReadonlySet<string> = new Set([
  "account",
  "code",
  "contact",
  "number",
  "reference",
  "rate",
  "name",
]);
const figurePattern = /^-?\d+(?:\.\d{1,4})?%?$/;

/** Addresses that the cells of a report link to; undefined for cells without a link. */
export function addressesIn(
  query: DrillQuery,
  { columns, rows }: ReportTable,
): ReadonlyMap<Cell, string> {
  const { report, explained } = query;
  const spans = spansIn(query, columns) ?? (() => undefined);
  const addressByCell = new Map<Cell, string>();
  const above = { section: [] as string[], report: [] as string[], group: [] as string[] };
  const { isOfNames } = drillOf(report.ReportID);
  const figureLink = (row: CellRow, figurePlace: FigurePlace) => {
    const box = originOf(row, "box");
    if (box !== undefined) return explained?.({ row: box });
    return report.Fields === undefined ? explained?.(figurePlace) : undefined;
  };
  let line = 0;
  for (const [at, row] of rows.entries()) {
    if (row.role === "section") {
      above.section = [];
      if (row.title !== "" && isEmpty(rows[at + 1])) above.group = [];
      continue;
    }
    line += 1;
    const accountId = originOf(row, "account") ?? originOf(row, "accountID");
    const ids = accountId === undefined ? summedBy(report.ReportID, row, above) : [];
    // A part of a balance has no ledger of its own, and neither has a total with it.
    const summed = accountId ?? (isApart(figureOf(row)) ? currentYearId : undefined);
    if (summed !== undefined) for (const list of Object.values(above)) list.push(summed);
    const ledger = (column: number): string | undefined => {
      if (accountId !== undefined) return postingsOfAccount(query, accountId, spans, column);
      const span = ids.length === 0 || ids.includes(currentYearId) ? undefined : spans(column);
      return span && ledgerOf(query, ids, span);
    };
    const record = recordOf(row);
    for (const [column, cell] of row.cells.entries()) {
      if (cell === undefined) continue;
      const isFigure =
        column > 0 &&
        !textRowIds.has((columns[column]?.id ?? "").replace(/^detail-/, "")) &&
        (cell.text === noValue || figurePattern.test(cell.text ?? ""));
      const address = isFigure
        ? ((isOfNames ? undefined : ledger(column)) ?? figureLink(row, { line, column }) ?? record)
        : (record ?? ledger(column));
      if (address !== undefined) addressByCell.set(cell, address);
    }
  }
  return addressByCell;
}

/** Address of the record of a row, which the names in the row link to. */
function recordOf(row: CellRow): string | undefined {
  for (const [id, path] of Object.entries(recordPaths)) {
    const value = originOf(row, id);
    if (value !== undefined) return `${path}/${encodeURIComponent(value)}`;
  }
  return undefined;
}

const recordPaths: Readonly<Record<string, string>> = {
  contactID: "/contacts",
  invoiceID: "/documents",
  journal: "/journals",
  documentID: "/documents",
  assetID: "/assets",
  paymentID: "/payments",
  bankStatementID: "/bank-statements",
  bankStatementLineID: "/bank-statement-lines",
};

/** Whether a section has no rows: the next row is a section, or the report ends. */
const isEmpty = (nextRow: Row | undefined) => nextRow === undefined || nextRow.role === "section";

/** Value of an attribute in the first cell of the row that has attributes. */
function originOf({ cells }: CellRow, id: string): string | undefined {
  const origin = cells.find((cell) => cell?.origin !== undefined && cell.origin.length > 0)?.origin;
  return origin?.find(({ Id }) => Id === id)?.Value;
}

function postingsOfAccount(
  query: DrillQuery,
  accountId: string,
  spans: Spans,
  column: number,
): string | undefined {
  const span = spans(column);
  if (accountId === currentYearId) return span && profitOf(query, span);
  // An account name links to the ledger for the period of the first figure in its row.
  const days = span ?? (column === 0 ? (spans(1) ?? spans(2) ?? spans(3)) : undefined);
  return days && ledgerOf(query, [accountId], days);
}

/** Address of the profit and loss report: the current year's profit has no account. */
function profitOf(query: DrillQuery, { from, to }: Span): string {
  return addressWith(reportPath("ProfitAndLoss"), [
    ["from", from],
    ["to", to],
    ["basis", basisOf(query)],
  ]);
}

const basisOf = ({ parameters }: DrillQuery) =>
  parameters.paymentsOnly === "true" ? "cash" : undefined;

function ledgerOf(
  query: DrillQuery,
  ids: readonly string[],
  { from, to, options = [] }: Span,
): string | undefined {
  const { accounts } = query;
  const selected = ids.flatMap((id) =>
    id === currencyGainsId
      ? accounts.filter(({ SystemAccount }) => currencyGainAccounts.has(SystemAccount))
      : accounts.filter(({ AccountID }) => AccountID === id),
  );
  const keys = [...new Set(selected)].map(({ Code, AccountID }) => Code ?? AccountID);
  if (keys.length === 0) return undefined;
  const address = `/accounts/${keys.map(encodeURIComponent).join(",")}`;
  return addressWith(address, [
    ["from", from],
    ["to", to],
    ["basis", basisOf(query)],
    ...options.map((option) => ["tracking", option] as const),
  ]);
}
