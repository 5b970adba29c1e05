/** A sales invoice (ACCREC) or a bill (ACCPAY). */
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import {
  cisDeduction,
  documentContact,
  documentPayments,
  documentSource,
  type SettledStatus,
  settledStatuses,
  total,
} from "./document.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  many,
  money,
  percent,
  rate,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

export const invoiceStatuses = settledStatuses;
export type InvoiceStatus = SettledStatus;

const ro = { readOnly: true } as const;
const applied = { readOnly: true, computed: true } as const;

export const invoice = resource(
  "Invoice",
  {
    Type: choice(["ACCREC", "ACCPAY"], {
      required: true,
      filter: true,
      help: "ACCREC is a sales invoice, ACCPAY a purchase bill",
    }),
    InvoiceID: id({ always: true }),
    InvoiceNumber: text({
      max: 255,
      key: true,
      filter: true,
      blank: true,
      help: "generated for sales when not given",
    }),
    Reference: text({ max: 255, filter: true, help: "sales only" }),
    Contact: documentContact,
    Date: date({ always: true, filter: true, help: "today when not given" }),
    DueDate: date({ filter: true, follows: "Date" }),
    Status: choice(invoiceStatuses, { default: "DRAFT", always: true, filter: true }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Exclusive", always: true }),
    LineItems: { ...lineItems, always: true },
    SubTotal: total,
    TotalTax: total,
    Total: { ...total, filter: true },
    TotalDiscount: money({ readOnly: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    CurrencyCode: choice(currencyCodes, { always: true, filter: true }),
    CurrencyRate: rate({ always: true, help: "foreign units for one unit of the base currency" }),
    BrandingThemeID: id(),
    Url: text({ max: 2048, help: "link to a source document" }),
    SentToContact: boolean({ default: false, always: true, help: "approved invoices only" }),
    ExpectedPaymentDate: date({ follows: "Date", help: "sales only" }),
    PlannedPaymentDate: date({ follows: "Date", help: "bills only" }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    RepeatingInvoiceID: id(ro),
    Source: documentSource,
    Payments: documentPayments,
    CreditNotes: many(
      "CreditNote",
      {
        CreditNoteID: id(),
        CreditNoteNumber: text(),
        Date: date(),
        AppliedAmount: money(),
        Total: money(),
      },
      applied,
    ),
    Prepayments: many(
      "Prepayment",
      { PrepaymentID: id(), Date: date(), AppliedAmount: money(), Total: money() },
      applied,
    ),
    Overpayments: many(
      "Overpayment",
      { OverpaymentID: id(), Date: date(), AppliedAmount: money(), Total: money() },
      applied,
    ),
    AmountDue: { ...total, filter: true },
    AmountPaid: total,
    AmountCredited: total,
    FullyPaidOnDate: date({ ...ro, filter: true }),
    CISDeduction: cisDeduction,
    CISRate: percent(ro),
    IsDiscounted: boolean({ readOnly: true, computed: true }),
    HasErrors: boolean({ readOnly: true, computed: true }),
  },
  {
    plural: "Invoices",
    id: "InvoiceID",
    keys: ["InvoiceNumber"],
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST"],
    batchMax: 500,
    paged: "asked",
    where: true,
    order: true,
    modifiedSince: true,
    unitdp: true,
    summaryOnly: true,
    createdByMyApp: true,
    includeArchived: true,
    summarizeErrors: true,
    history: true,
    printed: true,
    online: true,
    attachments: "online",
    parameters: [
      { name: "IDs", field: "InvoiceID" },
      { name: "InvoiceNumbers", field: "InvoiceNumber" },
      { name: "ContactIDs", field: "Contact.ContactID" },
      { name: "Statuses", field: "Status" },
    ],
    search: ["InvoiceNumber", "Reference"],
    eventCategory: "INVOICE",
    columns: ["InvoiceNumber", "Contact.Name", "Date", "DueDate", "Status", "Total", "AmountDue"],
    listOrder: "Date DESC",
    indexed: [
      "InvoiceID",
      "InvoiceNumber",
      "Type",
      "Status",
      "Date",
      "Reference",
      "Contact.ContactID",
      "Contact.Name",
      "Contact.ContactNumber",
    ],
    noun: "invoice",
    summary: "sales invoices",
  },
);

export type Invoice = Shape<typeof invoice>;
export type InvoiceInput = Input<typeof invoice>;
