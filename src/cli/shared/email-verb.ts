/** The verbs `email` of documents and `remind` of overdue invoices, with flags and messages of emails. */

import type { Contact } from "../../resources/contact.ts";
import { type Email, type EmailInput, email } from "../../resources/email.ts";
import { emailPath, isOverdue, remindedNote, reminderNote } from "../../resources/email-words.ts";
import { type Detail, RefusedError, refusalFor, UsageError } from "../../resources/errors.ts";
import { idOf, type Resource } from "../../resources/field.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { counted } from "../../resources/scalar.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Context, Flag } from "../context/context.ts";
import { command, flagLikeField, ownFlag } from "../framework/command.ts";
import { confirm, nameOfRecord, requireExtension } from "../framework/confirm.ts";
import { PartlyDoneError } from "../render/error.ts";
import type { Find, Noun } from "./verbs.ts";

/** Returns a parser of comma-separated email addresses. */
export function readAddresses(flag: string) {
  return (text: string): string[] => {
    const addresses = text.split(",").map((text) => text.trim());
    for (const address of addresses) {
      if (/^[^\s@]+@[^\s@]+$/.test(address)) continue;
      throw new UsageError("BadValue", `${flag} takes email addresses; "${address}" is none.`);
    }
    return addresses;
  };
}

/** Flags by which an email differs from the usual one. */
export interface EmailOptions {
  readonly to?: string[][] | undefined;
  readonly cc?: string[][] | undefined;
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
}

const ofAddresses = { placeholder: "ADDRESS,...", repeat: true } as const;

export const emailFlags: readonly Flag[] = [
  ownFlag("to", "instead of its contact and the persons who are included in emails", {
    ...ofAddresses,
    read: readAddresses("--to"),
  }),
  ownFlag("cc", "who gets it besides", { ...ofAddresses, read: readAddresses("--cc") }),
  flagLikeField("subject", email.fields.Subject, { help: "instead of its number and your name" }),
  flagLikeField("message", email.fields.Message, { help: "instead of the usual words" }),
];

/** Returns what the flags say of an email; undefined where they say nothing. */
export function emailOf({ to, cc, subject, message }: EmailOptions): EmailInput | undefined {
  const emailInput: EmailInput = {
    ...(to === undefined ? {} : { To: to.flat() }),
    ...(cc === undefined ? {} : { Cc: cc.flat() }),
    ...(subject === undefined ? {} : { Subject: subject }),
    ...(message === undefined ? {} : { Message: message }),
  };
  return Object.keys(emailInput).length > 0 ? emailInput : undefined;
}

export const outboxNote =
  "Without a mail server (ACCT_SMTP_URL) it is written to the outbox beside the book, and not sent; " +
  "acct doctor says where mail goes.";

/** Declares `acct NOUN email KEY` for documents. */
export function emailVerb<R extends Resource>({ resource, word, called, example, find }: Noun<R>) {
  const isPublic = resource.name === invoice.name;
  const at = resource.online === true ? "as PDF and with the address where it is online" : "as PDF";
  const verb = command("email", `email ${called}s to their contacts`)
    .writes()
    .keys(resource, word)
    .flags<EmailOptions>(() => emailFlags)
    .answers(email)
    .note(
      "It goes to the contact's address and to the persons who are included in emails, " +
        `${at}. ${outboxNote}`,
    )
    .note(
      isPublic
        ? "Recipients, subject and message are for acct's own service; others send the usual."
        : "An extension of acct's own service.",
    )
    .example(`acct ${word} email ${example}`)
    .example(`acct ${word} email ${example} --to ann@acme.example --cc me@heron.example`)
    .example(
      `acct ${word} email ${example} --subject 'Your order' --message 'As agreed, thank you.'`,
    );
  return verb.action(async (ctx, keys, options) => {
    const client = await ctx.client();
    const emailInput = emailOf(options);
    const feature = isPublic ? "Choosing recipients or words" : `Emailing ${called}s`;
    if (emailInput !== undefined || !isPublic) {
      const schema = isPublic ? ["EmailInput"] : [];
      await requireExtension(ctx, feature, "POST", emailPath(resource), ...schema);
    }
    const mails: ToMail[] = [];
    for (const key of keys) {
      const record = await find(ctx, key);
      const name = nameOfRecord(resource, record);
      mails.push({
        name,
        async send() {
          const answer = await client.email(resource, idOf(resource, record), emailInput);
          return sayEmailed(ctx, name, record as OfContact, answer, emailInput);
        },
      });
    }
    await mailEach(ctx, mails, "emailed");
  });
}

interface OfContact {
  readonly Contact?: Partial<Contact> | undefined;
}

/**
 * Reports the result of an email.
 *
 * @param name    display name of the document
 * @param answer  the email as it was sent or written to an outbox; undefined where the service does
 *   not return it
 * @param emailInput     recipients, subject and text given on the command line
 * @returns the email record, as far as it is known
 */
export function sayEmailed(
  ctx: Context,
  name: string,
  { Contact: { EmailAddress, Name = "its contact" } = {} }: OfContact,
  answer: Email | undefined,
  emailInput: EmailInput = {},
): Email {
  const To = answer?.To ?? emailInput.To ?? [EmailAddress ?? Name];
  const whom = To.join(", ");
  if (answer?.Status === "OUTBOX" && !ctx.flags.dryRun) {
    ctx.out.say(
      `Written to the outbox, not sent: ${name} to ${whom}, as ${answer.File}. ` +
        "There is no mail server; ACCT_SMTP_URL names one.",
    );
  } else ctx.out.say(`${ctx.flags.dryRun ? "Would email" : "Emailed"} ${name} to ${whom}.`);
  return { Status: "SENT", ...emailInput, ...answer, To };
}

