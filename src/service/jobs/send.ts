/**
 * Emails the invoices that templates have made for sending.
 *
 * That an invoice is to be emailed is kept with it, in one transaction; sending comes after. Whoever
 * sends one first puts it off, so that no other program sends it at the same time, and should this
 * one be killed meanwhile, it is sent when that time is over.
 */
import { AcctError } from "../../resources/errors.ts";
import { invoice, repeatingInvoice } from "../../resources/index.ts";
import type { RepeatingRun } from "../../resources/repeating-invoice.ts";
import { fetch } from "../../store/mapping/records.ts";
import { invoicesToSend, putOff, type ToSend } from "../../store/queries/repeating.ts";
import { sendInvoice } from "../endpoints/email.ts";
import type { RequestContext } from "../request/context.ts";
import { enter } from "../request/history.ts";

/** How long a program has for sending one message. */
const sendingMs = 10 * 60_000;

type Sent = Pick<RepeatingRun, "SentToContact" | "Message">;

/** Sends each once; a failure stays in the history of the invoice. @returns what became of each */
export async function sendDue(call: RequestContext): Promise<Map<string, Sent>> {
  const { org } = call.principal;
  // What is answered to the request is its own affair, not that of each message.
  const own: RequestContext = {
    ...call,
    write: (work) => call.store.write(org, work, { at: call.now }),
  };
  const outcomes = new Map<string, Sent>();
  for (const each of await call.read((tx) => invoicesToSend(tx, call.now))) {
    const sendAt = call.now + sendingMs;
    if (!(await call.store.write(org, (tx) => putOff(tx, each, sendAt)))) continue;
    outcomes.set(each.invoiceId, await sendOne(own, each));
    await call.store.write(org, (tx) => putOff(tx, { ...each, sendAt }, undefined));
  }
  return outcomes;
}

async function sendOne(call: RequestContext, { templateId, invoiceId }: ToSend): Promise<Sent> {
  const [template] = await call.read((tx) =>
    fetch(tx, repeatingInvoice, "RepeatingInvoiceID", [templateId]),
  );
  try {
    await sendInvoice(call, invoiceId, {
      withPdf: template?.IncludePDF === true,
      withCopy: template?.SendCopy === true,
    });
    if (call.mailer.outbox === undefined) return { SentToContact: true };
    return { SentToContact: false, Message: "Written to the outbox, not sent." };
  } catch (error) {
    if (!(error instanceof AcctError)) throw error;
    const { message } = error;
    await call.store.write(call.principal.org, (tx) =>
      enter(call, tx, invoice, invoiceId, {
        changes: "Not sent",
        details: `This invoice was to be emailed, but: ${message}`,
      }),
    );
    return { SentToContact: false, Message: message };
  }
}
