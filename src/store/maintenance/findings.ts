/** The findings of a verification: counts of checked records, and faults. */
import { type RawBuilder, sql } from "kysely";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Head } from "../chain/links.ts";
import type { Tx } from "../tx/tx.ts";

export interface Check {
  /** Name of the checked records. */
  readonly name: string;
  /** Number of checked records. */
  readonly count: number;
}

/** Maximum faults shown of one kind. */
const faultsMax = 20;

export class Findings {
  readonly tx: Tx;
  /** A sealed link that the chain must still contain. */
  readonly since: Head | undefined;
  readonly checks: Check[] = [];
  readonly faults: string[] = [];
  readonly #found = new Map<string, number>();

  constructor(tx: Tx, since?: Head) {
    this.tx = tx;
    this.since = since;
  }

  async rows<T>(query: RawBuilder<T>): Promise<T[]> {
    return (await query.execute(this.tx.db)).rows;
  }

  /** Adds the row count of `from` to the checks. */
  async counted(name: string, from: RawBuilder<unknown>): Promise<void> {
    const [row] = await this.rows(sql<{ count: number }>`select count(*) as count from ${from}`);
    this.checks.push({ name, count: row?.count ?? 0 });
  }

  /** Adds a fault, up to a maximum for each kind. */
  fault(kind: string, sentence: string): void {
    const foundBefore = this.#found.get(kind) ?? 0;
    this.#found.set(kind, foundBefore + 1);
    if (foundBefore < faultsMax) this.faults.push(sentence);
    else if (foundBefore === faultsMax) this.faults.push("… and more of the same kind.");
  }

  /** Adds a fault for each row of `query`, up to a maximum. */
  async each<T>(query: RawBuilder<T>, faultOf: (row: T) => string): Promise<void> {
    const rows = await this.rows(sql<T>`${query} limit ${faultsMax + 1}`);
    for (const row of rows.slice(0, faultsMax)) this.faults.push(faultOf(row));
    if (rows.length > faultsMax) this.faults.push("… and more of the same kind.");
  }
}

export const money = (cents: number | null): string => writeDecimal(cents ?? 0, 2);

/** A document's id, and its number where it has one. */
export interface LabelledRow {
  readonly id: string;
  readonly number: string | null;
}

export const label = ({ id, number }: LabelledRow): string =>
  number === null ? id : `${number} (${id})`;
