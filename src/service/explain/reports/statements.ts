/** Figures of profit and loss, balance sheet, trial balance, equity and general ledger. */
import { addDays, financialYear, mediumDate } from "../../../ledger/dates/calendar.ts";
import {
  isProfitAndLoss,
  negated,
  netProfit,
  reportPeriods,
  reportRange,
} from "../../../ledger/reports/rows.ts";
import { spansOf } from "../../../ledger/reports/spans.ts";
import type { Account } from "../../../resources/account.ts";
import type { RuleName } from "../../../resources/figure-rules.ts";
import { netSums, sumsByOption, trackingOf } from "../../reports/columns.ts";
import { dateOf, type Reading, yearEndOf, yearOf } from "../../reports/frame.ts";
import type { Origins } from "../evaluate.ts";
import { attributeOf, type FigureRow, type Figures, type Place } from "../figures.ts";
import {
  type Carries,
  ledger,
  minus,
  type Origin,
  parts,
  plus,
  type Source,
  sum,
} from "../origin.ts";
import {
  accountOfRow,
  balanceSources,
  carriesAll,
  type Explainer,
  isCredit,
  movedOn,
  ofProfitAndLoss,
  optionsAsked,
  spanRequest,
} from "./explainer.ts";

/** Stands for an AccountID on the line of all currency gains, and on that of the current year's profit. */
const currencyGainsId = "FXGROUPID";
const currentYearId = "abababab-abab-abab-abab-abababababab";

/** The accounts of a row: one, or those of all currency gains. */
export function accountsOfRow(reading: Reading, row: FigureRow): readonly Account[] {
  if (attributeOf(row, "account") === currencyGainsId) {
    return reading.chart.accounts.filter(({ SystemAccount = "" }) =>
      /^(BANK|UNREALISED|REALISED)CURRENCYGAIN$/.test(SystemAccount),
    );
  }
  const account = accountOfRow(reading, row);
  return account === undefined ? [] : [account];
}

/** Results of a profit and loss in a column: sums of its sections, and of these. */
export function profitResult(figures: Figures, { row, column }: Place): Origin | undefined {
  const at = (label: string) => figures.at(label, column);
  if (row.label === "Gross Profit") {
    return sum("GrossProfit", plus(at("Total Income")), minus(at("Total Cost of Sales")));
  }
  if (row.label === "Total Expenses")
    return sum("SectionTotal", plus(at("Total Operating Expenses")));
  if (row.label === "Net Profit") {
    return sum(
      "NetProfit",
      plus(at("Gross Profit"), at("Total Other Income")),
      minus(at("Total Operating Expenses")),
    );
  }
  return row.isTotal ? sum("SectionTotal", plus(...figures.linesOf(row, column))) : undefined;
}

export const profitAndLoss: Explainer = {
  usual: "first",
  async origins(reading, figures) {
    const spans = spansOf.ProfitAndLoss(spanRequest(reading));
    const carries = await trackedColumns(reading);
    const range = reportRange(
      dateOf(reading.call, "fromDate"),
      dateOf(reading.call, "toDate"),
      reading.today,
    );
    return (place) => {
      const { row, column } = place;
      const accounts = accountsOfRow(reading, row);
      if (accounts.length === 0) return profitResult(figures, place);
      const days = carries === undefined ? spans(column) : range;
      if (days === undefined) return undefined;
      const slices = accounts.map((account) => ({
        account,
        from: days.from,
        to: days.to,
        basis: reading.basis,
        carries: carries?.[column - 1],
      }));
      const credit = accounts.every(isCredit);
      return sum(credit ? "Income" : "Costs", ledger(credit ? -1 : 1, ...slices));
    };
  },
};

/** What the postings of each column carry, of a profit and loss by tracking. */
async function trackedColumns(reading: Reading): Promise<readonly Carries[] | undefined> {
  const tracking = trackingOf(reading.call, reading.chart);
  if (tracking === undefined) return undefined;
  const { from, to } = reportRange(
    dateOf(reading.call, "fromDate"),
    dateOf(reading.call, "toDate"),
    reading.today,
  );
  const rows = await sumsByOption(reading, from, to);
  return tracking.columns(rows).map(({ takes }) => takes);
}

