/** Labels of fields and values for people: on pages, and in the tables of a terminal. */
import type { Field } from "../resources/field.ts";
import { sourceWords } from "../resources/journal.ts";

/** Label of a field by its path: `Owed` for `AmountDue`, `Contact` for `Contact.Name`. */
export function labelOf(path: string): string {
  const knownLabel = labels[path];
  if (knownLabel !== undefined) return knownLabel;
  const segments = path.split(".");
  const lastSegment = segments.at(-1) ?? "";
  const isName = lastSegment === "Name" || lastSegment === "Code" || /Number$/.test(lastSegment);
  const lastWord = isName && segments.length > 1 ? (segments.at(-2) ?? lastSegment) : lastSegment;
  return splitWords(lastWord.replace(/UTC$/, "").replace(/^Is(?=[A-Z])/, ""));
}

/** Label of the field by which a record is known: most have an id, some a code. */
export const idLabel = (field: Field | undefined): string => (field?.kind === "id" ? "ID" : "Code");

const labels: Readonly<Record<string, string>> = {
  InvoiceNumber: "Number",
  CreditNoteNumber: "Number",
  QuoteNumber: "Number",
  PurchaseOrderNumber: "Number",
  ReceiptNumber: "Number",
  AssetNumber: "Number",
  ContactNumber: "Number",
  ContactStatus: "Status",
  EmailAddress: "Email",
  "User.EmailAddress": "Employee",
  DueDate: "Due",
  AmountDue: "Owed",
  ExpiryDate: "Expires",
  DeliveryDate: "Delivery",
  JournalNumber: "Number",
  JournalDate: "Date",
  SourceType: "Source",
  "BankAccount.Code": "Account",
  FromDate: "From",
  ToDate: "To",
  TotalAmount: "Total",
  BalanceSource: "Balance",
  RemainingCredit: "Remaining",
  TotalTax: "Tax",
  SubTotal: "Subtotal",
  "SalesDetails.UnitPrice": "Sales price",
  "PurchaseDetails.UnitPrice": "Purchase price",
  "Schedule.NextScheduledDate": "Next date",
  "FromBankAccount.Code": "From",
  "ToBankAccount.Code": "To",
  CurrencyCode: "Currency",
  CurrencyRate: "Rate",
  LineAmountTypes: "Amounts",
  UpdatedDateUTC: "Changed",
  CreatedDateUTC: "Made",
  FullyPaidOnDate: "Paid on",
  SentToContact: "Sent",
  AccountCode: "Account",
  ItemCode: "Item",
  UnitAmount: "Price",
  DiscountRate: "Discount",
  LineAmount: "Amount",
  AppliedAmount: "Amount",
  ContactGroups: "Groups",
  ContactPersons: "People",
  QuantityOnHand: "On hand",
  TaxType: "Tax",
  "PaymentTerms.Sales": "Invoices due",
  "PaymentTerms.Bills": "Bills due",
  ReportTaxType: "Reported as",
  EffectiveRate: "Rate",
  OrganisationRole: "Role",
  SourceTransactionTypeCode: "Source",
  EnablePaymentsToAccount: "Takes payments",
  ShowInExpenseClaims: "In expense claims",
  AddToWatchlist: "Watched",
  "SalesDetails.AccountCode": "Sales account",
  "PurchaseDetails.AccountCode": "Purchase account",
  InventoryAssetAccountCode: "Stock account",
  CanApplyTo: "For",
  FinancialYearEnd: "Year ends",
  CountryCode: "Country",
  AccountsReceivable: "Owes",
  AccountsPayable: "Is owed",
  CISDeduction: "CIS deduction",
  CISRate: "CIS rate",
  // The command that settles an open check of a period.
  Mend: "To do",
};

/**
 * Label of a value: `Awaiting payment` for the status of a record, `Money received` for its type.
 */
export function choiceText(field: string, value: string): string {
  const choiceLabel = choices[field]?.[value];
  if (choiceLabel !== undefined) return choiceLabel;
  if (/TaxType$/.test(field)) return value;
  if (/^[A-Z]{2,3}$/.test(value)) return value;
  const isCapitals = value === value.toUpperCase();
  return splitWords((isCapitals ? value.toLowerCase() : value).replace(/[_-]/g, " "));
}

/**
 * Value of a choice that its label names: `AUTHORISED` of an invoice for `awaiting payment`; any
 * other text as it is.
 */