const dayMs = 86_400_000;
/** With --all, minimum count of days between two reminders to a customer. */
const pauseDays = 7;

/**
 * Declares `remind`.
 *
 * @param find  finds an invoice by number or id
 */
export const remindVerb = (find: Find<typeof invoice>) =>
  command("remind", "email customers what is overdue")
    .writes()
    .arguments("INVOICE", "invoice, by number or id", { live: "invoice", optional: true })
    .answers(email)
    .switch("all", "every invoice that is overdue")
    .flag("message", "instead of the usual words")
    .note(
      "The invoice goes along, and its history says so. With --all it asks first, and leaves out what " +
        `was reminded of in the last ${pauseDays} days, so that it may be run every day.`,
    )
    .example("acct invoice remind INV-0204")
    .example("acct invoice remind --all --dry-run")
    .action(async (ctx, keys, { all = false, message }) => {
      if (all === keys.length > 0) {
        throw new UsageError("MissingValue", "Name the invoices to remind of, or give --all.");
      }
      const overdue = all ? await findAllOverdue(ctx) : await findNamedOverdue(ctx, keys, find);
      if (overdue.length === 0) return ctx.out.say("Nothing is overdue that was not reminded of.");
      const path = "/Invoices/{InvoiceID}/Email";
      await requireExtension(ctx, "Reminding", "POST", path, "EmailInput");
      if (all) await confirm(ctx, `Send ${counted(overdue.length, "reminder")}?`);
      await remindOf(ctx, overdue, message);
    });

async function remindOf(ctx: Context, overdue: readonly Invoice[], words: string | undefined) {
  const client = await ctx.client();
  const { homeAt } = await import("../connection/load-letterhead.ts");
  const { reminderEmail } = await import("../../output/words/emails.ts");
  const { country = "" } = await homeAt(ctx, client);
  const mails = overdue.map((each): ToMail => {
    const name = nameOfRecord(invoice, each);
    return {
      name,
      async send() {
        const usualEmail = reminderEmail(each, name, await ctx.today(), country);
        const ownEmail = { ...usualEmail, Message: words ?? usualEmail.Message };
        const answer = await client.email(invoice, each.InvoiceID, ownEmail);
        const sentEmail = sayEmailed(ctx, name, each, answer, ownEmail);
        if (sentEmail.Status !== "OUTBOX")
          await client.note(invoice, each.InvoiceID, reminderNote(each));
        return sentEmail;
      },
    };
  });
  await mailEach(ctx, mails, "reminded");
}

/** An email to be sent, and the name of what it takes. */
export interface ToMail {
  readonly name: string;
  readonly send: () => Promise<Email>;
}

/**
 * Sends emails one after the other, and shows programs what was sent; a refusal does not stop the
 * others.
 *
 * @throws the refusal itself when there was only one, PartlyDoneError when some were emailed
 */
export async function mailEach(
  ctx: Context,
  mails: readonly ToMail[],
  verb: "emailed" | "reminded" | "sent",
): Promise<void> {
  const sentEmails: Email[] = [];
  const details: Detail[] = [];
  for (const { name, send } of mails) {
    try {
      sentEmails.push(await send());
    } catch (error) {
      if (!(error instanceof RefusedError) || mails.length === 1) throw error;
      details.push({ record: name, message: error.message, rule: error.rule });
    }
  }
  const isForPrograms = !ctx.out.isLaidOut && ctx.flags.output !== "id";
  if (isForPrograms && !ctx.flags.dryRun) await ctx.out.records(email, sentEmails);
  if (details.length === 0) return;
  const text = `${sentEmails.length} ${verb}, ${details.length} refused.`;
  if (sentEmails.length === 0) throw refusalFor(details, text);
  throw new PartlyDoneError(text, details);
}

async function findNamedOverdue(
  ctx: Context,
  keys: readonly string[],
  find: Find<typeof invoice>,
): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for (const key of keys) {
    const each = await find(ctx, key);
    if (!isOverdue(each, await ctx.today())) {
      const due = each.DueDate === undefined ? "" : ` and due on ${each.DueDate}`;
      const message = `${key} is not overdue: it is ${each.Status}${due}; acct invoice email sends it.`;
      throw new RefusedError("NotOverdue", message);
    }
    invoices.push(each);
  }
  return invoices;
}

/** Returns the overdue invoices without a recent reminder, the oldest first. */
async function findAllOverdue(ctx: Context): Promise<Invoice[]> {
  const client = await ctx.client();
  const { fields } = invoice;
  const conditions = [
    compare(fields, "Type", "==", "ACCREC"),
    compare(fields, "DueDate", "<", await ctx.today()),
  ].join(" AND ");
  const query = { where: conditions, parameters: { Statuses: "AUTHORISED" }, order: "DueDate ASC" };
  const invoices: Invoice[] = [];
  let spared = 0;
  const sinceMs = ctx.clock() - pauseDays * dayMs;
  for await (const record of client.list(invoice, query)) {
    if (!isOverdue(record, await ctx.today())) continue;
    const history = await client.history(invoice, record.InvoiceID);
    const isRecent = history.some(
      ({ Details = "", DateUTC }) => Details.startsWith(remindedNote) && DateUTC > sinceMs,
    );
    if (isRecent) spared += 1;
    else invoices.push(record);
  }
  if (spared > 0) ctx.out.say(`${spared} were reminded of in the last ${pauseDays} days.`);
  return invoices;
}
