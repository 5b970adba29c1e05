/** The tax summary: by rate and component, on the basis of the returns, with its documents. */
import { expect, test } from "vitest";
import { faultsOfReport } from "../../explain/figures.ts";
import { contact, paid, type World, world } from "../../fixture.ts";
import { asKept, drawn, report } from "../report-text.ts";
import { basis, document, march } from "./returns.ts";

/** Sales in Ontario and Quebec, a purchase in British Columbia of which the PST is a cost. */
async function traded(): Promise<{ given: World; pay: () => Promise<unknown> }> {
  const given = await world("CA");
  const party = await contact(given, { Name: "Marsh & Son" });
  const sold = await document(given, party, {}, [
    ["400", 1000, "CAN020"],
    ["400", 100, "CAN022"],
    ["400", 50, "CAN030"],
  ]);
  await document(given, party, { Type: "ACCPAY", InvoiceNumber: "B-7" }, [
    ["600", 100, "CAN002"],
    ["600", 20, "NONE"],
  ]);
  await basis(given, "ACCRUALS");
  return { given, pay: () => paid(given, sold, { Date: "2026-03-20", Amount: sold.Total / 2 }) };
}

const rows = [
  "H | Tax rate | Net | Tax | Not reclaimed | Gross",
  'S "Collected on sales"',
  "R | ON - HST on Sales | 1000.00 | 130.00 | 0.00 | 1130.00",
  "R | QC - GST/QST on Sales | 100.00 | 14.98 | 0.00 | 114.98",
  "R | of which GST | - | 5.00 | - | -",
  "R | of which QST | - | 9.98 | - | -",
  "T | Total collected | 1100.00 | 144.98 | 0.00 | 1244.98",
  'S "Paid on purchases"',
  "R | BC - GST/PST on Purchases | 100.00 | 5.00 | 7.00 | 112.00",
  "T | Total paid | 100.00 | 5.00 | 7.00 | 112.00",
  'S "Sales without tax"',
  "R | Exempt Sales | 50.00 | 0.00 | 0.00 | 50.00",
  "T | Total sales without tax | 50.00 | 0.00 | 0.00 | 50.00",
  'S "Purchases without tax"',
  "R | Tax Exempt | 20.00 | 0.00 | 0.00 | 20.00",
  "T | Total purchases without tax | 20.00 | 0.00 | 0.00 | 20.00",
];

test("the tax summary has net, tax and gross of each tax rate, and its components if it has several", async () => {
  const { given } = await traded();
  expect(drawn(await report(given, "TaxSummary", march))).toEqual(rows);
  await asKept(given, "/Reports/TaxSummary", march, "TaxSummary");
});

test("the tax summary lists the documents of a tax rate", async () => {
  const { given } = await traded();
  const found = drawn(await report(given, "TaxSummary", { ...march, detail: "true" }));
  expect(found).toEqual(
    expect.arrayContaining([
      "R | 5 Mar 2026 INV-0001 Marsh & Son | 1000.00 | 130.00 | 0.00 | 1130.00",
      "R | All at ON - HST on Sales | 1000.00 | 130.00 | 0.00 | 1130.00",
      "R | 5 Mar 2026 B-7 Marsh & Son | 100.00 | 5.00 | 7.00 | 112.00",
    ]),
  );
});

test("the tax summary uses the accounting basis of the returns, unless the request gives another", async () => {
  const { given, pay } = await traded();
  await basis(given, "CASH");
  await pay();
  const half = "R | ON - HST on Sales | 500.00 | 65.00 | 0.00 | 565.00";
  const shown = await report(given, "TaxSummary", march);
  expect(shown.ReportTitles.at(-1)).toBe("Cash basis");
  expect(drawn(shown)).toContain(half);
  const accrual = await report(given, "TaxSummary", { ...march, paymentsOnly: "false" });
  expect(accrual.ReportTitles.at(-1)).toBe("Accrual basis");
  expect(drawn(accrual)).toEqual(rows);
});

