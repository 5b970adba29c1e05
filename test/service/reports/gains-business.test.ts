/**
 * Gains that nobody has realised, after random business, against a reckoning that knows no ledger:
 * what documents say is due and what moved on the bank account abroad, at the rate of the day.
 */
import { expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import {
  faultsIn,
  isOnPostgres,
  isOverPort,
  type Json,
  reportRows,
  type World,
  world,
} from "../fixture.ts";

const day = "2026-08-31";
const rate = 0.7;

/** All pages of a list. */
async function all(given: World, plural: string, where: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let page = 1; ; page += 1) {
    const query = { where, page: String(page) };
    const records: Json[] = (await given.ok("GET", `/${plural}`, undefined, { query }))[plural];
    found.push(...records);
    if (records.length < 100) return found;
  }
}

const cents = (amount: number | string) => Math.round(Number(amount) * 100);

/** Half a cent goes away from zero. */
const worth = (amount: number) => Math.sign(amount) * Math.round(Math.abs(amount) / rate);

/** What is due on documents of a side, each at the rate of the day. */
async function due(given: World, type: string): Promise<number> {
  const overpaid = type === "ACCREC" ? "RECEIVE-OVERPAYMENT" : "SPEND-OVERPAYMENT";
  const open = [
    ...(await all(given, "Invoices", `Type=="${type}" AND Status=="AUTHORISED"`)),
    ...(await all(given, "CreditNotes", `Type=="${type}CREDIT" AND Status=="AUTHORISED"`)),
    ...(await all(given, "Overpayments", `Type=="${overpaid}" AND Status=="AUTHORISED"`)),
  ];
  expect(open.filter(({ CurrencyCode }) => CurrencyCode === "EUR").length).toBeGreaterThan(2);
  const amounts = open.map(({ AmountDue, RemainingCredit, CurrencyCode }) => {
    const left = cents(AmountDue ?? -RemainingCredit);
    return CurrencyCode === "EUR" ? worth(left) : left;
  });
  return amounts.reduce((sum, each) => sum + each, 0);
}

/** What the account abroad holds, in its currency. */
async function held(given: World): Promise<number> {
  const payments = await all(given, "Payments", 'Status=="AUTHORISED"');
  const transactions = await all(given, "BankTransactions", 'Status=="AUTHORISED"');
  const moved = [
    ...payments
      .filter(({ Account }) => Account.Code === "EUR")
      .map(({ PaymentType, BankAmount }) =>
        ["ACCRECPAYMENT", "APCREDITPAYMENT"].includes(PaymentType) ? BankAmount : -BankAmount,
      ),
    ...transactions
      .filter(({ BankAccount }) => BankAccount.Code === "EUR")
      .map(({ Type, Total }) => (Type === "RECEIVE" ? Total : -Total)),
  ];
  expect(moved.length).toBeGreaterThan(10);
  return moved.reduce((sum, each) => sum + cents(each), 0);
}

/** One of the seeds where only the way of asking, or the store, is another. */
const seeds = isOnPostgres ? [17] : isOverPort ? [3] : [3, 17];

test.each(firstOf(seeds))(
  "after random operations and a new rate, reports agree with documents and payments, seed %i",
  async (seed) => {
    const given = await world();
    const business = await opened(given);
    await simulate(business, { from: "2026-03-01", to: day, count: 400, seed });
    expect(await faultsIn(given)).toEqual([]);
    const balance = async () => await reportRows(given, "BalanceSheet", { date: day });
    const before = await balance();
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: day, Rate: rate });
    const after = await balance();
    const figure = (rows: Record<string, string[]>, name: string) => cents(rows[name]?.[0] ?? 0);
    expect(figure(after, "Accounts Receivable")).toBe(await due(given, "ACCREC"));
    expect(figure(after, "Accounts Payable")).toBe(await due(given, "ACCPAY"));
    expect(figure(after, "Account abroad")).toBe(worth(await held(given)));
    // What the accounts gained is the profit, and nothing else moved.
    const trial = await reportRows(given, "TrialBalance", { date: day });
    const credit = (marker: string) => {
      const [, , left, right] = trial[marker] ?? [];
      return cents(right || 0) - cents(left || 0);
    };
    const gain = (name: string) => figure(after, name) - figure(before, name);
    expect(credit("Unrealised Currency Gains (498)")).toBe(
      gain("Accounts Receivable") - gain("Accounts Payable"),
    );
    expect(credit("Bank Revaluations (497)")).toBe(gain("Account abroad"));
    expect(gain("Net Assets")).toBe(gain("Total Equity"));
    expect(gain("Net Assets")).not.toBe(0);
    // The ageing of all contacts is the control account, on any day.
    for (const date of ["2026-03-20", "2026-05-31", "2026-07-15", day]) {
      const sheet = await reportRows(given, "TrialBalance", { date });
      for (const [report, account] of [
        ["AgedReceivables", "Accounts Receivable"],
        ["AgedPayables", "Accounts Payable"],
      ] as const) {
        const rows = await reportRows(given, report, { date });
        expect([report, date, rows.Difference?.at(-1)]).toEqual([report, date, "0.00"]);
        const [, , debit, credit] =
          Object.entries(sheet).find(([name]) => name.startsWith(account))?.[1] ?? [];
        expect(Math.abs(cents(rows.Total?.at(-1) ?? 0))).toBe(
          Math.abs(cents(debit || 0) - cents(credit || 0)),
        );
      }
    }
  },
);
