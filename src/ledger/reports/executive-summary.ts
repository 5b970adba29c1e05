/** Executive summary: a month in some twenty figures, beside the month before. */
import { multiplyDivide, writeDecimal } from "../../resources/decimal.ts";
import { type DateText, dayOf, endOfMonth, monthYear, shortMonthYear } from "../dates/calendar.ts";
import type { Cents } from "../money.ts";
import { balanceFigures } from "./balance-sheet.ts";
import type { BankFigures } from "./bank-summary.ts";
import { profitFigures } from "./profit-and-loss.ts";
import {
  type AccountInfo,
  figure,
  headerRow,
  negated,
  type ReportBody,
  type Sums,
  section,
  textRow,
} from "./rows.ts";

/** What the summary is made from, for one month. */
export interface SummaryMonth {
  /** Any day of it. */
  readonly month: DateText;
  readonly bank: BankFigures;
  /** What of that went from one account to another, which is neither received nor spent. */
  readonly transferred: Cents;
  /** Over the month; profit and loss accounts. */
  readonly sums: Sums;
  /** From the beginning of the book to its end, all accounts. */
  readonly balances: Sums;
  /** Approved sales invoices dated in it. */
  readonly invoices: {
    readonly count: number;
    /** What they come to without tax, in the base currency. */
    readonly income: Cents;
  };
}

export interface ExecutiveSummaryRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly current: SummaryMonth;
  readonly prior: SummaryMonth;
  /** The whole chart. */
  readonly accounts: readonly AccountInfo[];
}

/** A whole number at the scale that its text shows; undefined where there is none to show. */
interface Figure {
  readonly value: number;
  readonly text: string;
}

type Figures = Readonly<Record<string, Readonly<Record<string, Figure | undefined>>>>;

/** The report. Variance is the change since the month before, in percent of it. */
export function executiveSummary(request: ExecutiveSummaryRequest): ReportBody {
  const { organisation, current, prior, accounts } = request;
  const now = figuresOf(accounts, current);
  const before = figuresOf(accounts, prior);
  return {
    titles: ["Executive Summary", organisation, `For the month of ${monthYear(current.month)}`],
    rows: [
      headerRow(["", shortMonthYear(current.month), shortMonthYear(prior.month), "Variance"]),
      ...Object.entries(now).map(([title, figures]) =>
        section(
          title,
          Object.entries(figures).map(([label, own]) => {
            const other = before[title]?.[label];
            return textRow("Row", [
              label,
              own?.text ?? "",
              other?.text ?? "",
              variance(own?.value ?? 0, other?.value),
            ]);
          }),
        ),
      ),
    ],
  };
}

function figuresOf(accounts: readonly AccountInfo[], of: SummaryMonth): Figures {
  const [, received, spent, , closing] = of.bank;
  const profit = profitOf(accounts, of.sums);
  const balance = balanceFigures(accounts, of.balances);
  const debtors = controlOf(accounts, of.balances, "DEBTORS");
  const creditors = negated(controlOf(accounts, of.balances, "CREDITORS"));
  const days = dayOf(endOfMonth(of.month));
  const spending = (profit.costs + profit.expenses) as Cents;
  return {
    Cash: {
      "Cash received": amount((received - of.transferred) as Cents),
      "Cash spent": amount((spent - of.transferred) as Cents),
      "Cash surplus (deficit)": amount((received - spent) as Cents),
      "Closing bank balance": amount(closing),
    },
    Profitability: {
      Income: amount(profit.income),
      "Direct costs": amount(profit.costs),
      "Gross profit (loss)": amount(profit.gross),
      "Other Income": amount(profit.other),
      Expenses: amount(profit.expenses),
      "Profit (loss)": amount(profit.net),
    },
    "Balance Sheet": {
      Debtors: amount(debtors),
      Creditors: amount(creditors),
      "Net assets": amount(balance.netAssets),
    },
    Income: {
      "Number of invoices issued": { value: of.invoices.count, text: String(of.invoices.count) },
      "Average value of invoices":
        quotient(of.invoices.income, of.invoices.count) ?? amount(0 as Cents),
    },
    Performance: {
      "Gross profit margin": percent(profit.gross, profit.income),
      "Net profit margin": percent(profit.net, profit.income),
      "Return on investment (p.a.)": percent((profit.net * 12) as Cents, balance.netAssets),
    },
    Position: {
      "Average debtors days": ratio((debtors * days) as Cents, profit.income),
      "Average creditors days": ratio((creditors * days) as Cents, spending),
      "Short term cash forecast": amount((debtors - creditors) as Cents),
      "Current assets to liabilities": ratio(
        (balance.bank + balance.currentAssets) as Cents,
        balance.currentLiabilities,
      ),
      "Term assets to liabilities": ratio(balance.termAssets, balance.termLiabilities),
    },
  };
}

function profitOf(accounts: readonly AccountInfo[], sums: Sums) {
  const figures = profitFigures(accounts, [sums]);
  const only = (amounts: readonly Cents[]) => amounts[0] as Cents;
  return {
    income: only(figures.income),
    costs: only(figures.costOfSales),
    gross: only(figures.grossProfit),
    other: only(figures.otherIncome),
    expenses: only(figures.expenses),
    net: only(figures.netProfit),
  };
}

function controlOf(accounts: readonly AccountInfo[], balances: Sums, marker: string): Cents {
  const control = accounts.find(({ SystemAccount }) => SystemAccount === marker);
  return control === undefined ? (0 as Cents) : figure(balances, control);
}

const amount = (value: Cents): Figure => ({ value, text: writeDecimal(value, 2) });

/** `value ÷ divisor × scale`, rounded; undefined when there is nothing to divide by. */
function divided(value: number, divisor: number, scale: number): number | undefined {
  if (divisor === 0) return undefined;
  return multiplyDivide(divisor < 0 ? -value : value, scale, Math.abs(divisor));
}

/** An amount over a count. */
function quotient(value: Cents, count: number): Figure | undefined {
  const average = divided(value, count, 1);
  return average === undefined ? undefined : amount(average as Cents);
}

/** `1.50`: an amount over another. */
function ratio(value: Cents, divisor: Cents): Figure | undefined {
  const hundredths = divided(value, divisor, 100);
  return hundredths === undefined ? undefined : amount(hundredths as Cents);
}

/** `45.6%`: an amount over another. */
function percent(value: Cents, divisor: Cents): Figure | undefined {
  const tenths = divided(value, divisor, 1000);
  return tenths === undefined ? undefined : { value: tenths, text: percentText(tenths) };
}

/** The change from `before` to `now` in percent of `before`; nothing of nothing. */
function variance(now: number, before: number | undefined): string {
  if (before === undefined || before === 0) return "";
  return percentText(multiplyDivide(now - before, 1000, Math.abs(before)));
}

const percentText = (tenths: number): string => `${writeDecimal(tenths, 1)}%`;
