/** Lists of records as tables. */
import type { Field, Resource, ScalarKind } from "../resources/field.ts";
import { isScalar } from "../resources/field.ts";
import { cellText, type FieldColumn, isNumeric } from "./columns.ts";
import { type Cell, type Column, type Row, type Table, textCell } from "./table.ts";

/**
 * @param columns  of the resource: its own, or those that were asked for
 * @param records  as they arrive
 */
export function listTable(
  resource: Resource,
  columns: readonly FieldColumn[],
  records: AsyncIterable<object> | Iterable<object>,
): Table {
  const name = wordsOf(resource.plural);
  return {
    name,
    titles: [name],
    columns: columns.map(tableColumn),
    rows: rowsOf(resource, columns, records),
  };
}

async function* rowsOf(
  resource: Resource,
  columns: readonly FieldColumn[],
  records: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<Row> {
  for await (const record of records) yield recordRow(resource, columns, record);
}

/** One record as a row. */
export function recordRow(
  resource: Resource,
  columns: readonly FieldColumn[],
  record: object,
): Row & { readonly role: "line" } {
  const values = record as Readonly<Record<string, unknown>>;
  const id = values[resource.id];
  const currency = typeof values.CurrencyCode === "string" ? values.CurrencyCode : undefined;
  return {
    role: "line",
    cells: columns.map((column) => cellOf(column, record, currency)),
    record: typeof id === "string" ? { resource: resource.name, id } : undefined,
  };
}

function tableColumn({ path, field, listed }: FieldColumn): Column {
  return {
    path,
    heading: headingOf(path),
    align: isNumeric[field.kind] && !listed ? "right" : "left",
    kind: kindOf(field, listed),
    isStatus: field.kind === "choice" && path.endsWith("Status"),
  };
}

/** Values that are objects or lists are shown as text. */
const kindOf = (field: Field, listed: boolean): ScalarKind =>
  listed || !isScalar(field) ? "text" : field.kind;

function cellOf(column: FieldColumn, record: object, currency: string | undefined) {
  const { field, listed } = column;
  const value = column.read(record);
  if (value === undefined || value === null || value === "") return undefined;
  if (listed || !isScalar(field)) {
    const text = cellText(column, record);
    return text === "" ? undefined : textCell(text);
  }
  return { kind: field.kind, value: value as Cell["value"], currency };
}

/** `Contact.Name`: `Contact`; `AmountDue`: `Amount due`; `LineItems.Description`: the whole of it. */
function headingOf(path: string): string {
  return wordsOf(path.replace(/\.Name$/, "").replaceAll(".", " "));
}

/** `CreditNotes`: `Credit notes`; abbreviations stay as they are. */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(" ");
  return words
    .map((word, at) => (at === 0 || /^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}
