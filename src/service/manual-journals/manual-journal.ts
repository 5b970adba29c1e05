/** The writer of manual journals: compose and post, or delete and void. */

import { isApproved, mayEdit, move } from "../../ledger/documents/lifecycle.ts";
import type { Journal, PostedJournal } from "../../ledger/journal.ts";
import { checkLock } from "../../ledger/locks.ts";
import {
  correct,
  manualJournalLifeCycle as lifeCycle,
  manualJournals,
} from "../../ledger/postings/manual-journal.ts";
import { refusal } from "../../resources/errors.ts";
import { manualJournal } from "../../resources/index.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { ManualJournal, ManualJournalLine } from "../../resources/manual-journal.ts";
import { appendJournals } from "../../store/ledger/journals.ts";
import { liveJournals } from "../../store/ledger/record-journals.ts";
import { linesOf, saveLines } from "../../store/mapping/line-items.ts";
import { fetch, type StoredFields, save } from "../../store/mapping/records.ts";
import { depreciationJournals } from "../../store/records/depreciation.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { untaxedTypes, untaxedWarning } from "../documents/coding.ts";
import { type Chart, loadChart } from "../lookups/chart-of-accounts.ts";
import type {
  Endpoint,
  HistoryNote,
  RecordWriter,
  WriteItem,
  WriteRequest,
} from "../request/endpoint.ts";
import { Faults } from "../request/faults.ts";
import { enter } from "../request/history.ts";
import { mergeRecord, withDefaults } from "../request/merge.ts";
import { completeJournalLines, journalLines, ledgerLines } from "./manual-lines.ts";

/** The stored form of a manual journal. */
export type StoredManualJournal = StoredFields<typeof manualJournal.fields>;

export interface ManualJournalBatchContext {
  readonly chart: Chart;
  /** Current lines of the updated journals, by journal id. */
  readonly linesById: ReadonlyMap<string, LineItem[]>;
  /** Ledger journals that are not reversed, by manual journal id. */
  readonly liveJournalsById: ReadonlyMap<string, PostedJournal[]>;
  /** Ids of the manual journals that the asset register made. */
  readonly assetJournalIds: ReadonlySet<string>;
  readonly journals: Journal[];
  /** Other posted journals of the same series, by SeriesID. */
  readonly seriesById: ReadonlyMap<string, StoredManualJournal[]>;
  /** Journals of these series that are voided in the same batch. */
  readonly together: StoredManualJournal[];
}

type ManualJournalRequest = WriteRequest<StoredManualJournal>;

export const manualJournalWriter: RecordWriter<StoredManualJournal, ManualJournalBatchContext> = {
  async load({ tx, entries }) {
    const storedJournals = entries.flatMap((entry) => entry.existing ?? []);
    const ids = storedJournals.map((storedManualJournal) => storedManualJournal.ManualJournalID);
    const ofSeries = await seriesOf(tx, storedJournals);
    const postedIds = [...storedJournals, ...ofSeries]
      .filter((storedManualJournal) => isApproved(lifeCycle, storedManualJournal.Status))
      .map((storedManualJournal) => storedManualJournal.ManualJournalID);
    const journalIds = [...ids, ...ofSeries.map((journal) => journal.ManualJournalID)];
    return {
      chart: await loadChart(tx),
      linesById: journalIds.length === 0 ? new Map() : await linesOf(tx, journalIds),
      liveJournalsById: Map.groupBy(
        postedIds.length === 0 ? [] : await liveJournals(tx, "source", postedIds),
        (journal) => journal.sourceId,
      ),
      assetJournalIds: await depreciationJournals(tx, ids),
      journals: [],
      seriesById: Map.groupBy(ofSeries, ({ SeriesID = "" }) => SeriesID),
      together: [],
    };
  },

  decide(batch, context, entry) {
    const { existing } = entry;
    const { Status = existing?.Status ?? "DRAFT" } = entry.input as Partial<ManualJournal>;
    if (existing !== undefined) mayEdit(lifeCycle, existing.Status, false, []);
    if (context.assetJournalIds.has(existing?.ManualJournalID ?? "")) {
      throw refusal(
        "Applied",
        "It is of the depreciation of assets, and is taken back with that (rollback).",
      );
    }
    move(lifeCycle, existing?.Status, Status, { isApplied: false });
    if (existing !== undefined && lifeCycle.ended.includes(Status)) {
      cancel(batch, context, entry, existing, Status);
    } else {
      compose(batch, context, entry, Status);
    }
  },

  async keep({ tx, call }, context, decisions) {
    const records = [...decisions.flatMap((entry) => entry.record ?? []), ...context.together];
    await save(tx, manualJournal, records);
    await saveLines(
      tx,
      records.map(({ ManualJournalID, JournalLines }) => ({
        id: ManualJournalID,
        lines: JournalLines,
      })),
    );
    await appendJournals(tx, context.journals, call.now(), call.newId);
    for (const { ManualJournalID } of context.together) {
      await enter(call, tx, manualJournal, ManualJournalID, moveNotes.VOIDED);
    }
  },
};

