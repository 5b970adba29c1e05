/** Counts and exact sums of rows by outcome. */
import { counted } from "../../../resources/scalar.ts";
import { DecimalSum, type ExactDecimal } from "../records/decimal-sum.ts";
import type { ImportRecord, RowRefusal } from "../records/import-record.ts";
import { StoredSums, type StoredTotals } from "../records/stored-totals.ts";

/** Outcomes of rows: `left` are those not sent, because the import stopped before. */
export const outcomes = ["imported", "updated", "existing", "refused", "left"] as const;
export type RowOutcome = (typeof outcomes)[number];

const isKept = (outcome: RowOutcome) => outcome === "imported" || outcome === "updated";

export type Counts = Record<RowOutcome, number>;

const noCounts = (): Counts => ({ imported: 0, updated: 0, existing: 0, refused: 0, left: 0 });

export class OutcomeCounts {
  readonly rows: Counts = noCounts();
  readonly records: Counts = noCounts();
  readonly #sums = new Map<string, Record<RowOutcome, DecimalSum>>();
  #unread = 0;

  /** Totals of imported and updated documents. */
  readonly stored = new StoredSums();

  add(outcome: RowOutcome, { rows, amounts, currency, stored }: ImportRecord): void {
    if (stored !== undefined && isKept(outcome)) this.stored.add(stored);
    this.records[outcome] += 1;
    this.rows[outcome] += rows.length;
    for (const amount of amounts) this.#sum(outcome, amount, currency);
  }

  /** Removes a record from an outcome that it turned out not to have. */
  remove(outcome: RowOutcome, { rows, amounts, currency, stored }: ImportRecord): void {
    if (stored !== undefined && isKept(outcome)) this.stored.add(stored, -1);
    this.records[outcome] -= 1;
    this.rows[outcome] -= rows.length;
    for (const amount of amounts) {
      this.#sum(outcome, amount && { value: -amount.value, scale: amount.scale }, currency);
    }
  }

  /** Replaces the expected totals of a record by the stored ones. */
  keep(record: ImportRecord, totals: StoredTotals | undefined): void {
    if (record.stored !== undefined) this.stored.add(record.stored, -1);
    record.stored = totals;
    if (totals !== undefined) this.stored.add(totals);
  }

  refuse({ amount, currency, counts }: RowRefusal): void {
    this.rows.refused += 1;
    if (counts) this.records.refused += 1;
    if (amount === undefined && currency !== undefined) this.#unread += 1;
    this.#sum("refused", amount, currency);
  }

  #sum(outcome: RowOutcome, amount: ExactDecimal | undefined, currency: string | undefined): void {
    if (amount === undefined || currency === undefined) return;
    let sums = this.#sums.get(currency);
    if (sums === undefined) {
      sums = Object.fromEntries(outcomes.map((outcome) => [outcome, new DecimalSum()])) as Record<
        RowOutcome,
        DecimalSum
      >;
      this.#sums.set(currency, sums);
    }
    sums[outcome].add(amount);
  }

  get rowsRead(): number {
    return outcomes.reduce((sum, outcome) => sum + this.rows[outcome], 0);
  }

  /** Returns sums by currency, in alphabetical order; `read` is the sum of the whole file. */
  sums(): [currency: string, sums: Record<RowOutcome | "read", DecimalSum>][] {
    return [...this.#sums]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([currency, sums]) => {
        const readSum = new DecimalSum();
        for (const outcome of outcomes) readSum.add(sums[outcome].exact);
        return [currency, { ...sums, read: readSum }];
      });
  }

  notes(): readonly string[] {
    if (this.#unread === 0) return [];
    const rows = counted(this.#unread, "refused row");
    return [
      `${rows} ${this.#unread === 1 ? "has" : "have"} no amount that can be read, and ${this.#unread === 1 ? "is" : "are"} in no sum.`,
    ];
  }
}
