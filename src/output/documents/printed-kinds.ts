/**
 * The print layout of each kind of document. Everything else about printing is shared; a new kind
 * needs a row here, and `printed` in its endpoint.
 */
import { regionAt } from "../../ledger/regions/index.ts";
import type { Contact } from "../../resources/contact.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import type { Cents, Rate } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { amount, type Marks } from "../figures.ts";
import type { Note, Party, TotalLine } from "../pdf/printed.ts";
import type { Phrase } from "../words/german.ts";
import { english, type PaperLanguage } from "../words/words.ts";
import { nonEmpty } from "./parties.ts";

/** Fields shared by all printable documents. */
export interface Printable {
  readonly Contact?: Partial<Contact> | undefined;
  readonly Date?: string | undefined;
  readonly DeliveryDate?: string | undefined;
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

/** The reader of a document; a customer where not given. */
export interface Reader {
  readonly marks?: Marks | undefined;
  /** Language of the text; English where not given. */
  readonly words?: PaperLanguage | undefined;
  /** Account names for a bookkeeper: by code, and for a payment by its PaymentID. */
  readonly accounts?: ReadonlyMap<string, string> | undefined;
}

/** A fact of a document, to be said in a language: its text, or else its day. */
export interface KindFact {
  readonly label: Phrase;
  readonly value?: string | undefined;
  readonly date?: string | undefined;
  /** Whether it is the day when the document is due. */
  readonly isDue?: true;
}

export interface PrintedKind<D extends Printable = Printable> {
  title(document: D, organisation: Organisation): Phrase;
  number(document: D): string | undefined;
  id(document: D): string;
  /** Label of the contact, such as `Bill to`. */
  readonly contact: Phrase;
  /** Facts beside the contact, the document number first. */
  facts(document: D): readonly KindFact[];
  /** Delivery address. */
  delivery?(document: D, words: PaperLanguage): Party | undefined;
  intro?(document: D): readonly Note[];
  /** Amounts paid or credited, and the open amount. */
  settled?(document: D, reader?: Reader): readonly TotalLine[];
  notes?(document: D, words: PaperLanguage): readonly Note[];
  /** Facts on the payment slip; undefined for a document without one. */
  advice?(document: D, words: PaperLanguage): readonly KindFact[];
  /** Whether the document asks for payment of its open amount. */
  asksToPay?(document: D): boolean;
  /** Whether the document goes to customers, with the terms printed. */
  readonly toCustomers?: true;
  /** Whether it charges tax or gives it back, and so says why there is none; `supplied` on its day. */
  readonly statesTax?: "supplied" | "corrected" | undefined;
  /** Whether item codes are printed, for readers who know them. */
  readonly itemCodes?: true;
}

const gone = new Set(["VOIDED", "DELETED"]);
const draftStatuses = new Set(["DRAFT", "SUBMITTED"]);

export function markOf({ Status = "", AmountDue }: Printable) {
  if (gone.has(Status)) return "VOID";
  // Of a credit note that is used up nothing was paid.
  if (Status === "PAID" && AmountDue !== undefined) return "PAID";
  return draftStatuses.has(Status) ? "DRAFT" : undefined;
}

export const factOf = (label: Phrase, value: string | undefined): KindFact => ({ label, value });

export const dateFact = (label: Phrase, date: string | undefined): KindFact => ({ label, date });

const dueFact = (date: string | undefined): KindFact => ({
  ...dateFact("Due date", date),
  isDue: true,
});

// --- settlements -------------------------------------------------------------------------------

interface AppliedRecord {
  readonly Date?: string | undefined;
  readonly AppliedAmount?: Cents | undefined;
  /** Tax that the part of a deposit includes, which an invoice that takes it off must state. */
  readonly TaxAmount?: Cents | undefined;
  readonly PaymentID?: string | undefined;
  readonly Handle?: string | undefined;
}

/** Returns the line of a settlement; handle and account are for whoever keeps the books. */
function applied(
  { CurrencyCode, marks, accounts, words = english }: Reader & { readonly CurrencyCode: string },
  name: string,
  { Date: date, PaymentID = "", Handle: handle, AppliedAmount, TaxAmount }: AppliedRecord,
  cents = AppliedAmount,
): TotalLine[] {
  if (!cents) return [];
  const own = accounts === undefined ? [name] : [[name, handle].filter(Boolean).join(" ")];
  const label = nonEmpty([...own, date && words.day(date), accounts?.get(PaymentID)]).join(", ");
  const tax = TaxAmount
    ? words.say(", of which tax %", amount(TaxAmount, CurrencyCode, marks))
    : "";
  return [{ label: `${label}${tax}`, amount: amount(-cents as Cents, CurrencyCode, marks) }];
}

/** Returns the CIS deduction, which is not paid between us and the contact. */
export function withheldLine(
  {
    CISDeduction,
    CurrencyCode,
  }: {
    readonly CISDeduction?: Cents | undefined;
    readonly CurrencyCode: string;
  },
  reader: Reader = {},
): TotalLine[] {
  const { say } = reader.words ?? english;
  return applied({ ...reader, CurrencyCode }, say("Less CIS deduction"), {}, CISDeduction);
}

function settledInvoice(document: Invoice, reader: Reader = {}): TotalLine[] {
  const { Payments, CreditNotes, Prepayments, Overpayments, AmountDue, CurrencyCode } = document;
  const own = { ...reader, CurrencyCode };
  const { say } = reader.words ?? english;
  return [
    ...withheldLine(document, reader),
    ...(Payments ?? []).flatMap((payment) => applied(own, say("Payment"), payment, payment.Amount)),
    ...(CreditNotes ?? []).flatMap((creditNote) =>
      applied(own, say("Credit note %", creditNote.CreditNoteNumber ?? "").trim(), creditNote),
    ),
    ...(Prepayments ?? []).flatMap((prepayment) => applied(own, say("Prepayment"), prepayment)),
    ...(Overpayments ?? []).flatMap((overpayment) => applied(own, say("Overpayment"), overpayment)),
    {
      label: say("Amount due %", CurrencyCode),
      amount: amount(AmountDue, CurrencyCode, reader.marks),
      weight: "due",
    },
  ];
}

// --- the kinds ---------------------------------------------------------------------------------

const invoiceTitle = (_document: Invoice, organisation: Organisation): Phrase =>
  regionAt(organisation.CountryCode).paper.taxInvoice && organisation.TaxNumber
    ? "Tax invoice"
    : "Invoice";

const asksToPay = ({ Status, AmountDue }: Invoice): boolean => !gone.has(Status) && AmountDue > 0;

export const salesInvoice: PrintedKind<Invoice> = {
  title: invoiceTitle,
  number: ({ InvoiceNumber }) => InvoiceNumber,
  id: ({ InvoiceID }) => InvoiceID,
  contact: "Bill to",
  facts: ({ InvoiceNumber, Date: date, DeliveryDate, DueDate, Reference }) => [
    factOf("Invoice number", InvoiceNumber),
    dateFact("Date", date),
    dateFact("Delivery date", DeliveryDate),
    dueFact(DueDate),
    factOf("Reference", Reference),
  ],
  settled: settledInvoice,
  asksToPay,
  toCustomers: true,
  statesTax: "supplied",
  advice: (document, words) => {
    const { AmountDue, Contact, InvoiceNumber, DueDate, CurrencyCode } = document;
    if (!asksToPay(document)) return [];
    return [
      factOf("Customer", Contact?.Name),
      factOf("Invoice number", InvoiceNumber),
      dueFact(DueDate),
      factOf("Amount due", words.sum(AmountDue, CurrencyCode)),
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
    factOf("Supplier\u2019s number", InvoiceNumber),
    dateFact("Date", date),
    dueFact(DueDate),
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
  readonly Payments?: CreditNote["Payments"];
  readonly Allocations?: CreditNote["Allocations"];
}

/**
 * Returns the settlements of a credit, and what is left. Only whoever keeps the books sees the
 * invoices and refunds, anybody else their sum.
 */
function allocatedLines(document: PrintableCredit, reader: Reader = {}): TotalLine[] {
  const { Total, CISDeduction = 0, CurrencyCode, Allocations = [], Payments = [] } = document;
  const totalDue = (Total - CISDeduction) as Cents;
  const { RemainingCredit = totalDue } = document;
  const usedCredit = (totalDue - RemainingCredit) as Cents;
  const applyReader = { ...reader, CurrencyCode };
  const { say } = reader.words ?? english;
  const totalLines = [
    ...Allocations.flatMap((entry) =>
      applied(
        applyReader,
        say("Applied to %", entry.Invoice?.InvoiceNumber ?? say("an invoice")),
        entry,
      ),
    ),
    ...Payments.flatMap((payment) => applied(applyReader, say("Refund"), payment, payment.Amount)),
  ];
  return [
    ...withheldLine(document, reader),
    ...(reader.accounts === undefined
      ? applied(applyReader, say("Credit used"), {}, usedCredit)
      : totalLines),
    {
      label: say("Credit remaining %", CurrencyCode),
      amount: amount(RemainingCredit, CurrencyCode, reader.marks),
      weight: "due",
    },
  ];
}

export const creditNoteGiven: PrintedKind<PrintableCredit> = {
  title: () => "Credit note",
  number: ({ CreditNoteNumber }) => CreditNoteNumber,
  id: ({ CreditNoteID }) => CreditNoteID,
  contact: "Credit to",
  facts: ({ CreditNoteNumber, Date: date, Reference }) => [
    factOf("Credit note number", CreditNoteNumber),
    dateFact("Date", date),
    factOf("Reference", Reference),
  ],
  settled: allocatedLines,
  statesTax: "corrected",
};

export const creditNoteReceived: PrintedKind<PrintableCredit> = {
  ...creditNoteGiven,
  statesTax: undefined,
  title: () => "Supplier credit note",
  contact: "Supplier",
  itemCodes: true,
};

/** Fields of printable purchase orders. */
interface PrintableOrder extends Printable {
  readonly PurchaseOrderID: string;
  readonly PurchaseOrderNumber?: string | undefined;
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
    factOf("Order number", PurchaseOrderNumber),
    dateFact("Date", date),
    dateFact("Delivery date", DeliveryDate),
    factOf("Reference", Reference),
  ],
  delivery({ DeliveryAddress, AttentionTo, Telephone }, { say }) {
    const lines = nonEmpty([...(DeliveryAddress ?? "").split("\n"), Telephone]);
    if (lines.length === 0 && !AttentionTo) return undefined;
    return { label: say("Deliver to"), name: AttentionTo ?? "", lines };
  },
  notes: ({ DeliveryInstructions }, { say }) =>
    notesOf(say("Delivery instructions"), DeliveryInstructions),
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
    factOf("Quote number", QuoteNumber),
    dateFact("Date", date),
    dateFact("Valid until", ExpiryDate),
    factOf("Reference", Reference),
  ],
  intro: ({ Title, Summary }) =>
    Title || Summary ? [{ heading: Title || undefined, text: Summary ?? "" }] : [],
  notes: ({ Terms }, { say }) => notesOf(say("Terms"), Terms),
  toCustomers: true,
};

function notesOf(heading: string, text: string | undefined): Note[] {
  return text?.trim() ? [{ heading, text }] : [];
}

/** Print layouts by type of document, or by resource where it has no types. */
export const printedKinds: Readonly<Record<string, PrintedKind<never>>> = {
  ACCREC: salesInvoice,
  ACCPAY: bill,
  ACCRECCREDIT: creditNoteGiven,
  ACCPAYCREDIT: creditNoteReceived,
  PURCHASEORDER: purchaseOrderKind,
  Quote: quoteKind,
};
