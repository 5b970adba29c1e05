/** Files whose columns say more than is kept: totals to agree with, prices with tax, ruined numbers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const desk = newDesk();

beforeAll(async () => {
  expect((await desk.acct("init --name Heron --country NZ --no-input")).code).toBe(0);
  expect((await desk.acct("contact create --name Acme")).code).toBe(0);
});

const fixed = "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,AccountCode";

/** Imports invoices with columns and rows besides the usual ones, as a dry run. */
async function tried(columns: string, rows: readonly string[], more = "", noun = "invoices") {
  const file = join(desk.home, "rows.csv");
  const lines = rows.map((row) => `Acme,I1,2026-03-01,2026-03-20,Chair,1,200,${row}`);
  writeFileSync(file, [`${fixed},${columns}`, ...lines, ""].join("\n"));
  return desk.acct(`import ${noun} ${file} --dry-run ${more}`);
}

test.each<[columns: string, rows: string[], more: string, says: string]>([
  ["UnitAmount,Total", ["100.00,120.00"], "", "a Total of 115.00, and the file says 120.00"],
  ["UnitAmount,SubTotal", ["115.00,100.00"], "", "a SubTotal of 115.00, and the file says 100.00"],
  ["UnitAmount,TotalTax", ["100.00,16.00"], "", "a TotalTax of 15.00, and the file says 16.00"],
  ["UnitAmount,TaxTotal", ["100.00,16.00"], "", "a TotalTax of 15.00, and the file says 16.00"],
  [
    "UnitAmount,TaxAmount,Total",
    ["115.00,15.00,115.00"],
    "",
    "a Total of 130.00, and the file says 115.00",
  ],
  [
    "UnitAmount,Total",
    ["100.00,115.00", "100.00,116.00"],
    "",
    "a Total of 230.00, and the file says 231.00",
  ],
  [
    "UnitAmount,Total",
    ["100.00,100.00"],
    "--set LineAmountTypes=Inclusive --map Total=Quantity",
    "a Total of 100.00, and the file says 1.00",
  ],
])("a file with %s is refused whose %j does not agree: %s", async (columns, rows, more, says) => {
  const { code, stderr } = await tried(columns, rows, more);
  expect([code, stderr]).toEqual([5, expect.stringContaining(says)]);
});

test.each<[columns: string, rows: string[], more: string]>([
  ["UnitAmount,Total", ["100.00,115.00"], ""],
  ["UnitAmount,Total", ["100.00,100.00"], ""],
  ["UnitAmount,Total", ["100.00,230.00", "100.00,230.00"], ""],
  ["UnitAmount,Total", ["100.00,230.00", "100.00,"], ""],
  ["UnitAmount,Total", ["100.00,115.00", "100.00,115.00"], ""],
  ["UnitAmount,Total", ["100.00,100.00", "100.00,100.00"], ""],
  [
    "UnitAmount,SubTotal,TotalTax,Total",
    ["115.00,100.00,15.00,115.00"],
    "--set LineAmountTypes=Inclusive",
  ],
  ["UnitAmount,Total", ["100.00,120.00"], "--map Total="],
])(
  "a file with %s is taken where %j agrees, for the document or line by line: %s",
  async (columns, rows, more) => {
    expect(await tried(columns, rows, more)).toMatchObject({ code: 0 });
  },
);

test.each<[columns: string, row: string, more: string, says: string]>([
  ["Amount", "115.00", "", "--map 'UnitAmount=Amount'. Not read: Amount."],
  ["Price incl GST", "115.00", "", "--map 'UnitAmount=Price incl GST'"],
  [
    "Price incl GST",
    "115.00",
    "--map 'UnitAmount=Price incl GST'",
    "--set LineAmountTypes=Inclusive says so",
  ],
])(
  "a file whose only price is %s, %s, is refused with the flag that settles it: %s",
  async (columns, row, more, says) => {
    const { code, stderr } = await tried(columns, [row], more);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  },
);

