/**
 * Repeating invoices: templates generate one invoice for each date of their schedule up to today.
 *
 * A date is used in the transaction that makes its invoice and advances the template. So each date
 * has exactly one invoice, even with concurrent or killed programs. Missed dates are made up in
 * order.
 *
 * A refused invoice is saved as a draft, with the reason in its history. Where even a draft is
 * refused, the template stays at its date, with the reason in its history, and is retried in each
 * run.
 */

import { fillPlaceholders } from "../../ledger/dates/placeholders.ts";
import { dueDate } from "../../ledger/documents/terms.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import { AcctError, sentencesOf } from "../../resources/errors.ts";
import { invoice, repeatingInvoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { type RepeatingRun, repeatingRun } from "../../resources/repeating-invoice.ts";
import { linesOf } from "../../store/mapping/line-items.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import {
  dueDates,
  invoicesToSend,
  postponeEmail,
  type TemplateDate,
  type ToSend,
  useDate,
} from "../../store/queries/repeating.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { StoredDocument, StoredRepeatingInvoice } from "../documents/stored-documents.ts";
import { nextDate } from "../documents/template-schedule.ts";
import { invoices } from "../records/documents.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import type { WriteItem } from "../request/endpoint.ts";
import { enter } from "../request/history.ts";
import { writeOne } from "../request/write.ts";
import { sendInvoice } from "./email-document.ts";

/** Maximum number of dates in one request; the next request continues. */
const datesMax = 1000;

/**
 * POST /RepeatingInvoices/Run: generates and emails due invoices, and answers the outcome of each
 * date.
 */
export async function runRepeating(call: RequestContext): Promise<ServiceResponse> {
  const runs = await generateDue(call);
  return call.write(async () => answer(call, repeatingRun, runs, "single"));
}

/** @returns the outcome of each due date, in the order of the dates */
export async function generateDue(call: RequestContext): Promise<RepeatingRun[]> {
  const { org } = call.principal;
  const due = await call.read(async (tx) =>
    dueDates(tx, (await organisationContext(call, tx)).today),
  );
  if (call.dryRun) {
    return call.store.write(org, (tx) => generateAll(due, (date) => generateOne(call, tx, date)), {
      dryRun: true,
    });
  }
  const runs = await generateAll(due, (date) =>
    call.writePart((tx) => generateOne(call, tx, date)),
  );
  const sentEmails = await sendDue(call);
  return runs.map((run) => ({ ...run, ...sentEmails.get(run.InvoiceID ?? "") }));
}

/** The outcome of a date, and the template's next due date. */
interface Generated {
  readonly run?: RepeatingRun;
  readonly next?: string | undefined;
}

async function generateAll(
  dueTemplates: readonly TemplateDate[],
  bring: (date: TemplateDate) => Promise<Generated>,
): Promise<RepeatingRun[]> {
  const waitingDates = [...dueTemplates];
  const runs: RepeatingRun[] = [];
  for (let attempts = 0; attempts < datesMax; attempts += 1) {
    const firstDate = waitingDates.shift();
    if (firstDate === undefined) break;
    const { run, next } = await bring(firstDate);
    if (run !== undefined) runs.push(run);
    if (next !== undefined) insertInOrder(waitingDates, { ...firstDate, date: next });
  }
  return runs;
}

function insertInOrder(waitingDates: TemplateDate[], addedDate: TemplateDate): void {
  const laterIndex = waitingDates.findIndex(({ date }) => date > addedDate.date);
  waitingDates.splice(laterIndex === -1 ? waitingDates.length : laterIndex, 0, addedDate);
}

