/** What the descriptions of documents share: who it is with, what it comes to, what settled it. */
import { contact } from "./contact.ts";
import { boolean, choice, date, id, many, money, one, quantity, rate, ref, text } from "./field.ts";

export const settledStatuses = [
  "DRAFT",
  "SUBMITTED",
  "AUTHORISED",
  "DELETED",
  "VOIDED",
  "PAID",
] as const;
export type SettledStatus = (typeof settledStatuses)[number];

/** The other side, by any of its keys. */
export const documentContact = ref(
  "Contact",
  ["ContactID", "ContactNumber", "Name"],
  contact.fields,
  {
    required: true,
    filter: true,
  },
);

/** Computed under the scheme where it is not sent; dropped from documents that are not under it. */
export const cisDeduction = money({
  help: "withheld under the UK construction industry scheme, computed when not given",
});

/** On e-invoices; that of the contact where it is not given. */
export const buyerReference = text({
  extension: true,
  max: 100,
  oneLine: true,
  help: "the buyer's own reference, on e-invoices; that of the contact when not given",
});

/** The day of supply. */
export const deliveryDate = date({
  extension: true,
  follows: "Date",
  help: "when goods or services were delivered, on e-invoices",
});

/** An amount that the service works out. */
export const total = money({ readOnly: true, always: true });

const applied = { readOnly: true, computed: true } as const;

/** The live payments of a document. */
export const documentPayments = many(
  "Payment",
  {
    PaymentID: id({ always: true }),
    Date: date({ always: true }),
    Amount: money({ always: true }),
    Reference: text(),
    CurrencyRate: rate(),
    HasAccount: boolean(),
    HasValidationErrors: boolean(),
  },
  applied,
);

/** The live allocations of a credit. */
export const documentAllocations = many(
  "Allocation",
  {
    AllocationID: id(),
    AppliedAmount: money({ twin: "Amount" }),
    Date: date(),
    Invoice: one({ InvoiceID: id(), InvoiceNumber: text() }),
  },
  applied,
);

/** The quote or the order that an invoice or a bill was made from. An extension. */
export const documentSource = one(
  { Type: choice(["QUOTE", "PURCHASEORDER"]), SourceID: id(), Number: text() },
  { readOnly: true },
);

/** The invoice that a credit note is made from, by its number: goods come back at its cost. An extension. */
export const creditedInvoice = one({
  Type: choice(["INVOICE"], { readOnly: true }),
  SourceID: id({ readOnly: true }),
  Number: text({ max: 255 }),
});

/** The invoices or bills that were made from a quote or an order, void ones too. An extension. */
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
