/**
 * Defines tables of an audit file: typed columns, from which the data and their description are
 * generated.
 */
import { writeDecimal } from "../../resources/decimal.ts";
import { toOneLine } from "../journal-format.ts";

export type ColumnKind = "text" | "date" | "count" | "money" | "quantity" | "percent" | "rate";

/**
 * A column with its type and the function that computes its value: scaled integer, `YYYY-MM-DD` or
 * text.
 */
export interface Column<Row, Source> {
  readonly kind: ColumnKind;
  /** Whether the column is part of the key of a row. */
  readonly key?: true;
  /** Table that the column refers to by key (a foreign key); the key there is one column. */
  readonly of?: string;
  readonly value: (row: Row, source: Source) => string | number | bigint | undefined;
}

/** Definition of a table: its columns, and the functions that read rows from a source. */
export interface Description<Row, Source> {
  /** File name, such as `buchungen.csv`. */
  readonly file: string;
  readonly name: string;
  readonly description: string | ((source: Source) => string);
  readonly columns: Readonly<Record<string, Column<Row, Source>>>;
  readonly rows: (source: Source) => Iterable<Row> | AsyncIterable<Row>;
}

export interface Table {
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly columns: Readonly<Record<string, Omit<Column<never, never>, "value">>>;
  /** Yields the rows of cells, without the heading. */
  rows(): AsyncGenerator<readonly string[]>;
}

const scales = { money: 2, quantity: 4, percent: 4, rate: 6 } as const;

/** Number of decimal places of a column type; undefined for columns that are not numbers. */
export function placesOf(kind: ColumnKind): number | undefined {
  if (kind === "text" || kind === "date") return undefined;
  return kind === "count" ? 0 : scales[kind];
}

function cellText(kind: ColumnKind, value: string | number | bigint | undefined): string {
  if (value === undefined || value === "") return "";
  if (kind === "text" || kind === "date" || kind === "count") return toOneLine(String(value));
  return writeDecimal(value as number | bigint, scales[kind]).replace(".", ",");
}

/** Binds the definition of a table to its source. */
export function table<Row, Source>({
  description,
  columns,
  rows,
  ...names
}: Description<Row, Source>): (source: Source) => Table {
  const columnList = Object.values(columns);
  return (source) => ({
    ...names,
    description: typeof description === "string" ? description : description(source),
    columns,
    async *rows() {
      for await (const row of rows(source))
        yield columnList.map(({ kind, value }) => cellText(kind, value(row, source)));
    },
  });
}
