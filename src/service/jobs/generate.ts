/**
 * Templates bring forth their invoices, one for each date of their schedules up to today.
 *
 * A date is used in the transaction that makes its invoice and moves the template on to its next
 * date. So each date has its invoice exactly once, however many programs try at the same time and
 * wherever one of them is killed. What was missed is caught up in the order of the dates.
 *
 * An invoice that is refused is kept as a draft, and its history says why. Where not even that can
 * be, the template stays at its date, with the reason in its history, and is tried again each time.
 */

import { lockedUntil } from "../../ledger/locks.ts";
import { invoice, repeatingInvoice } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import { type RepeatingRun, repeatingRun } from "../../resources/repeating-invoice.ts";
import { linesOf } from "../../store/mapping/lines.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import { dueDates, type TemplateDate, useDate } from "../../store/queries/repeating.ts";
import type { Tx } from "../../store/store.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import type { StoredDocument, StoredRepeatingInvoice } from "../documents/stored.ts";
import type { RecordWriter, WriteItem, WriteRequest } from "../endpoints/endpoint.ts";
import { invoices } from "../endpoints/invoice.ts";
import { attempts, invoiceInput } from "../jobs/from-template.ts";
import { answer } from "../request/answer.ts";
import { organisationContext, type RequestContext } from "../request/context.ts";
import { enter } from "../request/history.ts";
import { decideEntries, entryOf } from "../request/write.ts";
import { nextDate } from "./schedule.ts";
import { sendDue } from "./send.ts";

/** Most dates that are dealt with in one request; the next one goes on. */
const datesMax = 1000;

/** POST /RepeatingInvoices/Run: makes what is due, sends it, and answers what became of each date. */
export async function runRepeating(call: RequestContext): Promise<ServiceResponse> {
  const runs = await bringForth(call);
  return call.write(async () => answer(call, repeatingRun, runs, "single"));
}

/** @returns what became of each date that was due, in the order of the dates */
export async function bringForth(call: RequestContext): Promise<RepeatingRun[]> {
  const { org } = call.principal;
  const due = await call.read(async (tx) =>
    dueDates(tx, (await organisationContext(call, tx)).today),
  );
  if (call.dryRun) {
    return call.store.write(org, (tx) => bringAll(due, (date) => bringOne(call, tx, date)), {
      dryRun: true,
    });
  }
  const runs = await bringAll(due, (date) =>
    call.store.write(org, (tx) => bringOne(call, tx, date), { at: call.now }),
  );
  const sent = await sendDue(call);
  return runs.map((run) => ({ ...run, ...sent.get(run.InvoiceID ?? "") }));
}

/** What became of a date, and the next one of the same template that is due. */
interface Brought {
  readonly run?: RepeatingRun;
  readonly next?: string | undefined;
}

async function bringAll(
  due: readonly TemplateDate[],
  bring: (date: TemplateDate) => Promise<Brought>,
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

async function bringOne(call: RequestContext, tx: Tx, due: TemplateDate): Promise<Brought> {
  const { templateId, date } = due;
  const { today } = await organisationContext(call, tx);
  const [template] = await fetch(tx, repeatingInvoice, "RepeatingInvoiceID", [templateId]);
  if (template === undefined || template.Status === "DELETED") return {};
  if (template.NextDate !== date) return { next: dueBy(today, template.NextDate) };
  const { made, refused } = await make(call, tx, template, date);
  if (made === undefined) return { run: await hold(call, tx, template, date, refused) };
  const { InvoiceID, InvoiceNumber, Status, SentToContact } = made;
  const sends = template.ApprovedForSending && made.Type === "ACCREC" && Status === "AUTHORISED";
  await useDate(tx, due, InvoiceID, sends ? call.now : undefined);
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

interface Made {
  readonly made: Invoice | undefined;
  /** Why it is not as the template would have it; empty when it is. */
  readonly refused: string;
}

async function make(
  call: RequestContext,
  tx: Tx,
  template: StoredRepeatingInvoice,
  date: string,
): Promise<Made> {
  const { RepeatingInvoiceID } = template;
  const writing = await writingFor(RepeatingInvoiceID);
  const lines = (await linesOf(tx, [RepeatingInvoiceID])).get(RepeatingInvoiceID) ?? [];
  const found = await organisationContext(call, tx);
  let refused = "";
  const wanted = invoiceInput(template, lines, date);
  for (const input of attempts(wanted, found.today, lockedUntil(found.organisation))) {
    const entry = entryOf({ ...input }, 0) as unknown as WriteItem<StoredDocument>;
    const batch: WriteRequest<StoredDocument> = {
      ...found,
      call,
      tx,
      method: "PUT",
      unitDecimals: 4,
      entries: [entry],
    };
    await decideEntries(batch as unknown as WriteRequest, writing as unknown as RecordWriter);
    if (entry.record !== undefined && entry.errors.length === 0) {
      const made = entry.record as unknown as Invoice;
      await enterMade(call, tx, entry, made, { template, date, refused });
      return { made, refused };
    }
    // The first refusal says what is wrong with the invoice that was wanted.
    if (refused === "") refused = entry.errors.join(" ");
  }
  return { made: undefined, refused };
}

/** Invoices that know which template they are from. */
async function writingFor(
  RepeatingInvoiceID: string,
): Promise<RecordWriter<StoredDocument, DocumentBatchContext>> {
  const shared = await invoices.writer();
  return {
    ...shared,
    keep(batch, work, decided) {
      for (const { record } of decided) Object.assign(record ?? {}, { RepeatingInvoiceID });
      return shared.keep(batch, work, decided);
    },
  };
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
