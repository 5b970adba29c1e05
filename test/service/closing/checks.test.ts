/** What is checked before a period is closed: each thing is found where it is, and nowhere else. */
import { expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { contact, type Json, paid, sale, type World, world } from "../fixture.ts";
import { basis, document } from "../reports/tax/returns.ts";

const end = "2026-03-31";

async function checked(given: World, date = end): Promise<Json[]> {
  const path = "/Extensions/ClosingChecks";
  return (await given.ok("GET", path, undefined, { query: { date } })).ClosingChecks;
}

/** What is open, `check: what was found`. */
async function open(given: World, date = end): Promise<string[]> {
  return (await checked(given, date)).flatMap(({ Check, Status, Found }) =>
    Status === "OPEN" ? [`${Check}: ${Found}`] : [],
  );
}

const line = {
  Description: "x",
  Quantity: 1,
  UnitAmount: 100,
  AccountCode: "200",
  TaxType: "NONE",
};

test("a book without records passes every check before closing", async () => {
  const given = await world();
  const rows = await checked(given);
  expect(rows.map(({ Status }) => Status)).toEqual(rows.map(() => "OK"));
  expect(new Set(rows.map(({ Check }) => Check)).size).toBe(17);
});

type Case = readonly [what: string, prepare: (given: World) => Promise<unknown>, found: string[]];

const statement = (given: World, day: string) =>
  given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    Source: "march.ofx",
    StatementLines: [{ Key: day, Date: day, Amount: -7, Payee: "Clay" }],
  });

const cases: readonly Case[] = [
  [
    "a statement that ends before the day, with a line that is not reconciled",
    (given) => statement(given, "2026-03-20"),
    [
      "bankStatements: Business Account: statements end on 20 Mar 2026",
      "bankBalances: No balance of the bank for 090 at 31 Mar 2026",
      "bankLines: Business Account: 1 line, the first of 20 Mar 2026",
    ],
  ],
  ["a line after the day", (given) => statement(given, "2026-04-02"), []],
  [
    "drafts, and what awaits approval",
    async (given) => {
      const party = await contact(given);
      const of = (own: object) => given.ok("PUT", "/Invoices", sale(party, own));
      await of({ Date: "2026-03-05", Status: "DRAFT" });
      await of({ Date: "2026-03-02", Status: "DRAFT" });
      await of({ Date: "2026-03-09", Status: "SUBMITTED" });
      await of({ Date: "2026-04-09", Status: "DRAFT" });
    },
    [
      "drafts: 2 invoices in draft, the first of 2 Mar 2026",
      "drafts: 1 invoice awaiting approval, the first of 9 Mar 2026",
    ],
  ],
  [
    "a template that is due",
    async (given) => {
      const party = await contact(given);
      await given.ok("PUT", "/RepeatingInvoices", {
        Type: "ACCREC",
        Contact: { ContactID: party.ContactID },
        Status: "AUTHORISED",
        Schedule: {
          Period: 1,
          Unit: "MONTHLY",
          DueDate: 20,
          DueDateType: "OFFOLLOWINGMONTH",
          StartDate: "2026-03-15",
        },
        LineItems: [line],
      });
    },
    ["repeating: 1 template due, the first on 15 Mar 2026"],
  ],
  [
    "an asset that was not depreciated, and is on no account",
    (given) =>
      given.ok("PUT", "/Extensions/Assets", {
        Name: "Kiln",
        PurchaseDate: "2026-02-01",
        Cost: 2400,
        Life: 4,
        AssetAccount: { Code: "710" },
        AccumulatedAccount: { Code: "711" },
        ExpenseAccount: { Code: "416" },
      }),
    [
      "depreciation: 2 months from 1 Feb 2026 on",
      "fixedAssets: -2400.00 is the cost on the accounts and of no asset",
    ],
  ],
  [
    "a credit note beside an open invoice of its contact, and no deposit",
    async (given) => {
      const party = await contact(given, { Name: "Moa Coffee" });
      await document(given, party, {}, [["200", 100, "NONE"]]);
      await given.ok("PUT", "/BankTransactions", {
        Type: "RECEIVE-PREPAYMENT",
        Contact: { ContactID: party.ContactID },
        BankAccount: { Code: "090" },
        Date: "2026-03-09",
        LineItems: [{ ...line, AccountCode: "835" }],
      });
      await given.ok("PUT", "/CreditNotes", {
        Type: "ACCRECCREDIT",
        Contact: { ContactID: party.ContactID },
        Date: "2026-03-10",
        Status: "AUTHORISED",
        LineItems: [line],
      });
    },
    [
      "bankBalances: No balance of the bank for 090 at 31 Mar 2026",
      "credits: Moa Coffee: 100.00 NZD",
    ],
  ],
  [
    "what stands on Historical Adjustment",
    async (given) => {
      const JournalLines = [
        { AccountCode: "840", LineAmount: 12.5 },
        { AccountCode: "400", LineAmount: -12.5 },
      ];
      const own = { Narration: "Found", Date: "2026-03-03", Status: "POSTED", JournalLines };
      await given.ok("PUT", "/ManualJournals", own);
    },
    ["suspense: Historical Adjustment: 12.50"],
  ],
  [
    "a return that was never published",
    async (given) => {
      await basis(given, "INVOICE");
      await document(given, await contact(given), {}, [["200", 100, "OUTPUT2"]]);
    },
    ["taxReturns: none was published yet"],
  ],
  [
    "returns that are not published since the books were taken over",
    async (given) => {
      await basis(given, "INVOICE");
      await given.ok("PUT", "/Extensions/OpeningBalances", {
        Date: "2026-01-31",
        Accounts: [
          { AccountCode: "090", Debit: 100 },
          { AccountCode: "970", Credit: 100 },
        ],
      });
      await document(given, await contact(given), {}, [["200", 100, "OUTPUT2"]]);
    },
    ["taxReturns: that of 1 Feb 2026 to 31 Mar 2026 is not"],
  ],
  [
    "nothing, where the first return since the books were taken over has not ended",
    async (given) => {
      await basis(given, "INVOICE");
      await given.ok("PUT", "/Extensions/OpeningBalances", {
        Date: "2026-02-28",
        Accounts: [
          { AccountCode: "090", Debit: 100 },
          { AccountCode: "970", Credit: 100 },
        ],
      });
      await document(given, await contact(given), {}, [["200", 100, "OUTPUT2"]]);
    },
    [],
  ],
  [
    "a statement that goes up to the day and has no line of it",
    (given) =>
      given.ok("PUT", "/Extensions/BankStatements", {
        BankAccount: { Code: "090" },
        Source: "march.ofx",
        FromDate: "2026-03-01",
        ToDate: end,
      }),
    [],
  ],
  [
    "returns that are not published since the last one",
    async (given) => {
      await basis(given, "INVOICE");
      await given.ok("POST", "/Organisation/Settings", { SalesTaxPeriod: "ONEMONTHS" });
      await given.ok("PUT", "/Reports", {
        ReportType: "GSTReturn",
        FromDate: "2026-01-01",
        ToDate: "2026-01-31",
      });
    },
    [
      "taxReturns: that of 1 Feb 2026 to 28 Feb 2026 is not",
      "taxReturns: that of 1 Mar 2026 to 31 Mar 2026 is not",
    ],
  ],
];

