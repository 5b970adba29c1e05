/** The findings of a verification: what was checked, and what is wrong. */
import { type RawBuilder, sql } from "kysely";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Head } from "../chain/links.ts";
import type { Tx } from "../tx/tx.ts";

export interface Check {
  /** The records checked, in a word. */
  readonly name: string;
  /** How many of them. */
  readonly count: number;
}

/** Faults shown of one kind. */
const faultsMax = 20;

export class Findings {
  readonly tx: Tx;
  /** A link that was sealed, and must be there still. */
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

  /** Adds the rows of `from` to what was checked. */
  async counted(name: string, from: RawBuilder<unknown>): Promise<void> {
    const [row] = await this.rows(sql<{ count: number }>`select count(*) as count from ${from}`);
    this.checks.push({ name, count: row?.count ?? 0 });
  }

  /** Adds a fault that was found one by one, up to a bound for each kind. */
  fault(kind: string, sentence: string): void {
    const before = this.#found.get(kind) ?? 0;
    this.#found.set(kind, before + 1);
    if (before < faultsMax) this.faults.push(sentence);
    else if (before === faultsMax) this.faults.push("… and more of the same kind.");
  }

  /** Adds a fault for each row that `query` answers, up to a bound. */
  async each<T>(query: RawBuilder<T>, faultOf: (row: T) => string): Promise<void> {
    const rows = await this.rows(sql<T>`${query} limit ${faultsMax + 1}`);
    for (const row of rows.slice(0, faultsMax)) this.faults.push(faultOf(row));
    if (rows.length > faultsMax) this.faults.push("… and more of the same kind.");
  }
}

export const money = (cents: number | null): string => writeDecimal(cents ?? 0, 2);

/** A document by its id, and its number where it has one. */
export interface Labelled {
  readonly id: string;
  readonly number: string | null;
}

export const label = ({ id, number }: Labelled): string =>
  number === null ? id : `${number} (${id})`;
