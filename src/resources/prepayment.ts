/**
 * Prepayments and overpayments: the unused rest of money paid in advance or in excess. Both are
 * created as bank transactions, and refunded by payments.
 */

import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import {
  documentAllocations,
  documentContact,
  documentPayments,
  total,
  totals,
} from "./document.ts";
import { exampleHandles } from "./examples.ts";
import {
  choice,
  date,
  type Fields,
  id,
  type ResourceOptions,
  rate,
  resource,
  shortId,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

export const prepaymentTypes = ["RECEIVE-PREPAYMENT", "SPEND-PREPAYMENT"] as const;
export const overpaymentTypes = ["RECEIVE-OVERPAYMENT", "SPEND-OVERPAYMENT"] as const;

/** Fields of the credit: its amount, and the amount that remains. */
const credit = {
  Contact: documentContact,
  Date: date({ always: true, filter: true }),
  Status: choice(["AUTHORISED", "PAID", "VOIDED"], { always: true, filter: true }),
  LineAmountTypes: choice(lineAmountTypes, { always: true }),
  LineItems: { ...lineItems, always: true },
  ...totals,
  UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
  CurrencyCode: choice(currencyCodes, { always: true, filter: true }),
  CurrencyRate: rate({ always: true }),
  Payments: documentPayments,
  Allocations: documentAllocations,
  RemainingCredit: { ...total, filter: true },
  FullyPaidOnDate: date({ readOnly: true, filter: true }),
  HasAttachments: hasAttachments,
  Attachments: attachments,
} as const satisfies Fields;

const commonOptions = {
  ...usualAccess,
  summarizeErrors: false,
  collection: ["GET"],
  batchMax: 1,
  paged: "asked",
  unitdp: true,
  allocations: true,
  listOrder: "Date DESC",
} as const satisfies Partial<ResourceOptions>;

export const prepayment = resource(
  "Prepayment",
  () => ({
    Type: choice(prepaymentTypes, { always: true, filter: true }),
    PrepaymentID: id({ always: true }),
    Handle: shortId("PP"),
    Reference: text({ max: 255, filter: true, help: "the number of the invoice it is for" }),
    InvoiceNumber: text({ readOnly: true, computed: true, help: "of one received" }),
    ...credit,
    BrandingThemeID: id(),
  }),
  {
    ...commonOptions,
    plural: "Prepayments",
    id: "PrepaymentID",
    parameters: [{ name: "InvoiceNumbers", field: "Reference" }],
    columns: [
      "Handle",
      "PrepaymentID",
      "Type",
      "Contact.Name",
      "Date",
      "Reference",
      "Status",
      "Total",
      "RemainingCredit",
    ],
    document: { open: "RemainingCredit", paidAs: "Prepayment" },
    noun: "prepayment",
    example: exampleHandles.prepayment,
    exampleApplied: exampleHandles.prepaymentApplied,
    summary: "money paid before its invoice",
  },
);

export const overpayment = resource(
  "Overpayment",
  () => ({
    Type: choice(overpaymentTypes, { always: true, filter: true }),
    OverpaymentID: id({ always: true }),
    Handle: shortId("OP"),
    Reference: text({ max: 255, filter: true }),
    ...credit,
  }),
  {
    ...commonOptions,
    plural: "Overpayments",
    id: "OverpaymentID",
    parameters: [{ name: "References", field: "Reference" }],
    columns: [
      "Handle",
      "OverpaymentID",
      "Type",
      "Contact.Name",
      "Date",
      "Reference",
      "Status",
      "Total",
      "RemainingCredit",
    ],
    document: { open: "RemainingCredit", paidAs: "Overpayment" },
    noun: "overpayment",
    example: exampleHandles.overpayment,
    exampleApplied: exampleHandles.overpaymentApplied,
    summary: "money paid beyond what was owed",
  },
);