async function generateOne(call: RequestContext, tx: Tx, due: TemplateDate): Promise<Generated> {
  const { templateId, date } = due;
  const { today } = await organisationContext(call, tx);
  const [template] = await fetch(tx, repeatingInvoice, "RepeatingInvoiceID", [templateId]);
  if (template === undefined || template.Status === "DELETED") return {};
  if (template.NextDate !== date) return { next: dueBy(today, template.NextDate) };
  const { invoice: made, refused } = await issueInvoice(call, tx, template, date);
  if (made === undefined) return { run: await hold(call, tx, template, date, refused) };
  const { InvoiceID, InvoiceNumber, Status, SentToContact } = made;
  const isSent = template.ApprovedForSending && made.Type === "ACCREC" && Status === "AUTHORISED";
  await useDate(tx, due, InvoiceID, isSent ? call.now() : undefined);
  const schedule = template.Schedule as Parameters<typeof nextDate>[0];
  const followingDate = nextDate(schedule, date);
  await save(tx, repeatingInvoice, [
    {
      ...template,
      Schedule: { ...template.Schedule, NextScheduledDate: followingDate },
      NextDate: followingDate,
      LastDate: date,
      HeldBecause: undefined,
    },
  ]);
  const name = InvoiceNumber === undefined ? "A bill" : `Invoice ${InvoiceNumber}`;
  const details = `${name} of ${date} was made${refused === "" ? "" : ", as a draft"}.`;
  await enter(call, tx, repeatingInvoice, templateId, { changes: "Invoice created", details });
  const Message = refused === "" ? undefined : refused;
  const run = { RepeatingInvoiceID: templateId, Date: date, InvoiceID, InvoiceNumber, Status };
  return { run: { ...run, SentToContact, Message }, next: dueBy(today, followingDate) };
}

function dueBy(today: string, date: string | undefined): string | undefined {
  return date !== undefined && date <= today ? date : undefined;
}

interface IssuedInvoice {
  readonly invoice: Invoice | undefined;
  /** Reason why the invoice differs from the template; empty if it does not. */
  readonly refused: string;
}

async function issueInvoice(
  call: RequestContext,
  tx: Tx,
  template: StoredRepeatingInvoice,
  date: string,
): Promise<IssuedInvoice> {
  const { RepeatingInvoiceID } = template;
  const lines = (await linesOf(tx, [RepeatingInvoiceID])).get(RepeatingInvoiceID) ?? [];
  const context = await organisationContext(call, tx);
  let refusalText = "";
  const wantedInput = invoiceInput(template, lines, date);
  for (const input of inputsToTry(wantedInput, context.today, lockedUntil(context.organisation))) {
    const entry = await writeOne({ call, tx }, invoices, {
      input,
      own: { RepeatingInvoiceID },
    });
    if (entry.record !== undefined && entry.errors.length === 0) {
      const newInvoice = entry.record as unknown as Invoice;
      await noteGenerated(call, tx, entry, newInvoice, { template, date, refused: refusalText });
      return { invoice: newInvoice, refused: refusalText };
    }
    // The first refusal is kept: it concerns the intended invoice.
    if (refusalText === "") refusalText = sentencesOf(entry.errors);
  }
  return { invoice: undefined, refused: refusalText };
}

async function noteGenerated(
  call: RequestContext,
  tx: Tx,
  { history }: WriteItem<StoredDocument>,
  { InvoiceID, Date: dated }: Invoice,
  {
    template,
    date,
    refused,
  }: { readonly template: StoredRepeatingInvoice; readonly date: string; readonly refused: string },
): Promise<void> {
  const from = template.Reference ?? template.Handle ?? "";
  const movedDate = dated === date ? "" : ` It bears the date of today, since ${date} is closed.`;
  await enter(
    call,
    tx,
    invoice,
    InvoiceID,
    ...history,
    {
      changes: "Repeated",
      details: `It was made by the repeating invoice ${from}, which had it for ${date}.`,
    },
    ...(refused === ""
      ? []
      : [{ changes: "Kept as a draft", details: `It was refused: ${refused}${movedDate}` }]),
  );
}

