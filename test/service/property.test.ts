/**
 * Any run of business leaves the books in balance.
 *
 * Random operations, allowed and not, go through the service; whatever is refused must have changed
 * nothing, and whatever is done must leave every journal at zero, the trial balance at zero, the
 * control accounts equal to their documents, and the sums equal to the postings.
 */
import { expect, test } from "vitest";
import { type SumsRow, sums } from "../../src/store/ledger/journals.ts";
import { fc, runs } from "../support/properties.ts";
import { opened, step, take } from "./business.ts";
import { faultsIn, isOnPostgres, isOverPort, reportRows, type World, world } from "./fixture.ts";

/** Statuses and 404 are all that a step may be answered with. */
const statuses = new Set([200, 400, 404]);

/** Fewer books with more steps on each, where a book takes longer to begin. */
const [books, lengths] =
  isOverPort || isOnPostgres
    ? [runs(16), { minLength: 25, maxLength: 60 }]
    : [runs(40), { minLength: 5, maxLength: 40 }];

test("after any operations the books balance", { timeout: 600_000 }, async () => {
  let done = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, lengths), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        const answer = await take(business, each, `2026-0${2 + (at % 4)}-28`);
        if (answer === undefined) continue;
        expect(statuses, answer.text).toContain(answer.status);
        if (answer.status === 200) done += 1;
        else refused += 1;
      }
      expect(await faultsIn(given)).toEqual([]);
      // From here on reports show what open foreign documents and foreign money gained.
      await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-15", Rate: 0.7 });
      for (const paymentsOnly of ["false", "true"]) {
        const total = (
          await reportRows(given, "TrialBalance", { date: "2026-06-30", paymentsOnly })
        ).Total;
        expect(total?.[0]).toBe(total?.[1]);
        expect(total?.[2]).toBe(total?.[3]);
        const sheet = await reportRows(given, "BalanceSheet", { date: "2026-06-30", paymentsOnly });
        expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"] ?? sheet["Net Assets"]);
      }
      await given.book.close();
    }),
    { numRuns: books },
  );
  // A run in which everything is refused, or nothing, would show nothing.
  expect(done).toBeGreaterThan(refused / 4);
  expect(refused).toBeGreaterThan(0);
});

/** Pays what is due, and pays back what is left of credits. */
async function settleAll(given: World): Promise<void> {
  const query = { where: 'Status=="AUTHORISED"' };
  for (const [list, name, open] of [
    ["Invoices", "Invoice", "AmountDue"],
    ["CreditNotes", "CreditNote", "RemainingCredit"],
    ["Prepayments", "Prepayment", "RemainingCredit"],
    ["Overpayments", "Overpayment", "RemainingCredit"],
  ] as const) {
    for (const each of (await given.ok("GET", `/${list}`, undefined, { query }))[list]) {
      await given.ok("PUT", "/Payments", {
        [name]: { [`${name}ID`]: each[`${name}ID`] },
        Account: { Code: "090" },
        Date: "2026-06-29",
        Amount: each[open],
        ...(each.CurrencyCode === "EUR" ? { CurrencyRate: 0.65 } : {}),
      });
    }
  }
}

/** Journals that the cash basis may be without. */
const manual = ["journalise", "change a manual journal"];

test("accrual and cash basis agree on every account once every document is paid", {
  timeout: 600_000,
}, async () => {
  const credited = step.filter((each) => !manual.includes(each.kind));
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(credited, lengths), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        await take(business, each, `2026-0${2 + (at % 4)}-28`);
      }
      await settleAll(given);
      const { store, org } = given.book;
      const [accrual = [], cash = []] = await Promise.all(
        (["accrual", "cash"] as const).map((basis) =>
          store.read(org, (tx) => sums(tx, { basis, to: "2026-12-31", byOption: true })),
        ),
      );
      const net = (rows: readonly SumsRow[]) =>
        rows.flatMap(({ account, option1, option2, amount }) =>
          amount === 0 ? [] : [{ account, option1, option2, amount }],
        );
      expect(net(cash)).toEqual(net(accrual));
      compared += net(accrual).length;
      expect(await faultsIn(given)).toEqual([]);
      await given.book.close();
    }),
    { numRuns: books },
  );
  expect(compared).toBeGreaterThan(books);
});
