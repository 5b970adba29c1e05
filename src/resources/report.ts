/**
 * Reports from the ledger: names, parameters and permissions, from which command line, routes and
 * the description of the API are derived.
 *
 * Tax returns are not included: they are drafted, published and stored.
 */
import { boolean, choice, date, type Field, type Fields, integer, text } from "./field.ts";

/** Modules of the service that make reports; each makes several related ones. */
type ReportModule =
  | "statements"
  | "aged"
  | "summaries"
  | "tax"
  | "bank"
  | "ledger"
  | "assets"
  | "cash"
  | "taxAccount"
  | "ecSales"
  | "statement"
  | "traded";

/** Headings of report lists, in their order. */
export const reportGroups = {
  statements: "Financial statements",
  ledger: "Ledger",
  parties: "Customers and suppliers",
  bank: "Bank and cash",
  trade: "Sales and purchases",
  budget: "Budget",
  assets: "Fixed assets",
  tax: "Tax",
} as const;

export type ReportGroup = keyof typeof reportGroups;

export interface ReportDescription {
  /** Title of the report in answers. */
  readonly title: string;
  readonly module: ReportModule;
  /** Group under whose heading the report is listed. */
  readonly group: ReportGroup;
  /** CountryCodes of the organisations that have the report; all when left out. */
  readonly countries?: readonly string[];
  /** Scope of the report: `accounting.reports.SCOPE.read` permits only it. */
  readonly scope: string;
  /** Query parameters; `fromDate`, `date`, `contactID` and tracking become the usual flags. */
  readonly parameters: Fields;
  /** Whether the last day of a given period can serve as `date`. */
  readonly isAsAt?: true;
  /** Parameters that the command and pages always send, besides the flags and fields of users. */
  readonly sent?: Readonly<Record<string, { readonly field: Field; readonly value: string }>>;
  /** Words of the command line for numeric values of a parameter, by parameter. */
  readonly spelt?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Name in `acct report NAME`; undefined for a report that the command of another report makes.
   */
  readonly command?: string;
  readonly aliases?: readonly string[];
  readonly summary?: string;
  readonly note?: string;
  readonly examples?: readonly [string, ...string[]];
  /** Report that the command makes instead when a contact is named. */
  readonly byContact?: string;
  /** Chart of the report; undefined where a chart would show nothing useful. */
  readonly chart: ReportChart | undefined;
  /** Figure of a row that is explained when no column is named. */
  readonly meant: "first" | "last";
  /**
   * Links from figures to the ledger of their accounts; undefined for reports without such links.
   */
  readonly drill: ReportDrill | undefined;
}

/**
 * Rows whose sum a row without account shows: those above it in its section, in the report, or
 * since the last heading without rows of its own, such as Liabilities.
 */
export type SummedAbove = "section" | "report" | "group" | "nothing";

export interface ReportDrill {
  /** Rows that a total row sums. */
  readonly totals: SummedAbove;
  /** Rows that other rows without an account sum. */
  readonly results: SummedAbove;
  /** Exceptions for single rows, by the ids of their figures. */
  readonly rows?: Readonly<Record<string, SummedAbove>>;
  /**
   * Whether only account names link to the ledger, as figures include more than its postings (such
   * as foreign currency).
   */
  readonly isOfNames?: true;
}

/** Only rows of accounts link to the ledger. */
const accountsAlone = { totals: "nothing", results: "nothing" } as const satisfies ReportDrill;
/** A total row sums its section, a result row all rows above it. */
const sectionsAndResults = { totals: "section", results: "report" } as const satisfies ReportDrill;

/**
 * Figures that the chart of a report shows. A point is a column of the report, such as a month or
 * an ageing bucket; or a row, such as a customer.
 */
export interface ReportChart {
  readonly points: "columns" | "rows";
  /** Series by name: the ids of the rows or of the column whose figures are summed. */
  readonly series: Readonly<Record<string, readonly [string, ...string[]]>>;
  /** Series that is drawn as a line for points in time, and alone where there is little room. */
  readonly line?: string;
  /** Ids of the rows that become points, instead of the rows of records. */
  readonly rows?: readonly string[];
  /** Whether the amounts can be summed over points: those of periods can, balances cannot. */
  readonly isSum: boolean;
  /** Finest time step in which `--chart` splits a period; undefined for reports without periods. */
  readonly steps?: "WEEK" | "MONTH";
}

