/** Parts of one record for display: its fields, its lists as tables, and its totals at the end. */
import type { Field, FieldOf, Fields, FieldValues, Resource } from "../resources/field.ts";
import { termWords } from "../resources/payment-terms.ts";
import { wordsOf } from "../resources/scalar.ts";
import { type FieldColumn, isPresent } from "./columns.ts";
import { cellOf, currencyOf, headingOf, listTable } from "./list-table.ts";
import { type Cell, type Column, type Row, type Table, type Tables, textCell } from "./table.ts";

/** A field with its value. */
export interface RecordField {
  /** Path of the field in the API: `Contact.Name`. */
  readonly path: string;
  readonly field: Field;
  readonly cell: Cell | undefined;
}

export interface RecordList {
  readonly path: string;
  readonly columns: readonly FieldColumn[];
  readonly elements: readonly object[];
  /** Currency of the record, which the amounts in its lists have. */
  readonly currency: string | undefined;
}

/** Parts of a record that are shown; empty values are left out. */
export interface RecordParts {
  readonly fields: readonly RecordField[];
  readonly lists: readonly RecordList[];
  readonly totals: readonly RecordField[];
}

interface GrowingParts {
  readonly fields: RecordField[];
  readonly lists: RecordList[];
  readonly totals: RecordField[];
}

/**
 * Splits a record into parts.
 *
 * @param columns  columns to show, in this order; all fields that are not empty when not given
 */
export function recordParts(
  resource: Resource,
  record: object,
  columns?: readonly FieldColumn[],
): RecordParts {
  const parts: GrowingParts = { fields: [], lists: [], totals: [] };
  const currency = currencyOf(resource.fields, record as FieldValues);
  if (columns === undefined) sort(resource.fields, record, { prefix: "", currency }, parts);
  else pick(columns, record, currency, parts);
  return parts;
}

function pick(
  columns: readonly FieldColumn[],
  record: object,
  currency: string | undefined,
  { fields, lists }: GrowingParts,
): void {
  for (const column of columns) {
    const { path, field, listed } = column;
    const value = column.read(record);
    if (field.kind === "many" && !listed && Array.isArray(value)) {
      lists.push(listOf(path, field, value, currency));
    } else fields.push({ path, field, cell: cellOf(column, record, currency) });
  }
}

interface FieldContext {
  readonly prefix: string;
  readonly currency: string | undefined;
}

function sort(fields: Fields, record: object, context: FieldContext, parts: GrowingParts): void {
  const { prefix, currency } = context;
  for (const [own, field] of Object.entries(fields)) {
    const value = (record as Readonly<Record<string, unknown>>)[own];
    const path = prefix + own;
    if (!isPresent(value) || isBlankList(field, value)) continue;
    // A read-only flag is shown only when it is set.
    if (value === false && field.readOnly) continue;
    const terms = own === "DueDateType" ? "" : termsAt(own, value as object, record);
    if (terms !== undefined) {
      if (terms !== "") parts.fields.push({ path, field: textField, cell: textCell(terms) });
    } else if (field.kind === "one") {
      sort(field.fields, value as object, { prefix: `${path}.`, currency }, parts);
    } else if (field.kind === "many") {
      parts.lists.push(listOf(path, field, value as readonly object[], currency));
    } else {
      // Deductions are totals of a document, although callers may set them.
      const isSum = field.readOnly === true || fields.LineItems !== undefined;
      const isTotal = field.kind === "money" && isSum && prefix === "";
      const cell = cellOf(columnOf(own, field), record, currency);
      (isTotal ? parts.totals : parts.fields).push({ path, field, cell });
    }
  }
}

const textField: Field = { kind: "text" };

/** Returns payment terms in words, of a contact or of the schedule of a repeating invoice. */
function termsAt(name: string, value: object, record: object): string | undefined {
  const { Day, Type } = value as { Day?: number; Type?: string };
  if (Day !== undefined && Type !== undefined) return termWords(Day, Type);
  const { DueDate, DueDateType } = record as { DueDate?: number; DueDateType?: string };
  if (name !== "DueDate" || DueDateType === undefined) return undefined;
  return termWords(Number(DueDate), DueDateType);
}

/**
 * Whether all rows of a list are blank: every contact has an address of each type, most of them
 * empty.
 */
function isBlankList(field: Field, value: unknown): boolean {
  if (field.kind !== "many" || field.mergeBy === undefined) return false;
  return (value as readonly object[]).every((element) =>
    Object.entries(element).every(([name, value]) => name === field.mergeBy || !isPresent(value)),
  );
}

const columnOf = (name: string, field: Field): FieldColumn => ({
  path: name,
  field,
  listed: false,
  read: (record) => (record as Readonly<Record<string, unknown>>)[name],
});

function listOf(
  path: string,
  field: FieldOf<"many">,
  elements: readonly object[],
  currency: string | undefined,
): RecordList {
  // A flag that is set nowhere needs no column.
  const isFilled = (value: unknown) => isPresent(value) && value !== false;
  const filledFields = Object.entries(field.fields)
    .map(([name, inner]) => columnOf(name, inner))
    .filter((column) => elements.some((element) => isFilled(column.read(element))));
  // Ids are left out, and so are read-only objects that only add facts to a code.
  const telling = filledFields.filter(({ path: name, field: inner }) =>
    field.columns === undefined
      ? inner.kind !== "id" && !(inner.kind === "one" && inner.readOnly)
      : field.columns.includes(name),
  );
  return { path, columns: telling.length > 0 ? telling : filledFields, elements, currency };
}

/** Converts the parts of a record to tables, for PDF, web pages and spreadsheets. */
export function recordTables(
  resource: Resource,
  record: object,
  columns?: readonly FieldColumn[],
): Tables {
  const { fields, lists, totals } = recordParts(resource, record, columns);
  const title = titleOf(resource, record);
  return [
    { ...fieldTable(fields, valueColumn), name: wordsOf(resource.name), titles: [title] },
    ...lists.map((list): Table => {
      const name = headingOf(list.path);
      const elements = list.elements.map((value) => ({ CurrencyCode: list.currency, ...value }));
      return { ...listTable(resource, list.columns, elements), name, titles: [name] };
    }),
    ...(totals.length === 0
      ? []
      : [{ ...fieldTable(totals, amountColumn), name: "Totals", titles: ["Totals"] }]),
  ];
}

/** Title of a record: `Invoice INV-0042`. */
function titleOf({ name, fields }: Resource, record: object): string {
  const values = record as Readonly<Record<string, unknown>>;
  const key = Object.entries(fields).find(([path, { key }]) => key === true && values[path]);
  return [wordsOf(name), ...(key === undefined ? [] : [String(values[key[0]])])].join(" ");
}

const fieldColumn: Column = {
  path: "Field",
  heading: "Field",
  align: "left",
  kind: "text",
  isStatus: false,
};
const valueColumn: Column = { ...fieldColumn, path: "Value", heading: "Value" };
const amountColumn: Column = { ...valueColumn, heading: "Amount", align: "right", kind: "money" };

const fieldTable = (
  fields: readonly RecordField[],
  second: Column,
): Pick<Table, "columns" | "rows"> => ({
  columns: [fieldColumn, second],
  rows: fields.map(
    ({ path, cell }): Row => ({ role: "line", cells: [textCell(headingOf(path)), cell] }),
  ),
});
