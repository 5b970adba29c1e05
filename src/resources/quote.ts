/** A quote to a customer. It posts nothing to the ledger; the invoice does. */
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments, lineAmountTypes } from "./common.ts";
import { alikeFields, documentBillings, documentContact, total } from "./document.ts";
import {
  boolean,
  choice,
  date,
  id,
  money,
  rate,
  resource,
  type Shape,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";
import { lineItems } from "./line-item.ts";

export const quoteStatuses = [
  "DRAFT",
  "SENT",
  "DECLINED",
  "ACCEPTED",
  "INVOICED",
  "DELETED",
] as const;
export type QuoteStatus = (typeof quoteStatuses)[number];

export const quote = resource(
  "Quote",
  () => ({
    QuoteID: id({ always: true }),
    QuoteNumber: text({ max: 255, key: true, filter: true, help: "generated when not given" }),
    Reference: text({ max: 4000 }),
    Terms: text({ max: 4000, verbatim: true, help: "below the lines" }),
    Contact: documentContact,
    LineItems: { ...lineItems, always: true },
    Date: date({ always: true, filter: true, help: "today when not given" }),
    ExpiryDate: date({ filter: true, follows: "Date" }),
    Status: choice(quoteStatuses, { default: "DRAFT", always: true, filter: true }),
    CurrencyCode: choice(currencyCodes, { always: true }),
    CurrencyRate: rate({ always: true, help: "foreign units for one unit of the base currency" }),
    SubTotal: total,
    TotalTax: total,
    Total: total,
    TotalDiscount: money({ readOnly: true }),
    Title: text({ max: 100 }),
    Summary: text({ max: 3000, verbatim: true, help: "above the lines" }),
    BrandingThemeID: id(),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    LineAmountTypes: choice(lineAmountTypes, {
      default: "Exclusive",
      always: true,
      capitals: true,
    }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    Billings: documentBillings,
    IsDiscounted: boolean({ readOnly: true, computed: true }),
  }),
  {
    plural: "Quotes",
    id: "QuoteID",
    keys: ["QuoteNumber"],
    ...usualAccess,
    paged: "enforced",
    where: "here",
    unitdp: true,
    printed: true,
    online: true,
    attachments: true,
    parameters: [
      { name: "ContactID", field: "Contact.ContactID" },
      { name: "Status", field: "Status" },
      { name: "QuoteNumber", field: "QuoteNumber" },
      { name: "DateFrom", field: "Date", test: "from" },
      { name: "DateTo", field: "Date", test: "to" },
      { name: "ExpiryDateFrom", field: "ExpiryDate", test: "from" },
      { name: "ExpiryDateTo", field: "ExpiryDate", test: "to" },
    ],
    chart: { date: "Date", amounts: ["Total"] },
    columns: ["QuoteNumber", "Contact.Name", "Date", "ExpiryDate", "Status", "Total"],
    listOrder: "Date DESC",
    alike: {
      fields: alikeFields,
    },
    document: {
      type: "QUOTE",
      side: "sales",
      number: "QuoteNumber",
      unique: { type: "QUOTE", freedBy: ["DELETED"] },
    },
    noun: "quote",
    example: "QU-0002",
    summary: "quotes to customers",
  },
);

export type Quote = Shape<typeof quote>;
