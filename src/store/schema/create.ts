/** Creates the tables of a new store. */
import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../dialects/dialect.ts";
import { auditTables } from "./audit.ts";
import { bankTables } from "./bank.ts";
import { chainTables } from "./chain.ts";
import { chartTables } from "./chart.ts";
import { contactTables } from "./contacts.ts";
import type { DirectoryTableDefinition, Index, TableDefinition } from "./define.ts";
import { directoryTables } from "./directory.ts";
import { documentTables } from "./documents.ts";
import type { Tables } from "./index.ts";
import { ledgerTables } from "./ledger.ts";
import { operationTables } from "./operations.ts";
import { organisationTables } from "./organisation.ts";
import { paymentTables } from "./payments.ts";
import { webhookTables } from "./webhooks.ts";

/** By name. */
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

/** Runs inside a transaction, with nobody else in the store. */
export async function createTables(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  const ofOrganisations = Object.entries(tables).map(
    ([name, table]) => [name, { ...table, columns: { org: "integer", ...table.columns } }] as const,
  );
  const ofDirectory = Object.entries<DirectoryTableDefinition>(directoryTables);
  for (const [name, table] of [...ofOrganisations, ...ofDirectory]) {
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
  { key, columns, clustered, unlogged, rows }: DirectoryTableDefinition,
): Promise<void> {
  let table = db.schema.createTable(name);
  if (unlogged) table = table.modifyFront(sql.raw(dialect.unlogged));
  for (const [column, type] of Object.entries(columns)) {
    const kind = type.replace("?", "") as "text" | "integer" | "bytes";
    table = table.addColumn(column, sql.raw(dialect.columnTypes[kind]), (it) =>
      type.endsWith("?") ? it : it.notNull(),
    );
  }
  await table
    .addPrimaryKeyConstraint(`${name}_key`, [...key] as never[])
    .modifyEnd(sql.raw(dialect.tableEnd(clustered === true)))
    .execute();
  await dialect.expect(db, { table: name, index: undefined, clustered: clustered === true, rows });
}

async function createIndex(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  table: string,
  name: string,
  { columns, unique, where, rows }: Index,
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const condition = where === undefined ? sql`` : sql` where ${sql.raw(where)}`;
  const kind = unique ? sql`unique index` : sql`index`;
  await sql`create ${kind} ${sql.ref(name)} on ${sql.ref(table)} (${names})${condition}`.execute(
    db,
  );
  await dialect.expect(db, { table, index: name, clustered: false, rows });
}
