/** What becomes of the rows and the records of a file, as far as it is known. */
import type { Draft, Importer, Refusal } from "./draft.ts";
import { Refusals } from "./refusals.ts";
import type { Waiting } from "./spill.ts";
import { type Fate, Tally } from "./tally.ts";

const fateByVerdict = {
  create: "imported",
  update: "updated",
  existing: "existing",
  refused: "refused",
} as const;

function fateOf({ verdict }: Draft): Fate {
  return fateByVerdict[verdict];
}

export class Findings {
  readonly refusals = new Refusals();
  readonly tally = new Tally();

  readonly refuse = (refusal: Refusal): void => {
    this.refusals.add(refusal.row, refusal.record, refusal.reason);
    this.tally.refuse(refusal);
  };

  /** Counts a record as what it is to become. */
  expect(draft: Draft): void {
    this.tally.add(fateOf(draft), draft);
  }

  /** What waits is not sent, except for the first records, which were. */
  leave(waiting: Waiting, sent: number): void {
    let at = 0;
    for (const draft of waiting.each()) {
      at += 1;
      if (at <= sent) continue;
      this.tally.remove(fateOf(draft), draft);
      this.tally.add("left", draft);
    }
  }

  /** The service refused it: the row that it found fault with has the reason, the others follow. */
  refuseSent(importer: Importer, draft: Draft, reason: string): void {
    this.tally.remove(fateOf(draft), draft);
    const faulty = importer.rowAtFault?.(reason);
    const row = faulty === undefined ? undefined : draft.rows[faulty];
    for (const [at, each] of draft.rows.entries()) {
      const isOther = row !== undefined && row !== each;
      this.refuse({
        row: each,
        record: draft.label,
        reason: isOther ? `Row ${row} of the same ${importer.one} is refused.` : reason,
        amount: draft.amounts[at],
        currency: draft.currency,
        counts: at === 0,
      });
    }
  }
}