/**
 * Composes a new or edited manual journal, and posts it if its status says so.
 *
 * @throws RefusedError
 */
function compose(
  batch: ManualJournalRequest,
  context: ManualJournalBatchContext,
  entry: WriteItem<StoredManualJournal>,
  Status: ManualJournal["Status"],
): void {
  const { existing } = entry;
  const faults = new Faults();
  const record = draftOf(batch, entry, Status);
  record.JournalLines = linesFor(batch, context, entry, record, faults);
  checkUntaxed(entry, record, faults);
  faults.check();
  if (isApproved(lifeCycle, Status)) {
    const { ManualJournalID: id, LineAmountTypes: types } = record;
    const wantedJournals = manualJournals(
      {
        id,
        date: record.Date,
        reference: record.Narration,
        onCashBasis: record.ShowOnCashBasisReports,
        lines: ledgerLines(record.JournalLines, types, context.chart),
      },
      context.chart.system("GST").AccountID,
    );
    post(batch, context, correct(context.liveJournalsById.get(id) ?? [], wantedJournals));
  }
  entry.record = record;
  entry.history.push(...entryNote(record, existing));
}

function draftOf(
  { call, today }: ManualJournalRequest,
  { existing, input }: WriteItem<StoredManualJournal>,
  Status: ManualJournal["Status"],
): StoredManualJournal {
  const { fields } = manualJournal;
  const head = { ...input, JournalLines: undefined };
  const record: StoredManualJournal =
    existing === undefined ? withDefaults(fields, head) : mergeRecord(fields, existing, head);
  return {
    ...record,
    ManualJournalID: existing?.ManualJournalID ?? call.newId(),
    SeriesID: existing?.SeriesID ?? (input as Partial<StoredManualJournal>).SeriesID,
    Status,
    Date: record.Date ?? today,
    HasAttachments: existing?.HasAttachments ?? false,
    UpdatedDateUTC: call.now(),
    CreatedByApp: existing?.CreatedByApp ?? call.principal.app,
    CreatedDateUTC: existing?.CreatedDateUTC ?? call.now(),
  };
}

/** Returns the sent lines, else the current lines, which are checked again where needed. */
function linesFor(
  { organisation }: ManualJournalRequest,
  context: ManualJournalBatchContext,
  { existing, input }: WriteItem<StoredManualJournal>,
  { ManualJournalID, LineAmountTypes: types, Date: date, Status }: StoredManualJournal,
  faults: Faults,
): ManualJournalLine[] {
  const { JournalLines: sent } = input as Partial<ManualJournal>;
  const linesBefore = journalLines(context.linesById.get(ManualJournalID) ?? []);
  const isComplete = isApproved(lifeCycle, Status);
  const isRetyped = existing !== undefined && existing.LineAmountTypes !== types;
  const isPosting = isComplete && existing?.Status !== "POSTED";
  if (existing !== undefined && sent === undefined && !isRetyped && !isPosting) return linesBefore;
  // A change of `LineAmountTypes` changes the tax of lines that were not sent.
  const lines = linesBefore.map((line) => (isRetyped ? { ...line, TaxAmount: undefined } : line));
  return completeJournalLines(
    sent ?? lines,
    {
      ...{ chart: context.chart, organisation, types, date, isComplete },
      storedLines: isPosting ? [] : linesBefore,
    },
    faults,
  );
}

