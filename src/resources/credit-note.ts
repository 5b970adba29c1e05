/** A credit note: to a customer (ACCRECCREDIT) or from a supplier (ACCPAYCREDIT). */
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import {
  cisDeduction,
  documentAllocations,
  documentContact,
  documentPayments,
  settledStatuses,
  total,
} from "./document.ts";
import {
  boolean,
  choice,
  date,
  type Input,
  id,
  percent,
  rate,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

const ro = { readOnly: true } as const;

export const creditNote = resource(
  "CreditNote",
  {
    Type: choice(["ACCRECCREDIT", "ACCPAYCREDIT"], {
      required: true,
      filter: true,
      help: "ACCRECCREDIT is to a customer, ACCPAYCREDIT from a supplier",
    }),
    CreditNoteID: id({ always: true }),
    CreditNoteNumber: text({
      max: 255,
      key: true,
      filter: true,
      blank: true,
      help: "generated for customers when not given; of a supplier's, their number, if any",
    }),
    Reference: text({ max: 255, filter: true, help: "to customers only" }),
    Contact: documentContact,
    Date: date({ always: true, filter: true, help: "today when not given" }),
    DueDate: date({ follows: "Date" }),
    Status: choice(settledStatuses, { default: "DRAFT", always: true, filter: true }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Exclusive", always: true }),
    LineItems: { ...lineItems, always: true },
    SubTotal: total,
    TotalTax: total,
    Total: { ...total, filter: true },
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    CurrencyCode: choice(currencyCodes, { always: true, filter: true }),
    CurrencyRate: rate({ always: true, help: "foreign units for one unit of the base currency" }),
    BrandingThemeID: id(),
    SentToContact: boolean({ default: false, always: true, help: "approved credit notes only" }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    Payments: documentPayments,
    Allocations: documentAllocations,
    RemainingCredit: { ...total, filter: true },
    FullyPaidOnDate: date({ ...ro, filter: true }),
    CISDeduction: cisDeduction,
    CISRate: percent(ro),
    HasErrors: boolean({ readOnly: true, computed: true }),
  },
  {
    plural: "CreditNotes",
    id: "CreditNoteID",
    keys: ["CreditNoteNumber"],
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST"],
    batchMax: 500,
    paged: "asked",
    where: true,
    order: true,
    modifiedSince: true,
    unitdp: true,
    summarizeErrors: true,
    history: true,
    allocations: true,
    attachments: "online",
    printed: true,
    online: true,
    eventCategory: "CREDITNOTE",
    eventData: ["Type", "Status"],
    columns: ["CreditNoteNumber", "Contact.Name", "Date", "Status", "Total", "RemainingCredit"],
    listOrder: "Date DESC",
    alike: {
      fields: [
        "Type",
        "Contact",
        "Reference",
        "Date",
        "CurrencyCode",
        "LineAmountTypes",
        "LineItems",
      ],
      number: { field: "CreditNoteNumber", types: ["ACCPAYCREDIT"] },
    },
    document: {
      number: "CreditNoteNumber",
      unique: { type: "ACCRECCREDIT", freedBy: ["DELETED", "VOIDED"] },
      open: "RemainingCredit",
      paidAs: "CreditNote",
    },
    noun: "credit note",
    example: "CN-0002",
    summary: "credit notes",
  },
);

export type CreditNote = Shape<typeof creditNote>;
export type CreditNoteInput = Input<typeof creditNote>;
