/** Payments of documents. A payment can be created and reversed, but not changed. */

import { account } from "./account.ts";
import { batchPaymentHead } from "./batch-payment.ts";
import { currencyCodes } from "./common.ts";
import { creditNote } from "./credit-note.ts";
import { exampleHandles } from "./examples.ts";
import { expenseClaim } from "./expense-claim.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  money,
  one,
  rate,
  ref,
  resource,
  type Shape,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { invoice } from "./invoice.ts";
import { overpayment, prepayment } from "./prepayment.ts";

const paymentTypes = [
  "ACCRECPAYMENT",
  "ACCPAYPAYMENT",
  "ARCREDITPAYMENT",
  "APCREDITPAYMENT",
  "ARPREPAYMENTPAYMENT",
  "APPREPAYMENTPAYMENT",
  "AROVERPAYMENTPAYMENT",
  "APOVERPAYMENTPAYMENT",
  "EXPPAYMENT",
] as const;

export const payment = resource(
  "Payment",
  () => ({
    PaymentID: id({ always: true }),
    Handle: shortId("P"),
    Invoice: ref("Invoice", ["InvoiceID", "InvoiceNumber"], invoice.fields, { filter: true }),
    CreditNote: ref("CreditNote", ["CreditNoteID", "CreditNoteNumber"], creditNote.fields, {
      filter: true,
    }),
    Prepayment: ref("Prepayment", ["PrepaymentID"], prepayment.fields, { filter: true }),
    Overpayment: ref("Overpayment", ["OverpaymentID"], overpayment.fields, { filter: true }),
    ExpenseClaim: ref("ExpenseClaim", ["ExpenseClaimID"], expenseClaim.fields, {
      extension: true,
      filter: true,
    }),
    Account: ref("Account", ["AccountID", "Code"], account.fields, {
      required: true,
      filter: true,
      help: "bank account, or one with payments enabled",
    }),
    Date: date({ always: true, filter: true, help: "today when not given" }),
    Amount: money({ required: true, filter: true, help: "in the currency of the document" }),
    BankAmount: money({ readOnly: true, currency: "account" }),
    CurrencyRate: rate({ always: true, help: "only for documents in a foreign currency" }),
    Reference: text({ max: 255, filter: true }),
    IsReconciled: boolean({ default: false, always: true }),
    Status: choice(["AUTHORISED", "DELETED"], {
      default: "AUTHORISED",
      always: true,
      filter: true,
    }),
    PaymentType: choice(paymentTypes, { readOnly: true, always: true, filter: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    BankAccountNumber: text({ max: 255, help: "of whom it goes to" }),
    Particulars: text({ max: 12 }),
    Details: text({ max: 255 }),
    BatchPaymentID: id({ readOnly: true }),
    BatchPayment: one(batchPaymentHead, { readOnly: true, computed: true }),
    Contact: one(
      { ContactID: id(), Name: text() },
      { readOnly: true, computed: true, help: "of the document that is paid" },
    ),
    CurrencyCode: choice(currencyCodes, {
      readOnly: true,
      computed: true,
      help: "of the document that is paid",
    }),
    Direction: choice(["RECEIVED", "PAID"], { readOnly: true, computed: true }),
    HasAccount: boolean({ readOnly: true, computed: true }),
    HasValidationErrors: boolean({ readOnly: true, computed: true }),
  }),
  {
    plural: "Payments",
    id: "PaymentID",
    ...usualAccess,
    paged: "asked",
    eventCategory: "PAYMENT",
    sums: ["Amount"],
    columns: [
      "Handle",
      "PaymentID",
      "Invoice.InvoiceNumber",
      "Contact.Name",
      "Direction",
      "Date",
      "Account.Code",
      "Amount",
      "Reference",
      "Status",
    ],
    listOrder: "Date DESC, UpdatedDateUTC DESC",
    alike: {
      fields: [
        "Invoice",
        "CreditNote",
        "Prepayment",
        "Overpayment",
        "ExpenseClaim",
        "Account",
        "Date",
        "Amount",
        "Reference",
      ],
    },
    noun: "payment",
    example: exampleHandles.payment,
    summary: "payments of invoices and bills",
  },
);

export type Payment = Shape<typeof payment>;
export type PaymentInput = Input<typeof payment>;
