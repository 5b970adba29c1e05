/**
 * The print layout of each kind of document. Everything else about printing is shared; a new kind
 * needs a row here, and `printed` in its endpoint.
 */
import { mediumDate } from "../../ledger/dates/calendar.ts";
import { regionAt } from "../../ledger/regions/index.ts";
import { amount } from "../../output/figures.ts";
import type { Fact, Note, Party, TotalLine } from "../../output/pdf/printed.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents, Rate } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { present } from "./parties.ts";

/** Fields shared by all printable documents. */
export interface Printable {
  readonly Contact?: Partial<Contact> | undefined;
  readonly Date?: string | undefined;
  readonly Status?: string | undefined;
  readonly LineAmountTypes?: string | undefined;
  readonly LineItems?: readonly LineItem[] | undefined;
  readonly SubTotal: Cents;
  readonly TotalTax: Cents;
  readonly Total: Cents;
  readonly AmountDue?: Cents | undefined;
  readonly TotalDiscount?: Cents | undefined;
  readonly CurrencyCode: string;
  readonly CurrencyRate?: Rate | undefined;
  readonly BrandingThemeID?: string | undefined;
  readonly UpdatedDateUTC: number;
}

export interface PrintedKind<D extends Printable = Printable> {
  title(document: D, organisation: Organisation): string;
  number(document: D): string | undefined;
  id(document: D): string;
  /** Label of the contact, such as `Bill to`. */
  readonly contact: string;
  /** Facts beside the contact, the document number first. */
  facts(document: D): readonly (Fact | undefined)[];
  /** Delivery address. */
  delivery?(document: D): Party | undefined;
  intro?(document: D): readonly Note[];
  /** Amounts paid or credited, and the open amount. */
  settled?(document: D): readonly TotalLine[];
  notes?(document: D): readonly Note[];
  /** Facts on the payment slip; undefined for a document without one. */
  advice?(document: D): readonly (Fact | undefined)[];
  /** Whether the document asks for payment of its open amount. */
  asksToPay?(document: D): boolean;
  /** Whether the document goes to customers, with the terms printed. */
  readonly toCustomers?: true;
  /** Whether item codes are printed, for readers who know them. */
  readonly itemCodes?: true;
}

const gone = new Set(["VOIDED", "DELETED"]);
const unfinished = new Set(["DRAFT", "SUBMITTED"]);

export function markOf({ Status = "" }: Printable): "DRAFT" | "VOID" | undefined {
  if (gone.has(Status)) return "VOID";
  return unfinished.has(Status) ? "DRAFT" : undefined;
}

/** Returns a fact; undefined for a missing value. */
export function fact(label: string, value: string | undefined): Fact | undefined {
  return value === undefined || value === "" ? undefined : { label, value };
}

export const dateFact = (label: string, date: string | undefined) =>
  fact(label, date && mediumDate(date));

// --- settlements -------------------------------------------------------------------------------

interface Applied {
  readonly Date?: string | undefined;
  readonly AppliedAmount?: Cents | undefined;
}

function applied(
  currency: string,
  label: string,
  each: Applied,
  cents = each.AppliedAmount,
): TotalLine[] {
  if (!cents) return [];
  const on = each.Date === undefined ? "" : `, ${mediumDate(each.Date)}`;
  return [{ label: `${label}${on}`, amount: amount(-cents as Cents, currency) }];
}

/** Returns the CIS deduction, which is not paid between us and the contact. */
export function withheld({
  CISDeduction,
  CurrencyCode,
}: {
  readonly CISDeduction?: Cents | undefined;
  readonly CurrencyCode: string;
}): TotalLine[] {
  return applied(CurrencyCode, "Less CIS deduction", {}, CISDeduction);
}

function settledInvoice(document: Invoice): TotalLine[] {
  const { Payments, CreditNotes, Prepayments, Overpayments, AmountDue, CurrencyCode } = document;
  return [
    ...withheld(document),
    ...(Payments ?? []).flatMap((each) => applied(CurrencyCode, "Payment", each, each.Amount)),
    ...(CreditNotes ?? []).flatMap((each) =>
      applied(CurrencyCode, `Credit note ${each.CreditNoteNumber ?? ""}`.trim(), each),
    ),
    ...(Prepayments ?? []).flatMap((each) => applied(CurrencyCode, "Prepayment", each)),
    ...(Overpayments ?? []).flatMap((each) => applied(CurrencyCode, "Overpayment", each)),
    { label: `Amount due ${CurrencyCode}`, amount: amount(AmountDue, CurrencyCode), weight: "due" },
  ];
}

