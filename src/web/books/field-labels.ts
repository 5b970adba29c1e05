/** Labels of fields and values on pages. */

/** Label of a field by its path: `Due date` for `DueDate`, `Contact` for `Contact.Name`. */
export function labelOf(path: string): string {
  const known = labels[path];
  if (known !== undefined) return known;
  const segments = path.split(".");
  const last = segments.at(-1) ?? "";
  const isName = last === "Name" || last === "Code" || /Number$/.test(last);
  const word = isName && segments.length > 1 ? (segments.at(-2) ?? last) : last;
  return splitWords(word.replace(/UTC$/, "").replace(/^Is(?=[A-Z])/, ""));
}

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
  AmountDue: "Due",
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
  CISDeduction: "CIS deduction",
  CISRate: "CIS rate",
};

/**
 * Label of a value: `Awaiting payment` for the status of a record, `Money received` for its type.
 */
export function choiceText(field: string, value: string): string {
  const own = choices[field]?.[value];
  if (own !== undefined) return own;
  return /^[A-Z]{2,3}$/.test(value) ? value : splitWords(value.toLowerCase().replace(/[_-]/g, " "));
}

const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Type: {
    ACCREC: "Sales invoice",
    ACCPAY: "Bill",
    ACCRECCREDIT: "Credit note",
    ACCPAYCREDIT: "Supplier credit note",
    SPEND: "Spent",
    RECEIVE: "Received",
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
    PAYBATCH: "Paid",
    RECBATCH: "Received",
  },
  PaymentType: {
    ACCRECPAYMENT: "Invoice paid",
    ACCPAYPAYMENT: "Bill paid",
    ARCREDITPAYMENT: "Credit note refunded",
    APCREDITPAYMENT: "Supplier credit note refunded",
    ARPREPAYMENTPAYMENT: "Prepayment received refunded",
    APPREPAYMENTPAYMENT: "Prepayment made refunded",
    AROVERPAYMENTPAYMENT: "Overpayment received refunded",
    APOVERPAYMENTPAYMENT: "Overpayment made refunded",
  },
  Status: {
    SUBMITTED: "Awaiting approval",
    UNRECONCILED: "To reconcile",
  },
};

/** Splits a name into words, the first with a capital. */
function splitWords(text: string): string {
  const words = text.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  const [first = "", ...others] = words.split(" ");
  const lower = others.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  return [first.charAt(0).toUpperCase() + first.slice(1), ...lower].join(" ");
}
