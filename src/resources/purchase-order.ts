/** A purchase order to a supplier. It posts nothing to the ledger; the bill does. */
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
  unitAmount,
  usualAccess,
} from "./field.ts";
import { lineItemFields, lineItems } from "./line-item.ts";

export const purchaseOrderStatuses = [
  "DRAFT",
  "SUBMITTED",
  "AUTHORISED",
  "BILLED",
  "DELETED",
] as const;
export type PurchaseOrderStatus = (typeof purchaseOrderStatuses)[number];

export const purchaseOrder = resource(
  "PurchaseOrder",
  () => ({
    PurchaseOrderID: id({ always: true }),
    PurchaseOrderNumber: text({ max: 255, key: true, help: "generated when not given" }),
    // The public API has no conditions on this list, so filtering by contact would fail with other
    // services.
    Contact: { ...documentContact, filter: false },
    Date: date({ always: true, filter: true, help: "today when not given" }),
    DeliveryDate: date({ follows: "Date" }),
    ExpectedArrivalDate: date({ follows: "Date" }),
    Reference: text({ max: 255 }),
    Status: choice(purchaseOrderStatuses, { default: "DRAFT", always: true, filter: true }),
    Type: choice(["PURCHASEORDER"], { readOnly: true, always: true, default: "PURCHASEORDER" }),
    LineAmountTypes: choice(lineAmountTypes, { default: "Exclusive", always: true }),
    LineItems: {
      ...lineItems,
      fields: { ...lineItemFields, UnitAmount: unitAmount({ rounds: true }) },
      always: true,
    },
    SubTotal: total,
    TotalTax: total,
    Total: total,
    TotalDiscount: money({ readOnly: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true, twin: "UpdatedDateUTCString" }),
    CurrencyCode: choice(currencyCodes, { always: true }),
    CurrencyRate: rate({ always: true, help: "foreign units for one unit of the base currency" }),
    BrandingThemeID: id(),
    SentToContact: boolean({
      default: false,
      always: true,
      help: "approved and billed orders only",
    }),
    DeliveryAddress: text({ max: 2000, help: "where the goods go, in lines" }),
    AttentionTo: text({ max: 255, help: "who takes them there" }),
    Telephone: text({ max: 255, help: "of whoever takes them" }),
    DeliveryInstructions: text({ max: 500 }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    Billings: documentBillings,
    IsDiscounted: boolean({ readOnly: true, computed: true }),
    HasErrors: boolean({ readOnly: true, computed: true }),
  }),
  {
    plural: "PurchaseOrders",
    id: "PurchaseOrderID",
    keys: ["PurchaseOrderNumber"],
    ...usualAccess,
    paged: "enforced",
    where: "here",
    unitdp: "always",
    printed: true,
    attachments: true,
    parameters: [
      { name: "Status", field: "Status" },
      { name: "DateFrom", field: "Date", test: "from" },
      { name: "DateTo", field: "Date", test: "to" },
    ],
    chart: { date: "Date", amounts: ["Total"] },
    columns: ["PurchaseOrderNumber", "Contact.Name", "Date", "DeliveryDate", "Status", "Total"],
    listOrder: "Date DESC",
    alike: {
      fields: alikeFields,
    },
    document: {
      type: "PURCHASEORDER",
      side: "purchases",
      number: "PurchaseOrderNumber",
      unique: { type: "PURCHASEORDER", freedBy: [] },
    },
    noun: "purchase order",
    example: "PO-0002",
    exampleDraft: "PO-0003",
    summary: "orders to suppliers",
  },
);

export type PurchaseOrder = Shape<typeof purchaseOrder>;
