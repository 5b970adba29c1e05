/**
 * Where the figures of a report lead: to the ledger of the accounts behind them, for the days, the
 * basis and the tracking that they were made with.
 */
import { reportRange } from "../../ledger/reports/rows.ts";
import { type Span, type SpanRequest, type Spans, spansOf } from "../../ledger/reports/spans.ts";
import type { Cell, CellRow, Row } from "../../output/table.ts";
import type { Account } from "../../resources/account.ts";
import { type ReportDrill, reports } from "../../resources/report.ts";
import type { TrackingCategory } from "../../resources/tracking-category.ts";
import type { Report } from "../../wire/report.ts";
import { addressWith } from "../trail.ts";
import type { Visit } from "../visit.ts";
import { reportPath } from "./catalogue.ts";

/** A report as it was asked for. */
export interface Asked {
  readonly visit: Visit;
  readonly report: Report;
  readonly parameters: Readonly<Record<string, string>>;
  readonly accounts: readonly Account[];
  readonly tracking: readonly TrackingCategory[];
}

/** AccountIDs above a row. */
interface Above {
  /** In its section. */
  readonly section: readonly string[];
  readonly report: readonly string[];
  /** Since the last heading that has no rows of its own, such as Liabilities. */
  readonly group: readonly string[];
}

/** What the report was asked with, as what its columns are of is worked out from it. */
const spanRequest = ({ visit: { today, organisation }, parameters }: Asked): SpanRequest => ({
  parameters,
  today,
  yearEnd: {
    day: organisation.FinancialYearEndDay,
    month: organisation.FinancialYearEndMonth,
  },
});

/** The days of each column; undefined for a report whose figures lead nowhere. */
function spansIn(asked: Asked): Spans | undefined {
  const { ReportID: name } = asked.report;
  if (!isDrilled(name)) return undefined;
  const tracked = trackedColumns(asked);
  if (tracked === undefined) return spansOf[name](spanRequest(asked));
  const { fromDate, toDate } = asked.parameters;
  const range = reportRange(fromDate, toDate, asked.visit.today);
  return (column) => {
    const options = tracked[column];
    return options && { ...range, isBalance: false, options };
  };
}

const isDrilled = (name: string): name is keyof typeof spansOf => name in spansOf;

/** The accounts whose postings a row without an account is the sum of. */
function summedBy(name: string, label: string, above: Above): readonly string[] {
  const drill: ReportDrill | undefined = isDrilled(name) ? reports[name].drill : undefined;
  if (drill === undefined) return [];
  const kind = label.startsWith("Total ") ? drill.totals : drill.results;
  const of = drill.rows?.[label] ?? kind;
  return of === "nothing" ? [] : above[of];
}

/** The options of each column of a profit and loss by tracking; undefined where it has none. */
function trackedColumns({ report, parameters, tracking }: Asked) {
  const { trackingCategoryID, trackingOptionID } = parameters;
  if (trackingCategoryID === undefined && trackingOptionID === undefined) return undefined;
  const header = report.Rows.find(({ RowType }) => RowType === "Header")?.Cells ?? [];
  const options = tracking.flatMap(({ Options = [] }) => Options);
  return header.map(({ Value: heading = "" }): readonly string[] | undefined => {
    if (trackingOptionID !== undefined) return [trackingOptionID];
    if (heading === "Total") return [];
    const named = tracking
      .find((each) => each.TrackingCategoryID === trackingCategoryID)
      ?.Options?.filter(({ Name }) => Name === heading);
    const [option, other] = named ?? options.filter(({ Name }) => Name === heading);
    return option?.TrackingOptionID === undefined || other !== undefined
      ? undefined
      : [option.TrackingOptionID];
  });
}

/** Stands for an AccountID on the line of the current year's profit. */
const currentYearId = "abababab-abab-abab-abab-abababababab";
/** Stands for an AccountID on the line of all currency gains. */
const currencyGainsId = "FXGROUPID";
const currencyGains: ReadonlySet<string | undefined> = new Set([
  "BANKCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
]);

