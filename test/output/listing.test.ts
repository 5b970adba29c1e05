/** Lists and reports on paper. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { columnsOf } from "../../src/output/columns.ts";
import { letterheadOf, type PaperContext } from "../../src/output/letterhead.ts";
import { listTable } from "../../src/output/list-table.ts";
import { printedRowsMax, printTables } from "../../src/output/pdf/listing.ts";
import { type Column, type Row, type Table, textCell } from "../../src/output/table.ts";
import { invoice, payment } from "../../src/resources/index.ts";
import { readPdf } from "../service/pdf/pdf-text.ts";

const fonts = process.env.ACCT_FONTS;
beforeAll(() => {
  process.env.ACCT_FONTS = "none";
});
afterAll(() => {
  if (fonts === undefined) delete process.env.ACCT_FONTS;
  else process.env.ACCT_FONTS = fonts;
});

const makingIn = (CountryCode: string): PaperContext => ({
  letterhead: letterheadOf({ Name: "Heron", CountryCode }, { color: undefined, logo: undefined }),
  at: 0,
  day: "2026-03-05",
});

const paperOf = async (table: Table, country = "NZ") =>
  readPdf((await printTables([table], makingIn(country))).bytes);

const sales = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    InvoiceID: String(at),
    InvoiceNumber: `INV-${at}`,
    Contact: { Name: "Harbour Supplies" },
    Date: "2026-01-10",
    DueDate: "2026-02-10",
    Status: "AUTHORISED",
    Type: "ACCREC",
    CurrencyCode: "NZD",
    Total: 123_450,
    AmountDue: 123_450,
  }));

const listOf = (count: number) =>
  listTable(invoice, columnsOf(invoice), sales(count), { summed: { today: "2026-03-05" } });

describe("a printed list", () => {
  test("a printed list has its headings on every page, and page numbers", async () => {
    const { pages, tags } = await paperOf(listOf(120));
    expect(pages.length).toBeGreaterThan(2);
    for (const [at, texts] of pages.entries()) {
      expect(texts).toEqual(expect.arrayContaining(["Contact", "Total"]));
      expect(texts).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    const numbers = pages.flat().filter((text) => text.startsWith("INV-"));
    expect(numbers).toEqual(sales(120).map(({ InvoiceNumber }) => InvoiceNumber));
    // Read aloud, headings come once: those of the columns, and a name for each row.
    expect(tags.filter((tag) => tag === "TH")).toHaveLength(7 + 121);
  });

  test("a printed statement has each currency on pages of its own", async () => {
    const heading: Column = {
      path: "",
      heading: "Date",
      align: "left",
      kind: "text",
      isStatus: false,
    };
    const own = (currency: string): Row[] => [
      { role: "section", title: currency },
      { role: "line", cells: [textCell(`an invoice in ${currency}`)] },
      { role: "section", title: `Ageing in ${currency}` },
      { role: "line", cells: [textCell(`all of ${currency}`)] },
    ];
    const rows = [...own("NZD"), ...own("USD")];
    const { pages } = await paperOf({ name: "Statement", titles: [], columns: [heading], rows });
    const said = pages.map((texts) => texts.filter((text) => text.startsWith("all of")));
    expect(said).toEqual([["all of NZD"], ["all of USD"]]);
  });

  test("a printed list shows the days overdue of each invoice, and the total of all", async () => {
    const { pages } = await paperOf(listOf(3));
    expect(pages[0]?.filter((text) => text === "23 days overdue")).toHaveLength(3);
    expect(pages[0]).toEqual(expect.arrayContaining(["3 invoices NZD", "3,703.50"]));
  });

  test.each([
    ["NZ", "[0 0 595.28 841.89]", "1,234.50"],
    ["US", "[0 0 612 792]", "1,234.50"],
    ["CA", "[0 0 612 792]", "1,234.50"],
    ["ZA", "[0 0 595.28 841.89]", "1\u00a0234,50"],
  ])(
    "a printed list of an organisation in %s is on paper of size %s, with figures written %s",
    async (country, box, figure) => {
      const { pages, dictionaries } = await paperOf(listOf(1), country);
      expect(dictionaries.join("")).toContain(`/MediaBox ${box}`);
      expect(pages.flat()).toContain(figure);
    },
  );

  test("a printed list never truncates a figure, a date or a status, and wraps only text", async () => {
    const records = [
      {
        PaymentID: "01a1dc13-21d4-7000-a2a3-d3ff3c051a88",
        Invoice: { InvoiceNumber: "INV-0206" },
        Contact: { Name: "A firm of a name that goes on and on and on and does not end" },
        Direction: "RECEIVED",
        Date: "2026-02-10",
        Account: { Code: "090" },
        Amount: -123_456_789_00,
        Status: "AUTHORISED",
        CurrencyCode: "NZD",
      },
    ];
    const { pages } = await paperOf(listTable(payment, columnsOf(payment), records));
    expect(pages.flat()).toEqual(
      expect.arrayContaining(["10 Feb 2026", "AUTHORISED", "RECEIVED", "\u2212123,456,789.00"]),
    );
  });

  test("a list that is too wide for the paper is refused, with the format that takes it", async () => {
    async function* endless(): AsyncGenerator<Row> {
      for (;;) yield { role: "line", cells: [] };
    }
    const table = { ...listOf(0), rows: endless() };
    await expect(printTables([table], makingIn("NZ"))).rejects.toThrow(
      `A PDF has room for ${printedRowsMax} rows`,
    );
  });
});

const column = (heading: string, at: number): Column => ({
  path: heading,
  heading,
  align: at === 0 ? "left" : "right",
  kind: at === 0 ? "text" : "money",
  isStatus: false,
});

const reportOf = (count: number): Table => {
  const cells = (name: string) => [
    textCell(name),
    ...Array.from(
      { length: count },
      (_, at) => ({ kind: "money", value: 1_234_567_00 + at }) as const,
    ),
  ];
  return {
    name: "Profit and Loss",
    titles: ["Profit & Loss", "Heron", "2026"],
    columns: Array.from({ length: count + 1 }, (_, at) =>
      column(at === 0 ? "" : `Month ${at}`, at),
    ),
    rows: [
      { role: "section", title: "Income" },
      { role: "line", cells: cells("Sales") },
      { role: "total", cells: cells("Total Income") },
      { role: "section", title: "" },
      { role: "result", cells: cells("Net Profit") },
    ],
  };
};

test.each([
  [2, "[0 0 595.28 841.89]", 1],
  [9, "[0 0 841.89 595.28]", 1],
  [30, "[0 0 841.89 595.28]", 3],
])(
  "a report with %s figures in a row is printed on paper of size %s, in %s blocks of columns",
  async (count, box, blocks) => {
    const { pages, dictionaries } = await paperOf(reportOf(count));
    expect(dictionaries.join("")).toContain(`/MediaBox ${box}`);
    const texts = pages.flat();
    expect(texts.filter((text) => text === "Net Profit")).toHaveLength(blocks);
    for (let at = 1; at <= count; at += 1) expect(texts).toContain(`Month ${at}`);
  },
);
