/** Figures of the bank summary, of budgets, of the cash flow and of the executive summary. */
import {
  addDays,
  addMonths,
  type DateRange,
  dayOf,
  endOfMonth,
  monthOf,
  monthYear,
  startOfMonth,
} from "../../../ledger/dates/calendar.ts";
import { sumToBase, toBase } from "../../../ledger/money.ts";
import { budgetPeriods } from "../../../ledger/reports/budget-summary.ts";
import { reportPeriods, reportRange, reportWeeks } from "../../../ledger/reports/rows.ts";
import { spansOf } from "../../../ledger/reports/spans.ts";
import type { Account } from "../../../resources/account.ts";
import { rateFrom, writeDecimal } from "../../../resources/decimal.ts";
import { cashTimeframes, comparedPeriodsMax } from "../../../resources/report.ts";
import { budgetBalances } from "../../../store/ledger/budgets.ts";
import {
  cashFlowPostings,
  invoicesIssuedIn,
  openingPostings,
} from "../../../store/queries/explained.ts";
import { dateOf, type Reading, yearOf } from "../../reports/frame.ts";
import type { Origins } from "../evaluate.ts";
import type { FigureRow, Place } from "../figures.ts";
import {
  documentAttributes,
  ledger,
  minus,
  type Operand,
  type Origin,
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
const hundredths = { scale: 100, digits: 2, suffix: "" } as const;

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

// --- executive summary ----------------------------------------------------------------------------

export const executiveSummary: Explainer = {
  usual: "first",
  origins(reading, figures): Origins {
    const { chart, tx } = reading;
    const current = startOfMonth(dateOf(reading.call, "date") ?? reading.today);
    const banks = bankAccounts(reading);
    const ofTypes = (fits: (account: Account) => boolean) => chart.accounts.filter(fits);
    const isTerm = ({ Type }: Account) => /^(FIXED|NONCURRENT)$/.test(Type);
    return ({ row, column }) => {
      if (column === 3) return change(row);
      if (column > 2) return undefined;
      const month = addMonths(current, 1 - column);
      const range = { from: month, to: endOfMonth(month) };
      const days = dayOf(range.to);
      const own = { ...range, basis: "accrual" } as const;
      const at = (label: string) => figures.at(label, column);
      const moved = (accounts: readonly Account[], sign: 1 | -1) =>
        movedOn(reading, accounts, range, sign);
      const held = (accounts: readonly Account[], sign: 1 | -1) =>
        movedOn(reading, accounts, { since: yearOf(reading, range.to).from, to: range.to }, sign);
      const side = (measure: "debit" | "credit") =>
        ledger(1, ...banks.map((account) => ({ ...own, account, measure, transfers: false })));
      const operand = (label: string, ...sources: readonly Source[]): Operand => ({
        label,
        sources,
      });
      const makers: Readonly<Record<string, () => Origin>> = {
        "Cash received": () => sum("CashEarned", side("debit")),
        "Cash spent": () => sum("CashPaid", side("credit")),
        "Cash surplus (deficit)": () =>
          sum("Surplus", plus(at("Cash received")), minus(at("Cash spent"))),
        "Closing bank balance": () => sum("Balance", held(banks, 1)),
        Income: () =>
          sum(
            "Income",
            moved(
              ofTypes((a) => isCredit(a) && a.Type !== "OTHERINCOME"),
              -1,
            ),
          ),
        "Direct costs": () => sum("Costs", moved(ofTypes(isDirectCost), 1)),
        "Gross profit (loss)": () =>
          sum("GrossProfit", plus(at("Income")), minus(at("Direct costs"))),
        "Other Income": () =>
          sum(
            "Income",
            moved(
              ofTypes((a) => isCredit(a) && a.Type === "OTHERINCOME"),
              -1,
            ),
          ),
        Expenses: () =>
          sum(
            "Costs",
            moved(
              ofTypes((a) => a.Class === "EXPENSE" && !isDirectCost(a)),
              1,
            ),
          ),
        "Profit (loss)": () =>
          sum(
            "NetProfit",
            plus(at("Gross profit (loss)"), at("Other Income")),
            minus(at("Expenses")),
          ),
        Debtors: () =>
          sum(
            "Balance",
            held(
              ofTypes((a) => a.SystemAccount === "DEBTORS"),
              1,
            ),
          ),
        Creditors: () =>
          sum(
            "Balance",
            held(
              ofTypes((a) => a.SystemAccount === "CREDITORS"),
              -1,
            ),
          ),
        "Net assets": () =>
          sum(
            "NetAssets",
            held(
              ofTypes(({ Class }) => Class === "ASSET" || Class === "LIABILITY"),
              1,
            ),
          ),
        "Number of invoices issued": () => ({
          rule: "InvoicesIssued",
          unit: "count",
          sources: [
            parts(async () =>
              (await invoicesIssuedIn(tx, range)).map((each) => ({
                ...issuedPart(each),
                amount: 1,
              })),
            ),
          ],
        }),
        "Average value of invoices": () => averageInvoice(reading, range),
        "Gross profit margin": () =>
          quotientOf("Margin", {
            dividend: operand("Gross profit", plus(at("Gross profit (loss)"))),
            divisor: operand("Income", plus(at("Income"))),
            ...percent,
          }),
        "Net profit margin": () =>
          quotientOf("Margin", {
            dividend: operand("Profit", plus(at("Profit (loss)"))),
            divisor: operand("Income", plus(at("Income"))),
            ...percent,
          }),
        "Return on investment (p.a.)": () =>
          quotientOf("ReturnOnInvestment", {
            dividend: {
              ...operand("Profit, for twelve months", plus(at("Profit (loss)"))),
              times: 12,
            },
            divisor: operand("Net assets", plus(at("Net assets"))),
            ...percent,
          }),
        "Average debtors days": () =>
          quotientOf("DebtorsDays", {
            dividend: {
              ...operand(`Debtors, times ${days} days`, plus(at("Debtors"))),
              times: days,
            },
            divisor: operand("Income", plus(at("Income"))),
            ...hundredths,
          }),
        "Average creditors days": () =>
          quotientOf("CreditorsDays", {
            dividend: {
              ...operand(`Creditors, times ${days} days`, plus(at("Creditors"))),
              times: days,
            },
            divisor: operand("Costs and expenses", plus(at("Direct costs"), at("Expenses"))),
            ...hundredths,
          }),
        "Short term cash forecast": () =>
          sum("CashForecast", plus(at("Debtors")), minus(at("Creditors"))),
        "Current assets to liabilities": () =>
          quotientOf("AssetsToLiabilities", {
            dividend: operand(
              "Bank and current assets",
              held(
                ofTypes((a) => a.Class === "ASSET" && !isTerm(a)),
                1,
              ),
            ),
            divisor: operand(
              "Current liabilities",
              held(
                ofTypes((a) => a.Class === "LIABILITY" && a.Type !== "TERMLIAB"),
                -1,
              ),
            ),
            ...hundredths,
          }),
        "Term assets to liabilities": () =>
          quotientOf("AssetsToLiabilities", {
            dividend: operand(
              "Fixed and non-current assets",
              held(
                ofTypes((a) => a.Class === "ASSET" && isTerm(a)),
                1,
              ),
            ),
            divisor: operand(
              "Non-current liabilities",
              held(
                ofTypes(({ Type }) => Type === "TERMLIAB"),
                -1,
              ),
            ),
            ...hundredths,
          }),
      };
      return makers[row.label]?.();
    };
  },
};

const isDirectCost = ({ Type }: Account) => Type === "DIRECTCOSTS";

/** The change since the month before, in percent of it. */
function change(row: FigureRow): Origin {
  const text = row.cells[1]?.Value ?? row.cells[2]?.Value ?? "";
  const unit = text.endsWith("%") ? "percent" : text.includes(".") ? "money" : "count";
  const own = (column: number): Source =>
    parts(() => {
      const text = (row.cells[column]?.Value ?? "").replace("%", "");
      if (text === "") return [];
      return [{ label: row.label, amount: Number(text.replace(".", "")) }];
    });
  const before = row.cells[2]?.Value ?? "";
  return quotientOf("Change", {
    dividend: {
      label: "This month, less the month before",
      sources: before === "" ? [] : [own(1), parts(async () => negative(row))],
      unit,
    },
    divisor: { label: "The month before", sources: [own(2)], unsigned: true, unit },
    ...percent,
  });
}

function negative(row: FigureRow): Part[] {
  const text = (row.cells[2]?.Value ?? "").replace("%", "").replace(".", "");
  return [{ label: `${row.label}, the month before`, amount: -Number(text) }];
}

function issuedPart({
  date,
  number,
  contact,
  documentId,
  documentKind,
}: Awaited<ReturnType<typeof invoicesIssuedIn>>[number]) {
  return {
    label: contact ?? "Invoice",
    date,
    number: number ?? undefined,
    attributes: documentAttributes(documentId, documentKind),
  };
}

/** What invoices of a month come to without tax; each rate is applied to the sum of its invoices. */
function averageInvoice(reading: Reading, range: DateRange): Origin {
  const issued = invoicesIssuedIn(reading.tx, range);
  const income = parts(async () => {
    const found: Part[] = [];
    for (const [rate, own] of Map.groupBy(await issued, (each) => each.rate)) {
      const isForeign = rateFrom(rate) !== 1_000_000;
      let whole = 0n;
      let told = 0;
      for (const each of own) {
        const amount = toBase(each.subTotal, rateFrom(rate));
        whole += BigInt(each.subTotal);
        told += amount;
        const working = isForeign
          ? `${writeDecimal(each.subTotal, 2)} / ${writeDecimal(rateFrom(rate), 6)}`
          : undefined;
        found.push({ ...issuedPart(each), ...(working === undefined ? {} : { working }), amount });
      }
      const rest = sumToBase(whole, rateFrom(rate)) - told;
      if (rest !== 0) found.push({ label: "Rounding of the sum at one rate", amount: rest });
    }
    return found;
  });
  const count = parts(async () =>
    (await issued).map((each) => ({ ...issuedPart(each), amount: 1 })),
  );
  return quotientOf("AverageInvoice", {
    dividend: { label: "Invoices without tax", sources: [income] },
    divisor: { label: "How many", sources: [count], unit: "count" },
    scale: 1,
    digits: 2,
    suffix: "",
  });
}
