/** The draft of an invoice wizard, and its dry run. */
import type { Client } from "../../../client/client.ts";
import { completeLine, documentTotals } from "../../../ledger/documents/totals.ts";
import type { LineAmountTypes } from "../../../resources/common.ts";
import type { Contact, ContactInput } from "../../../resources/contact.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { RefusedError, UnavailableError } from "../../../resources/errors.ts";
import {
  type Invoice,
  type InvoiceInput,
  type InvoiceStatus,
  invoice,
} from "../../../resources/invoice.ts";
import type { Item } from "../../../resources/item.ts";
import type { LineItemInput } from "../../values/line-flag.ts";
import type { BookRecords } from "./book-records.ts";

/** The contact of a draft: an existing one, or one that is created with it. */
export type DraftParty =
  | { readonly kind: "known"; readonly contact: Contact }
  | { readonly kind: "new"; readonly input: NewContact };

export type NewContact = Pick<ContactInput, "EmailAddress"> & { readonly Name: string };

export interface DraftLine {
  readonly input: LineItemInput;
  /** The item of the line, if any. */
  readonly item?: Item | undefined;
}

export interface Draft {
  readonly type: Invoice["Type"];
  party: DraftParty;
  /** Date, `YYYY-MM-DD`. */
  date: string;
  /** Due date; by the payment terms when not given. */
  dueDate?: string | undefined;
  /** Reference of a sale. */
  reference?: string | undefined;
  /** Number of a bill, given by the supplier. */
  number?: string | undefined;
  types: LineAmountTypes;
  lines: DraftLine[];
}

/** Computed totals of a draft. */
export interface DraftTotals {
  readonly dueDate?: string | undefined;
  readonly currency?: string | undefined;
  /** Line amounts, one for each line of the draft. */
  readonly amounts: readonly (Cents | undefined)[];
  readonly subTotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  /** Faults for which the service would refuse the draft. */
  readonly faults: readonly string[];
  /** The document as the service would store it; undefined where it was computed locally. */
  readonly record?: Invoice | undefined;
}

export function partyName({ party }: Draft): string {
  return party.kind === "known" ? party.contact.Name : party.input.Name;
}

export function partyEmail({ party }: Draft): string | undefined {
  const { EmailAddress } = party.kind === "known" ? party.contact : party.input;
  return EmailAddress === "" ? undefined : EmailAddress;
}

/** Returns the request body of a draft. */
export function inputOf(draft: Draft, Status: InvoiceStatus, contact: Contact): InvoiceInput {
  const { type: Type, date, dueDate, reference, number, types, lines } = draft;
  return {
    Type,
    Status,
    Contact: { ContactID: contact.ContactID },
    Date: date,
    ...(dueDate === undefined ? {} : { DueDate: dueDate }),
    ...(reference === undefined ? {} : { Reference: reference }),
    ...(number === undefined ? {} : { InvoiceNumber: number }),
    LineAmountTypes: types,
    LineItems: lines.map(({ input }) => input),
  };
}

/**
 * Tries a draft at the service without a trace of it. Where a dry run is not possible (the service
 * does not support it, or the book has no contacts yet), the totals are computed locally by the
 * same rules.
 */
export async function tryOut(
  client: Client,
  books: BookRecords,
  draft: Draft,
  Status: InvoiceStatus,
): Promise<DraftTotals> {
  let record: Partial<Invoice> | undefined;
  let faults: string[] = [];
  try {
    const lineContact = draft.party.kind === "known" ? draft.party.contact : await books.standIn();
    if (lineContact !== undefined) {
      record = await client.create(invoice, inputOf(draft, Status, lineContact), { dryRun: true });
    }
  } catch (error) {
    // Neither error ends the wizard; it becomes a fault of the draft.
    if (error instanceof UnavailableError) faults = [error.message];
    else if (error instanceof RefusedError) faults = messagesOf(error);
    else throw error;
  }
  const { DueDate, CurrencyCode, SubTotal, TotalTax, Total, LineItems = [] } = record ?? {};
  if (SubTotal === undefined || TotalTax === undefined || Total === undefined) {
    return { ...(await computeTotals(books, draft)), faults };
  }
  return {
    dueDate: DueDate,
    currency: CurrencyCode,
    amounts: LineItems.map(({ LineAmount }) => LineAmount),
    subTotal: SubTotal,
    tax: TotalTax,
    total: Total,
    faults,
    record: record as Invoice,
  };
}

/** Returns the description that the service adds to an item line without one. */
export function itemDescription(item: Item, type: Invoice["Type"]): string | undefined {
  return (type === "ACCREC" ? item.Description : item.PurchaseDescription) ?? item.Name;
}

export function messagesOf(error: RefusedError): string[] {
  const messages = error.details.map(({ message }) => message);
  return messages.length > 0 ? messages : [error.message];
}

async function computeTotals(books: BookRecords, { type, types, lines }: Draft) {
  const rates = await books.taxRates();
  const completed = lines.map(({ input }) => {
    const rate = rates.find(({ TaxType }) => TaxType === input.TaxType)?.EffectiveRate;
    return completeLine(input, {
      types,
      rate,
      unitDecimals: 4,
      discounts: type === "ACCREC",
    }).line;
  });
  const { SubTotal, TotalTax, Total } = documentTotals(completed, types);
  return {
    amounts: completed.map(({ LineAmount }) => LineAmount),
    subTotal: SubTotal,
    tax: TotalTax,
    total: Total,
  };
}
