/** Reports at a terminal that is narrower than they are. */
import { expect, test } from "vitest";
import { reportLines } from "../../../src/cli/render/report/report-lines.ts";
import { displayWidth } from "../../../src/output/display-width.ts";
import { reportTable } from "../../../src/output/report-table.ts";

const row = (RowType: "Header" | "Row", ...texts: string[]) => ({
  RowType,
  Cells: texts.map((Value) => ({ Value })),
});

const working =
  "200.00 + 1799.99 x 40 % x 1 / 12 months = 259.999666…, rounded; less 200.00 before";
const table = reportTable({
  ReportID: "Explanation",
  ReportName: "Explanation",
  ReportType: "Explanation",
  ReportTitles: [],
  ReportDate: "",
  UpdatedDateUTC: 0,
  Rows: [
    row("Header", "Part", "Date", "Working", "Amount"),
    {
      RowType: "Section",
      Title: "Accumulated depreciation of the press in the workshop",
      Rows: [
        row("Row", "Depreciation of April, as it was posted", "2026-04-30", working, "-60.00"),
      ],
    },
  ],
});

/** The words of each line of the body, in their columns. */
const columns = (lines: readonly string[]) => lines.map((line) => line.split(/ {2,}/));

test("wrapped text of a report continues on further lines, and figures are printed whole in the first line", () => {
  const lines = reportLines(table, { width: 80, wraps: true });
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
  const [first = [], ...rest] = columns(lines.slice(3));
  expect(first.at(-1)).toBe("-60.00");
  expect(first).toContain("2026-04-30");
  const words = [first, ...rest].flat().join(" ");
  for (const word of working.split(" ")) expect(words).toContain(word);
  expect(lines).toContain("Accumulated depreciation of the press in the workshop");
});

test.each([30, 40])(
  "a report wider than %i columns, without room to wrap text, prints its columns in blocks",
  (width) => {
    const lines = reportLines(table, { width, wraps: true });
    expect(lines).toEqual(reportLines(table, { width }));
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
  },
);
