/**
 * Adds figure ids to reports of services that send none, by the row and column labels of the public
 * API.
 */
import { figureId, figureIn, type Report, type Row } from "../wire/report.ts";

const publishedById: ReadonlyMap<string | undefined, string> = new Map([
  ["Total Income", "total-income"],
  ["Total Other Income", "total-other-income"],
  ["Total Cost of Sales", "total-cost-of-sales"],
  ["Total Operating Expenses", "total-expenses"],
  ["Total Expenses", "total-costs"],
  ["Gross Profit", "gross-profit"],
  ["Net Profit", "net-profit"],
  ["Total Assets", "total-assets"],
  ["Total Liabilities", "total-liabilities"],
  ["Total Equity", "total-equity"],
  ["Net Assets", "net-assets"],
]);

const idByHeading: ReadonlyMap<string | undefined, string> = new Map([
  ["Total", "total"],
  ["Closing Balance", "closing"],
  ["Actual", "actual"],
  ["Budget", "budget"],
  ["Reference", "reference"],
]);

/** Returns a report with figure ids; unchanged where any row has an id already. */
export function withFigureIds(report: Report): Report {
  const { Rows = [] } = report;
  const allRows = Rows.flatMap((row) => [row, ...(row.Rows ?? [])]);
  return allRows.some((row) => figureIn(row) !== undefined)
    ? report
    : { ...report, Rows: Rows.map(nameRow) };
}

function nameRow({ Rows, Cells, ...row }: Row): Row {
  if (row.RowType === "Header") {
    const ownCells = Cells?.map((cell) => {
      const id = idByHeading.get(cell.Value);
      return id === undefined ? cell : { ...cell, Attributes: [{ Value: id, Id: figureId }] };
    });
    return { ...row, ...(ownCells && { Cells: ownCells }) };
  }
  const [label, ...cells] = Cells ?? [];
  const id = label?.Attributes === undefined ? publishedById.get(label?.Value) : undefined;
  const ownCells =
    id === undefined ? Cells : [{ ...label, Attributes: [{ Value: id, Id: figureId }] }, ...cells];
  return { ...row, ...(ownCells && { Cells: ownCells }), ...(Rows && { Rows: Rows.map(nameRow) }) };
}
