/**
 * What each kind of document prints of itself. All else about paper is shared; a new kind is a new
 * row here, and `printed` of its endpoint.
 */
import { mediumDate } from "../../ledger/calendar.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents, Rate } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { customsOf } from "../pdf/country-rules.ts";
import { amount } from "../pdf/figures.ts";
import type { Fact, Note, Party, Sum } from "./printed.ts";

/** What all kinds of documents share. */
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
  /** What the contact is in it: `Bill to`. */
  readonly contact: string;
  /** What it says of itself, its number first. */
  facts(document: D): readonly (Fact | undefined)[];
  /** Where things go. */
  delivery?(document: D): Party | undefined;
  intro?(document: D): readonly Note[];
  /** What was paid or credited already, and what is left. */
  settled?(document: D): readonly Sum[];
  notes?(document: D): readonly Note[];
  /** The slip that goes back with the money, if any is to. */
  advice?(document: D): readonly (Fact | undefined)[];
  /** Whether somebody is to pay what is due on it. */
  asksToPay?(document: D): boolean;
  /** Whether it goes to customers, who are told the terms. */
  readonly toCustomers?: true;
  /** Whether lines name their items: only for who knows the codes. */
  readonly itemCodes?: true;
}

const gone = new Set(["VOIDED", "DELETED"]);
const unfinished = new Set(["DRAFT", "SUBMITTED"]);

export function markOf({ Status = "" }: Printable): "DRAFT" | "VOID" | undefined {
  if (gone.has(Status)) return "VOID";
  return unfinished.has(Status) ? "DRAFT" : undefined;
}

/** A fact that may be missing. */
export function fact(label: string, value: string | undefined): Fact | undefined {
  return value === undefined || value === "" ? undefined : { label, value };
}

export const dateFact = (label: string, date: string | undefined) =>
  fact(label, date && mediumDate(date));

// --- what settles a document -------------------------------------------------------------------

interface Applied {
  readonly Date?: string | undefined;
  readonly AppliedAmount?: Cents | undefined;
}

function applied(
  currency: string,
  label: string,
  each: Applied,
  cents = each.AppliedAmount,
): Sum[] {
  if (!cents) return [];
  const on = each.Date === undefined ? "" : `, ${mediumDate(each.Date)}`;
  return [{ label: `${label}${on}`, amount: amount(-cents as Cents, currency) }];
}

/** What the construction industry scheme takes off, which the contact neither pays nor is paid. */
export function withheld({
  CISDeduction,
  CurrencyCode,
}: {
  readonly CISDeduction?: Cents | undefined;
  readonly CurrencyCode: string;
}): Sum[] {
  return applied(CurrencyCode, "Less CIS deduction", {}, CISDeduction);
}

function settledInvoice(document: Invoice): Sum[] {
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
  customsOf(organisation).taxInvoice && organisation.TaxNumber ? "Tax invoice" : "Invoice";

const asksToPay = ({ Status, AmountDue }: Invoice): boolean => !gone.has(Status) && AmountDue > 0;

const salesInvoice: PrintedKind<Invoice> = {
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

/** What a supplier sent, as our books have it: on our paper, since it is no original. */
const bill: PrintedKind<Invoice> = {
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

export const invoiceKind = ({ Type }: Invoice): PrintedKind<Invoice> =>
  Type === "ACCREC" ? salesInvoice : bill;
