/** What an import says that documents come to, before and after, is what the book then holds. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Desk } from "./desk.ts";

const desk = await Desk.open();
afterAll(() => desk.close());

async function done(...words: string[]): Promise<void> {
  const { code, stderr } = await desk.acct(...words);
  expect([words.join(" "), code, code === 0 ? "" : stderr]).toEqual([words.join(" "), 0, ""]);
}

beforeAll(async () => {
  await done("currency", "add", "USD");
  await done("currency", "add", "JPY");
  for (const [code, rate] of [
    ["USD", "1.25"],
    ["JPY", "190"],
  ]) {
    await done("currency", "rate", code as string, rate as string, "--date", "2026-01-01");
  }
  await done("contact", "create", "--name", "Plain");
  await done("contact", "create", "--name", "Abroad", "--default-currency", "USD");
  await done(
    "contact",
    "create",
    "--name",
    "Exempt",
    "--accounts-receivable-tax-type",
    "ZERORATEDOUTPUT",
  );
  await done(
    "item",
    "create",
    "--code",
    "OAK",
    "--name",
    "Oak",
    "--unit-price",
    "19.99",
    "--sales-account",
    "200",
  );
});

type Totals = Readonly<
  Record<string, { documents: number; net: number; tax: number; gross: number }>
>;

interface Document {
  readonly SubTotal: number;
  readonly TotalTax: number;
  readonly Total: number;
  readonly CurrencyCode: string;
}

/** The plan of a file, then its import, then what the book holds under its numbers. */
async function imported(noun: string, list: string, csv: string, ...flags: string[]) {
  const file = desk.file(`${noun}.csv`, csv);
  const dry = await desk.acct("import", noun, file, "--dry-run", "-o", "json", ...flags);
  const planned = JSON.parse(dry.stdout).totals as Totals;
  const plan = await desk.acct("import", noun, file, "--dry-run", ...flags);
  const after = (await desk.import(noun, file, ...flags)) as unknown as { readonly totals: Totals };
  const held = await desk.list<Document>(...list.split(" "), "--all");
  const sums: Record<string, { documents: number; net: number; tax: number; gross: number }> = {};
  for (const { SubTotal, TotalTax, Total, CurrencyCode } of held) {
    const sum = sums[CurrencyCode] ?? { documents: 0, net: 0, tax: 0, gross: 0 };
    const plus = (left: number, right: number) => Math.round((left + right) * 100) / 100;
    sums[CurrencyCode] = {
      documents: sum.documents + 1,
      net: plus(sum.net, SubTotal),
      tax: plus(sum.tax, TotalTax),
      gross: plus(sum.gross, Total),
    };
  }
  return { planned, after: after.totals, sums, text: plan.stdout };
}

test("reported totals of imported invoices include discounts, defaults and taxes, in three currencies", async () => {
  const head =
    "ContactName,InvoiceNumber,InvoiceDate,DueDate,LineAmountTypes,Currency,Description,ItemCode,Quantity,UnitAmount,Discount,AccountCode,TaxType";
  const rows = [
    "Plain,D-1,Exclusive,,Desk,,3,33.33,10,200,",
    "Plain,D-1,Exclusive,,Chair,,1,7.77,,200,ZERORATEDOUTPUT",
    "Plain,D-2,Inclusive,,Desk,,7,12.345,2.5,200,",
    "Plain,D-3,NoTax,,Desk,,1,99.99,,200,",
    "Plain,D-4,,,Oak,OAK,3,,15,,",
    "Exempt,D-5,,,Desk,,2,10.01,,200,",
    "Exempt,D-6,,,Desk,,2,10.01,,200,OUTPUT2",
    "Abroad,D-7,,,Desk,,1,100,50,200,OUTPUT2",
    "Plain,D-8,,USD,Desk,,1,0.05,,200,",
    "Plain,D-9,Inclusive,JPY,Desk,,3,1000,10,200,",
    "New one,D-10,,,Desk,,1,1169.47,12.5,200,",
  ].map((row) => {
    const [contact, number, ...rest] = row.split(",");
    return [contact, number, "2026-02-01", "2026-03-01", ...rest].join(",");
  });
  const csv = `${head}\n${rows.join("\n")}\n`;
  const flags = ["--create-contacts", "--status", "AUTHORISED"];
  const { planned, after, sums, text } = await imported("invoices", "invoice list", csv, ...flags);
  expect(Object.keys(planned)).toEqual(["GBP", "JPY", "USD"]);
  expect(planned.GBP?.documents).toBe(7);
  expect(planned).toEqual(sums);
  expect(after).toEqual(sums);
  expect(text).toMatch(/\n {2}to be kept {2}invoices +net +tax +gross\n {2}GBP +7 +/);
  const again = await desk.import("invoices", desk.file("d.csv", csv), ...flags);
  expect((again as unknown as { readonly totals: Totals }).totals).toEqual({});
});

test("a dry run reports the totals of imported bills and credit notes", async () => {
  const bills =
    "ContactName,InvoiceNumber,InvoiceDate,DueDate,Currency,Description,Quantity,UnitAmount,AccountCode\nPlain,B-1,2026-02-01,2026-03-01,,Ink,3,33.335,400\nAbroad,B-2,2026-02-01,2026-03-01,,Ink,1,80,400\n";
  const bought = await imported("bills", "bill list", bills, "--status", "AUTHORISED");
  expect(bought.planned).toEqual(bought.sums);
  expect(bought.after).toEqual(bought.sums);
  const credits =
    "CreditNoteID,Type,Contact.Name,Date,Status,LineItems.Description,LineItems.Quantity,LineItems.UnitAmount,LineItems.AccountCode\n1,ACCRECCREDIT,Plain,2026-02-02,AUTHORISED,Back,3,3.335,200\n";
  const credited = await imported("credit-notes", "credit-note list", credits);
  expect(credited.planned).toEqual(credited.sums);
  expect(credited.after).toEqual(credited.sums);
});

test("amounts that the service refuses are not counted in the reported total of an import", async () => {
  await done("contact", "create", "--name", "Gone");
  const csv =
    "ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode\nPlain,E-1,2026-02-01,2026-03-01,Ink,1,10,200\nPlain,E-2,2026-02-01,2026-03-01,Ink,1,10,610\n";
  const file = desk.file("e.csv", csv);
  const flags = ["--on-error", "skip", "--status", "AUTHORISED"];
  const ran = await desk.import("invoices", file, ...flags);
  expect(ran.code).toBe(7);
  expect((ran as unknown as { readonly totals: Totals }).totals).toEqual({
    GBP: { documents: 1, net: 10, tax: 2, gross: 12 },
  });
});

test.each([
  ["CHF", "CHF", "The books have no currency CHF; acct currency add CHF adds it."],
  [
    "KWD",
    "KWD",
    "KWD has three decimal places, which this service cannot keep exactly; book what it comes to in another currency.",
  ],
])(
  "the dry run of an import refuses an invoice in a currency that the books lack, as the import does (%s)",
  async (number, code, sentence) => {
    const csv = `ContactName,InvoiceNumber,InvoiceDate,DueDate,Description,Quantity,UnitAmount,AccountCode,Currency\nPlain,${number}-1,2026-01-05,2026-02-04,Oak,1,10,200,${code}\n`;
    const file = desk.file(`${number}.csv`, csv);
    for (const flag of ["--dry-run", "--yes"]) {
      const { code: exit, stderr } = await desk.acct("import", "invoices", file, flag);
      expect([flag, exit]).toEqual([flag, 5]);
      expect(stderr).toContain(`row 2, ${number}-1: ${sentence}`);
    }
  },
);
