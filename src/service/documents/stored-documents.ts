/** Stored forms of documents, and look-up of documents by number. */

import type { Account } from "../../resources/account.ts";
import type { LineAmountTypes } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import type { CreditNote } from "../../resources/credit-note.ts";
import type { Cents, Percent, Rate } from "../../resources/decimal.ts";
import { refusal } from "../../resources/errors.ts";
import type { ExpenseClaim } from "../../resources/expense-claim.ts";
import { type DocumentResource, type FieldValues, idOf } from "../../resources/field.ts";
import type { repeatingInvoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { PurchaseOrder } from "../../resources/purchase-order.ts";
import type { RepeatingInvoice } from "../../resources/repeating-invoice.ts";
import { counted } from "../../resources/scalar.ts";
import type { User } from "../../resources/user.ts";
import { fetch, type StoredFields, save } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { unique } from "../request/unique.ts";

/** The stored form of a repeating invoice; its lines are stored beside it. */
export type StoredRepeatingInvoice = StoredFields<typeof repeatingInvoice.fields>;

/**
 * The fields of all documents in the pipeline. A field that a resource lacks is undefined in its
 * records; id and number have the names that the resource description gives them.
 */
export type StoredDocument = {
  /** Kind of the document: a key of `kinds`. */
  Type: string;
  Status: string;
  Contact?: Partial<Contact> | undefined;
  /** User of a receipt. */
  User?: Partial<User> | undefined;
  /** The expense claim that a receipt is part of. */
  ExpenseClaim?: { ExpenseClaimID?: string | undefined; Handle?: string | undefined } | undefined;
  /** Receipts of an expense claim, as they were when it got them, and its days. */
  Receipts?: ExpenseClaim["Receipts"] | undefined;
  ReportingDate?: string | undefined;
  PaymentDueDate?: string | undefined;
  Handle?: string | undefined;
  /** The bank account of a bank transaction. */
  BankAccount?: Partial<Account> | undefined;
  IsReconciled?: boolean | undefined;
  /** For a prepayment: the number of its invoice, as sent. */
  InvoiceNumber?: string | undefined;
  /** For a bank transaction: the status of the credit that it creates. */
  SettledStatus?: string | undefined;
  /** For a prepayment or overpayment: the status of its bank transaction. */
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
  /** Amount settled by payments, in the document's currency. */
  AmountPaid: Cents;
  /** Amount settled by allocations, in the document's currency. */
  AmountCredited: Cents;
  /** Open amount on the control account, in the base currency, not negative. */
  BaseDue: Cents;
  /** Part of `AmountCredited` that the cash basis has recognised. */
  CashCredited?: Cents | undefined;
  /** For a document in a foreign currency: no settlement is later than this day. */
  LastSettled?: string | undefined;
  /** Schedule of a template. */
  Schedule?: RepeatingInvoice["Schedule"];
  /** The quote or order that an invoice was made from, or the invoice of a credit note. */
  Source?: Invoice["Source"] | CreditNote["Source"];
  /** For a quote or an order: the documents made from it, with their quantities per line. */
  Billings?: PurchaseOrder["Billings"];
  /** The template that the document was made from. */
  RepeatingInvoiceID?: string | undefined;
  FullyPaidOnDate?: string | undefined;
  /** CIS deduction, in the document's currency. */
  CISDeduction?: Cents | undefined;
  /** Rate of the computed CIS deduction; undefined where the deduction was sent. */
  CISRate?: Percent | undefined;
  UpdatedDateUTC: number;
  CreatedByApp?: string | undefined;
  CreatedDateUTC: number;
};

/** Returns the amount of a document to settle: its total less deductions. */
export function owedOf({ Total, CISDeduction = 0 as Cents }: StoredDocument): Cents {
  return (Total - CISDeduction) as Cents;
}

export const isLive = ({ Status }: { readonly Status: string }) =>
  Status !== "DELETED" && Status !== "VOIDED";

/** Whether a caller may choose the currency; otherwise it is the base currency. */
export function hasCurrency({ fields }: DocumentResource): boolean {
  return fields.CurrencyCode !== undefined;
}

export function numberOf({ document }: DocumentResource, record: object): string | undefined {
  const { number } = document;
  return number === undefined ? undefined : ((record as FieldValues)[number] as string | undefined);
}

/** Returns the name of the document for people: its number or handle, else its id. */
export function nameOf(resource: DocumentResource, record: object): string {
  const { Handle } = record as { readonly Handle?: string };
  return numberOf(resource, record) ?? Handle ?? idOf(resource, record);
}

/** Returns the open amount of a document, in its currency; zero for kinds without settlement. */
export function openOf({ document: { open } }: DocumentResource, record: StoredDocument): Cents {
  return (open === undefined ? undefined : record[open]) ?? (0 as Cents);
}

/** Whether payments or credits are applied to a document. */
export function isApplied(stored: StoredDocument | undefined): boolean {
  return stored !== undefined && (stored.AmountPaid !== 0 || stored.AmountCredited !== 0);
}

/** Loads documents of a resource by their ids. */
export function fetchDocuments(
  tx: Tx,
  resource: DocumentResource,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  return fetch(tx, resource, resource.id, ids) as unknown as Promise<StoredDocument[]>;
}

/** Loads documents of a resource by number, of any kind and status. */
export async function loadByNumber(
  tx: Tx,
  resource: DocumentResource,
  numbers: readonly (string | undefined)[],
): Promise<StoredDocument[]> {
  const { number } = resource.document;
  const wantedNumbers = unique(numbers);
  if (number === undefined || wantedNumbers.length === 0) return [];
  return (await fetch(tx, resource, number, wantedNumbers)) as unknown as StoredDocument[];
}

/**
 * Returns the document for a number given by a person: live ones come before deleted or voided
 * ones, and among them the type with unique numbers comes first.
 *
 * @throws RefusedError where several of other types bear the number
 */
export async function documentByNumber(
  tx: Tx,
  resource: DocumentResource,
  number: string,
  type: string,
): Promise<StoredDocument | undefined> {
  const documents = await loadByNumber(tx, resource, [number]);
  const live = documents.filter(isLive);
  const unique = live.find((storedDocument) => storedDocument.Type === type);
  if (unique === undefined && live.length > 1)
    throw refusal(
      "Ambiguous",
      `${counted(live.length, resource.noun)} bear the number ${number}; name the one that is meant by its ${resource.id}.`,
    );
  return unique ?? live[0] ?? documents.at(-1);
}

/** Saves documents of one resource. */
export async function saveDocuments(
  tx: Tx,
  resource: DocumentResource,
  documents: readonly StoredDocument[],
): Promise<void> {
  await save(tx, resource, documents);
}
