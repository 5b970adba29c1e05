/** Remittance advices: what a supplier is told of a payment. */
import { currencyCodes } from "./common.ts";
import { choice, date, id, many, money, one, resource, type Shape, text } from "./field.ts";

export const remittance = resource(
  "Remittance",
  () => ({
    RemittanceID: id({ always: true, help: "of the payment, or of the batch of payments" }),
    Handle: text({ always: true, help: "of the payment or batch" }),
    Contact: one({ ContactID: id(), Name: text(), EmailAddress: text() }, { always: true }),
    Date: date({ always: true }),
    Reference: text(),
    PaidTo: text({ help: "bank account of the supplier" }),
    Documents: many(
      "Document",
      {
        InvoiceID: id(),
        InvoiceNumber: text(),
        Date: date(),
        Total: money(),
        CreditNotes: text({ help: "numbers of the credit notes taken off" }),
        Credited: money(),
        Amount: money({ help: "paid" }),
      },
      { always: true },
    ),
    Total: money({ always: true, help: "of what is paid" }),
    CurrencyCode: choice(currencyCodes, { always: true }),
  }),
  {
    plural: "Remittances",
    extension: true,
    id: "RemittanceID",
    collection: [],
    record: [],
    batchMax: 1,
    columns: ["Handle", "Contact.Name", "Date", "PaidTo", "Total", "CurrencyCode"],
    noun: "remittance advice",
    summary: "what a supplier is told of a payment",
  },
);

export type Remittance = Shape<typeof remittance>;

/** Whether a payment is of a bill and stands, so that its supplier can be told of it. */
export const isOfBill = ({
  PaymentType,
  Status,
}: object & { PaymentType?: unknown; Status?: unknown }) =>
  PaymentType === "ACCPAYPAYMENT" && Status === "AUTHORISED";