/** The addresses behind the cells of a report; a cell without one leads nowhere. */
export function addressesIn(asked: Asked, rows: readonly Row[]): ReadonlyMap<Cell, string> {
  const { report, parameters } = asked;
  const spans = spansIn(asked) ?? (() => undefined);
  const found = new Map<Cell, string>();
  const above = { section: [] as string[], report: [] as string[], group: [] as string[] };
  const lead = ({ cells }: CellRow, addressOf: (column: number) => string | undefined) => {
    for (const [column, cell] of cells.entries()) {
      const address = cell && addressOf(column);
      if (address !== undefined) found.set(cell as Cell, address);
    }
  };
  for (const [at, row] of rows.entries()) {
    if (row.role === "section") {
      above.section = [];
      if (row.title !== "" && isEmpty(rows[at + 1])) above.group = [];
      continue;
    }
    const contactId = originOf(row, "contactID");
    const documentId = originOf(row, "invoiceID");
    const accountId = originOf(row, "account") ?? originOf(row, "accountID");
    if (contactId !== undefined) {
      lead(row, (column) => ofContact(report.ReportID, contactId, column, parameters.date));
    } else if (documentId !== undefined) {
      lead(row, () => `/documents/${encodeURIComponent(documentId)}`);
    } else if (accountId !== undefined) {
      for (const list of Object.values(above)) list.push(accountId);
      lead(row, (column) => ofAccount(asked, accountId, spans, column));
    } else {
      const label = row.cells[0]?.value;
      const ids = summedBy(report.ReportID, typeof label === "string" ? label : "", above);
      if (ids.length === 0 || ids.includes(currentYearId)) continue;
      lead(row, (column) => {
        const span = spans(column);
        return span && ledgerOf(asked, ids, span);
      });
    }
  }
  return found;
}

/** Whether a section has no rows: another begins, or the report ends. */
const isEmpty = (next: Row | undefined) => next === undefined || next.role === "section";

/** What the first cell of a row that says anything says of where it comes from. */
function originOf({ cells }: CellRow, id: string): string | undefined {
  const origin = cells.find((cell) => cell?.origin !== undefined && cell.origin.length > 0)?.origin;
  return origin?.find(({ Id }) => Id === id)?.Value;
}

function ofContact(
  reportId: string,
  contactId: string,
  column: number,
  date: string | undefined,
): string | undefined {
  if (column === 0) return `/contacts/${encodeURIComponent(contactId)}`;
  if (!/^Aged(Receivables|Payables)$/.test(reportId)) return undefined;
  return addressWith(reportPath(`${reportId}ByContact`), [
    ["contact", contactId],
    ["date", date],
  ]);
}

function ofAccount(
  asked: Asked,
  accountId: string,
  spans: Spans,
  column: number,
): string | undefined {
  const span = spans(column);
  if (accountId === currentYearId) return span && profitOf(asked, span);
  // The name of an account leads to the days of its first figure.
  const days = span ?? (column === 0 ? (spans(1) ?? spans(2) ?? spans(3)) : undefined);
  return days && ledgerOf(asked, [accountId], days);
}

/** The profit of the current year, which no account has. */
function profitOf(asked: Asked, { from, to }: Span): string {
  return addressWith(reportPath("ProfitAndLoss"), [
    ["from", from],
    ["to", to],
    ["basis", basisOf(asked)],
  ]);
}

const basisOf = ({ parameters }: Asked) =>
  parameters.paymentsOnly === "true" ? "cash" : undefined;

function ledgerOf(
  asked: Asked,
  ids: readonly string[],
  { from, to, options = [] }: Span,
): string | undefined {
  const { accounts } = asked;
  const meant = ids.flatMap((id) =>
    id === currencyGainsId
      ? accounts.filter(({ SystemAccount }) => currencyGains.has(SystemAccount))
      : accounts.filter(({ AccountID }) => AccountID === id),
  );
  const keys = [...new Set(meant)].map(({ Code, AccountID }) => Code ?? AccountID);
  if (keys.length === 0) return undefined;
  const address = `/accounts/${keys.map(encodeURIComponent).join(",")}`;
  return addressWith(address, [
    ["from", from],
    ["to", to],
    ["basis", basisOf(asked)],
    ...options.map((option) => ["tracking", option] as const),
  ]);
}
