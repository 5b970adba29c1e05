/** Figures of the bank summary, of budgets, of the cash flow and of the executive summary. */
import {
  addDays,
  type DateRange,
  monthOf,
  monthYear,
  startOfMonth,
} from "../../../ledger/dates/calendar.ts";
import { budgetPeriods } from "../../../ledger/reports/budget-summary.ts";
import { reportPeriods, reportRange, reportWeeks } from "../../../ledger/reports/rows.ts";
import { spansOf } from "../../../ledger/reports/spans.ts";
import type { Account } from "../../../resources/account.ts";
import { cashTimeframes, comparedPeriodsMax } from "../../../resources/report.ts";
import { budgetBalances } from "../../../store/ledger/budgets.ts";
import { cashFlowPostings, openingPostings } from "../../../store/queries/explained.ts";
import { dateOf, type Reading, yearOf } from "../../reports/frame.ts";
import type { Place } from "../figures.ts";
import {
  ledger,
  minus,
  type Part,
  parts,
  plus,
  quotientOf,
  type Source,
  signedParts,
  sum,
} from "../origin.ts";
import { gainParts, postingParts } from "../postings.ts";
import {
  accountOfRow,
  bankAccounts,
  type Explainer,
  isCredit,
  movedOn,
  spanRequest,
} from "./explainer.ts";
import { accountsOfRow, profitResult } from "./statements.ts";

/** What rates gained on bank accounts over some days: their postings left out. */
const gainsOf = (reading: Reading, accounts: readonly Account[], range: DateRange): Source =>
  parts(async () => {
    const found = await Promise.all(
      accounts.map((account) => gainParts(reading, { account, ...range })),
    );
    return found.flat();
  });

export const bankSummary: Explainer = {
  usual: "last",
  origins(reading, figures) {
    const range = reportRange(
      dateOf(reading.call, "fromDate"),
      dateOf(reading.call, "toDate"),
      reading.today,
    );
    const spans = spansOf.BankSummary(spanRequest(reading));
    const columnOf = (heading: string) => figures.headings.indexOf(heading);
    return ({ row, column }) => {
      if (row.isTotal) return sum("SectionTotal", plus(...figures.linesOf(row, column)));
      const account = accountOfRow(reading, row);
      const span = spans(column);
      if (account === undefined || span === undefined) return undefined;
      const own = { account, basis: "accrual" } as const;
      const at = (heading: string): Place[] =>
        columnOf(heading) < 0 ? [] : [{ row, column: columnOf(heading) }];
      switch (figures.headings[column]) {
        case "Opening Balance":
          return sum("Balance", ledger(1, { ...own, since: span.from, to: span.to }));
        case "Cash Received":
          return sum("CashReceived", ledger(1, { ...own, ...range, measure: "debit" }));
        case "Cash Spent":
          return sum("CashSpent", ledger(1, { ...own, ...range, measure: "credit" }));
        case "FX Gain":
          return sum("UnrealisedGain", gainsOf(reading, [account], range));
        case "Closing Balance":
          return sum(
            "ClosingBalance",
            plus(...at("Opening Balance"), ...at("Cash Received"), ...at("FX Gain")),
            minus(...at("Cash Spent")),
          );
        case "Balance in Currency": {
          const since = yearOf(reading, range.to).from;
          return sum(
            "BalanceInCurrency",
            ledger(1, { ...own, since, to: range.to, measure: "foreign" }),
          );
        }
        default:
          return undefined;
      }
    };
  },
};

// --- budgets ------------------------------------------------------------------------------------

/** What the overall budget plans of an account, month by month, with the sign of the report. */
function planned(reading: Reading, account: Account, from: string, to: string): Source {
  return parts(async () => {
    const balances = await budgetBalances(reading.tx, { from: monthOf(from), to: monthOf(to) });
    return balances
      .filter(({ accountId }) => accountId === account.AccountID)
      .map(
        ({ month, amount }): Part => ({
          label: `Budget of ${monthYear(`${month}-01`)}`,
          date: `${month}-01`,
          amount,
          attributes: [{ Value: account.AccountID, Id: "account" }],
        }),
      );
  });
}