/** Maximum number of periods compared with the report's period. */
export const comparedPeriodsMax = 11;
/** Maximum number of columns in a budget summary. */
export const budgetColumnsMax = 12;
export const timeframes = ["MONTH", "QUARTER", "YEAR"] as const;
/** Time steps of the cash flow report; it also offers weeks. */
export const cashTimeframes = ["WEEK", ...timeframes] as const;
/** Maximum number of weeks as columns of a report, enough for a quarter. */
export const weeksMax = 14;

const range = {
  fromDate: date({ help: "first day" }),
  toDate: date({ help: "last day" }),
} as const;

const comparison = {
  periods: integer({
    min: 1,
    max: comparedPeriodsMax,
    help: "how many earlier periods stand beside it",
  }),
  timeframe: choice(timeframes, {
    help: "how far apart the periods are; as far as they are long when not given",
  }),
} as const;

/** Parameter, without a flag, that the command and pages send with every report. */
const described = {
  field: boolean({ help: "titles with basis, currency, day and locks; headings with their days" }),
  value: "true",
} as const;

/**
 * Layout of a report: `accountant` for people, with the rows and columns of an accountant's papers
 * and notes at the foot; `standard` as in the public API.
 */
export const layoutField = choice(["accountant", "standard"], {
  help: "accountant, as people are shown it, or standard, as json and csv have it",
});
export const accountantLayout = { layout: "accountant" } as const;

/** All parameters of a report, including those that users do not set. */
export function allParametersOf({ parameters, sent }: ReportDescription): Fields {
  const ours = Object.entries(sent ?? {}).map(([name, { field }]) => [name, field] as const);
  return {
    ...parameters,
    ...Object.fromEntries(ours),
    described: described.field,
    layout: layoutField,
  };
}

/** Parameters that the command and pages send with a report besides those of the user. */
export function presetsOf({ sent = {} }: Pick<ReportDescription, "sent">): Record<string, string> {
  const ours = Object.entries(sent).map(([name, { value }]) => [name, value] as const);
  return { ...Object.fromEntries(ours), described: described.value };
}

const layout = {
  standardLayout: boolean({ help: "leave layouts of the organisation's own aside" }),
} as const;
const basis = { paymentsOnly: boolean({ help: "cash basis: only what was paid" }) } as const;

const aged = {
  module: "aged",
  group: "parties",
  scope: "aged",
  parameters: {
    contactID: text({ required: true, help: "the contact, a GUID" }),
    date: date({ help: "the day that payments count up to; the end of this month when not given" }),
    ...range,
  },
  note: "With a first day, documents before it come to an opening balance.",
} as const;

const agedOfAll = {
  module: "aged",
  group: "parties",
  scope: "aged",
  parameters: {
    date: date({ help: "as at this day; today when not given" }),
    by: choice(["due", "invoice"], {
      help: "age from the due date (the default) or the invoice date",
    }),
    buckets: text({ help: "upper bounds in days; 30,60,90 when not given" }),
  },
  isAsAt: true,
  note:
    "Of all contacts it is an extension. Foreign documents are at the rate of the day, credits in a " +
    "column of their own; the last lines compare the total with the control account. Of one contact, " +
    "its open documents by age, or with a first day all documents from it after an opening balance.",
} as const;

/** Chart of ageing reports: outstanding amounts by days overdue. */
const ageing = {
  points: "columns",
  series: { Outstanding: ["total"] },
  isSum: true,
} as const satisfies ReportChart;

/**
 * Reports by the last segment of their path, `/Reports/ProfitAndLoss`, which is also the ReportID.
 */
