/**
 * Whatever was done to the books, each figure of a statement leads to postings that come to it.
 *
 * Random business goes through the service. Then every figure of the statements that is a link is
 * followed: the account pages must say it as a movement or as a balance, and their rows must add up
 * to what they say.
 */
import { expect, test } from "vitest";
import { opened, step, take } from "../service/business.ts";
import { world } from "../service/fixture.ts";
import { fc, runs } from "../support/properties.ts";
import { type Browsing, browsing, factsIn, figureOf, ledFigures, textOf } from "./browsing.ts";

/** The statements, and which side of the page of an account says their figures. */
const statements = [
  ["/reports/profit-and-loss?from=2026-01-01&to=2026-06-30", "Net movement"],
  [
    "/reports/profit-and-loss?from=2026-03-01&to=2026-03-31&periods=2&timeframe=MONTH",
    "Net movement",
  ],
  ["/reports/profit-and-loss?from=2026-02-10&to=2026-05-09&basis=cash", "Net movement"],
  ["/reports/balance-sheet?date=2026-06-30", "Balance after"],
  ["/reports/balance-sheet?date=2026-04-30&periods=2&timeframe=MONTH&basis=cash", "Balance after"],
  ["/reports/trial-balance?date=2026-05-20", "either"],
  ["/reports/budget-variance?from=2026-02-01&to=2026-05-31", "Net movement"],
] as const;

const cents = (text: string): number => Math.round(Number(figureOf(text)) * 100);

/** An amount with its side, debit positive. */
function sidedCents(text: string): number {
  const [amount = "", side] = text.split(" ");
  return (side === "credit" ? -1 : 1) * cents(amount);
}

/** Rows that are no movement: the headings, the beginning, and what a year's end moves. */
const notMoved: ReadonlySet<string> = new Set(["What", "Opening balance", "Year end"]);

/** What the rows of an account page come to, without those that no journal made but revaluations. */
function movedIn(html: string): { debit: number; credit: number } {
  let [debit, credit] = [0, 0];
  for (const [, row = ""] of html.matchAll(/<tr>(.*?)<\/tr>/gs)) {
    const cells = [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = ""]) =>
      textOf(cell),
    );
    if (cells.length !== 8 || notMoved.has(cells[1] ?? "")) continue;
    debit += cents(cells[5] || "0");
    credit += cents(cells[6] || "0");
  }
  return { debit, credit };
}

async function followed(pages: Browsing, page: string, said: string): Promise<number> {
  const { html } = await pages.see(page);
  const figures = ledFigures(html).filter(({ address }) => address.startsWith("/accounts/"));
  for (const { text, address } of figures) {
    const { status, html: ledger } = await pages.see(address);
    expect(status, address).toBe(200);
    const facts = factsIn(ledger);
    const fact = (name: string) =>
      sidedCents(Object.entries(facts).find(([label]) => label.startsWith(name))?.[1] ?? "");
    const wanted = Math.abs(cents(text));
    const net = Math.abs(fact("Net movement"));
    const balance = Math.abs(fact("Balance after"));
    const where = `${page}: ${text} leads to ${address}, which says ${JSON.stringify(facts)}`;
    const sides = [fact("Debits"), fact("Credits")].map(Math.abs);
    if (said === "either") expect([net, balance, ...sides], where).toContain(wanted);
    else expect(said === "Net movement" ? net : balance, where).toBe(wanted);
    const isWhole = !ledger.includes('rel="next"');
    const { debit, credit } = movedIn(ledger);
    if (isWhole) {
      expect(debit - credit, where).toBe(fact("Net movement"));
      expect([cents(facts.Debits ?? ""), cents(facts.Credits ?? "")], where).toEqual([
        debit,
        credit,
      ]);
    }
  }
  return figures.length;
}

test("each figure of a financial statement links to postings that sum to it", {
  timeout: 600_000,
}, async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        await take(
          business,
          each,
          `2026-0${1 + (at % 6)}-${String(1 + ((at * 7) % 28)).padStart(2, "0")}`,
        );
      }
      const pages = browsing(given);
      // What is open in a foreign currency gains by a rate, which no journal posts.
      await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-02-15", Rate: 0.7 });
      for (const [page, said] of statements) count += await followed(pages, page, said);
      expect(pages.bugs).toEqual([]);
      await given.book.close();
    }),
    { numRuns: runs(8) },
  );
  expect(count).toBeGreaterThan(50);
});

test("a figure for one tracking option links to the postings with that option", async () => {
  const given = await world();
  const business = await opened(given);
  for (const [at, each] of fc.sample(step, { numRuns: 60, seed: 11 }).entries()) {
    await take(business, each, `2026-0${1 + (at % 3)}-15`);
  }
  const pages = browsing(given);
  const { TrackingCategories } = await given.ok("GET", "/TrackingCategories");
  let count = 0;
  for (const { TrackingCategoryID, Options } of TrackingCategories) {
    const range = "from=2026-01-01&to=2026-03-31";
    count += await followed(
      pages,
      `/reports/profit-and-loss?${range}&by-tracking=${TrackingCategoryID}`,
      "Net movement",
    );
    for (const { TrackingOptionID } of Options) {
      count += await followed(
        pages,
        `/reports/profit-and-loss?${range}&tracking=${TrackingOptionID}`,
        "Net movement",
      );
      count += await followed(
        pages,
        `/reports/balance-sheet?date=2026-03-31&tracking=${TrackingOptionID}`,
        "Balance after",
      );
    }
  }
  expect(count).toBeGreaterThan(10);
});
