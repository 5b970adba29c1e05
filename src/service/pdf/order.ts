/** What comes before an invoice: quotes to customers, orders to suppliers. */
import { dateFact, fact, type Printable, type PrintedKind } from "../pdf/kinds.ts";
import { present } from "./parties.ts";
import type { Note } from "./printed.ts";

/** What a purchase order has of its own. */
export interface PrintableOrder extends Printable {
  readonly PurchaseOrderID: string;
  readonly PurchaseOrderNumber?: string | undefined;
  readonly DeliveryDate?: string | undefined;
  readonly Reference?: string | undefined;
  readonly DeliveryAddress?: string | undefined;
  readonly AttentionTo?: string | undefined;
  readonly Telephone?: string | undefined;
  readonly DeliveryInstructions?: string | undefined;
}

export const purchaseOrderKind: PrintedKind<PrintableOrder> = {
  title: () => "Purchase order",
  number: ({ PurchaseOrderNumber }) => PurchaseOrderNumber,
  id: ({ PurchaseOrderID }) => PurchaseOrderID,
  contact: "Supplier",
  facts: ({ PurchaseOrderNumber, Date: date, DeliveryDate, Reference }) => [
    fact("Order number", PurchaseOrderNumber),
    dateFact("Date", date),
    dateFact("Delivery date", DeliveryDate),
    fact("Reference", Reference),
  ],
  delivery({ DeliveryAddress, AttentionTo, Telephone }) {
    const lines = present([...(DeliveryAddress ?? "").split("\n"), Telephone]);
    if (lines.length === 0 && !AttentionTo) return undefined;
    return { label: "Deliver to", name: AttentionTo ?? "", lines };
  },
  notes: ({ DeliveryInstructions }) => noted("Delivery instructions", DeliveryInstructions),
  itemCodes: true,
};

/** What a quote has of its own. */
export interface PrintableQuote extends Printable {
  readonly QuoteID: string;
  readonly QuoteNumber?: string | undefined;
  readonly ExpiryDate?: string | undefined;
  readonly Reference?: string | undefined;
  readonly Title?: string | undefined;
  readonly Summary?: string | undefined;
  readonly Terms?: string | undefined;
}

export const quoteKind: PrintedKind<PrintableQuote> = {
  title: () => "Quote",
  number: ({ QuoteNumber }) => QuoteNumber,
  id: ({ QuoteID }) => QuoteID,
  contact: "Quote for",
  facts: ({ QuoteNumber, Date: date, ExpiryDate, Reference }) => [
    fact("Quote number", QuoteNumber),
    dateFact("Date", date),
    dateFact("Valid until", ExpiryDate),
    fact("Reference", Reference),
  ],
  intro: ({ Title, Summary }) =>
    Title || Summary ? [{ heading: Title || undefined, text: Summary ?? "" }] : [],
  notes: ({ Terms }) => noted("Terms", Terms),
  toCustomers: true,
};

function noted(heading: string, text: string | undefined): Note[] {
  return text?.trim() ? [{ heading, text }] : [];
}