// --- the kinds ---------------------------------------------------------------------------------

const invoiceTitle = (_document: Invoice, organisation: Organisation): string =>
  regionAt(organisation.CountryCode).paper.taxInvoice && organisation.TaxNumber
    ? "Tax invoice"
    : "Invoice";

const asksToPay = ({ Status, AmountDue }: Invoice): boolean => !gone.has(Status) && AmountDue > 0;

export const salesInvoice: PrintedKind<Invoice> = {
  title: invoiceTitle,
  number: ({ InvoiceNumber }) => InvoiceNumber,
  id: ({ InvoiceID }) => InvoiceID,
  contact: "Bill to",
  facts: ({ InvoiceNumber, Date: date, DueDate, Reference }) => [
    fact("Invoice number", InvoiceNumber),
    dateFact("Date", date),
    dateFact("Due date", DueDate),
    fact("Reference", Reference),
  ],
  settled: settledInvoice,
  asksToPay,
  toCustomers: true,
  advice: (document) => {
    const { AmountDue, Contact, InvoiceNumber, DueDate, CurrencyCode } = document;
    if (!asksToPay(document)) return [];
    return [
      fact("Customer", Contact?.Name),
      fact("Invoice number", InvoiceNumber),
      dateFact("Due date", DueDate),
      fact("Amount due", `${CurrencyCode} ${amount(AmountDue, CurrencyCode)}`),
    ];
  },
};

/** A supplier's bill as recorded in our books, on our paper, since it is no original. */
export const bill: PrintedKind<Invoice> = {
  title: () => "Bill",
  number: salesInvoice.number,
  id: salesInvoice.id,
  contact: "Supplier",
  facts: ({ InvoiceNumber, Date: date, DueDate, PlannedPaymentDate }) => [
    fact("Supplier\u2019s number", InvoiceNumber),
    dateFact("Date", date),
    dateFact("Due date", DueDate),
    dateFact("Payment planned", PlannedPaymentDate),
  ],
  settled: settledInvoice,
  itemCodes: true,
};

/** Fields of printable credit notes. */
interface PrintableCredit extends Printable {
  readonly Type: "ACCRECCREDIT" | "ACCPAYCREDIT";
  readonly CreditNoteID: string;
  readonly CreditNoteNumber?: string | undefined;
  readonly Reference?: string | undefined;
  readonly RemainingCredit?: Cents | undefined;
  readonly CISDeduction?: Cents | undefined;
}

/** Returns the amount allocated in total, without naming the invoices to every reader. */
function allocatedLines(document: PrintableCredit): TotalLine[] {
  const { Total, CISDeduction = 0, CurrencyCode } = document;
  const whole = (Total - CISDeduction) as Cents;
  const { RemainingCredit = whole } = document;
  const allocated = (RemainingCredit - whole) as Cents;
  const left = `Credit remaining ${CurrencyCode}`;
  return [
    ...withheld(document),
    ...(allocated === 0 ? [] : [{ label: "Credit used", amount: amount(allocated, CurrencyCode) }]),
    { label: left, amount: amount(RemainingCredit, CurrencyCode), weight: "due" },
  ];
}

export const creditNoteGiven: PrintedKind<PrintableCredit> = {
  title: () => "Credit note",
  number: ({ CreditNoteNumber }) => CreditNoteNumber,
  id: ({ CreditNoteID }) => CreditNoteID,
  contact: "Credit to",
  facts: ({ CreditNoteNumber, Date: date, Reference }) => [
    fact("Credit note number", CreditNoteNumber),
    dateFact("Date", date),
    fact("Reference", Reference),
  ],
  settled: allocatedLines,
};

export const creditNoteReceived: PrintedKind<PrintableCredit> = {
  ...creditNoteGiven,
  title: () => "Supplier credit note",
  contact: "Supplier",
  itemCodes: true,
};

/** Fields of printable purchase orders. */
interface PrintableOrder extends Printable {
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

/** Fields of printable quotes. */
interface PrintableQuote extends Printable {
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
