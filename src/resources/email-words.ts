/** Which documents are emailed, to whom, and what is overdue; what emails say is in `output/words`. */
import { amountText } from "./common.ts";
import type { Contact } from "./contact.ts";
import { extensionRoot, pathOf, type Resource } from "./field.ts";
import type { Invoice } from "./invoice.ts";

/** How documents of a resource are emailed. */
interface EmailKind {
  /** Names of the record types that are received and therefore never emailed, by type. */
  readonly received?: Readonly<Record<string, string>>;
  /** Statuses that allow an email. */
  readonly statuses: readonly string[];
  /** Remedy for a document in another status, such as `approve it first`. */
  readonly first: string;
}

const ofSales = {
  statuses: ["SUBMITTED", "AUTHORISED", "PAID"],
  first: "submit or approve it first",
};

/** The documents that are emailed, by resource. */
export const mailed = {
  Invoice: { ...ofSales, received: { ACCPAY: "A bill" } },
  CreditNote: { ...ofSales, received: { ACCPAYCREDIT: "A supplier credit note" } },
  PurchaseOrder: { statuses: ["AUTHORISED", "BILLED"], first: "approve it first" },
  Quote: {
    statuses: ["SENT", "ACCEPTED", "DECLINED", "INVOICED"],
    first: "mark it as sent first",
  },
} as const satisfies Record<string, EmailKind>;

export type MailedName = keyof typeof mailed;

/** API path of the email of a document, with its id as a parameter; for all but invoices an extension. */
export const emailPath = (resource: Resource): string =>
  `${resource.name === "Invoice" ? "" : extensionRoot}${pathOf(resource)}/{${resource.id}}/Email`;

/** Why a document cannot be emailed; undefined where it can. */
export function whyNotEmailed({ name, noun }: Resource, document: object): string | undefined {
  const kind: EmailKind | undefined = mailed[name as MailedName];
  if (kind === undefined) return `${noun} cannot be emailed.`;
  const { Type = "", Status = "" } = document as { readonly Type?: string; Status?: string };
  const received = kind.received?.[Type];
  if (received !== undefined) return `${received} cannot be emailed; only sales ${noun}s can.`;
  if (kind.statuses.includes(Status)) return undefined;
  const withArticle = `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun}`;
  return `${withArticle} with status ${Status} cannot be emailed; ${kind.first}.`;
}

/** Recipients of a contact's emails: its address, and those of persons included in emails. */
export function receiversOf({ EmailAddress, ContactPersons = [] }: Partial<Contact>): string[] {
  const otherPersons = ContactPersons.filter((contactPerson) => contactPerson.IncludeInEmails);
  const all = [EmailAddress, ...otherPersons.map((record) => record.EmailAddress)];
  return [...new Set(all)].filter((text): text is string => text !== undefined && text !== "");
}

/** Whether an invoice is unpaid after its due date. @param today  `YYYY-MM-DD` */
export function isOverdue({ Status, AmountDue, DueDate = "" }: Invoice, today: string): boolean {
  return Status === "AUTHORISED" && AmountDue > 0 && DueDate !== "" && DueDate < today;
}

/** Beginning of the history note that marks a reminder. */
export const remindedNote = "Reminded of ";

/** The history note of a reminder. */
export const reminderNote = (invoice: Invoice): string =>
  `${remindedNote}${dueText(invoice)}, due on ${invoice.DueDate}.`;

/** What of an invoice is due, `115.00 NZD`. */
export const dueText = ({ AmountDue, CurrencyCode }: Invoice) =>
  `${amountText(AmountDue, CurrencyCode)} ${CurrencyCode}`;
