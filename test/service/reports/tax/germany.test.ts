/** The advance VAT return of Germany: its boxes worked out by hand. */
import { expect, test } from "vitest";
import { contact, type Json, type World, world } from "../../fixture.ts";
import { basis, boxes, document } from "./returns.ts";

/** A document: its date, type, amount and tax type, and the account where the type has no usual one. */
type Traded = readonly [day: string, what: "sale" | "bill" | "credit", ...Line];
type Line = readonly [amount: number, taxType: string, account?: string];

const day = "2026-03-05";

async function traded(given: World, party: Json, documents: readonly Traded[]): Promise<Json[]> {
  const made: Json[] = [];
  for (const [date, what, amount, taxType, account] of documents) {
    const code = account ?? (what === "bill" ? "6815" : "4400");
    const fields = { Date: date, DueDate: "2026-12-31" };
    if (what !== "credit") {
      const type = what === "bill" ? { Type: "ACCPAY" } : {};
      made.push(await document(given, party, { ...fields, ...type }, [[code, amount, taxType]]));
      continue;
    }
    const LineItems = [
      { Description: "x", Quantity: 1, UnitAmount: amount, AccountCode: code, TaxType: taxType },
    ];
    const Contact = { ContactID: party.ContactID };
    const note = { Type: "ACCRECCREDIT", Contact, Date: date, Status: "AUTHORISED", LineItems };
    made.push((await given.ok("PUT", "/CreditNotes", note)).CreditNotes[0]);
  }
  return made;
}

/** The boxes of a month that are not zero, without those of the head. */
async function filled(given: World, month: string, entered: Record<string, string> = {}) {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const to = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  const query = { fromDate: `${month}-01`, toDate: to, ...entered };
  const report = (await given.ok("GET", "/Reports/UStVA", undefined, { query })).Reports[0];
  const { Number: _number, Basis: _basis, Period: _period, ...all } = boxes(report);
  const values = Object.entries(all).filter(([, value]) => Number(value) !== 0);
  return Object.fromEntries(values.map(([id, value]) => [id, value]));
}

/** Boxes from words: `81 1000, 81T 190.00`. */
const said = (text: string) =>
  Object.fromEntries(
    text.split(", ").map((each) => {
      const [id = "", value = ""] = each.split(" ");
      return [id, Number(value).toFixed(2)];
    }),
  );

