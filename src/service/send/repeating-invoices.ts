/**
 * Templates generate their invoices, one for each date of their schedules up to today.
 *
 * A date is used in the transaction that makes its invoice and moves the template on to its next
 * date. So each date has its invoice exactly once, however many programs try at the same time and
 * wherever one of them is killed. Missed dates are caught up in order.
 *
 * An invoice that is refused is kept as a draft, and its history says why. Where a draft is
 * impossible too, the template stays at its date, with the reason in its history, and is tried
 * again each time.
 */

import { filledIn } from "../../ledger/dates/placeholders.ts";
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
  putOff,
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
import { sendInvoice } from "./email.ts";

/** Most dates that are dealt with in one request; the next one goes on. */
const datesMax = 1000;

/** POST /RepeatingInvoices/Run: makes what is due, sends it, and answers what became of each date. */
export async function runRepeating(call: RequestContext): Promise<ServiceResponse> {
  const runs = await generateDue(call);
  return call.write(async () => answer(call, repeatingRun, runs, "single"));
}

/** @returns what became of each date that was due, in the order of the dates */
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
  const sent = await sendDue(call);
  return runs.map((run) => ({ ...run, ...sent.get(run.InvoiceID ?? "") }));
}

/** Outcome of a date, and the next date of the same template that is due. */
interface Generated {
  readonly run?: RepeatingRun;
  readonly next?: string | undefined;
}

async function generateAll(
  due: readonly TemplateDate[],
  bring: (date: TemplateDate) => Promise<Generated>,
): Promise<RepeatingRun[]> {
  const waiting = [...due];
  const runs: RepeatingRun[] = [];
  for (let tries = 0; tries < datesMax; tries += 1) {
    const first = waiting.shift();
    if (first === undefined) break;
    const { run, next } = await bring(first);
    if (run !== undefined) runs.push(run);
    if (next !== undefined) putInOrder(waiting, { ...first, date: next });
  }
  return runs;
}

function putInOrder(waiting: TemplateDate[], added: TemplateDate): void {
  const later = waiting.findIndex(({ date }) => date > added.date);
  waiting.splice(later === -1 ? waiting.length : later, 0, added);
}

async function generateOne(call: RequestContext, tx: Tx, due: TemplateDate): Promise<Generated> {
  const { templateId, date } = due;
  const { today } = await organisationContext(call, tx);
  const [template] = await fetch(tx, repeatingInvoice, "RepeatingInvoiceID", [templateId]);
  if (template === undefined || template.Status === "DELETED") return {};
  if (template.NextDate !== date) return { next: dueBy(today, template.NextDate) };
  const { made, refused } = await make(call, tx, template, date);
  if (made === undefined) return { run: await hold(call, tx, template, date, refused) };
  const { InvoiceID, InvoiceNumber, Status, SentToContact } = made;
  const sends = template.ApprovedForSending && made.Type === "ACCREC" && Status === "AUTHORISED";
  await useDate(tx, due, InvoiceID, sends ? call.now() : undefined);
  const schedule = template.Schedule as Parameters<typeof nextDate>[0];
  const next = nextDate(schedule, date);
  await save(tx, repeatingInvoice, [
    {
      ...template,
      Schedule: { ...template.Schedule, NextScheduledDate: next },
      NextDate: next,
      LastDate: date,
      HeldBecause: undefined,
    },
  ]);
  const name = InvoiceNumber === undefined ? "A bill" : `Invoice ${InvoiceNumber}`;
  const details = `${name} of ${date} was made${refused === "" ? "" : ", as a draft"}.`;
  await enter(call, tx, repeatingInvoice, templateId, { changes: "Invoice created", details });
  const Message = refused === "" ? undefined : refused;
  const run = { RepeatingInvoiceID: templateId, Date: date, InvoiceID, InvoiceNumber, Status };
  return { run: { ...run, SentToContact, Message }, next: dueBy(today, next) };
}

function dueBy(today: string, date: string | undefined): string | undefined {
  return date !== undefined && date <= today ? date : undefined;
}

interface IssuedInvoice {
  readonly made: Invoice | undefined;
  /** Why it is not as the template would have it; empty when it is. */
  readonly refused: string;
}

