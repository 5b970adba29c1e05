/**
 * One record, for a person: its fields line by line, its lists as tables, its totals at the end.
 *
 * What is empty is left out. Nothing is cut: a long value goes on in the next line, under itself.
 */

import {
  cellText,
  type FieldColumn,
  isNumeric,
  isPresent,
  valueText,
} from "../../../output/columns.ts";
import { displayWidth, padded, wrapped } from "../../../output/display-width.ts";
import type { Field, FieldOf, Fields, Resource } from "../../../resources/field.ts";
import { type Paint, plainPaint, statusStroke } from "../paint.ts";
import { safeLine, safeText } from "../safe.ts";
import { Table, type TableColumn } from "../table-layout.ts";

export interface RecordOptions {
  /** Columns of the terminal; undefined for no limit. */
  readonly width: number | undefined;
  readonly paint?: Paint;
  /** Only these, in this order; every field that is not empty otherwise. */
  readonly columns?: readonly FieldColumn[] | undefined;
}

/** A field with its name and its text. */
interface Line {
  readonly name: string;
  readonly text: string;
  readonly field: Field;
}

interface List {
  readonly name: string;
  readonly field: FieldOf<"many">;
  readonly elements: readonly unknown[];
}

/** A record, sorted into the parts that are shown. */
interface Parts {
  readonly lines: Line[];
  readonly lists: List[];
  readonly totals: Line[];
}

const gap = "  ";
/** A value has room for an id, so that it can be copied whole, wherever there is any room. */
const idWidth = 36;

/** The lines that show a record. */
export function recordLines(resource: Resource, record: unknown, options: RecordOptions): string[] {
  const parts: Parts = { lines: [], lists: [], totals: [] };
  if (options.columns) pick(options.columns, record, parts);
  else sort(resource.fields, record, "", parts);
  const { width, paint = plainPaint } = options;
  const blocks = [
    detailLines(parts.lines, width, paint),
    ...parts.lists.map((list) => listLines(list, width, paint)),
    totalLines(parts.totals, width, paint),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

/** How a column of a table is laid out, from its field. */
export function tableColumn({ path, field, listed }: Omit<FieldColumn, "read">): TableColumn {
  const ownKey = field.key === true && !path.includes(".");
  return {
    heading: path,
    align: isNumeric[field.kind] && !listed ? "right" : "left",
    shrinks: listed ? "text" : ownKey ? "name" : shrinks[field.kind],
    status: field.kind === "choice" && path.endsWith("Status"),
  };
}

const shrinks = {
  id: "name",
  text: "text",
  choice: "name",
  boolean: "never",
  integer: "never",
  date: "never",
  timestamp: "never",
  money: "never",
  unitAmount: "never",
  quantity: "never",
  percent: "never",
  rate: "never",
  ref: "text",
  one: "text",
  many: "text",
  texts: "text",
} satisfies Record<Field["kind"], TableColumn["shrinks"]>;

function pick(columns: readonly FieldColumn[], record: unknown, { lines, lists }: Parts): void {
  for (const column of columns) {
    const value = column.read(record);
    if (column.field.kind === "many" && !column.listed && Array.isArray(value)) {
      lists.push({ name: column.path, field: column.field, elements: value });
    } else {
      lines.push({ name: column.path, text: cellText(column, record), field: column.field });
    }
  }
}

function sort(fields: Fields, record: unknown, prefix: string, parts: Parts): void {
  const values = record as Readonly<Record<string, unknown>>;
  for (const [own, field] of Object.entries(fields)) {
    const value = values[own];
    const name = prefix + own;
    if (!isPresent(value) || isBlankList(field, value)) continue;
    // A mark that the service sets says something only where it is set.
    if (value === false && field.readOnly) continue;
    if (field.kind === "one") sort(field.fields, value, `${name}.`, parts);
    else if (field.kind === "many") {
      parts.lists.push({ name, field, elements: value as readonly unknown[] });
    } else {
      // What is deducted from a document may be said by a caller, and is one of its sums all the same.
      const isSum = field.readOnly === true || fields.LineItems !== undefined;
      const isTotal = field.kind === "money" && isSum && prefix === "";
      const text = valueText(field, value);
      (isTotal ? parts.totals : parts.lines).push({ name, text, field });
    }
  }
}

/** Every contact has an address of each type, most of them with nothing in it but the type. */
function isBlankList(field: Field, value: unknown): boolean {
  if (field.kind !== "many" || field.mergeBy === undefined) return false;
  return (value as readonly object[]).every((element) =>
    Object.entries(element).every(([name, held]) => name === field.mergeBy || !isPresent(held)),
  );
}

function detailLines(lines: readonly Line[], width: number | undefined, paint: Paint): string[] {
  const left = nameWidth(lines, width);
  const room = width === undefined ? undefined : Math.max(2, width - left - gap.length);
  return lines.flatMap(({ name, text, field }) => {
    const stroke =
      field.kind === "choice" && name.endsWith("Status") ? statusStroke(text) : undefined;
    const pieces = safeText(text)
      .split("\n")
      .flatMap((line) => wrapped(safeLine(line), isNumeric[field.kind] ? undefined : room));
    return pieces.map((piece, at) => {
      const head = at === 0 ? lastOf(name, left) : "";
      const shown = stroke && piece !== "" ? paint[stroke](piece) : piece;
      return `${named(head, left, paint)}${gap}${shown}`.trimEnd();
    });
  });
}

function listLines(
  { name, field, elements }: List,
  width: number | undefined,
  paint: Paint,
): string[] {
  const filled = Object.entries(field.fields).filter(([inner]) =>
    elements.some((element) => isPresent((element as Readonly<Record<string, unknown>>)[inner])),
  );
  // Ids tell a person little, and what the service adds about a code repeats it.
  const telling = filled.filter(([path, inner]) =>
    field.columns === undefined
      ? inner.kind !== "id" && !(inner.kind === "one" && inner.readOnly)
      : field.columns.includes(path),
  );
  const shown = telling.length > 0 ? telling : filled;
  const columns = shown.map(([path, inner]) => tableColumn({ path, field: inner, listed: false }));
  const rows = elements.map((element) =>
    shown.map(([path, inner]) =>
      valueText(inner, (element as Readonly<Record<string, unknown>>)[path]),
    ),
  );
  return [paint.strong(safeLine(name)), ...new Table(columns, { width, paint }).lines(rows)];
}

function totalLines(totals: readonly Line[], width: number | undefined, paint: Paint): string[] {
  const left = nameWidth(totals, width);
  const right = Math.max(0, ...totals.map(({ text }) => displayWidth(text)));
  return totals.map(
    ({ name, text }) => named(lastOf(name, left), left, paint) + gap + padded(text, right, "right"),
  );
}

function named(name: string, width: number, paint: Paint): string {
  const spaces = " ".repeat(width - displayWidth(name));
  return name === "" ? spaces : paint.strong(name) + spaces;
}

/** A path that is too long loses its beginning, since paths differ in their ends. */
function lastOf(name: string, width: number): string {
  return displayWidth(name) <= width ? name : `…${name.slice(name.length - width + 1)}`;
}

function nameWidth(lines: readonly Line[], width: number | undefined): number {
  const longest = Math.max(0, ...lines.map(({ name }) => displayWidth(name)));
  if (width === undefined) return longest;
  const half = Math.max(3, Math.floor(width / 2));
  return Math.min(longest, half, Math.max(16, width - gap.length - idWidth));
}
