/** The words that the parts of the import share. */
import type { Client } from "../../../client/client.ts";
import type { Resource } from "../../../resources/field.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { ExactDecimal } from "./decimal-sum.ts";
import type { StoredTotals } from "./stored-totals.ts";

/** What is to become of a record of the file. */
export type Verdict = "create" | "update" | "existing" | "refused";

/**
 * One record as the file has it, made of one row or of several.
 *
 * Of a large file candidates wait on disk until they are sent, so they hold plain values alone.
 */
export interface ImportRecord {
  /** What a person calls it. */
  readonly label: string;
  readonly rows: readonly number[];
  /** What each row comes to; undefined where that cannot be read or does not apply. */
  readonly amounts: readonly (ExactDecimal | undefined)[];
  /** Undefined where there are no amounts. */
  currency: string | undefined;
  verdict: Verdict;
  /** What a document comes to as it will be kept, as far as that can be told. */
  stored?: StoredTotals | undefined;
  /** About how many bytes it takes to send. */
  readonly bytes: number;
  /** What is sent; references that are not made yet are filled in by `Importer.finish`. */
  input: Record<string, unknown>;
}

/** A row that is not taken, and why. */
export interface RowRefusal {
  readonly row: number;
  /** What a person calls the record that the row is of; empty where that cannot be told. */
  readonly record: string;
  /** A sentence. */
  readonly reason: string;
  readonly amount: ExactDecimal | undefined;
  readonly currency: string | undefined;
  /** Whether it counts for its record: one row of each refused record does. */
  readonly counts: boolean;
}

export type Refuse = (refusal: RowRefusal) => void;

/** Related records that an import makes first, contacts say. */
export interface Related {
  readonly one: string;
  readonly several: string;
  /** How many are to be made. */
  readonly count: number;
  /**
   * Makes them.
   *
   * @param advance  told after each request how many were made by it
   */
  make(advance: (count: number) => void): Promise<void>;
}

/** What is particular to one kind of record. */
export interface Importer {
  readonly resource: Resource;
  /** One of them, and several. */
  readonly one: string;
  readonly several: string;
  /** Rows of one key are looked at together, in the order of the file. */
  keyOf(cells: readonly string[]): string;
  /** Rows of one key as records, checked as far as the file tells. Refused rows make none. */
  build(rows: readonly CsvRow[], refuse: Refuse): ImportRecord[];
  /**
   * Compares records with the book, and settles their verdicts.
   *
   * @param candidates  all those of some keys
   */
  examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void>;
  /** What must be made before, as far as it is known. */
  readonly related: readonly Related[];
  /** What a person should know besides. */
  notes(): readonly string[];
  /**
   * What is sent of a record, now that what it refers to has been made.
   *
   * @returns a text when it cannot be sent, which says why
   */
  finish(candidate: ImportRecord): Record<string, unknown> | string;
  /** Changes a record that the book has; in batches, as new ones are sent, when not given. */
  update?(client: Client, candidate: ImportRecord): Promise<object>;
  /**
   * What is done with a record once it was made or changed.
   *
   * @throws RefusedError, NotFoundError where that cannot be
   */
  complete?(client: Client, candidate: ImportRecord, record: object): Promise<void>;
  /** Where in a record the service found fault, as an index into its rows. */
  rowAtFault?(message: string): number | undefined;
}

/** Refuses every row of a record for one reason. */
export function refuseAll(candidate: ImportRecord, reason: string, refuse: Refuse): void {
  candidate.verdict = "refused";
  for (const [at, row] of candidate.rows.entries()) {
    const { label: record, currency } = candidate;
    refuse({ row, record, reason, amount: candidate.amounts[at], currency, counts: at === 0 });
  }
}

/**
 * Refuses every row of a record, each for its own reason where it has one.
 *
 * @param reasons   by row number; the other rows are refused because of the first of these
 * @param isPartly  whether the other rows are taken instead
 */
export function refuseRows(
  candidate: Pick<ImportRecord, "label" | "rows" | "amounts" | "currency">,
  reasons: ReadonlyMap<number, string>,
  what: string,
  refuse: Refuse,
  isPartly = false,
): void {
  const [first] = reasons.keys();
  for (const [at, row] of candidate.rows.entries()) {
    const { label: record, currency } = candidate;
    if (isPartly && !reasons.has(row)) continue;
    const reason = reasons.get(row) ?? `Row ${first} of the same ${what} is refused.`;
    const counts = at === 0 && !isPartly;
    refuse({ row, record, reason, amount: candidate.amounts[at], currency, counts });
  }
}
