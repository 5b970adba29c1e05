/** Rows of every kind of record, with a value in every column. */
import { sql } from "kysely";
import type { RecordKind } from "../../../src/store/chain/canonical.ts";
import type { Row, Value } from "../../../src/store/connection/connection.ts";
import { insertRows } from "../../../src/store/operations/bulk.ts";
import { tables } from "../../../src/store/schema/all-tables.ts";
import { isExact } from "../../../src/store/schema/define.ts";
import type { Tx } from "../../../src/store/tx/tx.ts";
import { guid } from "../samples.ts";

/** Records of each kind, and rows of each where it has several. */
const records = 3;
const rowsOfEach = 2;

/** Nouns of records that others belong to, so that these have a name. */
const owners: Readonly<Record<string, string>> = { kind: "Invoice", resource: "Invoice" };

function sampleOf(table: string, column: string, record: number, row: number): Value {
  const type = tables[table]?.columns[column] ?? "text";
  if (isExact(table, column)) return `12345678901234567${record}`;
  if (type === "bytes") return Buffer.from([record, row, 0, 255]);
  if (type.startsWith("integer")) return column === "basis" ? 0 : record * 100 + row;
  if (column === "id" || column.endsWith("_id")) return guid(record);
  return owners[column] ?? `${column} “${record}”\n${row}`;
}

const columnsOf = (table: string) => Object.keys(tables[table]?.columns ?? {});

/** An insertion of rows of a kind, and those of some records. */
function rowsOf({ table, key, order }: RecordKind, of: readonly number[]) {
  const columns = columnsOf(table);
  const rows = of.flatMap((record) =>
    Array.from(
      { length: order.length > 0 ? rowsOfEach : 1 },
      (_, at): Row => [
        1,
        ...columns.map((name) => sampleOf(table, name, record, key.includes(name) ? 0 : at + 1)),
      ],
    ),
  );
  return { insertion: { table, columns: ["org", ...columns] }, rows };
}

/** Writes records of a kind, beside those that are there. */
export async function fill(tx: Tx, kind: RecordKind): Promise<void> {
  const { insertion, rows } = rowsOf(
    kind,
    Array.from({ length: records }, (_, at) => at + 1),
  );
  await insertRows(tx, insertion, rows);
}

/** Adds a record behind the program's back. */
export async function smuggle({ connection }: Tx, kind: RecordKind, record: number): Promise<void> {
  const { insertion, rows } = rowsOf(kind, [record]);
  await connection.insert(insertion, rows);
}

/** The condition that the first row of a record of `fill` meets, or with `all` each of them. */
export function rowOf({ table, key, order }: RecordKind, record: number, all = false) {
  const named = key.map(
    (column) => sql`${sql.id(column)} = ${sampleOf(table, column, record, 0) as string}`,
  );
  const first = order.map(
    (column) => sql`${sql.id(column)} = ${sampleOf(table, column, record, 1) as number}`,
  );
  return sql.join([sql`org = 1`, ...named, ...(all ? [] : first)], sql` and `);
}

/** Another value for a column than the one there, whatever that is. */
export function otherValue(table: string, column: string) {
  const type = tables[table]?.columns[column] ?? "text";
  if (type === "bytes") return sql`${Buffer.from([7])}`;
  const id = sql.id(column);
  return type.startsWith("integer")
    ? sql`coalesce(${id}, 0) + 1000`
    : sql`coalesce(${id}, '') || 'x'`;
}