test.each(cases)("the checks before closing report: %s", async (_what, prepare, found) => {
  const given = await world();
  await prepare(given);
  expect(await open(given)).toEqual(found);
});

test("findings that were settled are no longer reported by the checks before closing", async () => {
  const given = await world();
  await basis(given, "NONE");
  const party = await contact(given);
  const sold = await document(given, party, {}, [["200", 100, "NONE"]]);
  await paid(given, sold, { Date: "2026-03-20" });
  await statement(given, end);
  const [row] = (await given.ok("GET", "/Extensions/BankStatementLines")).BankStatementLines;
  expect(await open(given)).toEqual([
    "bankBalances: No balance of the bank for 090 at 31 Mar 2026",
    `bankLines: Business Account: 1 line, the first of 31 Mar 2026`,
  ]);
  await given.ok("POST", `/Extensions/BankStatementLines/${row.BankStatementLineID}/Ignore`);
  const [own] = (await given.ok("GET", "/Extensions/BankStatements")).BankStatements;
  await given.ok("POST", `/Extensions/BankStatements/${own.BankStatementID}`, {
    FromDate: "2026-03-01",
    ToDate: end,
    OpeningBalance: 100,
    ClosingBalance: 93,
    BalanceSource: "TYPED",
  });
  expect(await open(given)).toEqual([]);
});

test("the checks before closing are refused without a date", async () => {
  const given = await world();
  expect(await given.refused("GET", "/Extensions/ClosingChecks")).toEqual([
    "The parameter date is required.",
  ]);
});

test.each(
  firstOf([
    ["NZ", 1],
    ["GB", 2],
    ["AU", 3],
  ] as const),
)(
  "whatever a business in %s records, its ledgers agree (seed %i)",
  { timeout: 600_000 },
  async (country, seed) => {
    const given = await world(country);
    const business = await opened(given);
    await simulate(business, { from: "2026-02-15", to: "2026-05-20", count: 150, seed });
    const must = ["receivables", "payables", "inventory", "taxAccount"];
    for (const day of ["2026-02-28", end, "2026-04-10", "2026-06-30"]) {
      const found = await open(given, day);
      expect(found.filter((each) => must.some((name) => each.startsWith(`${name}:`)))).toEqual([]);
    }
  },
);
