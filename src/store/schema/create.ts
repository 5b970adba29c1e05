/** The tables of the latest state, and how one is made. */
import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../dialects/dialect.ts";
import { auditTables } from "./audit.ts";
import { bankTables } from "./bank.ts";
import { chainTables } from "./chain.ts";
import { chartTables } from "./chart.ts";
import { contactTables } from "./contacts.ts";
import type { AnyTableDefinition, Index, TableDefinition } from "./define.ts";
import { directoryTables } from "./directory.ts";
import { documentTables } from "./documents.ts";
import type { Tables } from "./index.ts";
import { ledgerTables } from "./ledger.ts";
import { operationTables } from "./operations.ts";
import { organisationTables } from "./organisation.ts";
import { paymentTables } from "./payments.ts";
import { webhookTables } from "./webhooks.ts";

/** Those of organisations, by name. */
export const tables: Readonly<Record<string, TableDefinition>> = {
  ...organisationTables,
  ...chartTables,
  ...contactTables,
  ...documentTables,
  ...paymentTables,
  ...ledgerTables,
  ...webhookTables,
  ...bankTables,
  ...operationTables,
  ...chainTables,
  ...auditTables,
};

/** Every table by its name, those of organisations with `org`. */
export function allTables(): Readonly<Record<string, AnyTableDefinition>> {
  const ofOrganisations = Object.entries(tables).map(
    ([name, table]) => [name, { ...table, columns: { org: "integer", ...table.columns } }] as const,
  );
  return { ...Object.fromEntries(ofOrganisations), ...directoryTables };
}

/** Runs inside a transaction, with nobody else in the store. */
export async function createTables(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  made: Readonly<Record<string, AnyTableDefinition>> = allTables(),
): Promise<void> {
  for (const [name, table] of Object.entries(made)) {
    await createTable(db, dialect, name, table);
    for (const [index, definition] of Object.entries(table.indexes ?? {})) {
      await createIndex(db, dialect, name, index, definition);
    }
  }
}

async function createTable(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  name: string,
  table: AnyTableDefinition,
): Promise<void> {
  const { clustered, unlogged, rows } = table;
  const kind = unlogged ? `create ${dialect.unlogged} table` : "create table";
  await sql.raw(`${kind} ${tableText(dialect, name, table)}`).execute(db);
  if (rows === undefined) return;
  await dialect.expect(db, { table: name, index: undefined, clustered: clustered === true, rows });
}

/** A statement that makes a table, after its first words. */
export function tableText(
  dialect: StoreDialect,
  name: string,
  { key, columns, clustered }: AnyTableDefinition,
): string {
  const made = Object.entries(columns).map(([column, type]) => columnText(dialect, column, type));
  const keys = key.map((column) => `"${column}"`).join(", ");
  const end = dialect.tableEnd(clustered === true);
  const text = `"${name}" (${made.join(", ")}, constraint "${name}_key" primary key (${keys}))`;
  return end === "" ? text : `${text} ${end}`;
}

/** A column as statements define it. */
export function columnText({ columnTypes }: StoreDialect, column: string, type: string): string {
  const kind = columnTypes[type.replace("?", "") as keyof typeof columnTypes];
  return `"${column}" ${kind}${type.endsWith("?") ? "" : " not null"}`;
}

export async function createIndex(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  table: string,
  name: string,
  index: Index,
): Promise<void> {
  const kind = index.unique ? "create unique index" : "create index";
  await sql.raw(`${kind} ${indexText(table, name, index)}`).execute(db);
  const { rows } = index;
  if (rows === undefined) return;
  await dialect.expect(db, { table, index: name, clustered: false, rows });
}

/** A statement that makes an index, after its first words. */
export function indexText(table: string, name: string, { columns, where }: Index): string {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const condition = where === undefined ? "" : ` where ${where}`;
  return `"${name}" on "${table}" (${names})${condition}`;
}
