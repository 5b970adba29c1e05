/** Figures that are the same by two ways, whatever a business does. */
import { expect, test } from "vitest";
import { fc, firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const cents = (text: string | undefined) => Math.round(Number(text ?? "0") * 100);

test.each(firstOf([4, 5]))(
  "amounts owed by customers and to suppliers equal the control accounts on any day (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    await simulate(await opened(given), { from: "2026-02-15", to: "2026-06-20", count: 150, seed });
    let open = 0;
    for (const date of ["2026-02-28", "2026-04-03", "2026-06-30", "2026-12-31"]) {
      const sheet = await reportRows(given, "BalanceSheet", { date: date.replace(/\d\d$/, "28") });
      for (const [name, control] of [
        ["AgedReceivables", "Accounts Receivable"],
        ["AgedPayables", "Accounts Payable"],
      ] as const) {
        const rows = await reportRows(given, name, { date, by: "invoice" });
        expect([date, name, rows.Difference?.at(-1)]).toEqual([date, name, "0.00"]);
        expect(rows.Total?.at(-1)).toBe(rows[control]?.at(-1));
        if (rows.Total?.at(-1) !== "0.00") open += 1;
        // A balance sheet is of the last day of its month.
        if (/-(?:28|30|31)$/.test(date)) {
          expect(rows.Total?.at(-1)).toBe(sheet[control]?.[0] ?? "0.00");
        }
      }
    }
    expect(open).toBeGreaterThan(3);
  },
);

/** Pays every document that is open, and pays every credit back, on a day. */
async function settleAll({ ok }: World, on: string): Promise<number> {
  const page = { page: "1", pageSize: "1000" };
  const list = async (plural: string, where: string): Promise<Json[]> =>
    (await ok("GET", `/${plural}`, undefined, { query: { ...page, where } }))[plural];
  let settled = 0;
  const pay = async (kind: string, id: string, Amount: number) => {
    const Account = { Code: "090" };
    await ok("PUT", "/Payments", { [kind]: { [`${kind}ID`]: id }, Account, Date: on, Amount });
    settled += 1;
  };
  for (const { InvoiceID, AmountDue } of await list("Invoices", 'Status=="AUTHORISED"')) {
    await pay("Invoice", InvoiceID, AmountDue);
  }
  for (const [plural, kind] of [
    ["CreditNotes", "CreditNote"],
    ["Prepayments", "Prepayment"],
    ["Overpayments", "Overpayment"],
  ] as const) {
    for (const credit of await list(plural, 'Status=="AUTHORISED"')) {
      await pay(kind, credit[`${kind}ID`], credit.RemainingCredit);
    }
  }
  return settled;
}

test.each(firstOf([6, 7]))(
  "once all documents are settled, cash and accrual basis agree on every account (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    const given = await world();
    const business = await opened(given);
    // Within one financial year, since income of another is earnings by now; a manual journal may say
    // that it is none of the cash basis.
    const without = ["journalise", "change a manual journal"];
    await simulate(business, { from: "2026-06-10", to: "2026-08-20", count: 120, seed, without });
    const balances = async (paymentsOnly: string) =>
      Object.entries(await reportRows(given, "TrialBalance", { date: "2026-09-30", paymentsOnly }))
        .map(([account, figures]) => [account, cents(figures.at(-2)) - cents(figures.at(-1))])
        .filter(([, balance]) => balance !== 0);
    expect(await balances("true")).not.toEqual(await balances("false"));
    expect(await settleAll(given, "2026-09-15")).toBeGreaterThan(5);
    expect(await balances("true")).toEqual(await balances("false"));
    expect(await faultsIn(given)).toEqual([]);
  },
);

test("spread or reversed journals leave their account at 0.00, whatever the amount and the months", {
  timeout: 600_000,
}, async () => {
  const given = await world();
  const of = async (account: string, date: string) => {
    const figures = (await reportRows(given, "TrialBalance", { date }))[account] ?? [];
    return cents(figures.at(-2)) - cents(figures.at(-1));
  };
  const path = "/Extensions/JournalSeries";
  let waited = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9_999_999 }),
      fc.integer({ min: 2, max: 24 }),
      fc.constantFrom("2026-01-31", "2026-02-14", "2026-03-01"),
      async (amount, months, day) => {
        const LineAmount = amount / 100;
        await given.ok("POST", path, {
          Narration: "Insurance",
          Date: day,
          Months: months,
          JournalLines: [{ AccountCode: "433", LineAmount }],
        });
        await given.ok("POST", path, {
          Narration: "Power",
          Date: day,
          ReverseOn: "2026-04-01",
          JournalLines: [
            { AccountCode: "445", LineAmount },
            { AccountCode: "835", LineAmount: -LineAmount },
          ],
        });
        if ((await of("Prepayments (620)", day)) > 0) waited += 1;
        expect(await of("Prepayments (620)", "2029-12-31")).toBe(0);
        expect(await of("Revenue Received in Advance (835)", "2026-12-31")).toBe(0);
      },
    ),
    { numRuns: 8, seed: 11 },
  );
  expect(waited).toBeGreaterThan(4);
  expect(await faultsIn(given)).toEqual([]);
});
