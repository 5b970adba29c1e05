/** Lists and reports as tables, before anything is written. */
import { expect, test } from "vitest";
import { columnsOf } from "../../src/output/columns.ts";
import { amount, cellFigure, marksOf } from "../../src/output/figures.ts";
import { listTable } from "../../src/output/list-table.ts";
import { reportTable } from "../../src/output/report-table.ts";
import type { Row, Table } from "../../src/output/table.ts";
import type { Cents } from "../../src/resources/decimal.ts";
import { invoice, quote } from "../../src/resources/index.ts";
import type { Report } from "../../src/wire/report.ts";

const sale = {
  InvoiceID: "7a3b0c9e-5f1d-4f7e-9a3e-000000000001",
  InvoiceNumber: "INV-0042",
  Contact: { Name: "Acme" },
  Date: "2026-03-01",
  Status: "AUTHORISED",
  CurrencyCode: "JPY",
  Total: 123_450_000,
  AmountDue: -100,
};

test("a list becomes a table whose cells keep the values of the records", async () => {
  const table = listTable(invoice, columnsOf(invoice), [sale]);
  expect(table.titles).toEqual(["Invoices"]);
  expect(table.columns.map(({ heading, align, kind }) => [heading, align, kind])).toEqual([
    ["Invoice number", "left", "text"],
    ["Contact", "left", "text"],
    ["Date", "left", "date"],
    ["Due date", "left", "date"],
    ["Status", "left", "choice"],
    ["Total", "right", "money"],
    ["Amount due", "right", "money"],
  ]);
  const [row] = await rowsOf(table);
  expect(row).toMatchObject({
    role: "line",
    record: { resource: "Invoice", id: sale.InvoiceID },
    cells: [
      { kind: "text", value: "INV-0042" },
      { value: "Acme" },
      { kind: "date", value: "2026-03-01" },
      undefined,
      { kind: "choice", value: "AUTHORISED" },
      { kind: "money", value: 123_450_000, currency: "JPY" },
      { kind: "money", value: -100, currency: "JPY" },
    ],
  });
});

test("table figures have separators, a true minus, and the decimal places of their currency", async () => {
  const [row] = await rowsOf(
    listTable(invoice, columnsOf(invoice, ["Total", "AmountDue"]), [sale]),
  );
  expect(row?.role === "line" && row.cells.map((cell) => cellFigure(cell))).toEqual([
    "1,234,500",
    "\u22121",
  ]);
});

test("a list inside a record becomes one cell of joined text", async () => {
  const lines = [{ Description: "Hours" }, { Description: "Travel" }];
  const columns = columnsOf(quote, ["LineItems.Description"]);
  const [row] = await rowsOf(listTable(quote, columns, [{ LineItems: lines }]));
  expect(row).toMatchObject({ cells: [{ kind: "text", value: "Hours, Travel" }] });
});

const report: Report = {
  ReportID: "ProfitAndLoss",
  ReportName: "Profit and Loss",
  ReportType: "ProfitAndLoss",
  ReportTitles: ["Profit & Loss", "Demo", "March 2026"],
  ReportDate: "31 March 2026",
  UpdatedDateUTC: 0,
  Rows: [
    { RowType: "Header", Cells: [{ Value: "" }, { Value: "Mar 26" }] },
    {
      RowType: "Section",
      Title: "Income",
      Rows: [
        {
          RowType: "Row",
          Cells: [
            { Value: "Sales", Attributes: [{ Id: "account", Value: "a1" }] },
            { Value: "1200.50", Attributes: [{ Id: "account", Value: "a1" }] },
          ],
        },
        { RowType: "SummaryRow", Cells: [{ Value: "Total Income" }, { Value: "1200.50" }] },
      ],
    },
    {
      RowType: "Section",
      Title: "",
      Rows: [{ RowType: "Row", Cells: [{ Value: "Net Profit" }, { Value: "1200.50" }] }],
    },
  ],
};

test("a report becomes a table with sections, totals and results, whose figures name their origin", async () => {
  const table = reportTable(report);
  expect(table.columns).toMatchObject([
    { heading: "", align: "left", kind: "text" },
    { heading: "Mar 26", align: "right", kind: "money" },
  ]);
  const rows = await rowsOf(table);
  expect(rows.map(({ role }) => role)).toEqual(["section", "line", "total", "section", "result"]);
  expect(rows[1]).toMatchObject({
    cells: [{}, { kind: "money", value: 120_050, origin: [{ Id: "account", Value: "a1" }] }],
  });
});

test.each([
  ["12.5%", "percent", 125_000],
  ["2026-03-01T00:00:00", "date", "2026-03-01"],
  ["2026-03-01", "date", "2026-03-01"],
  ["1001", "text", "1001"],
  ["-0.01", "money", -1],
] as const)('the report value "%s" becomes a cell of kind %s', async (Value, kind, value) => {
  const Rows = [{ RowType: "Row" as const, Cells: [{ Value: "x" }, { Value }] }];
  const [, row] = await rowsOf(reportTable({ ...report, Rows }));
  expect(row).toMatchObject({ cells: [{}, { kind, value }] });
});

async function rowsOf({ rows }: Table): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test.each([
  ["NZ", "-1,234,567.50"],
  ["ZA", "-1\u00a0234\u00a0567,50"],
  ["DE", "-1.234.567,50"],
  ["CH", "-1'234'567.50"],
  ["", "-1,234,567.50"],
])("the amount -1234567.5 in a book of %s is written %s", (country, written) => {
  expect(amount(-123_456_750 as Cents, "NZD", marksOf(country, "-"))).toBe(written);
});

test.each(
  "AU CA GB NZ SG US ZA AR BE BR CH CL CO CZ DE DK ES FI FR GR HU IE IT JP MX NL NO PL PT RO SE TR UA VN".split(
    " ",
  ),
)("the decimal and thousands marks of %s are those of the country's language", (country) => {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const spoken = country === "ZA" ? "en" : country === "BE" ? "nl" : language;
  const parts = new Intl.NumberFormat(`${spoken}-${country}`, {
    minimumFractionDigits: 2,
  }).formatToParts(1_234_567.5);
  const markOf = (type: string) => parts.find((part) => part.type === type)?.value;
  expect(marksOf(country)).toMatchObject({
    thousands: markOf("group"),
    decimal: markOf("decimal"),
  });
});