/** Refuses tax types that a journal would lose by the default of LineAmountTypes; else warns. */
function checkUntaxed(
  { input, warnings }: WriteItem<StoredManualJournal>,
  { LineAmountTypes }: StoredManualJournal,
  faults: Faults,
): void {
  const sentJournal = input as Partial<ManualJournal>;
  const lost = LineAmountTypes === "NoTax" ? untaxedTypes(sentJournal.JournalLines) : [];
  if (lost.length === 0) return;
  if (sentJournal.LineAmountTypes !== undefined) warnings.push(untaxedWarning(lost));
  else {
    faults.add(
      "Form",
      `TaxType ${lost.join(", ")} needs LineAmountTypes Exclusive or Inclusive: without it the journal has no tax.`,
    );
  }
}

/** Returns the other posted journals of the series, which are voided together. */
async function seriesOf(
  tx: Tx,
  stored: readonly StoredManualJournal[],
): Promise<StoredManualJournal[]> {
  const series = stored.flatMap(({ SeriesID }) => SeriesID ?? []);
  if (series.length === 0) return [];
  const journals = await fetch(tx, manualJournal, "SeriesID", series);
  const known = new Set(stored.map((storedManualJournal) => storedManualJournal.ManualJournalID));
  return journals.filter((each) => each.Status === "POSTED" && !known.has(each.ManualJournalID));
}

/** Deletes a draft; voids a posted journal with its series, each on its own date. */
function cancel(
  batch: ManualJournalRequest,
  context: ManualJournalBatchContext,
  entry: WriteItem<StoredManualJournal>,
  stored: StoredManualJournal,
  Status: ManualJournal["Status"],
): void {
  const otherJournals = (context.seriesById.get(stored.SeriesID ?? "") ?? []).filter(
    (series) => !context.together.some((other) => other.ManualJournalID === series.ManualJournalID),
  );
  const backwards = [stored, ...otherJournals].flatMap(({ ManualJournalID: id }) =>
    correct(context.liveJournalsById.get(id) ?? [], []),
  );
  post(batch, context, backwards);
  const cancelled = (storedManualJournal: StoredManualJournal): StoredManualJournal => ({
    ...storedManualJournal,
    Status,
    JournalLines: journalLines(context.linesById.get(storedManualJournal.ManualJournalID) ?? []),
    UpdatedDateUTC: batch.call.now(),
  });
  context.together.push(...otherJournals.map(cancelled));
  const record = cancelled(stored);
  entry.record = record;
  entry.history.push(...entryNote(record, stored));
}

/** Posts a manual journal. @throws RefusedError by a lock date, which drafts are exempt from */
function post(
  { organisation }: ManualJournalRequest,
  context: ManualJournalBatchContext,
  journals: readonly Journal[],
): void {
  for (const date of new Set(journals.map((journal) => journal.date))) {
    checkLock(date, organisation);
  }
  context.journals.push(...journals);
}

const moveNotes: Readonly<Record<ManualJournal["Status"], HistoryNote>> = {
  DRAFT: { changes: "Restored", details: "The manual journal is a draft again." },
  POSTED: { changes: "Posted", details: "The manual journal was posted." },
  DELETED: { changes: "Deleted", details: "The manual journal was deleted." },
  VOIDED: { changes: "Voided", details: "The manual journal was voided." },
  ARCHIVED: { changes: "Archived", details: "The manual journal was archived." },
};

/** Returns the history note of a new or edited journal. */
function entryNote(
  { Status }: StoredManualJournal,
  former: StoredManualJournal | undefined,
): HistoryNote[] {
  if (former === undefined) {
    const createdNote = { changes: "Created", details: "The manual journal was created." };
    return Status === "DRAFT" ? [createdNote] : [createdNote, moveNotes[Status]];
  }
  if (former.Status !== Status) return [moveNotes[Status]];
  return [{ changes: "Edited", details: "The manual journal was edited." }];
}

export const manualJournalsEndpoint: Endpoint<StoredManualJournal, ManualJournalBatchContext> = {
  resource: manualJournal,
  cacheable: true,

  async expand(_call, tx, records, view) {
    if (view === "list") return records;
    const linesById = await linesOf(
      tx,
      records.map((record) => record.ManualJournalID),
    );
    return records.map((record) => ({
      ...record,
      JournalLines: journalLines(linesById.get(record.ManualJournalID) ?? []),
    }));
  },

  writer: async () => manualJournalWriter,
};