test.each<[column: string, value: string, field: string, kept: number[]]>([
  ["Qty", "3", "Quantity", [300, 45]],
  ["Lineitem quantity", "3", "Quantity", [300, 45]],
  ["Quantité", "3", "Quantity", [300, 45]],
  ["Quantité livrée", "3", "Quantity", [300, 45]],
  ["Tax Rate", "Zero Rated", "TaxType", [100, 0]],
  ["GST %", "ZERORATED", "TaxType", [100, 0]],
  ["GST", "14.98", "TaxAmount", [100, 14.98]],
  ["Line discount", "10", "DiscountRate", [90, 13.5]],
  ["Due", "2026-05-01", "DueDate", [100, 15]],
])(
  "a file whose column %s holds %s is asked whether that is the %s, which is then read or left out",
  async (column, value, field, kept) => {
    const file = join(desk.home, "unread-column.csv");
    const row = `Acme,${column},2026-03-01,Chair,100.00,200,${value}`;
    const head = "ContactName,InvoiceNumber,InvoiceDate,Description,UnitAmount,AccountCode";
    writeFileSync(file, `${head},${column}\n${row}\n`);
    const imported = (more: string) =>
      desk.acct(`import invoices ${file} --dry-run -o json ${more}`);
    const asked = await imported("");
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining(
        `--map '${field}=${column}' reads it, --map ${field}= leaves it out.`,
      ),
    ]);
    const sums = async (more: string) => {
      const { totals } = JSON.parse((await imported(more)).stdout);
      return [totals.NZD.net, totals.NZD.tax];
    };
    expect(await sums(`--map '${field}=${column}'`)).toEqual(kept);
    expect(await sums(`--map ${field}=`)).toEqual([100, 15]);
  },
);

test("three digits behind the only point of an amount are asked about where cells are parted by semicolons", async () => {
  const file = join(desk.home, "semicolons.csv");
  const head = "ContactName;InvoiceNumber;InvoiceDate;Description;UnitAmount;AccountCode";
  writeFileSync(
    file,
    `${head}\nAcme;S1;2026-03-01;Chair;1.234;200\nAcme;S2;2026-03-01;Chair;99;200\n`,
  );
  const imported = (more: string) => desk.acct(`import invoices ${file} --dry-run -o json ${more}`);
  const asked = await imported("");
  const says =
    "UnitAmount '1.234' is 1234 in some places and less in others; --decimal comma or point says which.";
  expect([asked.code, asked.stderr]).toEqual([5, expect.stringContaining(says)]);
  const netOf = async (mark: string) =>
    JSON.parse((await imported(`--decimal ${mark}`)).stdout).totals.NZD.net;
  expect([await netOf("comma"), await netOf("point")]).toEqual([1333, 100.23]);
  writeFileSync(
    file,
    `${head.replace("Unit", "Quantity;Unit")}\nAcme;S3;2026-03-01;Chair;0.125;80;200\n`,
  );
  expect(JSON.parse((await imported("")).stdout).totals.NZD.net).toBe(10);
});

test.each<[columns: string, row: string, says: string]>([
  [
    "UnitAmount,Type",
    "100.00,Credit Note",
    "It is a credit note, which acct import credit-notes takes.",
  ],
  [
    "UnitAmount,ContactNumber",
    "100.00,2.00E+12",
    "ContactNumber 2.00E+12 is what a spreadsheet has made of a long number",
  ],
])("a row with %s, %s, is refused", async (columns, row, says) => {
  const { code, stderr } = await tried(columns, [row]);
  expect([code, stderr]).toEqual([5, expect.stringContaining(says)]);
});

test("rows of manual journals without an id are one journal where narration and day are the same", async () => {
  const file = join(desk.home, "journals.csv");
  const rows = [
    "Adj,2026-03-01,a,200,,9.00",
    "Adj,2026-03-01,a,429,,-9.00",
    "Adj,2026-03-02,a,200,,5.00",
    "Adj,2026-03-02,a,429,,-5.00",
  ];
  writeFileSync(
    file,
    ["*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount", ...rows, ""].join("\n"),
  );
  expect((await desk.acct(`import manual-journals ${file} --yes`)).code).toBe(0);
  const listed = await desk.acct("manual-journal list -o csv --columns Date,Narration");
  expect(listed.stdout).toBe("Date,Narration\n2026-03-02,Adj\n2026-03-01,Adj\n");
});

test("a manual journal may have a debit and a credit column, of which a row fills one", async () => {
  const file = join(desk.home, "sides.csv");
  const rows = [
    'Pay,2026-03-28,477,"1,200.00",',
    "Pay,2026-03-28,825,,200.00",
    "Pay,2026-03-28,814,0.00,1000.00",
  ];
  writeFileSync(file, ["Narration,Date,Account Code,Debit,Credit", ...rows, ""].join("\n"));
  expect(await desk.acct(`import manual-journals ${file} --yes`)).toMatchObject({ code: 0 });
  const listed = await desk.acct("manual-journal list --where 'Narration==\"Pay\"' -o json");
  const { Handle } = JSON.parse(listed.stdout)[0];
  const shown = JSON.parse((await desk.acct(`manual-journal show ${Handle} -o json`)).stdout);
  expect(
    shown.JournalLines.map((line: { AccountCode: string; LineAmount: number }) => [
      line.AccountCode,
      line.LineAmount,
    ]),
  ).toEqual([
    ["477", 1200],
    ["825", -200],
    ["814", -1000],
  ]);
});
