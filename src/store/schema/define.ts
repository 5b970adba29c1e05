/** The terms in which tables are defined, for both dialects. */
import type { DocumentResource } from "../../resources/field.ts";

/** `?` marks a column that may have no value. */
type ColumnType = "text" | "text?" | "integer" | "integer?" | "bytes";

/**
 * How many rows of a large book there are, then how many of them share the first column of a key or
 * index, the first two, and so on.
 *
 * The first column is the organisation, which all rows of a book share. A planner without these
 * figures takes it for selective, and reads a whole book in the order of its ids to find one
 * number.
 */
export type Rows = readonly number[];

export interface Index {
  readonly columns: readonly string[];
  readonly unique?: true | undefined;
  /** Only the rows that meet this condition, in SQL without parameters. */
  readonly where?: string | undefined;
  /** Undefined for one of an earlier version. */
  readonly rows?: Rows | undefined;
}

interface Definition {
  /** Without `org` in tables of organisations, which all have it first. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Rows are short and read in the order of their key. */
  readonly clustered?: true;
  /** What it holds may be lost when the database fails. */
  readonly unlogged?: true;
  readonly rows: Rows;
}

/**
 * How the hash chain of an organisation covers a table (`store/chain`).
 *
 * `each`: every row is a record. `by`: the rows that share these columns, the first of the key after
 * `org`, are one record. `without`: every row is a record, but for columns that say nothing of the
 * organisation. `derived`: it follows from other records, and verification works it out again.
 * `passing`: queues, caches and counts of calls, which are not kept.
 */
export type Coverage =
  | "each"
  | { readonly by: readonly string[] }
  | { readonly without: readonly string[] }
  | "derived"
  | "passing";

/** A table of an organisation: its key and its indexes begin with `org`. */
export interface TableDefinition extends Definition {
  readonly key: readonly ["org", ...string[]];
  readonly chain: Coverage;
  readonly indexes?: Readonly<
    Record<string, Index & { readonly columns: readonly ["org", ...string[]] }>
  >;
}

/** A table of the directory, which belongs to a server and to no organisation: its chain covers it. */
export interface DirectoryTableDefinition extends Definition {
  readonly key: readonly string[];
  readonly chain: "each" | "passing";
  readonly indexes?: Readonly<Record<string, Index>>;
}

/** A table of either, or of an earlier version, with all its columns. */
export type AnyTableDefinition = Omit<DirectoryTableDefinition, "rows" | "columns" | "chain"> & {
  readonly columns: Readonly<Record<string, string>>;
  readonly rows?: Rows | undefined;
};

type ColumnValue<T> = T extends "text"
  ? string
  : T extends "text?"
    ? string | null
    : T extends "integer"
      ? number
      : T extends "integer?"
        ? number | null
        : Uint8Array;

/** A row of a table of the directory. */
export type DirectoryRow<D extends Definition> = {
  -readonly [C in keyof D["columns"]]: ColumnValue<D["columns"][C]>;
};

/** A row of a table of an organisation. */
export type Row<D extends TableDefinition> = { org: number } & DirectoryRow<D>;

/** Whether integers of a column have more digits than a number holds exactly: they are read as text. */
export const isExact = (table: string, column: string): boolean =>
  column === "rate" || column === "currency_rate" || isLongSome(table, column);

/** Such a column of which those that a number holds are hashed as numbers, as they were at first. */
export const isLongSome = (table: string, column: string): boolean =>
  table === "document_line" && column === "quantity";

/** Name of the index that keeps the numbers of a kind of document unique. */
export function numberIndexOf({ noun }: DocumentResource): string {
  return `document_${noun.replaceAll(" ", "_")}_number`;
}
