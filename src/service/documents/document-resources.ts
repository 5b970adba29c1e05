/**
 * The resources that are documents: something with a contact or a bank account, dates, lines, totals
 * and a status. They share a table, the totals and the pipeline; a family says under which names a
 * record of the resource has what all of them have.
 */
import type { Cents } from "../../resources/decimal.ts";
import type { Resource } from "../../resources/field.ts";
import {
  bankTransaction,
  creditNote,
  invoice,
  overpayment,
  prepayment,
  purchaseOrder,
  quote,
  receipt,
  repeatingInvoice,
} from "../../resources/index.ts";
import type { StoredDocument } from "./stored.ts";

/** As what a payment names the document it settles. */
export type PaymentTarget = "Invoice" | "CreditNote" | "Prepayment" | "Overpayment";

export interface DocumentResource {
  readonly resource: Resource;
  /** The type of its documents where there is but one, which a caller need not say. */
  readonly type?: string;
  /** The field of its number; undefined for documents that have none. */
  readonly number: string | undefined;
  /** The field of what is still open of it; undefined for documents that nothing settles. */
  readonly open: "AmountDue" | "RemainingCredit" | undefined;
  /** Undefined for documents that take no payments. */
  readonly paidAs: PaymentTarget | undefined;
}

export const documentResources = {
  invoice: { resource: invoice, number: "InvoiceNumber", open: "AmountDue", paidAs: "Invoice" },
  creditNote: {
    resource: creditNote,
    number: "CreditNoteNumber",
    open: "RemainingCredit",
    paidAs: "CreditNote",
  },
  purchaseOrder: {
    resource: purchaseOrder,
    type: "PURCHASEORDER",
    number: "PurchaseOrderNumber",
    open: undefined,
    paidAs: undefined,
  },
  quote: {
    resource: quote,
    type: "QUOTE",
    number: "QuoteNumber",
    open: undefined,
    paidAs: undefined,
  },
  receipt: {
    resource: receipt,
    type: "RECEIPT",
    number: "ReceiptNumber",
    open: undefined,
    paidAs: undefined,
  },
  repeatingInvoice: {
    resource: repeatingInvoice,
    number: undefined,
    open: undefined,
    paidAs: undefined,
  },
  bankTransaction: {
    resource: bankTransaction,
    number: undefined,
    open: undefined,
    paidAs: undefined,
  },
  // Bank transactions as well, and made as such: only what is left of them is told apart.
  prepayment: {
    resource: prepayment,
    number: undefined,
    open: "RemainingCredit",
    paidAs: "Prepayment",
  },
  overpayment: {
    resource: overpayment,
    number: undefined,
    open: "RemainingCredit",
    paidAs: "Overpayment",
  },
} as const satisfies Record<string, DocumentResource>;

type Values = Record<string, unknown>;

export function idOf({ resource }: DocumentResource, document: object): string {
  return (document as Values)[resource.id] as string;
}

export function numberOf({ number }: DocumentResource, document: object): string | undefined {
  return number === undefined ? undefined : ((document as Values)[number] as string | undefined);
}

/** Whether a caller may say in which currency it is; otherwise it is the base currency. */
export function hasCurrency({ resource }: DocumentResource): boolean {
  return resource.fields.CurrencyCode !== undefined;
}

/** What a person finds the document by: its number, else its id. */
export function nameOf(family: DocumentResource, document: object): string {
  return numberOf(family, document) ?? idOf(family, document);
}

/** What is still open of a document, in its currency; zero for one that nothing settles. */
export function openOf({ open }: DocumentResource, document: StoredDocument): Cents {
  return (open === undefined ? undefined : document[open]) ?? (0 as Cents);
}