export const balanceSheet: Explainer = {
  usual: "first",
  origins(reading, figures) {
    const spans = spansOf.BalanceSheet(spanRequest(reading));
    const options = optionsAsked(reading, "trackingOptionID1", "trackingOptionID2");
    const carries = carriesAll(options);
    return (place) => {
      const { row, column } = place;
      const at = (label: string) => figures.at(label, column);
      if (row.label === "Total Assets") {
        return sum("SectionTotal", plus(...assetTotals.map(at)));
      }
      if (row.label === "Total Liabilities") {
        return sum("SectionTotal", plus(...liabilityTotals.map(at)));
      }
      if (row.label === "Net Assets") {
        return sum("NetAssets", plus(at("Total Assets")), minus(at("Total Liabilities")));
      }
      if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
      const span = spans(column);
      if (span === undefined) return undefined;
      if (attributeOf(row, "account") === currentYearId) {
        const slices = ofProfitAndLoss(reading).map((account) => ({
          ...{ account, from: span.from, to: span.to },
          ...{ basis: reading.basis, carries },
        }));
        return sum("CurrentYearEarnings", ledger(-1, ...slices));
      }
      const account = accountOfRow(reading, row);
      if (account === undefined) return undefined;
      const sign = account.Class === "ASSET" ? 1 : -1;
      const days = { since: span.from, to: span.to };
      return sum(
        account.SystemAccount === "RETAINEDEARNINGS" ? "RetainedEarnings" : "Balance",
        ...balanceSources(reading, account, days, sign, options),
      );
    };
  },
};

const assetTotals = [
  "Total Bank",
  "Total Current Assets",
  "Total Fixed Assets",
  "Total Non-current Assets",
];
const liabilityTotals = ["Total Current Liabilities", "Total Non-current Liabilities"];

export const trialBalance: Explainer = {
  usual: "last",
  origins(reading, figures) {
    const spans = spansOf.TrialBalance(spanRequest(reading));
    return ({ row, column }) => {
      if (row.isTotal) {
        const others = figures.rows.filter(({ isTotal }) => !isTotal);
        return sum("SectionTotal", plus(...others.map((each) => ({ row: each, column }))));
      }
      const account = accountOfRow(reading, row);
      const span = spans(column);
      if (account === undefined || span === undefined) return undefined;
      const sign = column % 2 === 1 ? 1 : -1;
      if (!span.isBalance) {
        return sum("Movement", movedOn(reading, [account], { from: span.from, to: span.to }, sign));
      }
      const days = { since: span.from, to: span.to };
      return sum(ruleOfBalance(account), ...balanceSources(reading, account, days, sign));
    };
  },
};

function ruleOfBalance(account: Account): RuleName {
  if (account.SystemAccount === "RETAINEDEARNINGS") return "RetainedEarnings";
  return isProfitAndLoss(account) ? "YearToDate" : "Balance";
}

export const equity: Explainer = {
  usual: "first",
  origins(reading, figures) {
    const { call, chart, today } = reading;
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const columns = reportPeriods(
      from,
      to,
      call.query.integer("periods", 1, 11),
      call.query.choice("timeframe", ["MONTH", "QUARTER", "YEAR"]),
    );
    const balances = (accounts: readonly Account[], day: string, sign: 1 | -1) =>
      movedOn(reading, accounts, { since: yearOf(reading, day).from, to: day }, sign);
    const ofClass = (...classes: readonly string[]) =>
      chart.accounts.filter(({ Class = "" }) => classes.includes(Class));
    return ({ row, column }) => {
      const range = columns[column - 1];
      if (range === undefined) return undefined;
      const at = (label: string) => figures.at(label, column);
      const accounts = accountsOfRow(reading, row);
      if (accounts.length > 0) return sum("EquityMovement", movedOn(reading, accounts, range, -1));
      const before = addDays(range.from, -1);
      switch (row.label) {
        case "Opening Equity":
          return sum(
            "Equity",
            balances(ofClass("EQUITY"), before, -1),
            balances(ofProfitAndLoss(reading), before, -1),
          );
        case "Net Profit":
          return sum("NetProfit", movedOn(reading, ofProfitAndLoss(reading), range, -1));
        case "Closing Equity":
          return sum("SectionTotal", plus(...figures.linesOf(row, column)));
        case "Net Assets":
          return sum("NetAssets", balances(ofClass("ASSET", "LIABILITY"), range.to, 1));
        case "Difference":
          return sum("Difference", plus(at("Net Assets")), minus(at("Closing Equity")));
        default:
          return undefined;
      }
    };
  },
};

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
