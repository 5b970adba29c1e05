/** Types for table definitions, from which both dialects create their tables. */
import type { DocumentResource } from "../../resources/field.ts";

/** Column types; `?` marks a nullable column. */
type ColumnType = "text" | "text?" | "integer" | "integer?" | "bytes";

/**
 * Planner statistics: the rows of a large book, then how many of them share the first column of a
 * key or index, the first two, and so on.
 *
 * The first column is the organisation, which all rows of a book share. A planner without these
 * figures takes it for selective, and reads a whole book in the order of its ids to find one
 * number.
 */
export type Rows = readonly number[];

export interface Index {
  readonly columns: readonly string[];
  readonly unique?: true | undefined;
  /** Condition of a partial index, in SQL without parameters. */
  readonly where?: string | undefined;
  /** Statistics of the index; undefined in schemas of earlier versions. */
  readonly rows?: Rows | undefined;
}

/**
 * An index of an organisation's table.
 *
 * @param columns  after `org`, which is the first of all of them
 * @param rows  of a large book, and how many share the first of the columns, the first two, and so on
 * @param condition  condition of a partial index
 */
export function index(columns: readonly string[], rows: Rows, condition?: string) {
  return { columns: ["org", ...columns], where: condition, rows: [rows[0] ?? 0, ...rows] } as const;
}

/** An index of an organisation's table that allows no two rows with the same values. */
export function uniqueIndex(...indexArguments: Parameters<typeof index>) {
  return { ...index(...indexArguments), unique: true } as const;
}

interface Definition {
  /**
   * Columns of the table; tables of organisations omit `org`, which comes first in all of them.
   */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Whether rows are stored in key order: for short rows that are read so. */
  readonly clustered?: true;
  /** Whether the contents may be lost when the database crashes. */
  readonly unlogged?: true;
  readonly rows: Rows;
}

/**
 * How the hash chain of an organisation covers a table (`store/chain`).
 *
 * `each`: every row is a record. `by`: rows that share these columns, the first of the key after
 * `org`, form one record. `without`: every row is a record, except columns that do not belong to
 * the organisation. `derived`: computed from other records, and recomputed by verification.
 * `passing`: transient queues, caches and call counts.
 */
export type Coverage =
  | "each"
  | { readonly by: readonly string[] }
  | { readonly without: readonly string[] }
  | "derived"
  | "passing";

/** Definition of an organisation's table: its key and its indexes begin with `org`. */
export interface TableDefinition extends Definition {
  readonly key: readonly ["org", ...string[]];
  readonly chain: Coverage;
  readonly indexes?: Readonly<
    Record<string, Index & { readonly columns: readonly ["org", ...string[]] }>
  >;
}

/**
 * Definition of a directory table, which belongs to a server, not an organisation, and is in the
 * server's chain.
 */
export interface DirectoryTableDefinition extends Definition {
  readonly key: readonly string[];
  readonly chain: "each" | "passing";
  readonly indexes?: Readonly<Record<string, Index>>;
}

/** Definition of any table, also of an earlier version, with all its columns. */
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

/** Whether a column holds integers beyond the safe range, which are read as text. */
export const isExact = (table: string, column: string): boolean =>
  column === "rate" || column === "currency_rate" || isLongSome(table, column);

/**
 * Whether safe integers of such a column are hashed as numbers, as all of its values once were.
 */
export const isLongSome = (table: string, column: string): boolean =>
  table === "document_line" && column === "quantity";

/** Name of the unique index on the numbers of a document kind. */
export function numberIndexOf({ noun }: DocumentResource): string {
  return `document_${noun.replaceAll(" ", "_")}_number`;
}
