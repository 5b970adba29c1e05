/** Fields that the descriptions of documents share: contact, totals, settlements. */
import { contact } from "./contact.ts";
import {
  boolean,
  choice,
  computed,
  date,
  id,
  many,
  money,
  one,
  quantity,
  rate,
  ref,
  shortId,
  text,
} from "./field.ts";

export const settledStatuses = [
  "DRAFT",
  "SUBMITTED",
  "AUTHORISED",
  "DELETED",
  "VOIDED",
  "PAID",
] as const;
export type SettledStatus = (typeof settledStatuses)[number];

/** Contact of the document, by any of its keys. */
export const documentContact = ref(
  "Contact",
  ["ContactID", "ContactNumber", "Name"],
  contact.fields,
  {
    required: true,
    filter: true,
  },
);

/** CIS deduction; computed where not given, and removed from documents outside the scheme. */
export const cisDeduction = money({
  help: "withheld under the UK construction industry scheme, computed when not given",
});

/** Buyer reference on e-invoices; the contact's where not given. */
export const buyerReference = text({
  extension: true,
  max: 100,
  oneLine: true,
  help: "the buyer's own reference, on e-invoices; that of the contact when not given",
});

/** Date of supply. */
export const deliveryDate = date({
  extension: true,
  follows: "Date",
  help: "when goods or services were delivered, on e-invoices",
});

/** A total that the service computes. */
export const total = money({ readOnly: true, always: true });

export const totals = {
  SubTotal: total,
  TotalTax: total,
  Total: { ...total, filter: true },
} as const;

/** Fields, besides its type, in which a document is like one that is likely the same. */
export const alikeFields = [
  "Contact",
  "Reference",
  "Date",
  "CurrencyCode",
  "LineAmountTypes",
  "LineItems",
] as const;

/** Handle of a bank transaction, by which the credit that it leaves is also known. */
export const moneyHandle = shortId({
  RECEIVE: "T",
  SPEND: "T",
  "RECEIVE-PREPAYMENT": "PP",
  "SPEND-PREPAYMENT": "PP",
  "RECEIVE-OVERPAYMENT": "OP",
  "SPEND-OVERPAYMENT": "OP",
});

/** Payments of a document, without deleted ones. */
export const documentPayments = many(
  "Payment",
  {
    PaymentID: id({ always: true }),
    Handle: shortId("P"),
    Date: date({ always: true }),
    Amount: money({ always: true }),
    Reference: text(),
    CurrencyRate: rate(),
    HasAccount: boolean(),
    HasValidationErrors: boolean(),
  },
  computed,
);

/** Allocations of a credit, without deleted ones. */
export const documentAllocations = many(
  "Allocation",
  {
    AllocationID: id(),
    AppliedAmount: money({ twin: "Amount" }),
    Date: date(),
    Invoice: one({ InvoiceID: id(), InvoiceNumber: text() }),
  },
  computed,
);

/** Quote or order that an invoice or bill was created from. An extension. */
export const documentSource = one(
  { Type: choice(["QUOTE", "PURCHASEORDER"]), SourceID: id(), Number: text() },
  { readOnly: true },
);

/**
 * Invoice that a credit note was created from, by number; returned goods take their cost from it.
 * An extension.
 */
export const creditedInvoice = one({
  Type: choice(["INVOICE"], { readOnly: true }),
  SourceID: id({ readOnly: true }),
  Number: text({ max: 255 }),
});

/** Invoices or bills created from a quote or order, including voided ones. An extension. */
export const documentBillings = many(
  "Billing",
  {
    InvoiceID: id(),
    InvoiceNumber: text(),
    Status: text(),
    Total: money(),
    Lines: many("Line", { LineItemID: id(), Quantity: quantity({ digits: 13 }) }),
  },
  { readOnly: true },
);
