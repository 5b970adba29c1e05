/**
 * The pipeline of a document that is made, edited or approved: resolve, life cycle, totals,
 * postings. Each stage is a function of the draft; see there.
 */
import { mayEdit, settledStatus } from "../../ledger/lifecycle.ts";
import { checkLock } from "../../ledger/locks.ts";
import { documentTotals } from "../../ledger/totals.ts";
import { smallestAmount } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { WriteItem, WriteRequest } from "../endpoints/endpoint.ts";
import { plan } from "../jobs/schedule.ts";
import { nameInvoice, resolveBankAccount } from "./bank.ts";
import type { DocumentBatchContext } from "./batch-context.ts";
import { withhold } from "./cis-deduction.ts";
import { documentResources, numberOf } from "./document-resources.ts";
import { type Draft, draftOf } from "./draft.ts";
import {
  dropWhatItLacks,
  resolveContact,
  resolveCurrency,
  resolveDates,
  resolveTheme,
  resolveUser,
} from "./header.ts";
import { composed, withArticle } from "./history-texts.ts";
import { composeLines } from "./lines.ts";
import type { Numbers } from "./numbers.ts";
import { changedFields, postedFacts } from "./posting.ts";
import { owedOf, type StoredDocument } from "./stored.ts";

/** @throws RefusedError with everything that is wrong with the document */
export function compose(
  batch: WriteRequest<StoredDocument>,
  work: DocumentBatchContext,
  entry: WriteItem<StoredDocument>,
  Status: string,
): void {
  const draft = draftOf(batch, work, entry, Status);
  resolveContact(draft);
  resolveUser(draft);
  resolveBankAccount(draft);
  resolveDates(draft);
  resolveCurrency(draft);
  resolveTheme(draft);
  dropWhatItLacks(draft);
  nameInvoice(draft);
  plan(draft);
  composeLines(draft);
  total(draft);
  withhold(draft);
  number(draft);
  judge(draft);
  draft.faults.check();
  due(draft);
  post(draft);
  status(draft);
  settle(draft);
}

function total({ record, kind, complete, faults }: Draft): void {
  const totals = faults.collect(() =>
    documentTotals(record.LineItems, record.LineAmountTypes, smallestAmount(record.CurrencyCode)),
  );
  if (totals === undefined) return;
  Object.assign(record, totals);
  if (record.TotalDiscount === 0 && !kind.discounts) record.TotalDiscount = undefined;
  record.IsDiscounted = (record.TotalDiscount ?? 0) !== 0;
  if (kind.bank !== undefined) {
    if (record.Total <= 0) faults.add("The total of a bank transaction must be above zero.");
  } else if (complete && record.Total < 0) {
    faults.add(
      kind.family === documentResources.invoice
        ? "The total of an invoice cannot be negative; use a credit note."
        : `The total of a ${kind.label.toLowerCase()} cannot be negative.`,
    );
  }
}

/** The series that the number of a document is taken from; undefined where it is of none. */
function numbersOf({ kind, record, work }: Draft): Numbers | undefined {
  if (kind.ofUser === true) return work.userNumbers.get(record.User?.UserID ?? "");
  return kind.series === undefined ? undefined : work.numbers;
}

/** A document of a series has a number of its own; another keeps what it was given. */
function number(draft: Draft): void {
  const { kind, record, existing, id, faults } = draft;
  const { family } = kind;
  if (family.number === undefined) return;
  const given = numberOf(family, record) ?? (existing && numberOf(family, existing));
  const numbers = numbersOf(draft);
  if (numbers !== undefined) {
    const taken = given ?? numbers.next();
    Object.assign(record, { [family.number]: taken });
    numbers.check(taken, id, faults);
  }
}

/** What the life cycle and the lock dates have against it; what posts nothing is never locked. */
function judge(draft: Draft): void {
  const { record, existing, faults, batch, kind, approved, wasApproved, applied, linesBefore } =
    draft;
  if (record.SentToContact && !approved) faults.add(kind.sentTooEarly);
  if (isPosting(draft)) {
    const before = wasApproved ? existing?.Date : undefined;
    for (const date of new Set([record.Date, before ?? record.Date])) {
      faults.collect(() => checkLock(date, batch.organisation));
    }
  }
  if (existing === undefined) return;
  if (record.Type !== existing.Type) {
    faults.add(`The Type of ${withArticle(kind.family.resource.noun)} cannot be changed.`);
  }
  const changed = kind.posts === undefined ? [] : changedFields(existing, linesBefore, record);
  faults.collect(() => mayEdit(kind.lifeCycle, existing.Status, applied, changed));
}

function due({ record, kind }: Draft): void {
  const { open } = kind.family;
  if (open === undefined) return;
  record[open] = (owedOf(record) - record.AmountPaid - record.AmountCredited) as Cents;
}

/** Whether it is approved now, or was before and posted otherwise. */
function isPosting({ record, existing, kind, linesBefore, approved, wasApproved }: Draft): boolean {
  if (!approved || kind.posts === undefined) return false;
  if (existing === undefined || !wasApproved) return true;
  return postedFacts(existing, linesBefore) !== postedFacts(record, record.LineItems);
}

/** Brings the ledger to what the document says now. @throws RefusedError by stock */
function post(draft: Draft): void {
  const { record, id, kind, work, wasApproved, applied } = draft;
  if (!isPosting(draft)) return;
  const stage = work.posting.stage(work.items);
  if (wasApproved) {
    const live = work.live.get(id) ?? [];
    const moves = work.moves.get(id) ?? [];
    const due = stage.replace(record, work.chart, live, moves);
    // With payments applied the amounts are frozen, and so is what is left of them.
    if (!applied) record.BaseDue = due;
  } else {
    record.BaseDue = stage.approve(record, work.chart);
  }
  stage.commit();
  if (kind.family.open === undefined) record.BaseDue = 0 as Cents;
}

/** A total of zero is settled by the approval; what is applied to a document settles it otherwise. */
function status({ record, kind, approved, applied }: Draft): void {
  if (!approved || applied || kind.posts === undefined || kind.family.open === undefined) return;
  record.Status = settledStatus(record.Total);
  record.FullyPaidOnDate = record.Status === "PAID" ? record.Date : undefined;
}

function settle(draft: Draft): void {
  const { record, existing, entry, id, work, kind, contact, approved } = draft;
  if (approved && contact !== undefined && kind.role !== undefined) {
    work.contacts.mark(contact, kind.role);
  }
  const taken = numberOf(kind.family, record);
  if (taken !== undefined) numbersOf(draft)?.take(taken, id);
  entry.record = record;
  entry.history.push(...composed(record, existing));
}
