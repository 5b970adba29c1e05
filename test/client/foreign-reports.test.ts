/** Reports of services without ids of figures. */
import { expect, test } from "vitest";
import { withFigureIds } from "../../src/client/foreign-reports.ts";
import { figureIn, type Report, type Row } from "../../src/wire/report.ts";

const row = (label: string, attribute?: string): Row => ({
  RowType: "Row",
  Cells: [
    {
      Value: label,
      ...(attribute && { Attributes: [{ Value: attribute, Id: attribute }] }),
    },
    { Value: "1.00" },
  ],
});
const report = (...rows: Row[]): Report => ({
  ...{ ReportID: "ProfitAndLoss", ReportName: "Profit and Loss", ReportType: "ProfitAndLoss" },
  ...{ ReportTitles: [], ReportDate: "", UpdatedDateUTC: 0 },
  Rows: [
    { RowType: "Header", Cells: [{ Value: "" }] },
    { RowType: "Section", Title: "", Rows: rows },
  ],
});
const idsIn = ({ Rows }: Report) => Rows.flatMap(({ Rows: own = [] }) => own.map(figureIn));

test("report rows with a standard label such as Net Profit get its id; accounts of that name get none", () => {
  const foreign = report(row("Net Profit"), row("Net Profit", "account"), row("Sales"));
  expect(idsIn(withFigureIds(foreign))).toEqual(["net-profit", undefined, undefined]);
});

test("a report of another service that has row ids already is left unchanged", () => {
  const own = report(row("Anything", "figure"), row("Net Profit"));
  expect(withFigureIds(own)).toBe(own);
});
