/** Figures of the general ledger. */
import { addDays, financialYear, mediumDate } from "../../../ledger/dates/calendar.ts";
import { isProfitAndLoss, negated, netProfit, reportRange } from "../../../ledger/reports/rows.ts";
import type { Account } from "../../../resources/account.ts";
import type { RuleName } from "../../../resources/figure-rules.ts";
import { carriesAll, netSums } from "../../reports/columns.ts";
import { dateOf, type Reading, yearEndOf, yearOf } from "../../reports/frame.ts";
import type { Origins } from "../evaluate.ts";
import { ledger, minus, parts, plus, type Source, sum } from "../origin.ts";
import { accountOfRow, balanceSources, type Explainer, optionsAsked } from "./explainer.ts";

function ruleOfBalance(account: Account): RuleName {
  if (account.SystemAccount === "RETAINEDEARNINGS") return "RetainedEarnings";
  return isProfitAndLoss(account) ? "YearToDate" : "Balance";
}

export const generalLedger: Explainer = {
  usual: "last",
  origins(reading, figures): Origins {
    const { call, today } = reading;
    const range = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const options = optionsAsked(reading, "trackingOptionID1", "trackingOptionID2");
    const carries = carriesAll(options);
    const own = { ...range, basis: reading.basis, carries };
    return (place) => {
      const { row, column } = place;
      if (row.isTotal) {
        const others = figures.rows.filter(({ isTotal }) => !isTotal);
        return sum("SectionTotal", plus(...others.map((each) => ({ row: each, column }))));
      }
      const account = accountOfRow(reading, row);
      if (account === undefined) return undefined;
      const [opening, debit, credit] = [2, 3, 4].map((each) => ({ row, column: each }));
      switch (column) {
        case 2: {
          const to = addDays(range.from, -1);
          const since = yearOf(reading, range.from).from;
          return sum(
            ruleOfBalance(account),
            ...balanceSources(reading, account, { since, to }, 1, options),
          );
        }
        case 3:
          return sum(
            "LedgerSide",
            ledger(1, { ...own, account, measure: "debit" }),
            workedOut(reading, account, range, options, 1),
          );
        case 4:
          return sum(
            "LedgerSide",
            ledger(1, { ...own, account, measure: "credit" }),
            workedOut(reading, account, range, options, -1),
          );
        case 5:
          return sum("LedgerNet", plus(debit), minus(credit));
        case 6:
          return sum("LedgerClosing", plus(opening, debit), minus(credit));
        default:
          return undefined;
      }
    };
  },
};

/**
 * What moves an account over some days without a journal: gains of open foreign items, and at the
 * end of a financial year its profit. In sum it is a debit or a credit, and stands on that side.
 */
function workedOut(
  reading: Reading,
  account: Account,
  { from, to }: { readonly from: string; readonly to: string },
  options: Parameters<typeof carriesAll>[0],
  side: 1 | -1,
): Source {
  return parts(async () => {
    const { chart, gains } = reading;
    const found: { label: string; date: string; amount: number }[] = [];
    if (options.length === 0) {
      const gained = (await gains.in(new Map(), from, to)).get(account.AccountID) ?? 0;
      if (gained !== 0) {
        found.push({
          label: "Gains of open foreign items, not realised",
          date: to,
          amount: gained,
        });
      }
    }
    const { day, month } = yearEndOf(reading);
    for (
      let year = financialYear(from, day, month);
      year.to < to;
      year = financialYear(addDays(year.to, 1), day, month)
    ) {
      const sums = await netSums(reading, year.from, year.to, options);
      const label = `Year that ended on ${mediumDate(year.to)}`;
      const amount = isProfitAndLoss(account)
        ? negated(sums.get(account.AccountID) ?? (0 as never))
        : account.SystemAccount === "RETAINEDEARNINGS"
          ? negated(netProfit(chart.accounts, sums))
          : 0;
      if (amount !== 0) found.push({ label, date: addDays(year.to, 1), amount });
    }
    const net = found.reduce((total, { amount }) => total + amount, 0);
    if (Math.sign(net) !== side) return [];
    return found.map((part) => ({ ...part, amount: side * part.amount }));
  });
}