test("in a country without returns, the tax summary separates sales from purchases by their accounts", async () => {
  const given = await world("US");
  const party = await contact(given);
  await document(given, party, {}, [["400", 10, "OUTPUT"]]);
  await document(given, party, { Type: "ACCPAY" }, [["600", 4, "INPUT"]]);
  expect(drawn(await report(given, "TaxSummary", march))).toEqual(
    expect.arrayContaining([
      "T | Total sales without tax | 10.00 | 0.00 | 0.00 | 10.00",
      "T | Total purchases without tax | 4.00 | 0.00 | 0.00 | 4.00",
    ]),
  );
});

const untaxed = (rows: readonly string[]) => rows.filter((row) => row.includes("without tax |"));

test.each([
  ["NZ", "NONE", "200", "400", "970"],
  ["GB", "NONE", "200", "400", "970"],
  ["AU", "BASEXCLUDED", "200", "400", "970"],
  ["SG", "NONE", "200", "400", "970"],
  ["ZA", "NONE", "200", "400", "970"],
  ["CA", "NONE", "400", "600", "300"],
] as const)(
  "in %s, the tax summary puts untaxed amounts under sales or purchases by the type of their document",
  async (country, none, income, costs, equity) => {
    const given = await world(country);
    const party = await contact(given);
    await given.ok("PUT", "/Accounts", {
      Code: "099",
      Name: "Money",
      Type: "BANK",
      BankAccountNumber: "1",
    });
    await document(given, party, {}, [[income, 1000, none]]);
    await document(given, party, { Type: "ACCPAY" }, [
      [costs, 400, none],
      [equity, -50, none],
    ]);
    const money = (Type: string, UnitAmount: number) =>
      given.ok("PUT", "/BankTransactions", {
        Type,
        Date: "2026-03-06",
        Contact: { ContactID: party.ContactID },
        BankAccount: { Code: "099" },
        LineItems: [
          Type.endsWith("OVERPAYMENT")
            ? { Description: "x", UnitAmount }
            : { Description: "x", UnitAmount, AccountCode: costs, TaxType: none },
        ],
        ...(Type.endsWith("OVERPAYMENT") ? { LineAmountTypes: "NoTax" } : {}),
      });
    await money("RECEIVE", 30);
    await money("SPEND", 7);
    await money("RECEIVE-OVERPAYMENT", 11);
    await money("SPEND-OVERPAYMENT", 13);
    await given.ok("PUT", "/ManualJournals", {
      Narration: "x",
      Date: "2026-03-31",
      Status: "POSTED",
      JournalLines: [
        { AccountCode: costs, LineAmount: 77, TaxType: none },
        { AccountCode: income, LineAmount: -77, TaxType: none },
      ],
    });
    expect(untaxed(drawn(await report(given, "TaxSummary", march)))).toEqual([
      "T | Total sales without tax | 1030.00 | 0.00 | 0.00 | 1030.00",
      "T | Total purchases without tax | 357.00 | 0.00 | 0.00 | 357.00",
    ]);
    expect((await faultsOfReport(given, "TaxSummary", march)).faults).toEqual([]);
  },
);

test("the tax summary leaves blocked tax out of the net, and shows a reverse charge on both sides", async () => {
  const singapore = await world("SG");
  const party = await contact(singapore);
  await document(singapore, party, { Type: "ACCPAY" }, [
    ["400", 33.33, "BLINPUT3Y24"],
    ["400", 100, "TXRCTSY24"],
  ]);
  const inSingapore = drawn(await report(singapore, "TaxSummary", march));
  expect(inSingapore).toContain("T | Total collected | 100.00 | 9.00 | 0.00 | 109.00");
  expect(inSingapore).toContain("T | Total paid | 133.33 | 9.00 | 3.00 | 145.33");
  const britain = await world("GB");
  await document(britain, await contact(britain), { Type: "ACCPAY" }, [
    ["400", 250, "REVERSECHARGES"],
  ]);
  const inBritain = drawn(await report(britain, "TaxSummary", march));
  expect(inBritain.filter((row) => row.startsWith("T"))).toEqual([
    "T | Total collected | 250.00 | 50.00 | 0.00 | 300.00",
    "T | Total paid | 250.00 | 50.00 | 0.00 | 300.00",
  ]);
  for (const given of [singapore, britain]) {
    expect((await faultsOfReport(given, "TaxSummary", march)).faults).toEqual([]);
  }
});
