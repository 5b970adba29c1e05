/** Import records of invoices and bills. */
import type { Invoice } from "../../../resources/invoice.ts";
import type { LineItem } from "../../../resources/line-item.ts";
import type { Members } from "../described/local-rules.ts";
import type { ContactDetails } from "../records/contact-book.ts";
import type { ImportRecord } from "../records/import-record.ts";

export type ImportedType = Extract<Invoice["Type"], "ACCREC" | "ACCPAY">;

/** A line, with the item details of its row where it has any beyond the code. */
export type Line = Partial<LineItem> & { readonly Item?: Members } & Record<string, unknown>;

export interface DocumentRecord extends ImportRecord {
  /** The document of the book that the record updates. */
  updates?: Pick<Invoice, "InvoiceID" | "Status">;
  /** Index of its contact in `ContactBook.at`. */
  contactAt?: number;
}

export function linesOf({ input }: ImportRecord): readonly Line[] {
  return input.LineItems as readonly Line[];
}

export function contactOf({ input }: ImportRecord): ContactDetails {
  return (input.Contact ?? {}) as ContactDetails;
}
