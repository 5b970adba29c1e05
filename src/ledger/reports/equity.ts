/** Changes in equity: from the net assets before a range of days to those at its end. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import {
  type AccountInfo,
  accountFigures,
  byName,
  figureRow,
  hasAmount,
  headerRow,
  isProfitAndLoss,
  type ReportBody,
  sectionRow,
} from "./report-rows.ts";

export interface EquityColumn {
  /** Heading: the last day of the range, `31 Mar 26`. */
  readonly heading: string;
  /** The period up to the day before, with opening balances. */
  readonly before: Period;
  /** The column's period, with movements and closing balances. */
  readonly period: Period;
}

export interface EquityRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** First day of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly EquityColumn[];
  readonly accounts: readonly AccountInfo[];
}

/** The report; its last row is zero: closing equity equals assets less liabilities. */
export function equityOf({ organisation, from, to, columns, accounts }: EquityRequest): ReportBody {
  const ofClass = (...classes: readonly string[]) =>
    accounts.filter(({ Class = "" }) => classes.includes(Class));
  const earning = accounts.filter(isProfitAndLoss);
  const movements = ofClass("EQUITY")
    .sort(byName)
    .map(({ AccountID, Name }) =>
      columns.map(({ period }) =>
        ledger([AccountID, Name, "EquityMovement"], -1, "moved", period, [{ AccountID }]),
      ),
    )
    .filter(hasAmount);
  const statements = columns.map(({ before, period }, at) => {
    const opening = ledger(["opening-equity", "Opening Equity", "Equity"], -1, "held", before, [
      ...ofClass("EQUITY"),
      ...earning,
    ]);
    const profit = ledger(["net-profit", "Net Profit", "NetProfit"], -1, "moved", period, earning);
    const movedFigures = movements.map((figures) => figures[at] as Figure);
    const closing = sum(
      ["closing-equity", "Closing Equity", "SectionTotal"],
      [opening, profit, ...movedFigures],
    );
    const net = ofClass("ASSET", "LIABILITY");
    const netAssets = ledger(["net-assets", "Net Assets", "NetAssets"], 1, "held", period, net);
    const difference = sum(["difference", "Difference", "Difference"], [netAssets], [closing]);
    return { opening, profit, closing, netAssets, difference };
  });
  const row = (name: keyof (typeof statements)[number], type: "Row" | "SummaryRow" = "Row") =>
    figureRow(
      type,
      statements.map((statement) => statement[name]),
    );
  return {
    titles: [
      "Statement of Changes in Equity",
      organisation,
      `${longDate(from)} to ${longDate(to)}`,
    ],
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      sectionRow("", [
        row("opening"),
        row("profit"),
        ...movements.map((figures) => accountFigures(figures)),
        row("closing", "SummaryRow"),
      ]),
      sectionRow("", [row("netAssets"), row("difference", "SummaryRow")]),
    ],
  };
}