export function choiceLabelled(
  resource: string,
  field: string,
  values: readonly string[],
  text: string,
): string {
  const wantedText = text.trim().toLowerCase();
  if (values.some((value) => value.toLowerCase() === wantedText)) return text;
  const labelled = (value: string) =>
    [choiceText(field, value), field === "Status" ? statusText(resource, value) : ""].some(
      (label) => label.toLowerCase() === wantedText,
    );
  return values.find(labelled) ?? text;
}

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Type: {
    ACCREC: "Invoice",
    ACCPAY: "Bill",
    ACCRECCREDIT: "Credit note",
    ACCPAYCREDIT: "Supplier credit note",
    SPEND: "Money spent",
    RECEIVE: "Money received",
    "SPEND-TRANSFER": "Transfer out",
    "RECEIVE-TRANSFER": "Transfer in",
    CURRENT: "Current asset",
    CURRLIAB: "Current liability",
    DEPRECIATN: "Depreciation",
    DIRECTCOSTS: "Direct costs",
    FIXED: "Fixed asset",
    NONCURRENT: "Non-current asset",
    OTHERINCOME: "Other income",
    TERMLIAB: "Term liability",
    BILLABLEEXPENSE: "Billable expense",
    DAYSAFTERBILLDATE: "Days after the document",
    DAYSAFTERBILLMONTH: "Days after the end of the month",
    OFCURRENTMONTH: "Of the month",
    OFFOLLOWINGMONTH: "Of the following month",
    PAYBATCH: "Paid",
    RECBATCH: "Received",
    "RECEIVE-PREPAYMENT": "Deposit received",
    "SPEND-PREPAYMENT": "Deposit paid",
    "RECEIVE-OVERPAYMENT": "Overpayment received",
    "SPEND-OVERPAYMENT": "Overpayment made",
  },
  SourceType: sourceWords,
  SourceTransactionTypeCode: sourceWords,
  AddressType: { POBOX: "Postal" },
  SalesTaxPeriod: {
    ONEMONTHS: "One month",
    TWOMONTHS: "Two months",
    SIXMONTHS: "Six months",
    "1MONTHLY": "One month",
    "2MONTHLY": "Two months",
    "3MONTHLY": "Three months",
    "6MONTHLY": "Six months",
  },
  OrganisationRole: {
    FINANCIALADVISER: "Adviser",
    INVOICEONLY: "Invoices only",
    READONLY: "Read only",
    CASHBOOKCLIENT: "Cashbook client",
    MANAGEDCLIENT: "Managed client",
    REMOVED: "Removed",
  },
  SalesTaxBasis: { FLATRATECASH: "Flat rate, cash", FLATRATEACCRUAL: "Flat rate, accrual" },
  ReportTaxType: {
    OUTPUT: "Tax on sales",
    INPUT: "Tax on purchases",
    NONE: "No tax",
    BASEXCLUDED: "Not in the return",
    GSTONIMPORTS: "Tax on imports",
    GSTONCAPIMPORTS: "Tax on capital imports",
    EXEMPTOUTPUT: "Sales without tax",
    EXEMPTINPUT: "Purchases without tax",
    EXEMPTEXPENSES: "Purchases without tax",
    EXEMPTCAPITAL: "Capital purchases without tax",
    EXEMPTEXPORT: "Exports",
    INPUTTAXED: "Input taxed",
    CAPITALSALESOUTPUT: "Tax on capital sales",
    CAPITALEXPENSESINPUT: "Tax on capital purchases",
    CAPITALEXINPUT: "Tax on capital purchases",
    ECOUTPUT: "Goods sold within the EU",
    ECOUTPUTSERVICES: "Services sold within the EU",
    ECINPUT: "Goods bought within the EU",
    ECACQUISITIONS: "Goods bought within the EU",
    DRCHARGE: "Reverse charge, purchases",
    DRCHARGESUPPLY: "Reverse charge, sales",
    REVERSECHARGES: "Reverse charge",
    AVALARA: "Looked up by address",
  },
  LineAmountTypes: { Exclusive: "Without tax", Inclusive: "With tax", NoTax: "No tax" },
  Method: {
    StraightLine: "Straight line",
    DiminishingValue100: "Diminishing value",
    DiminishingValue150: "Diminishing value, 150%",
    DiminishingValue200: "Diminishing value, 200%",
    NoDepreciation: "No depreciation",
  },
  PaymentType: {
    ACCRECPAYMENT: "Payment received",
    ACCPAYPAYMENT: "Payment made",
    ARCREDITPAYMENT: "Refund paid",
    APCREDITPAYMENT: "Refund received",
    ARPREPAYMENTPAYMENT: "Deposit paid back",
    APPREPAYMENTPAYMENT: "Deposit received back",
    AROVERPAYMENTPAYMENT: "Overpayment paid back",
    APOVERPAYMENTPAYMENT: "Overpayment received back",
    EXPPAYMENT: "Expense claim paid",
  },
  Status: {
    AUTHORISED: "Approved",
    SUBMITTED: "Awaiting approval",
    VOIDED: "Void",
    UNRECONCILED: "To reconcile",
    GDPRREQUEST: "Erased",
  },
  ContactStatus: { GDPRREQUEST: "Erased" },
};

/**
 * Label of a status in a list: of an approved invoice that it awaits its payment, of an approved
 * credit that it is open; empty for an approved payment, which has no other state but reversed.
 *
 * @param resource  name of the resource: `Invoice`
 */
export function statusText(resource: string, status: string): string {
  if (status !== "AUTHORISED") return choiceText("Status", status);
  return approved[resource] ?? choiceText("Status", status);
}

const approved: Readonly<Record<string, string>> = {
  Invoice: "Awaiting payment",
  Bill: "Awaiting payment",
  CreditNote: "Open",
  Prepayment: "Open",
  Overpayment: "Open",
  Payment: "",
  BatchPayment: "",
  BankTransaction: "",
  BankTransfer: "",
};

/** Splits a name into words, the first with a capital. */
function splitWords(text: string): string {
  const words = text.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  const [first = "", ...others] = words.split(" ");
  const lower = others.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...lower].join(" ");
}
