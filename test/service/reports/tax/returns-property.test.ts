/**
 * Whatever a business does, and however late it is with its books: what its returns declare, with
 * what is not returned yet, is what stands on the tax account.
 */
import { expect, test } from "vitest";
import { firstOf } from "../../../support/properties.ts";
import { opened, simulate } from "../../business.ts";
import { reportRows, type World, world } from "../../fixture.ts";
import { basis, boxes, figures } from "./returns.ts";

const months = ["2026-03", "2026-04", "2026-05", "2026-06"].map((month, at, all) => ({
  from: `${month}-01`,
  to: `${month}-${month === "2026-04" || month === "2026-06" ? "30" : "31"}`,
  isLast: at === all.length - 1,
}));
const [first, last] = ["2026-03-01", "2026-06-30"];

const cents = (text = "0") => Math.round(Number(text || "0") * 100);

/** Of the tax account: credits less debits. */
async function owed(given: World, account: string, paymentsOnly: boolean): Promise<number> {
  const query = { date: last, paymentsOnly: String(paymentsOnly) };
  const [, , debit, credit] = (await reportRows(given, "TrialBalance", query))[account] ?? [];
  return cents(credit) - cents(debit);
}

type Boxes = Readonly<Record<string, string>>;

const provincial = (found: Boxes) =>
  Object.entries(found).reduce(
    (all, [id, value]) =>
      all + (id.endsWith(" collected") ? cents(value) : id.endsWith(" paid") ? -cents(value) : 0),
    0,
  );

const declared: Readonly<Record<string, (found: Boxes) => number>> = {
  VATReturn: (found) => cents(found[3]) - cents(found[4]),
  GSTHSTReturn: (found) => cents(found[103]) - cents(found[106]) + provincial(found),
  // Refunds to tourists never were on the tax account.
  GSTF5: (found) => cents(found[8]) + cents(found[10]),
};

test.each(
  firstOf(
    [
      ["GB", "VATReturn", "VAT (820)", "ACCRUAL", 1],
      ["GB", "VATReturn", "VAT (820)", "CASH", 2],
      ["CA", "GSTHSTReturn", "Sales Tax (220)", "ACCRUALS", 3],
      ["CA", "GSTHSTReturn", "Sales Tax (220)", "CASH", 4],
      ["SG", "GSTF5", "GST (820)", "ACCRUALS", 5],
    ] as const,
    2,
  ),
)(
  "in %s, all returns (%s) sum to the balance of %s, on the %s basis",
  { timeout: 600_000 },
  async (country, type, account, on, seed) => {
    const given = await world(country);
    const business = await opened(given);
    await basis(given, on);
    const net = declared[type] as (found: Boxes) => number;
    let total = 0;
    let late = 0;
    for (const { from, to, isLast } of months) {
      await simulate(business, { from, to, count: 80, seed: seed * 100 + Number(to.slice(5, 7)) });
      // The last is not published: what it would hold is what has not been returned.
      const found = isLast
        ? await figures(given, type, { fromDate: from, toDate: to })
        : boxes(
            (
              await given.ok("PUT", "/Reports", {
                ReportType: type,
                // What is dated before March is entered late as well.
                FromDate: from === first ? "2026-01-01" : from,
                ToDate: to,
              })
            ).Reports[0],
          );
      total += net(found);
      late += Object.keys(found).filter((id) => id.startsWith("Late tax")).length;
    }
    // The shares of a payment, and of a prepayment that is applied, round the tax of a line and that
    // on the tax account each by themselves: a cent each, at most.
    const shares = on === "CASH" ? business.payments.length + business.money.length : 2;
    const difference = total - (await owed(given, account, on === "CASH"));
    expect(Math.abs(difference)).toBeLessThanOrEqual(shares);
    expect(total).not.toBe(0);
    // The summary of all days, late or not, comes to the same, without tax on reverse charges.
    const summary = await reportRows(given, "TaxSummary", { fromDate: "2026-01-01", toDate: last });
    const taxOf = (label: string) => cents(summary[label]?.[1]);
    expect(taxOf("Total collected") - taxOf("Total paid")).toBe(total);
    expect(late).toBeGreaterThan(0);
  },
);