/** Keeps a template at its date, and notes each new reason once in its history. */
async function hold(
  call: RequestContext,
  tx: Tx,
  template: StoredRepeatingInvoice,
  date: string,
  refusalText: string,
): Promise<RepeatingRun> {
  const { RepeatingInvoiceID, HeldBecause } = template;
  const reason = `${date}: ${refusalText}`;
  if (HeldBecause !== reason) {
    await save(tx, repeatingInvoice, [{ ...template, HeldBecause: reason }]);
    const details = `The invoice of ${date} could not be made, and is tried again: ${refusalText}`;
    await enter(call, tx, repeatingInvoice, RepeatingInvoiceID, { changes: "Held", details });
  }
  return { RepeatingInvoiceID, Date: date, Message: refusalText };
}

const referenceMax = 255;
const descriptionMax = 4000;

/**
 * Returns the input of the invoice for one date.
 *
 * Tax is recomputed by the rates in force; other fields are those of the template. Placeholders are
 * replaced by the date.
 */
function invoiceInput(
  template: StoredRepeatingInvoice,
  lines: readonly LineItem[],
  date: string,
): Record<string, unknown> {
  const { Type, Contact, Reference, Status, Schedule, MarkAsSent } = template;
  return {
    Type,
    Contact: { ContactID: Contact?.ContactID },
    Date: date,
    DueDate: dueDate(date, { Day: Schedule.DueDate, Type: Schedule.DueDateType }),
    Reference: Reference && fillPlaceholders(Reference, date).slice(0, referenceMax),
    Status,
    LineAmountTypes: template.LineAmountTypes,
    CurrencyCode: template.CurrencyCode,
    BrandingThemeID: template.BrandingThemeID,
    SentToContact: MarkAsSent && Status === "AUTHORISED" && Type === "ACCREC",
    LineItems: lines.map(({ LineItemID: _, Item: __, TaxAmount: ___, ...line }) => ({
      ...line,
      ...(line.Description && {
        Description: fillPlaceholders(line.Description, date).slice(0, descriptionMax),
      }),
    })),
  };
}

/**
 * Returns the inputs to try in order: the intended invoice, a draft of it, and a draft dated today.
 * In a locked period a draft of the original date would be accepted, but could never be approved.
 *
 * @param locked  the last locked day, if any
 */
function inputsToTry(
  input: Readonly<Record<string, unknown>>,
  today: string,
  locked: string | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const draft = { ...input, Status: "DRAFT", SentToContact: false };
  const isClosed = locked !== undefined && String(input.Date) <= locked;
  return [
    input,
    ...(input.Status === "DRAFT" || isClosed ? [] : [draft]),
    ...(input.Date === today ? [] : [{ ...draft, Date: today }]),
  ];
}

// --- emails of invoices that were made for sending ------------------------------------------------

// The request to email an invoice is stored with the invoice, in one transaction; sending follows.
// A sender first takes a lease on the email, so that no other program sends it at the same time;
// after a crash the email is sent when the lease has expired.

/** Lease on sending one message, in milliseconds. */
const sendingMs = 10 * 60_000;

type Sent = Pick<RepeatingRun, "SentToContact" | "Message">;

/** Sends each due email once; failures are noted in the history. @returns the outcome by invoice */
async function sendDue(call: RequestContext): Promise<Map<string, Sent>> {
  const { org } = call.principal;
  // Separate writes: the response of the request does not depend on single messages.
  const partCall: RequestContext = { ...call, write: call.writePart };
  const outcomeById = new Map<string, Sent>();
  for (const toSend of await call.read((tx) => invoicesToSend(tx, call.now()))) {
    const sendAt = call.now() + sendingMs;
    if (!(await call.store.write(org, (tx) => postponeEmail(tx, toSend, sendAt)))) continue;
    outcomeById.set(toSend.invoiceId, await sendOne(partCall, toSend));
    await call.store.write(org, (tx) => postponeEmail(tx, { ...toSend, sendAt }, undefined));
  }
  return outcomeById;
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
