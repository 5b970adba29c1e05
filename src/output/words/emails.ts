/** The words of emails where their sender gives no others, in the language of paper. */
import { daysBetween } from "../../ledger/dates/calendar.ts";
import { amountText } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { EmailInput } from "../../resources/email.ts";
import { dueText, type MailedName, receiversOf } from "../../resources/email-words.ts";
import type { FieldValues, Resource } from "../../resources/field.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Phrase } from "./german.ts";
import { wordsOf } from "./languages.ts";
import type { PaperLanguage } from "./words.ts";

type EmailText = Required<Pick<EmailInput, "Subject" | "Message">>;

/** What the email of a document says. */
interface DocumentWords {
  readonly title: Phrase;
  /** First sentence, with number, day and total. */
  readonly here: Phrase;
  /** Last sentence; empty for none. */
  readonly rest: (document: FieldValues, words: PaperLanguage) => string;
}

const documentWords: Readonly<Record<MailedName, DocumentWords>> = {
  Invoice: {
    title: "Invoice",
    here: "here is invoice % of % for %.",
    rest({ AmountDue, CurrencyCode, DueDate }, words) {
      const { say, longDay } = words;
      if (AmountDue === 0) return say("It is paid; thank you.");
      const due = sumText(AmountDue, CurrencyCode, words);
      if (DueDate === undefined) return say("% is due.", due);
      return say("% is due on %.", due, longDay(String(DueDate)));
    },
  },
  CreditNote: {
    title: "Credit note",
    here: "here is credit note % of % for %.",
    rest({ RemainingCredit, CurrencyCode }, words) {
      if (RemainingCredit === 0) return words.say("It is used up.");
      const left = sumText(RemainingCredit, CurrencyCode, words);
      return words.say("% of it is left for you to use.", left);
    },
  },
  PurchaseOrder: {
    title: "Purchase order",
    here: "here is purchase order % of % for %.",
    rest: ({ DeliveryDate }, { say, longDay }) =>
      DeliveryDate === undefined ? "" : say("Please deliver by %.", longDay(String(DeliveryDate))),
  },
  Quote: {
    title: "Quote",
    here: "here is quote % of % for %.",
    rest: ({ ExpiryDate }, { say, longDay }) =>
      ExpiryDate === undefined ? "" : say("It is valid until %.", longDay(String(ExpiryDate))),
  },
};

/** A sum in a sentence; English ones have no separators. */
export const sumText = (cents: unknown, currency: unknown, { language, sum }: PaperLanguage) =>
  language === undefined
    ? `${currency} ${amountText(cents as Cents, String(currency))}`
    : sum(cents as Cents, String(currency));

/** An email of a paper. @param title  of the paper @param text  what follows the greeting */
export const emailText = (
  title: string,
  text: string,
  { FirstName, Name = "" }: Partial<Contact>,
  sender: Organisation,
): EmailText => {
  const { say } = wordsOf(sender.CountryCode);
  return {
    Subject: say("% from %", title, sender.Name),
    Message: `${say("Hello %,", FirstName ?? Name)}\n\n${text}`,
  };
};

/**
 * The usual email of a document: its recipients, subject and text, without how to pay.
 *
 * @param isAttached  whether its PDF goes along, which only invoices can be without
 */
export function documentEmail(
  { name, document: kind }: Resource,
  document: object,
  party: Partial<Contact>,
  sender: Organisation,
  isAttached = true,
): EmailText & Required<Pick<EmailInput, "To">> {
  const record = document as FieldValues;
  const words = wordsOf(sender.CountryCode);
  const { say, language, longDay } = words;
  const { title, here, rest } = documentWords[name as MailedName];
  const number = String(record[kind?.number ?? ""] ?? "");
  // English says the same of both.
  const opening =
    isAttached || language === undefined ? here : "we have issued invoice % of % for %.";
  const total = sumText(record.Total, record.CurrencyCode, words);
  const sentences = [
    say(opening, number, longDay(String(record.Date)), total),
    rest(record, words),
  ];
  const text = sentences.join("\n").trimEnd();
  const whom = { ...(record.Contact as Partial<Contact>), ...party };
  return {
    To: receiversOf(party),
    ...emailText(`${say(title)} ${number}`, text, whom, sender),
  };
}

/**
 * The usual reminder of an overdue invoice; the online address of the invoice follows it.
 *
 * @param name     number or handle of the invoice
 * @param today    `YYYY-MM-DD`
 * @param country  of the organisation, ISO 3166
 */
export function reminderEmail(
  invoice: Invoice,
  name: string,
  today: string,
  country: string,
): EmailText {
  const { AmountDue, CurrencyCode, Contact, DueDate = "" } = invoice;
  const { say, language, longDay, sum } = wordsOf(country);
  const day = longDay(DueDate);
  const days = daysBetween(DueDate, today);
  const open = language === undefined ? dueText(invoice) : sum(AmountDue, CurrencyCode);
  const sentences = [
    days === 1
      ? say("Invoice % was due on %, a day ago, and % of it is open.", name, day, open)
      : say("Invoice % was due on %, % days ago, and % of it is open.", name, day, `${days}`, open),
    say("If it has been paid meanwhile, please take no notice of this."),
  ];
  const greeting = Contact?.Name ? say("Dear %,", Contact.Name) : say("Dear customer,");
  return {
    Subject: say("Reminder: invoice % was due on %", name, day),
    Message: `${greeting}\n\n${sentences.join(" ")}`,
  };
}
