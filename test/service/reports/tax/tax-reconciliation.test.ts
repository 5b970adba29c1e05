/** The tax reconciliation: from return to return to the balance of the tax account. */
import { expect, test } from "vitest";
import { firstOf } from "../../../support/properties.ts";
import { opened, simulate } from "../../business.ts";
import { faultsOfReport } from "../../explain/figures.ts";
import { contact, reportRows, type World, world } from "../../fixture.ts";
import { drawn, report } from "../report-text.ts";
import { basis, document } from "./returns.ts";

async function publish(given: World, ReportType: string, FromDate: string, ToDate: string) {
  return given.ok("PUT", "/Reports", { ReportType, FromDate, ToDate });
}

/** Money that goes to the tax office, or comes from it where the amount is negative. */
async function settled(given: World, account: string, date: string, amount: number, Code = "090") {
  await given.ok("PUT", "/Contacts", { Name: `Tax office ${date}` });
  await given.ok("PUT", "/BankTransactions", {
    Type: amount < 0 ? "RECEIVE" : "SPEND",
    Contact: { Name: `Tax office ${date}` },
    BankAccount: { Code },
    Date: date,
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "GST", AccountCode: account, UnitAmount: Math.abs(amount) }],
  });
}

test("the tax reconciliation shows each return with its late postings, and explains the tax account's balance", async () => {
  const given = await world();
  await basis(given, "INVOICE");
  const party = await contact(given);
  const sold = (day: string, amount: number) =>
    document(given, party, { Date: day }, [["200", amount, "OUTPUT2"]]);
  await sold("2026-01-10", 40);
  await sold("2026-02-05", 1000);
  await document(given, party, { Type: "ACCPAY", Date: "2026-02-07" }, [["429", 300, "INPUT2"]]);
  await publish(given, "GSTReturn", "2026-02-01", "2026-02-28");
  await settled(given, "820", "2026-03-28", 105);
  await sold("2026-02-20", 200);
  await sold("2026-03-10", 33.33);
  await publish(given, "GSTReturn", "2026-03-01", "2026-03-31");
  await sold("2026-04-02", 60);
  await sold("2026-03-30", 20);
  await given.ok("PUT", "/ManualJournals", {
    Narration: "Penalty",
    Date: "2026-04-05",
    Status: "POSTED",
    JournalLines: [
      { AccountCode: "400", LineAmount: 7 },
      { AccountCode: "820", LineAmount: -7 },
    ],
  });
  const query = { fromDate: "2026-03-01", toDate: "2026-04-30" };
  expect(drawn(await report(given, "TaxReconciliation", query))).toEqual([
    "H | - | Collected | Paid | Net",
    'S "Return of 1 Mar 2026 to 31 Mar 2026"',
    "R | Posted within its days | 5.00 | 0.00 | 5.00",
    "R | Late, of earlier days | 30.00 | 0.00 | 30.00",
    "T | Filed | 35.00 | 0.00 | 35.00",
    'S "After 31 Mar 2026"',
    "R | Posted within its days | 9.00 | 0.00 | 9.00",
    "R | Late, of earlier days | 3.00 | 0.00 | 3.00",
    "T | Not filed yet | 12.00 | 0.00 | 12.00",
    'S "Owed to the tax office"',
    "R | Documents of before the first return | - | - | 6.00",
    "R | Filed | - | - | 140.00",
    "R | Paid to the tax office, less refunds | - | - | -105.00",
    "R | Manual journals and documents on the account | - | - | 7.00",
    "T | Owed | - | - | 48.00",
    'S "GST (820), GST on Imports (821)"',
    "R | Owed | - | - | 48.00",
    "R | Not filed yet | - | - | 12.00",
    "T | Explained | - | - | 60.00",
    'S ""',
    "R | Trial balance | - | - | 60.00",
    "T | Difference | - | - | 0.00",
  ]);
});

const cents = (text = "0") => Math.round(Number(text || "0") * 100);

test.each(
  firstOf(
    [
      ["NZ", "GSTReturn", "820", "INVOICE", 1],
      ["NZ", "GSTReturn", "820", "PAYMENTS", 2],
      ["AU", "SalesTaxReturn", "820", "ACCRUALS", 3],
      ["GB", "VATReturn", "820", "CASH", 4],
      ["CA", "GSTHSTReturn", "220", "ACCRUALS", 5],
      ["US", "", "220", "ACCRUALS", 6],
      ["SG", "GSTF5", "820", "ACCRUALS", 7],
      ["ZA", "VAT201", "820", "ACCRUALS", 8],
      ["DE", "UStVA", "3800", "ACCRUALS", 9],
      ["DE", "UStVA", "3800", "CASH", 10],
      ["FR", "CA3", "445000", "ACCRUALS", 11],
      ["FR", "CA3", "445000", "CASH", 12],
    ] as const,
    4,
  ),
)(
  "whatever a business in %s records (%s), the balance of tax account %s is explained, on the basis %s",
  { timeout: 600_000 },
  async (country, type, account, on, seed) => {
    const given = await world(country);
    const business = await opened(given);
    await basis(given, on);
    let published = 0;
    for (const [from, to] of [
      ["2026-03-01", "2026-03-31"],
      ["2026-04-01", "2026-04-30"],
      ["2026-05-01", "2026-05-31"],
    ] as const) {
      await simulate(business, { from, to, count: 70, seed: seed * 10 + published });
      const [bank] = business.accounts.banks;
      await settled(given, account, to, 12.34 - 20 * published, bank);
      if (type !== "" && published < 2) await publish(given, type, from, to);
      published += 1;
    }
    for (const toDate of ["2026-03-31", "2026-04-15", "2026-06-30"]) {
      const rows = await reportRows(given, "TaxReconciliation", { fromDate: "2026-01-01", toDate });
      expect(rows.Difference?.at(-1)).toBe("0.00");
      expect(rows["Difference, of the returns"]).toBeUndefined();
      expect(Math.abs(cents(rows.Rounding?.[0]))).toBeLessThanOrEqual(100);
      expect(Math.abs(cents(rows.Rounding?.[1]))).toBeLessThanOrEqual(100);
      expect(cents(rows["Trial balance"]?.at(-1))).not.toBe(0);
      const shares = business.payments.length + business.money.length;
      expect(Math.abs(cents(rows["Rounding line by line"]?.at(-1)))).toBeLessThanOrEqual(
        on === "PAYMENTS" || on === "CASH" ? shares : 2,
      );
    }
  },
);

