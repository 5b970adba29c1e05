/**
 * Verification of values: whether each column holds a value that its field permits.
 *
 * The rule for a column comes from the description of its field, so a new field is checked as soon
 * as it is described.
 */
import { sql } from "kysely";
import type { Field, Kind } from "../../resources/field.ts";
import { isDay } from "../../resources/scalar.ts";
import { fold } from "../../wire/fold.ts";
import type { Row } from "../connection/connection.ts";
import { selectOnce } from "../operations/bulk.ts";
import { type Column, storedResources, type Table, tableOf } from "../schema/tables.ts";
import type { Findings } from "./findings.ts";

type StoredValue = string | number | null;

const isText = (value: StoredValue): value is string => typeof value === "string";
const isInteger = (value: StoredValue) => Number.isSafeInteger(value);
const isJson = (value: StoredValue): boolean => {
  if (!isText(value)) return false;
  try {
    const content: unknown = JSON.parse(value);
    return typeof content === "object" && content !== null;
  } catch {
    return false;
  }
};

/** Whether a column of a kind may hold a value that is not null. */
const isValidValue: Readonly<Record<Kind, (value: StoredValue, field: Field) => boolean>> = {
  id: (value) => isText(value) && value !== "",
  text: isText,
  choice: (value, field) =>
    field.kind === "choice" && isText(value) && field.values.includes(value),
  boolean: (value) => value === 0 || value === 1,
  integer: isInteger,
  date: (value) => isText(value) && isDay(value),
  timestamp: (value) => isInteger(value) && (value as number) >= 0,
  money: isInteger,
  unitAmount: isInteger,
  quantity: isInteger,
  percent: isInteger,
  rate: (value) => isText(value) && /^[1-9]\d{0,17}$/.test(value),
  ref: (value) => isText(value) && value !== "",
  one: isJson,
  many: isJson,
  texts: isJson,
};

/** Records checked together. */
const batchSize = 500;

/** Finds values that a field does not permit, and folded texts that differ from their fields. */
export async function checkValues(findings: Findings): Promise<void> {
  let count = 0;
  for (const resource of storedResources) {
    const table = tableOf(resource);
    // A view on records of another kind is checked with that kind.
    if (table.types === undefined) count += await valuesOf(findings, table);
  }
  findings.checks.push({ name: "records", count });
  await findings.each(
    sql<{ currency: string; date: string }>`
      select currency, date from exchange_rate where org = ${findings.tx.org} and rate <= 0`,
    ({ currency, date }) => `The rate of ${currency} on ${date} is not above zero.`,
  );
}

async function valuesOf(findings: Findings, table: Table): Promise<number> {
  const { tx } = findings;
  const columns = table.columns.filter(({ name }) => name !== "id");
  const names = ["id", ...new Set(columns.flatMap(({ name, folded }) => [name, folded ?? name]))];
  const texts = new Set(columns.flatMap(({ name, storage }) => (storage.selectsText ? name : [])));
  const selected = sql.join(
    names.map((name) =>
      texts.has(name) ? sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}` : sql.ref(name),
    ),
  );
  const columnPlaces = columns.map((column) => ({
    column,
    at: names.indexOf(column.name),
    foldedAt: column.folded === undefined ? undefined : names.indexOf(column.folded),
  }));
  const ofKind = table.kind === undefined ? [] : [table.kind];
  let count = 0;
  for (let afterId = ""; ; ) {
    const build = () => sql`select ${selected} from ${sql.table(table.name)} where org = ${tx.org}
      ${table.kind === undefined ? sql`` : sql`and kind = ${table.kind}`} and id > ${afterId}
      order by id limit ${batchSize}`;
    const key = { of: table.resource.name, by: "values", count: 0 };
    const rows = await selectOnce(tx, key, build, [tx.org, ...ofKind, afterId, batchSize]);
    for (const row of rows) for (const each of columnPlaces) checkValue(findings, table, row, each);
    const lastId = rows.at(-1)?.[0];
    if (lastId === undefined || lastId === null) return count;
    count += rows.length;
    afterId = String(lastId);
  }
}

interface PlacedColumn {
  readonly column: Column;
  readonly at: number;
  /** Position of the folded text used for searches; undefined when the field has none. */
  readonly foldedAt: number | undefined;
}

function checkValue(
  findings: Findings,
  { resource }: Table,
  row: Row,
  { column: { field, description }, at, foldedAt }: PlacedColumn,
): void {
  const value = (row[at] ?? null) as StoredValue;
  const of = () => `of the ${resource.noun} ${row[0]}`;
  if (value === null) {
    if (description.always)
      findings.fault(`value ${resource.name} ${field}`, `The ${field} ${of()} is missing.`);
  } else if (!isValidValue[description.kind](value, description)) {
    const excerpt = JSON.stringify(value).slice(0, 60);
    findings.fault(`value ${resource.name} ${field}`, `The ${field} ${of()} cannot be ${excerpt}.`);
  }
  if (foldedAt === undefined) return;
  const expectedFold = value === null ? null : fold(String(value));
  if (row[foldedAt] === expectedFold) return;
  findings.fault(
    `folded ${resource.name} ${field}`,
    `The ${field} ${of()} is not the one by which it is found.`,
  );
}
