/** Allocation of part of a credit note, prepayment or overpayment to an invoice or bill. */
import { creditNote } from "./credit-note.ts";
import { boolean, date, id, money, readOnly, ref, resource, type Shape } from "./field.ts";
import { invoice } from "./invoice.ts";

export const allocation = resource(
  "Allocation",
  () => ({
    AllocationID: id(readOnly),
    AppliedAmount: money({
      always: true,
      twin: "Amount",
      help: "in the currency of both documents",
    }),
    Date: date({
      help: "the later date of the two documents when not given, the first open day if locked",
    }),
    Invoice: ref("Invoice", ["InvoiceID", "InvoiceNumber"], invoice.fields, { required: true }),
    CreditNote: ref("CreditNote", ["CreditNoteID"], creditNote.fields, readOnly),
    Prepayment: ref("Prepayment", ["PrepaymentID"], { PrepaymentID: id() }, readOnly),
    Overpayment: ref("Overpayment", ["OverpaymentID"], { OverpaymentID: id() }, readOnly),
    IsDeleted: boolean({ ...readOnly, computed: true }),
  }),
  {
    plural: "Allocations",
    id: "AllocationID",
    batchMax: 500,
    summarizeErrors: true,
    columns: ["AllocationID", "Invoice.InvoiceNumber", "Date", "AppliedAmount"],
    noun: "allocation",
    summary: "credits applied to invoices and bills",
  },
);

export type Allocation = Shape<typeof allocation>;
