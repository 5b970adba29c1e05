/** Spreadsheets, read again by another library. */
import { readXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { columnsOf } from "../../src/output/columns.ts";
import { letterheadOf, type PaperContext } from "../../src/output/letterhead.ts";
import { listTable } from "../../src/output/list-table.ts";
import {
  type CellRow,
  type Column,
  type Row,
  type Table,
  textCell,
} from "../../src/output/table.ts";
import { writeWorkbook } from "../../src/output/xlsx/workbook.ts";
import { invoice } from "../../src/resources/index.ts";

const making: PaperContext = {
  letterhead: letterheadOf(
    { Name: "Heron", CountryCode: "NZ" },
    { color: "#1d4f91", logo: undefined },
  ),
  at: Date.UTC(2026, 2, 5),
  day: "2026-03-05",
};

async function bytesOf(...tables: readonly [Table, ...Table[]]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeWorkbook(tables, making)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const column = (heading: string, kind: Column["kind"] = "text"): Column => ({
  path: heading,
  heading,
  kind,
  align: kind === "text" ? "left" : "right",
  isStatus: false,
});

const table = (rows: readonly Row[], more: Partial<Table> = {}): Table => ({
  name: "Things",
  titles: ["Things"],
  columns: [column("Name"), column("Amount", "money")],
  rows,
  ...more,
});

const line = (name: string, cents: number): CellRow => ({
  role: "line",
  cells: [textCell(name), { kind: "money", value: cents }],
});

const total = (name: string, cents: number): CellRow => ({ ...line(name, cents), role: "total" });

describe("text in a spreadsheet", () => {
  test.each([
    ["=1+1"],
    ["+CMD|' /C calc'!A0"],
    ["@SUM(A1)"],
    ["-2+3"],
    ["\tx"],
    ["a\u0007b"],
    ["_x0041_"],
    ["<b>&amp;\"'"],
    ["two\nlines"],
    [" spaces "],
    ["日本 \u{1f600}"],
    ["1001"],
    ["007"],
    ["2026-03-05"],
  ])(
    "the text %j in a spreadsheet cell stays text, and does not become a formula",
    async (text) => {
      const { sheets } = await readXlsx(await bytesOf(table([line(text, 1)])));
      const [, row] = sheets[0]?.rows ?? [];
      expect(row?.[0]).toBe(text);
      expect(sheets[0]?.cells?.get("1,0")?.formula).toBeUndefined();
    },
  );

  test("a cell text is cut at the cell's limit, and half a surrogate pair is replaced", async () => {
    const rows = [line("x".repeat(40_000), 1), line("a\ud800b", 1)];
    const { sheets } = await readXlsx(await bytesOf(table(rows)));
    expect(String(sheets[0]?.rows[1]?.[0])).toHaveLength(32_767);
    expect(sheets[0]?.rows[2]?.[0]).toBe("a\ufffdb");
  });
});

test("figures in a workbook are number cells, and dates are date cells", async () => {
  const kinds: readonly [Column["kind"], string | number | boolean, unknown][] = [
    ["money", -123_450, -1234.5],
    ["unitAmount", 12_345, 1.2345],
    ["quantity", 25_000, 2.5],
    ["percent", 150_000, 0.15],
    ["rate", 612_300, 0.6123],
    ["integer", 42, 42],
    ["date", "2026-03-05", new Date("2026-03-05T00:00:00Z")],
    ["date", "1899-12-31", "31 Dec 1899"],
    ["timestamp", Date.UTC(2026, 2, 5, 12), new Date("2026-03-05T12:00:00Z")],
    ["boolean", true, "yes"],
  ];
  const cells = kinds.map(([kind, value]) => ({ kind, value }));
  const columns = kinds.map(([kind], at) => column(`${kind} ${at}`, kind));
  const { sheets } = await readXlsx(await bytesOf(table([{ role: "line", cells }], { columns })));
  expect(sheets[0]?.rows[1]).toEqual(kinds.map(([, , read]) => read));
});

test("a workbook list has its headings in the first row, frozen, with a filter", async () => {
  const { sheets } = await readXlsx(await bytesOf(table([line("a", 1), line("b", 2)])));
  expect(sheets[0]).toMatchObject({
    name: "Things",
    freezePane: { rows: 1 },
    autoFilter: { range: "A1:B3" },
  });
  expect(sheets[0]?.rows[0]).toEqual(["Name", "Amount"]);
});

describe("a report as a workbook", () => {
  const rows: readonly Row[] = [
    { role: "section", title: "Income" },
    line("Sales", 1000),
    line("Interest", 200),
    total("Total Income", 1200),
    { role: "section", title: "Costs" },
    line("Rent", 300),
    total("Total Costs", 300),
    { role: "section", title: "" },
    total("Both", 1500),
    { role: "section", title: "" },
    { ...line("Net", 900), role: "result" },
  ];

  test("a workbook report has its titles above the headings, and totals and subtotals as formulas", async () => {
    const titles = ["Profit & Loss", "Heron", "March 2026"];
    const { sheets } = await readXlsx(await bytesOf(table(rows, { titles })));
    const [sheet] = sheets;
    expect(sheet?.rows.slice(0, 6)).toEqual(
      [["Profit & Loss"], ["Heron"], ["March 2026"], [], ["Name", "Amount"], ["Income"]].map(
        (row) => expect.arrayContaining(row),
      ),
    );
    expect(sheet?.freezePane).toMatchObject({ rows: 5 });
    const formulas = [...(sheet?.cells ?? [])].flatMap(([, { formula, value }]) =>
      formula === undefined ? [] : [[formula, value]],
    );
    expect(formulas).toEqual([
      ["SUBTOTAL(9,B7:B8)", 12],
      ["SUBTOTAL(9,B11:B11)", 3],
      ["SUBTOTAL(9,B6:B12)", 15],
    ]);
  });

  test("a total that is not the sum of its lines is a plain value in the workbook", async () => {
    const wrong = [
      { role: "section", title: "Income" } as const,
      line("Sales", 1000),
      total("T", 999),
    ];
    const { sheets } = await readXlsx(await bytesOf(table(wrong)));
    expect(sheets[0]?.cells?.get("3,1")?.formula).toBeUndefined();
    expect(sheets[0]?.rows[3]?.[1]).toBe(9.99);
  });
});

describe("a list of documents as a workbook", () => {
  const sale = (CurrencyCode: string, Total: number, Status = "AUTHORISED") => ({
    InvoiceID: "x",
    InvoiceNumber: "INV-1",
    Type: "ACCREC",
    Status,
    CurrencyCode,
    Total,
  });
  const sheetOf = async (paths: readonly string[], records: readonly object[]) => {
    const options = { summed: { today: "2026-03-05" } };
    const list = listTable(invoice, columnsOf(invoice, paths), records, options);
    const { sheets } = await readXlsx(await bytesOf(list));
    return sheets[0];
  };

  test("a workbook list in one currency ends with its sum", async () => {
    const sheet = await sheetOf(["InvoiceNumber", "Total"], [sale("NZD", 100), sale("NZD", 250)]);
    expect(sheet?.rows.at(-1)).toEqual(["2 invoices NZD", 3.5]);
    expect(sheet?.cells?.get("3,1")?.formula).toBe("SUBTOTAL(9,B$2:B$3)");
  });

  test("a workbook list in several currencies has a sum for each, of the rows of its currency", async () => {
    const records = [sale("NZD", 100), sale("USD", 700), sale("NZD", 250)];
    const sheet = await sheetOf(["InvoiceNumber", "Type", "CurrencyCode", "Total"], records);
    expect(sheet?.rows.slice(-2)).toEqual([
      ["2 invoices", null, "NZD", 3.5],
      ["1 invoice", null, "USD", 7],
    ]);
    expect(sheet?.cells?.get("4,3")?.formula).toBe('SUMIFS(D$2:D$4,C$2:C$4,"NZD")');
  });

  test("a workbook list with a status column leaves void and deleted documents out of the sum formula", async () => {
    const records = [sale("NZD", 100), sale("NZD", 50, "VOIDED"), sale("NZD", 1)];
    const shown = await sheetOf(["InvoiceNumber", "Status", "Total"], records);
    expect(shown?.rows.at(-1)?.[2]).toBe(1.01);
    expect(shown?.cells?.get("4,2")?.formula).toBe(
      'SUMIFS(C$2:C$4,B$2:B$4,"<>VOIDED",B$2:B$4,"<>DELETED")',
    );
    const hidden = await sheetOf(["InvoiceNumber", "Total"], records);
    expect(hidden?.rows.at(-1)?.[1]).toBe(1.01);
    expect(hidden?.cells?.get("4,1")?.formula).toBeUndefined();
  });
});

test("several tables become several sheets, with unique names of at most 31 allowed characters", async () => {
  const names = ["A/B: [c]", "A/B: [c]", "x".repeat(40), "x".repeat(40), "''"];
  const [first, ...others] = names.map((name) => table([line("a", 1)], { name }));
  const { sheets } = await readXlsx(await bytesOf(first as Table, ...others));
  expect(sheets.map(({ name }) => name)).toEqual([
    "A B   c",
    "A B   c 2",
    "x".repeat(31),
    `${"x".repeat(29)} 2`,
    "Sheet",
  ]);
});

test("rows of a workbook are read only while it is written, and no more once its reader has closed", async () => {
  let asked = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<Row> {
    try {
      for (;;) {
        asked += 1;
        yield line(`row ${asked} ${"x".repeat(asked % 500)}`, asked);
      }
    } finally {
      isClosed = true;
    }
  }
  let pieces = 0;
  for await (const _ of writeWorkbook([table([], { rows: endless() })], making)) {
    pieces += 1;
    if (pieces === 5) break;
  }
  expect(asked).toBeLessThan(100_000);
  await expect.poll(() => isClosed).toBe(true);
});

test("a workbook fails as a whole when reading its rows fails", async () => {
  async function* failing(): AsyncGenerator<Row> {
    yield line("a", 1);
    throw new Error("The connection was lost.");
  }
  await expect(bytesOf(table([], { rows: failing() }))).rejects.toThrow("The connection was lost.");
});
