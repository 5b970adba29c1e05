/** Documents as the store keeps them, and which of them are meant by a number. */

import type { Account } from "../../resources/account.ts";
import type { LineAmountTypes } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import type { Cents, Percent, Rate } from "../../resources/decimal.ts";
import { type DocumentResource, type FieldValues, idOf } from "../../resources/field.ts";
import type { invoice, repeatingInvoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { PurchaseOrder } from "../../resources/purchase-order.ts";
import type { RepeatingInvoice } from "../../resources/repeating-invoice.ts";
import type { User } from "../../resources/user.ts";
import { fetch, type StoredFields, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { unique } from "../request/unique.ts";

/** An invoice or a bill as the store keeps it. */
export type StoredInvoice = StoredFields<typeof invoice.fields>;
/** A template of invoices as the store keeps it; its lines are kept beside it. */
export type StoredRepeatingInvoice = StoredFields<typeof repeatingInvoice.fields>;

/**
 * Fields of any document in the pipeline. A field that a resource does not have stays
 * undefined in its records; the id and the number go by the names that its description says.
 */
export type StoredDocument = {
  /** The kind of document: a row of `kinds`. */
  Type: string;
  Status: string;
  Contact?: Partial<Contact> | undefined;
  /** User of a receipt. */
  User?: Partial<User> | undefined;
  /** The bank account of a bank transaction. */
  BankAccount?: Partial<Account> | undefined;
  IsReconciled?: boolean | undefined;
  /** Of a prepayment, as it is sent. */
  InvoiceNumber?: string | undefined;
  /** Of a bank transaction: the status of the credit that it leaves. */
  SettledStatus?: string | undefined;
  /** Of a prepayment or an overpayment: the status of its bank transaction. */
  BankStatus?: string | undefined;
  Date: string;
  DueDate?: string | undefined;
  Reference?: string | undefined;
  LineAmountTypes: LineAmountTypes;
  LineItems: LineItem[];
  SubTotal: Cents;
  TotalTax: Cents;
  Total: Cents;
  TotalDiscount?: Cents | undefined;
  IsDiscounted?: boolean | undefined;
  CurrencyCode: string;
  CurrencyRate: Rate;
  BrandingThemeID?: string | undefined;
  SentToContact?: boolean | undefined;
  ExpectedPaymentDate?: string | undefined;
  PlannedPaymentDate?: string | undefined;
  BuyerReference?: string | undefined;
  DeliveryDate?: string | undefined;
  HasAttachments?: boolean | undefined;
  Payments?: Invoice["Payments"];
  AmountDue?: Cents | undefined;
  RemainingCredit?: Cents | undefined;
  /** Amount settled by payments, in its currency. */
  AmountPaid: Cents;
  /** Amount settled by allocations, in its currency. */
  AmountCredited: Cents;
  /** Its open amount on the control account, in the base currency, not negative. */
  BaseDue: Cents;
  /** Of `AmountCredited`, what the cash basis has recognised. */
  CashCredited?: Cents | undefined;
  /** Of a document in a foreign currency: a day after which nothing of it was settled. */
  LastSettled?: string | undefined;
  /** When a template makes documents. */
  Schedule?: RepeatingInvoice["Schedule"];
  /** The quote or the order that an invoice was made from, or the invoice of a credit note. */
  Source?: Invoice["Source"] | CreditNote["Source"];
  /** Of a quote or an order: what was made from it, and how much of its lines each has. */
  Billings?: PurchaseOrder["Billings"];
  /** The template that a document was made from. */
  RepeatingInvoiceID?: string | undefined;
  FullyPaidOnDate?: string | undefined;
  /** Deduction of the construction industry scheme, in its currency. */
  CISDeduction?: Cents | undefined;
  /** By which it was computed; undefined where it was sent. */
  CISRate?: Percent | undefined;
  UpdatedDateUTC: number;
  CreatedByApp?: string | undefined;
  CreatedDateUTC: number;
};

/** Amount of a document to settle: its total without deductions. */
export function owedOf({ Total, CISDeduction = 0 as Cents }: StoredDocument): Cents {
  return (Total - CISDeduction) as Cents;
}

export const isLive = ({ Status }: { readonly Status: string }) =>
  Status !== "DELETED" && Status !== "VOIDED";

/** Whether a caller may say in which currency it is; otherwise it is the base currency. */
export function hasCurrency({ fields }: DocumentResource): boolean {
  return fields.CurrencyCode !== undefined;
}

export function numberOf({ document }: DocumentResource, record: object): string | undefined {
  const { number } = document;
  return number === undefined ? undefined : ((record as FieldValues)[number] as string | undefined);
}

/** Key of the document for people: its number, else its id. */
export function nameOf(resource: DocumentResource, record: object): string {
  return numberOf(resource, record) ?? idOf(resource, record);
}

/** Open amount of a document, in its currency; zero for one that nothing settles. */
export function openOf({ document: { open } }: DocumentResource, record: StoredDocument): Cents {
  return (open === undefined ? undefined : record[open]) ?? (0 as Cents);
}

/** Whether payments or credits are applied to a document. */
export function isApplied(existing: StoredDocument | undefined): boolean {
  return existing !== undefined && (existing.AmountPaid !== 0 || existing.AmountCredited !== 0);
}

/** Documents of a resource by their ids. */
export function fetchDocuments(
  tx: Tx,
  resource: DocumentResource,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  return fetch(tx, resource, resource.id, ids) as unknown as Promise<StoredDocument[]>;
}

/** Documents of a resource by number, whatever their kind and status. */
export async function numbered(
  tx: Tx,
  resource: DocumentResource,
  numbers: readonly (string | undefined)[],
): Promise<StoredDocument[]> {
  const { number } = resource.document;
  const wanted = unique(numbers);
  if (number === undefined || wanted.length === 0) return [];
  return (await fetch(tx, resource, number, wanted)) as unknown as StoredDocument[];
}

/**
 * The document that a person means by a number: a live one before one that is deleted or void, and
 * of these one of the type whose numbers are its own.
 */
export async function meantByNumber(
  tx: Tx,
  resource: DocumentResource,
  number: string,
  type: string,
): Promise<StoredDocument | undefined> {
  const documents = await numbered(tx, resource, [number]);
  const live = documents.filter(isLive);
  return live.find((each) => each.Type === type) ?? live[0] ?? documents.at(-1);
}

/** Keeps documents of one resource. */
export async function saveDocuments(
  tx: Tx,
  resource: DocumentResource,
  documents: readonly StoredDocument[],
): Promise<void> {
  await save(tx, resource, documents);
}
