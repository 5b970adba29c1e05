/** Options and messages of emails; the verb `remind` for overdue invoices. */

import { type Email, type EmailInput, email } from "../../resources/email.ts";
import {
  isOverdue,
  remindedNote,
  reminderEmail,
  reminderNote,
} from "../../resources/email-words.ts";
import { type Detail, RefusedError, refusalFor, UsageError } from "../../resources/errors.ts";
import { type Invoice, invoice } from "../../resources/invoice.ts";
import { counted } from "../../resources/scalar.ts";
import { compare } from "../../wire/query/condition.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmed, nameOfRecord, requireExtension } from "../framework/confirm.ts";
import { PartlyDoneError } from "../render/error.ts";
import type { Find } from "./verbs.ts";

/** Returns a parser of comma-separated email addresses. */
export function readAddresses(flag: string) {
  return (text: string): string[] => {
    const addresses = text.split(",").map((each) => each.trim());
    for (const each of addresses) {
      if (/^[^\s@]+@[^\s@]+$/.test(each)) continue;
      throw new UsageError("BadValue", `${flag} takes email addresses; "${each}" is none.`);
    }
    return addresses;
  };
}

/**
 * Reports the result of an email.
 *
 * @param answer  the email written to an outbox; undefined when it was sent
 * @param own     what was chosen of the email
 * @returns what was sent, as far as it is known
 */
export function sayEmailed(
  ctx: Context,
  document: Invoice,
  answer: Email | undefined,
  own: EmailInput = {},
): Email {
  const name = nameOfRecord(invoice, document);
  const { EmailAddress, Name = "its contact" } = document.Contact ?? {};
  const To = answer?.To ?? own.To ?? [EmailAddress ?? Name];
  const whom = To.join(", ");
  if (answer?.Status === "OUTBOX") {
    ctx.out.say(
      `Written to the outbox, not sent: ${name} to ${whom}, as ${answer.File}. ` +
        "There is no mail server; ACCT_SMTP_URL names one.",
    );
  } else ctx.out.say(`${ctx.flags.dryRun ? "Would email" : "Emailed"} ${name} to ${whom}.`);
  return { Status: "SENT", ...own, ...answer, To };
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
      const overdue = all ? await allOverdue(ctx) : await namedOverdue(ctx, keys, find);
      if (overdue.length === 0) return ctx.out.say("Nothing is overdue that was not reminded of.");
      const path = "/Invoices/{InvoiceID}/Email";
      await requireExtension(ctx, "Reminding", "POST", path, "EmailInput");
      if (all) await confirmed(ctx, `Send ${counted(overdue.length, "reminder")}?`);
      await remindOf(ctx, overdue, message);
    });

async function remindOf(ctx: Context, overdue: readonly Invoice[], words: string | undefined) {
  const client = await ctx.client();
  await mailEach(ctx, overdue, "reminded", async (each) => {
    const usual = reminderEmail(each, nameOfRecord(invoice, each), ctx.today());
    const own = { ...usual, Message: words ?? usual.Message };
    const answer = await client.emailInvoice(each.InvoiceID, own);
    const sent = sayEmailed(ctx, each, answer, own);
    if (sent.Status !== "OUTBOX") await client.note(invoice, each.InvoiceID, reminderNote(each));
    return sent;
  });
}

/**
 * Emails invoices one after the other, and shows programs what was sent; a refusal does not stop the
 * others.
 *
 * @throws the refusal itself when there was only one invoice, PartlyDoneError when some were emailed
 */
export async function mailEach(
  ctx: Context,
  invoices: readonly Invoice[],
  verb: "emailed" | "reminded",
  send: (each: Invoice) => Promise<Email>,
): Promise<void> {
  const sent: Email[] = [];
  const details: Detail[] = [];
  for (const each of invoices) {
    try {
      sent.push(await send(each));
    } catch (error) {
      if (!(error instanceof RefusedError) || invoices.length === 1) throw error;
      details.push({
        record: nameOfRecord(invoice, each),
        message: error.message,
        rule: error.rule,
      });
    }
  }
  const isForPrograms = !ctx.out.isLaidOut && ctx.flags.output !== "id";
  if (isForPrograms && !ctx.flags.dryRun) await ctx.out.records(email, sent);
  if (details.length === 0) return;
  const text = `${sent.length} ${verb}, ${details.length} refused.`;
  if (sent.length === 0) throw refusalFor(details, text);
  throw new PartlyDoneError(text, details);
}

async function namedOverdue(
  ctx: Context,
  keys: readonly string[],
  find: Find<typeof invoice>,
): Promise<Invoice[]> {
  const invoices: Invoice[] = [];
  for (const key of keys) {
    const each = await find(ctx, key);
    if (!isOverdue(each, ctx.today())) {
      const due = each.DueDate === undefined ? "" : ` and due on ${each.DueDate}`;
      const message = `${key} is not overdue: it is ${each.Status}${due}; acct invoice email sends it.`;
      throw new RefusedError("NotOverdue", message);
    }
    invoices.push(each);
  }
  return invoices;
}

/** Returns the overdue invoices without a recent reminder, the oldest first. */
async function allOverdue(ctx: Context): Promise<Invoice[]> {
  const client = await ctx.client();
  const { fields } = invoice;
  const where = [
    compare(fields, "Type", "==", "ACCREC"),
    compare(fields, "DueDate", "<", ctx.today()),
  ].join(" AND ");
  const query = { where, parameters: { Statuses: "AUTHORISED" }, order: "DueDate ASC" };
  const invoices: Invoice[] = [];
  let spared = 0;
  const since = ctx.clock() - pauseDays * dayMs;
  for await (const each of client.list(invoice, query)) {
    if (!isOverdue(each, ctx.today())) continue;
    const history = await client.history(invoice, each.InvoiceID);
    const isRecent = history.some(
      ({ Details = "", DateUTC }) => Details.startsWith(remindedNote) && DateUTC > since,
    );
    if (isRecent) spared += 1;
    else invoices.push(each);
  }
  if (spared > 0) ctx.out.say(`${spared} were reminded of in the last ${pauseDays} days.`);
  return invoices;
}
