/** Tables of an audit file: columns with their kinds, from which data and their description follow. */
import { writeDecimal } from "../../resources/decimal.ts";
import { oneLine } from "../journal-format.ts";

export type ColumnKind = "text" | "date" | "count" | "money" | "quantity" | "percent" | "rate";

/** What a column holds, and how its value comes about: scaled integers, `YYYY-MM-DD`, text. */
export interface Column<Row, Source> {
  readonly kind: ColumnKind;
  /** Together with the others of the kind it is the key of a row. */
  readonly key?: true;
  /** The table whose key it is, of those that have one column for a key. */
  readonly of?: string;
  readonly value: (row: Row, source: Source) => string | number | bigint | undefined;
}

/** A table as it is described; a source gives its rows, and what they refer to. */
export interface Description<Row, Source> {
  /** `buchungen.csv` */
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
  /** Rows of cells, without the heading. */
  rows(): AsyncGenerator<readonly string[]>;
}

const scales = { money: 2, quantity: 4, percent: 4, rate: 6 } as const;

/** Digits after the point; undefined where it is no number. */
export function placesOf(kind: ColumnKind): number | undefined {
  if (kind === "text" || kind === "date") return undefined;
  return kind === "count" ? 0 : scales[kind];
}

function cellText(kind: ColumnKind, value: string | number | bigint | undefined): string {
  if (value === undefined || value === "") return "";
  if (kind === "text" || kind === "date" || kind === "count") return oneLine(String(value));
  return writeDecimal(value as number | bigint, scales[kind]).replace(".", ",");
}

/** A description, to be given its source. */
export function table<Row, Source>({
  description,
  columns,
  rows,
  ...names
}: Description<Row, Source>): (source: Source) => Table {
  const all = Object.values(columns);
  return (source) => ({
    ...names,
    description: typeof description === "string" ? description : description(source),
    columns,
    async *rows() {
      for await (const row of rows(source))
        yield all.map(({ kind, value }) => cellText(kind, value(row, source)));
    },
  });
}
