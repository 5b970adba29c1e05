/**
 * Rules for figures, each in one sentence, with its source.
 *
 * `service` refers to a heading of the service document, `accounting` to the practice of double
 * entry; other sources are named as published.
 */
import type { Rule } from "./refusal-rules.ts";

const service = (heading: string) => `service document, ${heading}`;
const accounting = (practice: string) => `accounting practice: ${practice}`;

const reportsOf = service("Reports");
const doubleEntry = accounting("double entry");
const rates = accounting("open foreign items at the rate of the day");

export const rules = {
  Sum: { text: "A sum.", source: doubleEntry },
  SectionTotal: { text: "The sum of the lines above it.", source: reportsOf },
  Income: {
    text: "Credits less debits on the account, of journals dated within the days of the column.",
    source: reportsOf,
  },
  Costs: {
    text: "Debits less credits on the account, of journals dated within the days of the column.",
    source: reportsOf,
  },
  GrossProfit: { text: "Income less cost of sales.", source: reportsOf },
  NetProfit: {
    text: "Gross profit and other income, less operating expenses.",
    source: reportsOf,
  },
  Movement: {
    text: "Debits less credits of the month; what is above zero is a debit, below zero a credit.",
    source: doubleEntry,
  },
  YearToDate: {
    text: "Of income and expenses, what was posted since the financial year began.",
    source: accounting("profit and loss begins anew with each financial year"),
  },
  Balance: {
    text: "All that was ever posted on the account up to the end of the day; open foreign items are taken at the rate of that day.",
    source: doubleEntry,
  },
  BalanceInCurrency: {
    text: "What was posted on the account in its own currency.",
    source: doubleEntry,
  },
  RetainedEarnings: {
    text: "What was posted on the account, with the net profit of all financial years before this one; no journal closes a year.",
    source: accounting("profit of earlier years is equity"),
  },
  CurrentYearEarnings: {
    text: "The net profit since the financial year began; it is equity without a journal.",
    source: reportsOf,
  },
  NetAssets: { text: "Assets less liabilities.", source: reportsOf },
  Equity: {
    text: "What was posted on accounts of equity, with the profit of all time.",
    source: accounting("equity is what is left of assets once liabilities are taken off"),
  },
  EquityMovement: {
    text: "Credits less debits on the account of equity within the days.",
    source: doubleEntry,
  },
  LedgerSide: {
    text: "All that was posted on this side within the days; what is worked out without a journal stands on the side of its sum.",
    source: doubleEntry,
  },
  LedgerNet: { text: "Debits less credits.", source: doubleEntry },
  LedgerClosing: { text: "The opening balance, and debits less credits.", source: doubleEntry },
  CashReceived: {
    text: "Debits of the bank accounts within the days, transfers between them included.",
    source: reportsOf,
  },
  CashSpent: {
    text: "Credits of the bank accounts within the days, transfers between them included.",
    source: reportsOf,
  },
  CashEarned: {
    text: "Debits of the bank accounts within the days, without transfers between them.",
    source: reportsOf,
  },
  CashPaid: {
    text: "Credits of the bank accounts within the days, without transfers between them.",
    source: reportsOf,
  },
  Surplus: { text: "Cash received less cash spent.", source: reportsOf },
  ClosingBalance: {
    text: "The opening balance with what moved it.",
    source: reportsOf,
  },
  UnrealisedGain: {
    text: "Foreign money and open foreign items at the rate of the last day, less what they were worth the day before the first; it is in no journal.",
    source: rates,
  },
  Difference: {
    text: "One figure less the other that it is compared with; zero where the books agree.",
    source: doubleEntry,
  },
  DifferenceNotKnown: {
    text: "No statement tells a balance of the bank up to the day: its figure is counted on from the books, and cannot differ from them.",
    source: doubleEntry,
  },
  Budget: { text: "What the overall budget plans for these months.", source: reportsOf },
  Variance: { text: "Actual less budget.", source: accounting("budgets") },
  VarianceShare: {
    text: "The variance in percent of the budget without its sign, rounded half away from zero to a tenth.",
    source: accounting("budgets"),
  },
  CashFlow: {
    text: "What journals of the cash ledger that move a bank account have on this account, turned around: a credit brought money in.",
    source: accounting("direct cash flow statement, IAS 7.18"),
  },
  CashOpening: {
    text: "What the bank accounts held the day before, and what opening balances put on them within the days.",
    source: accounting("cash flow statement, IAS 7.45"),
  },
  InvoicesIssued: {
    text: "Approved and paid sales invoices dated in the month, each counted once.",
    source: reportsOf,
  },
  AverageInvoice: {
    text: "The invoices of the month without tax, in the base currency, by how many there are.",
    source: reportsOf,
  },
  Margin: {
    text: "One figure in percent of the other, rounded half away from zero to a tenth.",
    source: accounting("ratios"),
  },
  ReturnOnInvestment: {
    text: "The profit of the month, for twelve months, in percent of net assets.",
    source: accounting("ratios"),
  },
  DebtorsDays: {
    text: "Debtors times the days of the month, by the income of the month.",
    source: accounting("ratios"),
  },
  CreditorsDays: {
    text: "Creditors times the days of the month, by costs and expenses of the month.",
    source: accounting("ratios"),
  },
  AssetsToLiabilities: {
    text: "Assets by liabilities of the same term, rounded half away from zero to a hundredth.",
    source: accounting("ratios"),
  },
  CashForecast: { text: "Debtors less creditors.", source: reportsOf },
  Change: {
    text: "The change since the month before in percent of that, without its sign; zero where there is none.",
    source: reportsOf,
  },
  Open: {
    text: "Approved documents that were open at the end of the day: total, less payments and allocations dated up to it; foreign ones at the rate of that day.",
    source: service("Reports, aged receivables and payables"),
  },
  BaseTotal: {
    text: "The total of the document; a foreign one divided by its own rate, rounded once.",
    source: accounting("a document keeps the rate it was approved at"),
  },
  DocumentTotal: {
    text: "The total of the document, less what the construction scheme withholds.",
    source: service("Invoice"),
  },
  Paid: { text: "Payments dated up to the day.", source: service("Payment") },
  Credited: {
    text: "Credit notes, prepayments and overpayments allocated up to the day.",
    source: service("Prepayment"),
  },
  Settled: {
    text: "Payments and allocations dated up to the day.",
    source: service("Payment"),
  },
  Due: {
    text: "Total, less what is withheld, payments and allocated credits.",
    source: service("Invoice, AmountDue"),
  },
  RunningBalance: { text: "The balance before it, and its amount.", source: doubleEntry },
  StatementMove: {
    text: "What the document, payment or refund moved what is owed by.",
    source: accounting("statement of account"),
  },
  Gross: { text: "Net with all tax.", source: accounting("tax") },
  RestOfProfit: {
    text: "The side of the profit and loss, less the lines of documents above.",
    source: reportsOf,
  },
  WholeOfTrade: {
    text: "The accounts of the profit and loss that the lines are part of; of purchases with what went to stock.",
    source: reportsOf,
  },
  QuantityTraded: {
    text: "Quantities of the lines of approved documents; credits count backwards.",
    source: service("Item"),
  },
  Traded: {
    text: "What the lines of documents posted on these accounts, at the rate of each document.",
    source: reportsOf,
  },
  TradedTax: {
    text: "The tax of these lines, each rounded by itself.",
    source: service("Invoice LineItem, TaxAmount"),
  },
  CostOfSold: {
    text: "What the goods cost, at the average of the stock when their documents were posted, whatever their days; goods of a credit note that was made from an invoice come back at what that sale cost.",
    source: service("Item, TotalCostPool"),
  },
  MarginAmount: {
    text: "Net of the lines kept in stock, less their cost.",
    source: accounting("margins"),
  },
  AssetRegister: {
    text: "As the asset is registered.",
    source: accounting("register of fixed assets"),
  },
  Depreciation: {
    text: "What has accumulated at the end of each month, worked out from the beginning or the year and rounded, less what was posted before.",
    source: accounting("depreciation over the useful life, IAS 16.50"),
  },
  BookValue: {
    text: "Cost less accumulated depreciation; nothing once it is disposed of.",
    source: accounting("carrying amount, IAS 16.6"),
  },
  DisposalGain: {
    text: "Proceeds less book value; what is above the cost is a capital gain.",
    source: accounting("disposal, IAS 16.71"),
  },
  BankShouldHave: {
    text: "The balance of the book, without what the statement does not show yet, and with what it shows and the book has not.",
    source: accounting("bank reconciliation"),
  },
  BankTold: {
    text: "The balance of the last statement that tells one, and the lines after it.",
    source: accounting("bank reconciliation"),
  },
  NotOnStatement: {
    text: "Money of the book that no line of the statement shows by that day.",
    source: accounting("bank reconciliation"),
  },
  NotInBook: {
    text: "A line of the statement that is nothing in the book by that day.",
    source: accounting("bank reconciliation"),
  },
  TaxNotReclaimed: {
    text: "Tax that is a cost, as it stands on the accounts of the lines.",
    source: service("TaxComponent, IsNonRecoverable"),
  },
  TaxedNet: {
    text: "What was posted under the tax rate without any tax.",
    source: service("TaxRate"),
  },
  TaxedTax: {
    text: "The tax of each line, rounded by itself, and then added up.",
    source: service("Invoice LineItem, TaxAmount"),
  },
  WholeEuros: {
    text: "The amount in whole euros, half a euro away from zero; a total is of whole amounts.",
    source: accounting("lists of sales in the EU"),
  },
  NetTax: { text: "Tax collected less tax paid.", source: accounting("tax") },
  PostedTax: {
    text: "Tax of documents that belong to the return: dated within its days, or late for an earlier one.",
    source: accounting("a published return never changes; what comes late is in the next"),
  },
  FiledTax: { text: "What published returns declared.", source: accounting("tax") },
  FiledApart: {
    text: "What a return declares beside the tax of documents: what was entered, reverse charges, rates that the form has no place for, and rounding.",
    source: accounting("tax"),
  },
  PaidToOffice: {
    text: "Money spent and received that is coded to the tax account.",
    source: accounting("tax"),
  },
  CodedOnTax: {
    text: "Lines of manual journals and documents on the tax account itself.",
    source: accounting("tax"),
  },
  TaxRounding: {
    text: "Tax on the account, less the tax of the lines that it is of: foreign documents are converted line by line.",
    source: accounting("tax is rounded line by line"),
  },
  UnpaidTax: {
    text: "Tax on the accounts that the cash ledger does not have yet, since it was not paid.",
    source: accounting("cash basis"),
  },
  TaxReturnBox: {
    text: "What the form puts into the box: of documents by their tax type, of other boxes by its formula, and what was entered.",
    source: "the form of the tax office, as its boxes name it",
  },
  TaxReturnFiled: {
    text: "What the form put into the box when the return was published, of the documents that the books had then; what was posted since into its days is in the next return.",
    source: "the form of the tax office, as its boxes name it",
  },
  Box1099: {
    text: "Paid in the year for what is coded to accounts in this box, with tax; payments by card and in foreign currencies are left out.",
    source: "Internal Revenue Service, Instructions for Forms 1099-MISC and 1099-NEC",
  },
  LineTax: {
    text: "Tax is worked out and rounded line by line, half away from zero, and then added up; an amount that was entered stays as it is.",
    source: service("Invoice LineItem, TaxAmount"),
  },
  SubTotal: {
    text: "Lines without tax: quantity times price less discount, rounded once, and where amounts include tax, without it.",
    source: service("Invoice LineItem, LineAmount"),
  },
  Total: { text: "Lines without tax, and tax.", source: service("Invoice, Total") },
  Discount: {
    text: "Quantity times price, less the amount of the line.",
    source: service("Invoice LineItem, DiscountRate"),
  },
  Withheld: {
    text: "The rate of the construction scheme on lines of labour without tax, rounded once.",
    source: "HM Revenue and Customs, Construction Industry Scheme (CIS 340)",
  },
  BaseAmount: {
    text: "Each line and its tax divided by the rate of the document and rounded; what the sum lacks of the converted total is rounding.",
    source: accounting("a document keeps the rate it was approved at"),
  },
  ContactBalance: {
    text: "Documents that are open: what the contact owes, less credits; of payables what is owed to the contact.",
    source: service("Other records, Contact"),
  },
  StockValue: {
    text: "What purchases put into the stock, less what sales took out of it at its average cost, in the order in which they were posted.",
    source: service("Item, TotalCostPool"),
  },
  StockQuantity: {
    text: "Quantities bought, less quantities sold.",
    source: service("Item, QuantityOnHand"),
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;