test.each<[string, readonly Traded[], string]>([
  [
    "a sale and a bill at 19 %",
    [
      [day, "sale", 1000, "OUTPUT19"],
      [day, "bill", 500, "INPUT19"],
    ],
    "81 1000, 81T 190, USt 190, 66 95, VSt 95, 83 95",
  ],
  [
    "bases cut to whole euros, with the tax of the cut amount",
    [
      [day, "sale", 333.33, "OUTPUT19"],
      [day, "sale", 66.67, "OUTPUT19"],
      [day, "sale", 149.99, "OUTPUT19"],
      [day, "sale", 45.5, "OUTPUT7"],
      [day, "bill", 119.99, "INPUT19"],
    ],
    "81 549, 81T 104.31, 86 45, 86T 3.15, USt 107.46, 66 22.80, VSt 22.80, 83 84.66",
  ],
  [
    "sales abroad without tax",
    [
      [day, "sale", 2500.4, "ECOUTPUT"],
      [day, "sale", 1200, "ECOUTPUTSERVICES"],
      [day, "sale", 800, "EXPORT"],
      [day, "sale", 300, "OSOUTPUT"],
    ],
    "41 2500, 21 1200, 43 800, 45 300",
  ],
  [
    "goods bought in the EU",
    [
      [day, "bill", 1000.55, "ECACQUISITIONS19"],
      [day, "bill", 200, "ECACQUISITIONS7"],
    ],
    "89 1000, 89T 190, 93 200, 93T 14, USt 204, 61 204.10, VSt 204.10, 83 -0.10",
  ],
  [
    "supplies on which the buyer owes the tax",
    [
      [day, "bill", 450, "REVERSEEU19"],
      [day, "bill", 1250.75, "REVERSECHARGE19"],
    ],
    "46 450, 47 85.50, 84 1250, 85 237.64, USt 323.14, 67 323.14, VSt 323.14",
  ],
  [
    "tax under a reverse charge, rounded line by line as it was posted",
    [
      [day, "bill", 10.03, "REVERSEEU19"],
      [day, "bill", 10.03, "REVERSEEU19"],
    ],
    "46 20, 47 3.82, USt 3.82, 67 3.82, VSt 3.82",
  ],
  [
    "tax that the buyer owes and does not reclaim",
    [
      [day, "bill", 100, "REVERSEEU19N", "6837"],
      [day, "bill", 200, "ECACQUISITIONS19N"],
      [day, "bill", 10.03, "REVERSECHARGE19N"],
    ],
    "89 200, 89T 38, 46 100, 47 19, 84 10, 85 1.91, USt 58.91, 83 58.91",
  ],
  [
    "a supply on which the customer owes the tax",
    [
      [day, "sale", 8000, "DRCHARGE"],
      [day, "sale", 100, "OUTPUT19"],
    ],
    "60 8000, 81 100, 81T 19, USt 19, 83 19",
  ],
  [
    "goods from outside the EU with the bill of the customs",
    [
      [day, "bill", 2000, "NONE"],
      [day, "bill", 380, "GSTONIMPORTS", "1433"],
    ],
    "62 380, VSt 380, 83 -380",
  ],
  [
    "a credit note of a month without sales",
    [
      ["2026-02-05", "sale", 1000, "OUTPUT19"],
      [day, "credit", 250, "OUTPUT19"],
    ],
    "81 -250, 81T -47.50, USt -47.50, 83 -47.50",
  ],
  [
    "exempt sales, and input tax that is not reclaimed",
    [
      [day, "sale", 900, "EXEMPTOUTPUT", "4100"],
      [day, "bill", 100, "INPUTBLOCKED19", "6620"],
    ],
    "48 900",
  ],
  [
    "sales at 0, 7 and 19 %",
    [
      [day, "sale", 12_000, "OUTPUT0"],
      [day, "sale", 1500, "OUTPUT7"],
      [day, "sale", 600, "OUTPUT19"],
      [day, "bill", 300, "INPUT7"],
    ],
    "87 12000, 86 1500, 86T 105, 81 600, 81T 114, USt 219, 66 21, VSt 21, 83 198",
  ],
])("the advance VAT return of Germany shows %s", async (_what, documents, expected) => {
  const given = await world("DE");
  const party = await contact(given, { TaxNumber: "FR44732829320" });
  await basis(given, "ACCRUALS");
  await traded(given, party, documents);
  expect(await filled(given, "2026-03")).toEqual(said(expected));
});

test("on the basis of receipts sales count when they are paid, purchases when they are invoiced", async () => {
  const given = await world("DE");
  const party = await contact(given, { TaxNumber: "FR44732829320" });
  await basis(given, "CASH");
  const [invoice] = await traded(given, party, [
    ["2026-01-20", "sale", 1000, "OUTPUT19"],
    ["2026-01-25", "bill", 200, "INPUT19"],
  ]);
  for (const date of ["2026-02-10", "2026-03-05"]) {
    const Invoice = { InvoiceID: invoice.InvoiceID };
    await given.ok("PUT", "/Payments", {
      Invoice,
      Account: { Code: "1800" },
      Date: date,
      Amount: 595,
    });
  }
  const half = said("81 500, 81T 95, USt 95, 83 95");
  expect(await filled(given, "2026-01")).toEqual(said("66 38, VSt 38, 83 -38"));
  expect(await filled(given, "2026-02")).toEqual(half);
  expect(await filled(given, "2026-03")).toEqual(half);
  expect(await filled(given, "2026-04")).toEqual({});
});

test("the special prepayment of a longer time to file is taken off in December", async () => {
  const given = await world("DE");
  const party = await contact(given, { TaxNumber: "FR44732829320" });
  await basis(given, "ACCRUALS");
  await traded(given, party, [
    ["2025-12-05", "sale", 40_000, "OUTPUT19"],
    ["2025-12-08", "bill", 11_052.63, "INPUT19"],
  ]);
  expect(await filled(given, "2025-12", { 39: "1150.00" })).toEqual(
    said("81 40000, 81T 7600, USt 7600, 66 2100, VSt 2100, 39 1150, 83 4350"),
  );
});

test("tax that the buyer owes and does not reclaim stands on the account of the line", async () => {
  const given = await world("DE");
  const party = await contact(given, { TaxNumber: "FR44732829320" });
  await traded(given, party, [[day, "bill", 100, "REVERSEEU19N", "6837"]]);
  const { Journals } = await given.ok("GET", "/Journals");
  const lines: Json[] = Journals.flatMap((each: Json) => each.JournalLines);
  expect(Object.fromEntries(lines.map((each) => [each.AccountCode, each.NetAmount]))).toEqual({
    6837: 119,
    3800: -19,
    3300: -100,
  });
});
