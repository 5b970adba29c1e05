/** The words of emails where their sender gives no others, for the service, the terminal and pages. */
import { amountText } from "./common.ts";
import type { Contact } from "./contact.ts";
import type { Cents } from "./decimal.ts";
import type { EmailInput } from "./email.ts";
import type { Invoice } from "./invoice.ts";

/** The usual email of an invoice: its recipients, subject and text, without how to pay. */
export function invoiceEmail(
  invoice: Invoice,
  buyer: Partial<Contact> = {},
  sender: string,
): Required<Pick<EmailInput, "To" | "Subject" | "Message">> {
  const { InvoiceNumber, CurrencyCode, DueDate, AmountDue } = invoice;
  const amount = (cents: Cents) => `${CurrencyCode} ${amountText(cents, CurrencyCode)}`;
  const by = DueDate === undefined ? "" : ` on ${DueDate}`;
  const words = [
    `Hello ${buyer.FirstName ?? buyer.Name},`,
    "",
    `here is invoice ${InvoiceNumber} of ${invoice.Date} for ${amount(invoice.Total)}.`,
    AmountDue === 0 ? "It is paid; thank you." : `${amount(AmountDue)} is due${by}.`,
  ];
  return {
    To: receiversOf(buyer),
    Subject: `Invoice ${InvoiceNumber} from ${sender}`,
    Message: words.join("\n"),
  };
}

/** Recipients of a contact's emails: its address, and those of persons included in emails. */
export function receiversOf({ EmailAddress, ContactPersons = [] }: Partial<Contact>): string[] {
  const others = ContactPersons.filter((each) => each.IncludeInEmails);
  const all = [EmailAddress, ...others.map((each) => each.EmailAddress)];
  return [...new Set(all)].filter((each): each is string => each !== undefined && each !== "");
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
  const days = Math.round((Date.parse(today) - Date.parse(DueDate)) / dayMs);
  const late = days === 1 ? "a day" : `${days} days`;
  return {
    Subject: `Reminder: invoice ${name} was due on ${DueDate}`,
    Message:
      `Dear ${Contact?.Name ?? "customer"},\n\n` +
      `Invoice ${name} was due on ${DueDate}, ${late} ago, and ${dueText(invoice)} of it is open. ` +
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
