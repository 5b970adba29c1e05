/** The words of emails where their sender gives no others, for the service, the terminal and pages. */
import { amountText } from "./common.ts";
import type { Contact } from "./contact.ts";
import type { Cents } from "./decimal.ts";
import type { EmailInput } from "./email.ts";
import { extensionRoot, type FieldValues, pathOf, type Resource } from "./field.ts";
import type { Invoice } from "./invoice.ts";

/** Formats a day as emails say it, `20 December 2026`. @param day  `YYYY-MM-DD` */
const dayText = (day: unknown): string =>
  new Date(String(day)).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });

type UsualEmail = Required<Pick<EmailInput, "To" | "Subject" | "Message">>;

/** How documents of a resource are emailed. */
interface EmailKind {
  /** Names of the record types that are received and therefore never emailed, by type. */
  readonly received?: Readonly<Record<string, string>>;
  /** Statuses that allow an email. */
  readonly statuses: readonly string[];
  /** Remedy for a document in another status, such as `approve it first`. */
  readonly first: string;
  /** Last sentence of the email; empty for none. */
  readonly rest: (document: FieldValues, amount: (cents: Cents) => string) => string;
}

const ofSales = {
  statuses: ["SUBMITTED", "AUTHORISED", "PAID"],
  first: "submit or approve it first",
};

/** The documents that are emailed, by resource. */
export const mailed = {
  Invoice: {
    ...ofSales,
    received: { ACCPAY: "A bill" },
    rest({ AmountDue, DueDate }, amount) {
      if (AmountDue === 0) return "It is paid; thank you.";
      return `${amount(AmountDue as Cents)} is due${DueDate === undefined ? "" : ` on ${dayText(DueDate)}`}.`;
    },
  },
  CreditNote: {
    ...ofSales,
    received: { ACCPAYCREDIT: "A supplier credit note" },
    rest: ({ RemainingCredit }, amount) =>
      RemainingCredit === 0
        ? "It is used up."
        : `${amount(RemainingCredit as Cents)} of it is left for you to use.`,
  },
  PurchaseOrder: {
    statuses: ["AUTHORISED", "BILLED"],
    first: "approve it first",
    rest: ({ DeliveryDate }) =>
      DeliveryDate === undefined ? "" : `Please deliver by ${dayText(DeliveryDate)}.`,
  },
  Quote: {
    statuses: ["SENT", "ACCEPTED", "DECLINED", "INVOICED"],
    first: "mark it as sent first",
    rest: ({ ExpiryDate }) =>
      ExpiryDate === undefined ? "" : `It is valid until ${dayText(ExpiryDate)}.`,
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

/** The usual email of a document: its recipients, subject and text, without how to pay. */
export function documentEmail(
  { name, noun, document: kind }: Resource,
  document: object,
  party: Partial<Contact> = {},
  sender: string,
): UsualEmail {
  const record = document as FieldValues;
  const currency = String(record.CurrencyCode);
  const amount = (cents: Cents) => `${currency} ${amountText(cents, currency)}`;
  const number = record[kind?.number ?? ""] ?? "";
  const words = [
    `Hello ${party.FirstName ?? party.Name},`,
    "",
    `here is ${noun} ${number} of ${dayText(record.Date)} for ${amount(record.Total as Cents)}.`,
    (mailed[name as MailedName] as EmailKind).rest(record, amount),
  ];
  return {
    To: receiversOf(party),
    Subject: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${number} from ${sender}`,
    Message: words.join("\n").trimEnd(),
  };
}

/** Recipients of a contact's emails: its address, and those of persons included in emails. */
export function receiversOf({ EmailAddress, ContactPersons = [] }: Partial<Contact>): string[] {
  const otherPersons = ContactPersons.filter((contactPerson) => contactPerson.IncludeInEmails);
  const all = [EmailAddress, ...otherPersons.map((record) => record.EmailAddress)];
  return [...new Set(all)].filter((text): text is string => text !== undefined && text !== "");
}

const dayMs = 86_400_000;

/** Whether an invoice is unpaid after its due date. @param today  `YYYY-MM-DD` */
export function isOverdue({ Status, AmountDue, DueDate = "" }: Invoice, today: string): boolean {
  return Status === "AUTHORISED" && AmountDue > 0 && DueDate !== "" && DueDate < today;
}

/**
 * The usual reminder of an overdue invoice; the online address of the invoice follows it.
 *
 * @param name   number or handle of the invoice
 * @param today  `YYYY-MM-DD`
 */
export function reminderEmail(
  invoice: Invoice,
  name: string,
  today: string,
): Required<Pick<EmailInput, "Subject" | "Message">> {
  const { DueDate = "", Contact } = invoice;
  const dayCount = Math.round((Date.parse(today) - Date.parse(DueDate)) / dayMs);
  const late = dayCount === 1 ? "a day" : `${dayCount} days`;
  return {
    Subject: `Reminder: invoice ${name} was due on ${dayText(DueDate)}`,
    Message:
      `Dear ${Contact?.Name ?? "customer"},\n\n` +
      `Invoice ${name} was due on ${dayText(DueDate)}, ${late} ago, and ${dueText(invoice)} of it is open. ` +
      "If it has been paid meanwhile, please take no notice of this.",
  };
}

/** Beginning of the history note that marks a reminder. */
export const remindedNote = "Reminded of ";

/** The history note of a reminder. */
export const reminderNote = (invoice: Invoice): string =>
  `${remindedNote}${dueText(invoice)}, due on ${invoice.DueDate}.`;

const dueText = ({ AmountDue, CurrencyCode }: Invoice) =>
  `${amountText(AmountDue, CurrencyCode)} ${CurrencyCode}`;
