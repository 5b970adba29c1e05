/** The foot of a report on each medium that people look at. */
import { readXlsx } from "hucre";
import { expect, test } from "vitest";
import { reportLines } from "../../src/cli/render/report/report-lines.ts";
import { marksOf } from "../../src/output/figures.ts";
import { paperPage } from "../../src/output/html/paper-page.ts";
import { letterheadOf, type PaperContext } from "../../src/output/letterhead.ts";
import { printTables } from "../../src/output/pdf/listing.ts";
import { reportTable } from "../../src/output/report-table.ts";
import { writeWorkbook } from "../../src/output/xlsx/workbook.ts";
import type { Report } from "../../src/wire/report.ts";
import { readPdf } from "../service/pdf/pdf-text.ts";

const making: PaperContext = {
  letterhead: letterheadOf(
    { Name: "Heron", CountryCode: "NZ" },
    { color: undefined, logo: undefined },
  ),
  at: 0,
  day: "2026-03-05",
};

const notes = ["Prepared on 5 March 2026, 09:05, by Ana Reid", "Not locked"];

const report: Report = {
  ReportID: "ProfitAndLoss",
  ReportName: "Profit and Loss",
  ReportType: "ProfitAndLoss",
  ReportTitles: [
    "Profit & Loss",
    "Heron",
    "1 March 2026 to 31 March 2026",
    "Accrual basis, in NZD",
  ],
  ReportNotes: notes,
  ReportDate: "31 March 2026",
  UpdatedDateUTC: 0,
  Rows: [
    { RowType: "Header", Cells: [{ Value: "" }, { Value: "Mar 26" }, { Value: "Feb 26" }] },
    {
      RowType: "Section",
      Title: "Income",
      Rows: [
        { RowType: "Row", Cells: [{ Value: "Sales" }, { Value: "1200.50" }, { Value: "0.00" }] },
      ],
    },
  ],
};

const joined = async (pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> => {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
};

const media: Readonly<Record<string, () => Promise<string>>> = {
  terminal: async () =>
    reportLines(reportTable(report), { width: 80, marks: marksOf("NZ", "-") }).join("\n"),
  page: async () => (await joined(paperPage([reportTable(report)], making))).toString(),
  PDF: async () =>
    readPdf((await printTables([reportTable(report)], making)).bytes)
      .pages.flat()
      .join("\n"),
};

test.each(Object.entries(media))(
  'a report in the output "%s" has its notes below the rows, and a dash for a zero',
  async (_, shown) => {
    const text = await shown();
    const places = ["Accrual basis, in NZD", "1,200.50", "\u2013", ...notes].map((each) =>
      text.indexOf(each),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).not.toContain("0.00\n");
  },
);

test("a report as a spreadsheet has its notes below the rows, and zeros that are numbers shown as dashes", async () => {
  const bytes = await joined(writeWorkbook([reportTable(report)], making));
  const { sheets } = await readXlsx(bytes);
  const rows = sheets[0]?.rows ?? [];
  expect(rows.at(-3)?.every((cell) => cell === null || cell === undefined)).toBe(true);
  expect(rows.slice(-2).map(([first]) => first)).toEqual(notes);
  expect(rows.at(-4)).toEqual(["Sales", 1200.5, 0]);
});

test("a report without notes shows its zeros as figures", () => {
  const { ReportNotes: _, ...plain } = report;
  const lines = reportLines(reportTable(plain), { width: 80, marks: marksOf("NZ", "-") });
  expect(lines.join("\n")).toContain("0.00");
});