export const budgetSummary: Explainer = {
  usual: "first",
  origins(reading, figures) {
    const from = startOfMonth(dateOf(reading.call, "date") ?? reading.today);
    const months = Number(reading.call.query.choice("timeframe", ["1", "3", "12"]) ?? "1");
    const spans = budgetPeriods(from, figures.headings.length - 1, months as 1 | 3 | 12);
    return (place) => {
      const account = accountOfRow(reading, place.row);
      if (account === undefined) return profitResult(figures, place);
      const span = spans[place.column - 1];
      return span && sum("Budget", planned(reading, account, span.first, span.last));
    };
  },
};

export const budgetVariance: Explainer = {
  usual: "first",
  origins(reading, figures) {
    const spans = spansOf.BudgetVariance(spanRequest(reading));
    const months = spans(1);
    return (place) => {
      const { row, column } = place;
      const [actual, budget, variance] = [1, 2, 3].map((each) => ({ row, column: each }));
      if (column === 3) return sum("Variance", plus(actual), minus(budget));
      if (column === 4) {
        return quotientOf("VarianceShare", {
          dividend: { label: "Variance", sources: [plus(variance)] },
          divisor: { label: "Budget", sources: [plus(budget)], unsigned: true },
          ...percent,
        });
      }
      const accounts = accountsOfRow(reading, row);
      const [account] = accounts;
      if (account === undefined) return profitResult(figures, place);
      if (months === undefined) return undefined;
      const { from, to } = months;
      if (column === 2) {
        return sum("Budget", ...accounts.map((each) => planned(reading, each, from, to)));
      }
      const credit = isCredit(account);
      return sum(
        credit ? "Income" : "Costs",
        movedOn(reading, accounts, { from, to }, credit ? -1 : 1),
      );
    };
  },
};

const percent = { scale: 1000, digits: 1, suffix: "%" } as const;

// --- cash flow ----------------------------------------------------------------------------------

export const cashFlow: Explainer = {
  usual: "first",
  origins(reading, figures) {
    const { call, today, tx, organisation } = reading;
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const timeframe = call.query.choice("timeframe", cashTimeframes);
    const columns =
      timeframe === "WEEK"
        ? reportWeeks(from, to)
        : reportPeriods(from, to, call.query.integer("periods", 1, comparedPeriodsMax), timeframe);
    const banks = bankAccounts(reading);
    const asked = (range: DateRange) => ({
      ...range,
      banks: banks.map(({ AccountID }) => AccountID),
      organisation: organisation.OrganisationID,
    });
    const heldAt = (day: string) =>
      movedOn(reading, banks, { since: yearOf(reading, day).from, to: day }, 1);
    return ({ row, column }) => {
      const range = columns[column - 1];
      if (range === undefined) return undefined;
      const at = (label: string) => figures.at(label, column);
      const account = accountOfRow(reading, row);
      if (account !== undefined) {
        return sum(
          "CashFlow",
          parts(async (detail) =>
            signedParts(
              -1,
              await postingParts(
                reading,
                cashFlowPostings(tx, asked(range), account.AccountID),
                detail,
              ),
            ),
          ),
        );
      }
      switch (row.label) {
        case "Net Cash Movement":
          return sum("SectionTotal", plus(...activityTotals.map(at)));
        case "Opening Balance":
          return sum(
            "CashOpening",
            heldAt(addDays(range.from, -1)),
            parts((detail) =>
              banks.length === 0
                ? []
                : postingParts(reading, openingPostings(asked(range)), detail),
            ),
          );
        case "Effect of Exchange Rates":
          return sum("UnrealisedGain", gainsOf(reading, banks, range));
        case "Closing Balance":
          return sum(
            "ClosingBalance",
            plus(at("Opening Balance"), at("Net Cash Movement"), at("Effect of Exchange Rates")),
          );
        case "Bank Accounts":
          return sum("Balance", heldAt(range.to));
        case "Difference":
          return sum("Difference", plus(at("Bank Accounts")), minus(at("Closing Balance")));
        default:
          return sum("SectionTotal", plus(...figures.linesOf(row, column)));
      }
    };
  },
};

const activityTotals = [
  "Net Cash from Operating Activities",
  "Net Cash from Investing Activities",
  "Net Cash from Financing Activities",
];
