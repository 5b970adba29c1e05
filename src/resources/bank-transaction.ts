/**
 * Money received into or spent from a bank account, either for an immediate sale or purchase or as
 * an advance.
 *
 * A prepayment or overpayment is a bank transaction that leaves a credit: both views have the same
 * id and are one record.
 */

import { account } from "./account.ts";
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import { documentContact, moneyHandle, totals } from "./document.ts";
import { exampleHandles } from "./examples.ts";
import {
  boolean,
  choice,
  computed,
  date,
  id,
  rate,
  ref,
  resource,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

export const bankTransactionTypes = [
  "RECEIVE",
  "SPEND",
  "RECEIVE-PREPAYMENT",
  "SPEND-PREPAYMENT",
  "RECEIVE-OVERPAYMENT",
  "SPEND-OVERPAYMENT",
] as const;

/**
 * Types of the two sides of a bank transfer, which are created with the transfer and read-only
 * here.
 */
export const transferTypes = ["RECEIVE-TRANSFER", "SPEND-TRANSFER"] as const;

/** Whether a type names a side of a bank transfer, which is no document. */
export function isTransfer(type: unknown): boolean {
  return (transferTypes as readonly unknown[]).includes(type);
}

export const bankTransaction = resource(
  "BankTransaction",
  () => ({
    Type: choice([...bankTransactionTypes, ...transferTypes], {
      required: true,
      filter: true,
      help: "RECEIVE is money in, SPEND is money out",
    }),
    BankTransactionID: id({ always: true }),
    Handle: moneyHandle,
    PrepaymentID: id({ ...computed, help: "of a prepayment, the same as BankTransactionID" }),
    OverpaymentID: id({ ...computed, help: "of an overpayment, the same as BankTransactionID" }),
    BankAccount: ref("Account", ["AccountID", "Code"], account.fields, {
      required: true,
      filter: true,
      help: "an account of type BANK",
    }),
    Contact: documentContact,
    Date: date({ always: true, filter: true, help: "today when not given" }),
    Reference: text({ max: 255, filter: true, help: "not of prepayments" }),
    InvoiceNumber: text({
      max: 255,
      computed: true,
      help: "of a prepayment: the invoice it is for, which it shows as its Reference",
    }),
    Status: choice(["AUTHORISED", "DELETED", "VOIDED"], {
      default: "AUTHORISED",
      always: true,
      filter: true,
    }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Inclusive", always: true }),
    LineItems: { ...lineItems, always: true },
    ...totals,
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    CurrencyCode: choice(currencyCodes, {
      always: true,
      filter: true,
      help: "that of the bank account",
    }),
    CurrencyRate: rate({ always: true, help: "foreign units for one unit of the base currency" }),
    IsReconciled: boolean({ default: false, always: true, filter: true }),
    Url: text({ max: 2048, help: "link to a source document" }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
  }),
  {
    plural: "BankTransactions",
    id: "BankTransactionID",
    ...usualAccess,
    paged: "asked",
    movesStock: true,
    unitdp: true,
    attachments: true,
    columns: [
      "Handle",
      "BankTransactionID",
      "Date",
      "Type",
      "Contact.Name",
      "BankAccount.Code",
      "Reference",
      "Status",
      "Total",
    ],
    listOrder: "Date DESC",
    alike: {
      fields: [
        "Type",
        "BankAccount",
        "Contact",
        "Reference",
        "Date",
        "LineAmountTypes",
        "LineItems",
      ],
    },
    document: {},
    noun: "bank transaction",
    example: exampleHandles.bankTransaction,
    summary: "money received and spent",
  },
);
