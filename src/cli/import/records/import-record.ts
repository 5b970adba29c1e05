/** Types that the modules of the import share. */
import type { Client } from "../../../client/client.ts";
import type { Resource } from "../../../resources/field.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { ExactDecimal } from "./decimal-sum.ts";
import type { SaidTotals, StoredTotals } from "./stored-totals.ts";

/** The decision on a record of the file. */
export type Verdict = "create" | "update" | "existing" | "refused";

/**
 * A record of the file, built from one or more rows.
 *
 * Records of a large file wait on disk until they are sent, so they contain plain values alone.
 */
export interface ImportRecord {
  /** Name for messages. */
  readonly label: string;
  readonly rows: readonly number[];
  /** Amount of each row; undefined where it is invalid or does not apply. */
  readonly amounts: readonly (ExactDecimal | undefined)[];
  /** Currency; undefined where there are no amounts. */
  currency: string | undefined;
  verdict: Verdict;
  /** Totals that each row says. */
  readonly totals?: readonly SaidTotals[];
  /** Totals of a document as they will be stored, as far as they can be computed. */
  stored?: StoredTotals | undefined;
  /** Approximate size of the request in bytes. */
  readonly bytes: number;
  /** Request body; `Importer.finish` adds the ids of created references. */
  input: Record<string, unknown>;
}

/** A refused row, with the reason. */
export interface RowRefusal {
  readonly row: number;
  /** Name of the row's record; empty where it is not known. */
  readonly record: string;
  /** Reason, as a sentence. */
  readonly reason: string;
  readonly amount: ExactDecimal | undefined;
  readonly currency: string | undefined;
  /** Whether the row counts for its record: true for one row of each refused record. */
  readonly counts: boolean;
}

export type Refuse = (refusal: RowRefusal) => void;

/** Related records, such as contacts, that an import creates first. */
export interface RelatedRecords {
  readonly one: string;
  readonly several: string;
  /** Count of records to create. */
  readonly count: number;
  /**
   * Creates them.
   *
   * @param advance  receives the count created by each request
   */
  make(client: Client, advance: (count: number) => void): Promise<void>;
  /** Discards the records that a trial has created, and their use; its refusals remain. */
  forget(): void;
}

/** The import of one kind of record. */
export interface Importer {
  readonly resource: Resource;
  /** Singular and plural name. */
  readonly one: string;
  readonly several: string;
  /** Returns the group key of a row; rows of one key are processed together, in file order. */
  keyOf(cells: readonly string[]): string;
  /** Builds validated records from the rows of one key, without refused rows. */
  build(rows: readonly CsvRow[], refuse: Refuse): ImportRecord[];
  /**
   * Compares records with the book, and sets their verdicts.
   *
   * @param candidates  all records of some keys
   */
  examine(candidates: readonly ImportRecord[], refuse: Refuse): Promise<void>;
  /** Related records to create first, as far as they are known. */
  readonly related: readonly RelatedRecords[];
  /** Returns notes for the user. */
  notes(): readonly string[];
  /**
   * Returns the request body of a record, after its references were created.
   *
   * @returns a text, which says why, when it cannot be sent
   */
  finish(candidate: ImportRecord): Record<string, unknown> | string;
  /** Keeps the related records that a record refers to, after `forget`, to be created. */
  need(candidate: ImportRecord): void;
  /** Whether the book has all that a record refers to, so that the service has tried it. */
  isWhole(candidate: ImportRecord): boolean;
  /** Updates a record of the book; when not given, updates are sent in batches like new records. */
  update?(client: Client, candidate: ImportRecord): Promise<object>;
  /**
   * Runs further steps after a record was created or updated.
   *
   * @throws RefusedError, NotFoundError
   */
  complete?(client: Client, candidate: ImportRecord, record: object): Promise<void>;
  /** Returns the index of the row to which an error message of the service refers. */
  rowAtFault?(message: string): number | undefined;
}

/** Refuses all rows of a record for one reason. */
export function refuseAll(candidate: ImportRecord, reason: string, refuse: Refuse): void {
  candidate.verdict = "refused";
  for (const [at, row] of candidate.rows.entries()) {
    const { label: record, currency } = candidate;
    refuse({ row, record, reason, amount: candidate.amounts[at], currency, counts: at === 0 });
  }
}

/**
 * Refuses the rows of a record, each for its own reason where it has one.
 *
 * @param reasonByRow   by row number; the other rows are refused with the first of these
 * @param isPartly  whether the other rows are imported instead
 */
export function refuseRows(
  candidate: Pick<ImportRecord, "label" | "rows" | "amounts" | "currency">,
  reasonByRow: ReadonlyMap<number, string>,
  groupNoun: string,
  refuse: Refuse,
  isPartly = false,
): void {
  const [first] = reasonByRow.keys();
  for (const [at, row] of candidate.rows.entries()) {
    const { label: record, currency } = candidate;
    if (isPartly && !reasonByRow.has(row)) continue;
    const reason = reasonByRow.get(row) ?? `Row ${first} of the same ${groupNoun} is refused.`;
    const isCounted = at === 0 && !isPartly;
    refuse({ row, record, reason, amount: candidate.amounts[at], currency, counts: isCounted });
  }
}