test.each([
  [
    "NZ",
    "GSTReturn",
    "INVOICE",
    [["200", 1000, "OUTPUT2"]],
    "ACCREC",
    ["Entered in box 9 | 12.00"],
  ],
  [
    "CA",
    "GSTHSTReturn",
    "ACCRUALS",
    [["400", 1000, "CAN015"]],
    "ACCREC",
    ["Not in the return, BC - GST/PST on Sales | -70.00"],
  ],
  [
    "ZA",
    "VAT201",
    "ACCRUALS",
    [["200", 1000, "ACC28PLUS"]],
    "ACCREC",
    ["Not in the return, Accommodation exceeding 28 days | -60.00"],
  ],
  // The difference of one document is no rounding above 0.05.
  [
    "ZA",
    "VAT201",
    "ACCRUALS",
    [["200", 10, "ACC28PLUS"]],
    "ACCREC",
    ["Not in the return, Accommodation exceeding 28 days | -0.60"],
  ],
  [
    "AU",
    "SalesTaxReturn",
    "ACCRUALS",
    [["200", 105.5, "OUTPUT"]],
    "ACCREC",
    ["Whole amounts of the form | -0.55"],
  ],
  [
    "GB",
    "VATReturn",
    "CASH",
    [["429", 1000, "ECACQUISITIONS"]],
    "ACCPAY",
    ["Reverse charge | 200.00"],
  ],
] as const)(
  "the tax reconciliation of %s has a row for each reason why a return differs from its documents' tax",
  async (country, type, on, lines, Type, wanted) => {
    const given = await world(country);
    await basis(given, on);
    const party = await contact(given);
    await document(given, party, { Type, Date: "2026-02-05" }, lines as never);
    const Fields = type === "GSTReturn" ? { Fields: [{ FieldID: "9", Value: "12.00" }] } : {};
    const days = { ReportType: type, FromDate: "2026-02-01", ToDate: "2026-03-31" };
    await given.ok("PUT", "/Reports", { ...days, ...Fields });
    const query = { fromDate: "2026-01-01", toDate: "2026-04-30" };
    const told = drawn(await report(given, "TaxReconciliation", query));
    for (const each of wanted)
      expect(told.find((row) => row.startsWith(`R | ${each}`))).toBeDefined();
    expect(told.join()).not.toMatch(/Rounding|adjustments/);
    expect(told.at(-1)).toBe("T | Difference | - | - | 0.00");
    expect(await faultsOfReport(given, "TaxReconciliation", query)).toMatchObject({ faults: [] });
  },
);

test("in the tax reconciliation, the GST opening balance is one row with the opening documents' GST", async () => {
  const given = await world();
  await basis(given, "INVOICE");
  await given.ok("PUT", "/Extensions/OpeningBalances", {
    Date: "2026-01-31",
    Accounts: [
      { AccountCode: "610", Debit: 230 },
      { AccountCode: "800", Credit: 115 },
      { AccountCode: "820", Credit: 22 },
    ],
    Documents: [
      {
        Type: "ACCREC",
        Number: "O-1",
        ContactName: "C",
        Date: "2026-01-10",
        Lines: [{ Amount: 230, TaxAmount: 30 }],
      },
      {
        Type: "ACCPAY",
        Number: "O-2",
        ContactName: "D",
        Date: "2026-01-12",
        Lines: [{ Amount: 115, TaxAmount: 15 }],
      },
    ],
  });
  await document(given, await contact(given), { Date: "2026-02-05" }, [["200", 100, "OUTPUT2"]]);
  const query = { fromDate: "2026-02-01", toDate: "2026-02-28" };
  const rows = await reportRows(given, "TaxReconciliation", query);
  expect(rows["Opening balance"]?.at(-1)).toBe("22.00");
  expect(rows).not.toHaveProperty("Documents of before the first return");
  expect(rows.Difference?.at(-1)).toBe("0.00");
  expect((await faultsOfReport(given, "TaxReconciliation", query)).faults).toEqual([]);
  await publish(given, "GSTReturn", "2026-02-01", "2026-02-28");
  const filed = await reportRows(given, "TaxReconciliation", query);
  expect(filed["Opening balance"]?.at(-1)).toBe("22.00");
  expect(filed).not.toHaveProperty("Documents of before the first return");
});
