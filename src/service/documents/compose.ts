/**
 * The pipeline of a document that is made, edited or approved: resolve, life cycle, totals,
 * postings. Each stage is a function of the draft; see there.
 */
import { mayEdit } from "../../ledger/lifecycle.ts";
import { checkLock } from "../../ledger/locks.ts";
import { documentTotals } from "../../ledger/totals.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { Batch, Entry } from "../endpoint.ts";
import { type Draft, draftOf } from "./draft.ts";
import { dropWhatItLacks, resolveContact, resolveCurrency, resolveDates } from "./head.ts";
import { composeLines } from "./lines.ts";
import { changedFields, postedFacts } from "./posting.ts";
import type { StoredInvoice } from "./stored.ts";
import { composed } from "./words.ts";
import type { Work } from "./work.ts";

/** @throws RefusedError with everything that is wrong with the document */
export function compose(
  batch: Batch<StoredInvoice>,
  work: Work,
  entry: Entry<StoredInvoice>,
  Status: Invoice["Status"],
): void {
  const draft = draftOf(batch, work, entry, Status);
  resolveContact(draft);
  resolveDates(draft);
  resolveCurrency(draft);
  dropWhatItLacks(draft);
  composeLines(draft);
  total(draft);
  number(draft);
  judge(draft);
  draft.faults.check();
  due(draft);
  post(draft);
  settle(draft);
}

function total({ record, kind, complete, faults }: Draft): void {
  const totals = faults.collect(() => documentTotals(record.LineItems, record.LineAmountTypes));
  if (totals === undefined) return;
  Object.assign(record, totals);
  if (record.TotalDiscount === 0 && kind.side === "purchases") record.TotalDiscount = undefined;
  record.IsDiscounted = (record.TotalDiscount ?? 0) !== 0;
  if (complete && record.Total < 0) {
    faults.add("The total of an invoice cannot be negative; use a credit note.");
  }
}

/** A document of a series has a number of its own; another keeps what it was given. */
function number({ kind, record, existing, work, faults }: Draft): void {
  if (kind.series === undefined) return;
  record.InvoiceNumber ??= existing?.InvoiceNumber ?? work.numbers.next();
  work.numbers.check(record.InvoiceNumber, record.InvoiceID, faults);
}

/** What the life cycle and the lock dates have against it. */
function judge(draft: Draft): void {
  const { record, existing, faults, batch, approved, applied, linesBefore } = draft;
  if (record.SentToContact && !approved) {
    faults.add("SentToContact can be set only on approved invoices.");
  }
  for (const date of new Set([record.Date, existing?.Date ?? record.Date])) {
    faults.collect(() => checkLock(date, batch.organisation));
  }
  if (existing === undefined) return;
  if (record.Type !== existing.Type) faults.add("The Type of an invoice cannot be changed.");
  const changed = changedFields(existing, linesBefore, record);
  faults.collect(() => mayEdit(existing.Status, applied, changed));
}

function due({ record, existing }: Draft): void {
  record.AmountPaid = existing?.AmountPaid ?? (0 as Cents);
  record.AmountCredited = existing?.AmountCredited ?? (0 as Cents);
  record.AmountDue = (record.Total - record.AmountPaid - record.AmountCredited) as Cents;
  record.BaseDue = existing?.BaseDue ?? (0 as Cents);
}

/** Posts what is approved now, or posted otherwise before. @throws RefusedError by stock */
function post(draft: Draft): void {
  const { record, existing, work, linesBefore, approved, wasApproved, applied } = draft;
  if (!approved) return;
  if (existing !== undefined && wasApproved) {
    if (postedFacts(existing, linesBefore) === postedFacts(record, record.LineItems)) return;
  }
  const stage = work.posting.stage(work.items);
  if (wasApproved) {
    const live = work.live.get(record.InvoiceID) ?? [];
    const moves = work.moves.get(record.InvoiceID) ?? [];
    const due = stage.replace(record, work.chart, live, moves);
    // With payments applied the amounts are frozen, and so is what is left of them.
    if (!applied) record.BaseDue = due;
  } else {
    record.BaseDue = stage.approve(record, work.chart);
  }
  stage.commit();
  if (record.Total === 0) {
    record.Status = "PAID";
    record.FullyPaidOnDate = record.Date;
  }
}

function settle({ record, existing, entry, work, kind, contact, approved }: Draft): void {
  if (approved && contact !== undefined) work.contacts.mark(contact, kind.role);
  if (kind.series !== undefined && record.InvoiceNumber !== undefined) {
    work.numbers.take(record.InvoiceNumber, record.InvoiceID);
  }
  entry.record = record;
  entry.history.push(...composed(record, existing));
}