async function make(
  call: RequestContext,
  tx: Tx,
  template: StoredRepeatingInvoice,
  date: string,
): Promise<IssuedInvoice> {
  const { RepeatingInvoiceID } = template;
  const lines = (await linesOf(tx, [RepeatingInvoiceID])).get(RepeatingInvoiceID) ?? [];
  const found = await organisationContext(call, tx);
  let refused = "";
  const wanted = invoiceInput(template, lines, date);
  for (const input of attempts(wanted, found.today, lockedUntil(found.organisation))) {
    const entry = await writeOne({ call, tx }, invoices, {
      input,
      own: { RepeatingInvoiceID },
    });
    if (entry.record !== undefined && entry.errors.length === 0) {
      const made = entry.record as unknown as Invoice;
      await enterMade(call, tx, entry, made, { template, date, refused });
      return { made, refused };
    }
    // The first refusal says what is wrong with the invoice that was wanted.
    if (refused === "") refused = sentencesOf(entry.errors);
  }
  return { made: undefined, refused };
}

async function enterMade(
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
  const { Reference, RepeatingInvoiceID } = template;
  const from = Reference ?? RepeatingInvoiceID;
  const moved = dated === date ? "" : ` It bears the date of today, since ${date} is closed.`;
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
      : [{ changes: "Kept as a draft", details: `It was refused: ${refused}${moved}` }]),
  );
}

/** Leaves a template at its date; its history says why, once for each reason. */
async function hold(
  call: RequestContext,
  tx: Tx,
  template: StoredRepeatingInvoice,
  date: string,
  refused: string,
): Promise<RepeatingRun> {
  const { RepeatingInvoiceID, HeldBecause } = template;
  const reason = `${date}: ${refused}`;
  if (HeldBecause !== reason) {
    await save(tx, repeatingInvoice, [{ ...template, HeldBecause: reason }]);
    const details = `The invoice of ${date} could not be made, and is tried again: ${refused}`;
    await enter(call, tx, repeatingInvoice, RepeatingInvoiceID, { changes: "Held", details });
  }
  return { RepeatingInvoiceID, Date: date, Message: refused };
}

const referenceMax = 255;
const descriptionMax = 4000;

/**
 * The invoice of one date.
 *
 * Tax is worked out anew, at the rate that is in force when it is made; all else is as it stands in
 * the template. Placeholders stand for the date.
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
    Reference: Reference && filledIn(Reference, date).slice(0, referenceMax),
    Status,
    LineAmountTypes: template.LineAmountTypes,
    CurrencyCode: template.CurrencyCode,
    BrandingThemeID: template.BrandingThemeID,
    SentToContact: MarkAsSent && Status === "AUTHORISED" && Type === "ACCREC",
    LineItems: lines.map(({ LineItemID: _, Item: __, TaxAmount: ___, ...line }) => ({
      ...line,
      ...(line.Description && {
        Description: filledIn(line.Description, date).slice(0, descriptionMax),
      }),
    })),
  };
}

/**
 * What to try, one after the other, until something is accepted: the invoice as it should be, the
 * same as a draft, and a draft of today. Where its own date is closed, a draft of that date would be
 * taken, but could never be approved.
 *
 * @param locked  the last day that is locked, if any is
 */
function attempts(
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

// That an invoice is to be emailed is kept with it, in one transaction; sending comes after. Each
// sender first puts the invoice off, so that no other program sends it at the same time; after a
// crash it is sent when that time is over.

/** How long a program has for sending one message. */
const sendingMs = 10 * 60_000;

type Sent = Pick<RepeatingRun, "SentToContact" | "Message">;

/** Sends each once; a failure stays in the history of the invoice. @returns what became of each */
async function sendDue(call: RequestContext): Promise<Map<string, Sent>> {
  const { org } = call.principal;
  // The answer of the request does not depend on single messages.
  const own: RequestContext = { ...call, write: call.writePart };
  const outcomes = new Map<string, Sent>();
  for (const each of await call.read((tx) => invoicesToSend(tx, call.now()))) {
    const sendAt = call.now() + sendingMs;
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
