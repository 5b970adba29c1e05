/** Cash flow: by activity, and closing as the bank accounts of the balance sheet do. */
import { expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { contact, type Json, paid, reportRows, sale, type World, world } from "../fixture.ts";

const march = { fromDate: "2026-03-01", toDate: "2026-03-31" };

/** Rows of the report as `Section: Label amounts`. */
async function rowsOf(given: World, query: Readonly<Record<string, string>> = march) {
  const { Reports } = await given.ok("GET", "/Reports/CashFlow", undefined, { query });
  return Reports[0].Rows.slice(1).flatMap(({ Title, Rows: own = [] }: Json) =>
    own.map(({ Cells }: Json) => {
      const [label, ...amounts] = Cells.map(({ Value }: Json) => Value);
      return `${Title}: ${label} ${amounts.join(" ")}`;
    }),
  );
}

const cents = (amount: string | number = 0) => Math.round(Number(amount) * 100);

/** Money that comes in from an account, or goes out to it where the amount is negative. */
async function money(given: World, on: string, AccountCode: string, amount: number) {
  await given.ok("PUT", "/BankTransactions", {
    Type: amount < 0 ? "SPEND" : "RECEIVE",
    Contact: { Name: "Moa Coffee" },
    BankAccount: { Code: "090" },
    Date: on,
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Moved", AccountCode, UnitAmount: Math.abs(amount) }],
  });
}

test("cash movements are reported under the activity of the account on their other side", async () => {
  const given = await world();
  const party = await contact(given, { Name: "Moa Coffee" });
  const { Invoices } = await given.ok(
    "PUT",
    "/Invoices",
    sale(party, { Status: "AUTHORISED", Date: "2026-02-05" }),
  );
  await paid(given, Invoices[0], { Date: "2026-03-20" });
  await money(given, "2026-02-28", "970", 1000);
  await money(given, "2026-03-02", "720", -300);
  await money(given, "2026-03-03", "900", 500);
  // No money moves.
  await given.ok("PUT", "/ManualJournals", {
    Narration: "Accrued",
    Date: "2026-03-04",
    Status: "POSTED",
    JournalLines: [
      { AccountCode: "400", LineAmount: 70 },
      { AccountCode: "835", LineAmount: -70 },
    ],
  });
  expect(await rowsOf(given)).toEqual([
    "Operating Activities: Sales 100.00",
    "Operating Activities: GST 15.00",
    "Operating Activities: Net Cash from Operating Activities 115.00",
    "Investing Activities: Computer Equipment -300.00",
    "Investing Activities: Net Cash from Investing Activities -300.00",
    "Financing Activities: Loan 500.00",
    "Financing Activities: Net Cash from Financing Activities 500.00",
    "Cash: Net Cash Movement 315.00",
    "Cash: Opening Balance 1000.00",
    "Cash: Closing Balance 1315.00",
    ": Bank Accounts 1315.00",
    ": Difference 0.00",
  ]);
  const moved = await rowsOf(given, { ...march, investing: "900", periods: "1" });
  expect(moved).toContain("Investing Activities: Net Cash from Investing Activities 200.00 0.00");
  expect(moved).toContain("Financing Activities: Owner A Funds Introduced 0.00 1000.00");
  expect(moved).toContain("Cash: Closing Balance 1315.00 1000.00");
});

test("a cash flow request with an unknown or a bank account as an activity is refused", async () => {
  const given = await world();
  const refused = (query: Readonly<Record<string, string>>) =>
    given.refused("GET", "/Reports/CashFlow", undefined, { query });
  expect(await refused({ financing: "999" })).toEqual(["There is no account '999'."]);
  expect(await refused({ operating: "090" })).toEqual([
    "Business Account is a bank account: it is cash.",
  ]);
  expect(await refused({ operating: "900", financing: "900" })).toEqual([
    "The account 900 cannot be both operating and financing.",
  ]);
});

test("opening balances are shown as opening cash, and not as cash flow", async () => {
  const given = await world();
  await given.ok("POST", "/Extensions/OpeningBalances", {
    Date: "2026-03-10",
    Accounts: [
      { AccountCode: "090", Debit: 800 },
      { AccountCode: "970", Credit: 800 },
    ],
  });
  expect(await rowsOf(given)).toEqual(
    expect.arrayContaining([
      "Cash: Net Cash Movement 0.00",
      "Cash: Opening Balance 800.00",
      "Cash: Closing Balance 800.00",
      ": Difference 0.00",
    ]),
  );
});

test.each(firstOf([1, 2, 3]))(
  "whatever a business records, the cash flow closes with its bank balances (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    const business = await opened(given);
    await simulate(business, { from: "2026-02-15", to: "2026-06-20", count: 150, seed });
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-10", Rate: 0.7 });
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-05-20", Rate: 0.8 });
    for (const [fromDate, toDate] of [
      ["2026-03-12", "2026-06-30"],
      ["2026-04-01", "2026-04-30"],
      ["2026-02-01", "2026-03-31"],
    ] as const) {
      const rows = await reportRows(given, "CashFlow", { fromDate, toDate });
      expect(rows.Difference).toEqual(["0.00"]);
      expect(cents(rows["Net Cash Movement"]?.[0])).not.toBe(0);
      const summary = (await reportRows(given, "BankSummary", { fromDate, toDate })).Total ?? [];
      const [opening, received, spent] = summary.map(cents);
      expect(cents(rows["Closing Balance"]?.[0])).toBe(cents(summary.at(-3) ?? summary.at(-1)));
      expect(cents(rows["Opening Balance"]?.[0])).toBe(opening);
      expect(cents(rows["Net Cash Movement"]?.[0])).toBe((received ?? 0) - (spent ?? 0));
    }
  },
);