export const reports = {
  ProfitAndLoss: {
    title: "Profit and Loss",
    module: "statements",
    group: "statements",
    scope: "profitandloss",
    parameters: {
      ...range,
      ...comparison,
      trackingCategoryID: text({ help: "a column for each option of this category" }),
      trackingOptionID: text({ help: "only this option of it" }),
      trackingCategoryID2: text({ help: "combined with a second category" }),
      trackingOptionID2: text({ help: "only this option of the second category" }),
      ...layout,
      ...basis,
    },
    command: "pl",
    aliases: ["profit-and-loss", "p-and-l", "income-statement"],
    summary: "profit and loss of a period",
    note: "The current month when nothing is said.",
    examples: [
      "acct report pl --period this-fy",
      "acct report pl --period 2026-03 --periods 2 --timeframe MONTH -o csv",
    ],
    meant: "first",
    chart: {
      points: "columns",
      series: {
        Income: ["total-income", "total-other-income"],
        Expenses: ["total-cost-of-sales", "total-expenses"],
        "Net profit": ["net-profit"],
      },
      line: "Net profit",
      isSum: true,
      steps: "MONTH",
    },
    drill: sectionsAndResults,
  },
  BalanceSheet: {
    title: "Balance Sheet",
    module: "statements",
    group: "statements",
    scope: "balancesheet",
    parameters: {
      date: date({ help: "as at this day; today when not given" }),
      ...comparison,
      trackingOptionID1: text({ help: "only what carries this tracking option" }),
      trackingOptionID2: text({ help: "and this option of the other category" }),
      ...layout,
      ...basis,
    },
    isAsAt: true,
    sent: {
      exactDate: {
        field: boolean({ help: "for the date itself, not for the end of its month" }),
        value: "true",
      },
    },
    command: "balance-sheet",
    aliases: ["bs"],
    summary: "what is owned and owed at a day",
    examples: ["acct report balance-sheet --date 2026-03-31"],
    meant: "first",
    chart: {
      points: "columns",
      series: {
        Assets: ["total-assets"],
        Liabilities: ["total-liabilities"],
        "Net assets": ["net-assets"],
      },
      line: "Net assets",
      isSum: false,
    },
    drill: {
      totals: "section",
      results: "section",
      rows: {
        "total-equity": "nothing",
        "total-liabilities": "group",
        "total-assets": "report",
        "net-assets": "report",
      },
    },
  },
  TrialBalance: {
    title: "Trial Balance",
    module: "statements",
    group: "ledger",
    scope: "trialbalance",
    parameters: { date: date({ help: "today when not given" }), ...basis },
    isAsAt: true,
    command: "trial-balance",
    aliases: ["tb"],
    summary: "the balance of every account at a day",
    examples: ["acct report trial-balance --date yesterday -o csv"],
    meant: "last",
    chart: undefined,
    drill: accountsAlone,
  },
  GeneralLedger: {
    title: "General Ledger",
    module: "ledger",
    group: "ledger",
    scope: "trialbalance",
    parameters: {
      ...range,
      trackingOptionID1: text({ help: "only what carries this tracking option" }),
      trackingOptionID2: text({ help: "and this option of the other category" }),
      ...basis,
    },
    command: "general-ledger",
    aliases: ["gl", "ledger"],
    summary: "what stood on each account, what moved, what stands on it then",
    note:
      "The current month when nothing is said. An extension. acct report account-transactions shows " +
      "the postings.",
    examples: ["acct report general-ledger --period this-fy"],
    meant: "last",
    chart: undefined,
    drill: accountsAlone,
  },
  AgedReceivables: {
    ...agedOfAll,
    title: "Aged Receivables",
    byContact: "AgedReceivablesByContact",
    command: "aged-receivables",
    summary: "what customers owe, by how long it is overdue; of one, invoice by invoice",
    examples: [
      "acct report aged-receivables --period last-month",
      "acct report aged-receivables 'Cuba Street Gifts' --date 2026-03-31",
    ],
    meant: "last",
    chart: ageing,
    drill: undefined,
  },
  AgedPayables: {
    ...agedOfAll,
    title: "Aged Payables",
    byContact: "AgedPayablesByContact",
    command: "aged-payables",
    summary: "what suppliers are owed, by how long it is overdue; of one, bill by bill",
    examples: [
      "acct report aged-payables --buckets 14,28",
      "acct report aged-payables 'Canterbury Clay Supplies' --date 2026-03-31",
    ],
    meant: "last",
    chart: ageing,
    drill: undefined,
  },
  AgedReceivablesByContact: {
    ...aged,
    title: "Aged Receivables By Contact",
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  AgedPayablesByContact: {
    ...aged,
    title: "Aged Payables By Contact",
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  Statement: {
    title: "Statement",
    module: "statement",
    group: "parties",
    scope: "aged",
    parameters: {
      contactID: text({ required: true, help: "the customer, a GUID" }),
      date: date({ help: "what is outstanding on this day; today when not given" }),
      ...range,
    },
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  BankSummary: {
    title: "Bank Summary",
    module: "summaries",
    group: "bank",
    scope: "banksummary",
    parameters: range,
    command: "bank-summary",
    aliases: ["bank"],
    summary: "what came into and went out of the bank",
    note: "The current month when nothing is said.",
    examples: ["acct report bank-summary --period last-month"],
    meant: "last",
    chart: { points: "rows", series: { Balance: ["closing"] }, isSum: true },
    drill: { ...accountsAlone, isOfNames: true },
  },
  CashFlow: {
    title: "Cash Flow Statement",
    module: "cash",
    group: "bank",
    scope: "banksummary",
    parameters: {
      ...range,
      ...comparison,
      timeframe: choice(cashTimeframes, {
        help: "how far apart the periods are; as far as they are long when not given; WEEK for each week of the days",
      }),
      operating: text({ help: "codes of accounts whose cash is of operating activities" }),
      investing: text({ help: "codes of accounts whose cash is of investing activities" }),
      financing: text({ help: "codes of accounts whose cash is of financing activities" }),
      indirect: boolean({ help: "operating cash from the profit, not from receipts and payments" }),
    },
    command: "cash-flow",
    aliases: ["cashflow"],
    summary: "where money came from and where it went, by activity",
    note:
      "The current month when nothing is said. An extension. Fixed assets are investing; loans and " +
      "equity, and owners' accounts of the usual charts, financing; all else is operating.",
    examples: [
      "acct report cash-flow --period this-fy",
      "acct report cash-flow --period 2026-03 --periods 2 --financing 835",
    ],
    meant: "first",
    chart: {
      points: "columns",
      series: { "Cash movement": ["net-cash-movement"] },
      isSum: true,
      steps: "WEEK",
    },
    drill: undefined,
  },
  BudgetSummary: {
    title: "Budget Summary",
    module: "summaries",
    group: "budget",
    scope: "budgetsummary",
    parameters: {
      date: date({ help: "a day of the first month; today when not given" }),
      periods: integer({
        min: 1,
        max: budgetColumnsMax,
        help: "how many columns there are; 12 when not given",
      }),
      timeframe: choice(["1", "3", "12"], {
        help: "how long each of them is; MONTH when not given",
      }),
    },
    spelt: { timeframe: { MONTH: "1", QUARTER: "3", YEAR: "12" } },
    command: "budget-summary",
    aliases: ["budget"],
    summary: "what the overall budget plans",
    examples: ["acct report budget-summary --date 2026-04-01 --periods 4 --timeframe QUARTER"],
    meant: "first",
    chart: {
      points: "columns",
      series: {
        "Gross profit": ["gross-profit"],
        Expenses: ["total-costs"],
        "Net profit": ["net-profit"],
      },
      line: "Net profit",
      isSum: true,
    },
    drill: undefined,
  },
  BudgetVariance: {
    title: "Budget Variance",
    module: "summaries",
    group: "budget",
    scope: "budgetsummary",
    parameters: { ...range, ...basis },
    command: "budget-variance",
    aliases: ["variance"],
    summary: "what was earned and spent beside what was planned",
    note:
      "The current month when nothing is said; whole months always, against the overall budget. An " +
      "extension. A variance is favourable where more was earned or less was spent than planned.",
    examples: ["acct report budget-variance --period this-fy"],
    meant: "first",
    chart: {
      points: "rows",
      series: { Actual: ["actual"], Budget: ["budget"] },
      rows: ["total-income", "total-cost-of-sales", "total-expenses", "net-profit"],
      isSum: false,
    },
    drill: sectionsAndResults,
  },
  Sales: {
    title: "Sales",
    module: "traded",
    group: "trade",
    scope: "profitandloss",
    parameters: {
      ...range,
      by: choice(["item", "contact", "tracking"], { help: "item when not given" }),
    },
    command: "sales",
    summary: "what was sold by item, contact or tracking, with its margin",
    note:
      "The current month when nothing is said. An extension. Lines of invoices, credit notes and money " +
      "received on income accounts; the cost is that of goods from stock. The last rows go on to the " +
      "profit and loss.",
    examples: ["acct report sales --period last-quarter", "acct report sales --by contact -o csv"],
    meant: "first",
    chart: { points: "rows", series: { Net: ["net"] }, isSum: true },
    drill: undefined,
  },
  Purchases: {
    title: "Purchases",
    module: "traded",
    group: "trade",
    scope: "profitandloss",
    parameters: {
      ...range,
      by: choice(["item", "contact", "tracking"], { help: "item when not given" }),
    },
    command: "purchases",
    summary: "what was bought by item, contact or tracking",
    note:
      "The current month when nothing is said. An extension. Lines of bills, credits and money spent " +
      "on expense and inventory accounts. The last rows go on to the profit and loss.",
    examples: ["acct report purchases --by contact --period this-fy"],
    meant: "first",
    chart: { points: "rows", series: { Net: ["net"] }, isSum: true },
    drill: undefined,
  },
  Equity: {
    title: "Statement of Changes in Equity",
    module: "statements",
    group: "statements",
    scope: "balancesheet",
    parameters: { ...range, ...comparison, ...basis },
    command: "equity",
    aliases: ["changes-in-equity"],
    summary: "from the equity before a period to that at its end",
    note: "The current month when nothing is said. An extension.",
    examples: ["acct report equity --period this-fy --periods 1 --timeframe YEAR"],
    meant: "first",
    chart: { points: "columns", series: { "Closing equity": ["closing-equity"] }, isSum: false },
    drill: undefined,
  },
  ExecutiveSummary: {
    title: "Executive Summary",
    module: "summaries",
    group: "statements",
    scope: "executivesummary",
    parameters: { date: date({ help: "a day of that month; today when not given" }) },
    isAsAt: true,
    command: "executive-summary",
    aliases: ["summary"],
    summary: "a month in some twenty figures, beside the month before",
    examples: ["acct report executive-summary --period 2026-03"],
    meant: "first",
    chart: undefined,
    drill: undefined,
  },
  BankReconciliation: {
    title: "Bank Reconciliation",
    module: "bank",
    group: "bank",
    scope: "banksummary",
    parameters: {
      accountID: text({ required: true, help: "the bank account, its AccountID or code" }),
      date: date({ help: "today when not given" }),
    },
    isAsAt: true,
    command: "bank-reconciliation",
    aliases: ["reconciliation"],
    summary: "from the balance of the book to that of the bank, line by line",
    note: "An extension. The balance of the bank is that of its last statement with the lines after it.",
    examples: ["acct report bank-reconciliation 090 --period last-month"],
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  FixedAssets: {
    title: "Fixed Assets",
    module: "assets",
    group: "assets",
    scope: "balancesheet",
    parameters: {
      date: date({ help: "today when not given" }),
      note: boolean({ help: "the note by class: opening, additions, disposals, closing" }),
    },
    isAsAt: true,
    command: "fixed-assets",
    aliases: ["assets", "asset-register"],
    summary: "what each fixed asset cost, has depreciated by and is worth",
    note:
      "An extension. The figures of a year are of the financial year up to the day; the last lines " +
      "compare the register with the fixed asset accounts.",
    examples: [
      "acct report fixed-assets --period last-fy",
      "acct report fixed-assets --note",
      "acct report fixed-assets -o csv",
    ],
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  TaxSummary: {
    title: "Tax Summary",
    module: "tax",
    group: "tax",
    scope: "taxreports",
    parameters: {
      ...range,
      ...basis,
      detail: boolean({ help: "the documents behind each rate" }),
    },
    command: "tax-summary",
    aliases: ["tax"],
    summary: "what was sold and bought at each tax rate, with the components of the tax",
    note: "The current month when nothing is said; on the basis of the organisation's tax returns unless --payments-only.",
    examples: [
      "acct report tax-summary --period last-quarter",
      "acct report tax-summary --period 2026-03 --detail -o csv",
    ],
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  TaxReconciliation: {
    title: "Tax Reconciliation",
    module: "taxAccount",
    group: "tax",
    scope: "taxreports",
    parameters: range,
    command: "tax-reconciliation",
    aliases: ["tax-account", "gst-reconciliation", "vat-reconciliation"],
    summary: "the tax account explained, from return to return",
    note:
      "The financial year up to today when nothing is said; on the basis of the organisation's tax " +
      "returns. An extension. What was posted late stands with the return that carries it.",
    examples: ["acct report tax-reconciliation", "acct report tax-reconciliation --period this-fy"],
    meant: "last",
    chart: undefined,
    drill: undefined,
  },
  ECSalesList: {
    title: "Sales in the EU",
    module: "ecSales",
    group: "tax",
    countries: ["DE", "FR"],
    scope: "taxreports",
    parameters: range,
    command: "ec-sales",
    aliases: ["ec-sales-list"],
    summary: "sales to businesses elsewhere in the EU, by VAT number and kind",
    note:
      "An extension, of organisations in Germany (Zusammenfassende Meldung) and France (état récapitulatif " +
      "TVA, déclaration européenne de services). The current month when nothing is said; a document counts " +
      "on its date. Customers without a VAT number of another country of the EU stand apart.",
    examples: [
      "acct report ec-sales --period last-month",
      "acct report ec-sales --period last-quarter -o csv",
    ],
    meant: "first",
    chart: undefined,
    drill: undefined,
  },
} as const satisfies Readonly<Record<string, ReportDescription>>;

export type ReportName = keyof typeof reports;

export const isReportName = (name: string): name is ReportName => name in reports;

/** Names of the reports that a module makes. */
export type ReportsOf<M extends ReportModule> = {
  [N in ReportName]: (typeof reports)[N]["module"] extends M ? N : never;
}[ReportName];

/** Names of the reports whose figures link to the ledger. */
export type DrilledReport = {
  [N in ReportName]: (typeof reports)[N]["drill"] extends undefined ? never : N;
}[ReportName];
