/** Tracks the outcome of rows and records of a file. */

import type { Importer, ImportRecord, RowRefusal } from "../records/import-record.ts";
import type { RecordQueue } from "./disk-groups.ts";
import { Refusals } from "./refused-rows.ts";
import { OutcomeCounts, type RowOutcome } from "./row-counts.ts";

const outcomeByVerdict = {
  create: "imported",
  update: "updated",
  existing: "existing",
  refused: "refused",
} as const;

function outcomeOf({ verdict }: ImportRecord): RowOutcome {
  return outcomeByVerdict[verdict];
}

export class ImportProgress {
  readonly refusals = new Refusals();
  readonly counts = new OutcomeCounts();

  readonly refuse = (refusal: RowRefusal): void => {
    this.refusals.add(refusal.row, refusal.record, refusal.reason);
    this.counts.refuse(refusal);
  };

  /** Counts a record under its expected outcome. */
  expect(candidate: ImportRecord): void {
    this.counts.add(outcomeOf(candidate), candidate);
  }

  /** Marks queued records as not sent, except the first ones, which were. */
  leave(waitingRecords: RecordQueue, sentCount: number): void {
    let at = 0;
    for (const candidate of waitingRecords.each()) {
      at += 1;
      if (at <= sentCount) continue;
      this.counts.remove(outcomeOf(candidate), candidate);
      this.counts.add("left", candidate);
    }
  }

  /** Marks a record as stored but incomplete. */
  leaveIncomplete(candidate: ImportRecord, reason: string): void {
    const [row = 0] = candidate.rows;
    this.refusals.add(row, candidate.label, reason);
  }

  /**
   * Marks a record as refused by the service: the faulty row has the reason, the others follow it.
   */
  refuseSent(importer: Importer, candidate: ImportRecord, reason: string): void {
    this.counts.remove(outcomeOf(candidate), candidate);
    candidate.verdict = "refused";
    const faultyRow = importer.rowAtFault?.(reason);
    const row = faultyRow === undefined ? undefined : candidate.rows[faultyRow];
    for (const [at, each] of candidate.rows.entries()) {
      const isOther = row !== undefined && row !== each;
      this.refuse({
        row: each,
        record: candidate.label,
        reason: isOther ? `Row ${row} of the same ${importer.one} is refused.` : reason,
        amount: candidate.amounts[at],
        currency: candidate.currency,
        counts: at === 0,
      });
    }
  }
}
