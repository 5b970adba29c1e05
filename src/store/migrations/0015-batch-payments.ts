/** Payments that were made in one batch. */
import { sql } from "kysely";
import {
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "batch_payment",
    key: ["org", "id"],
    rows: [50_000, 50_000, 1],
    columns: {
      id: "text",
      account_id: "text",
      date: "text",
      type: "text",
      status: "text",
      total_amount: "integer",
      is_reconciled: "integer",
      reference: "text?",
      particulars: "text?",
      code: "text?",
      details: "text?",
      narrative: "text?",
      updated_date_utc: "integer",
      created_by_app: "text?",
      created_date_utc: "integer?",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  {
    name: "batch_payment_by_update",
    on: "batch_payment",
    columns: ["org", "updated_date_utc", "id"],
    rows: [50_000, 50_000, 1, 1],
  },
  {
    name: "batch_payment_by_date",
    on: "batch_payment",
    columns: ["org", "date", "updated_date_utc", "id"],
    rows: [50_000, 50_000, 20, 1, 1],
  },
  // The members of a batch.
  {
    name: "payment_by_batch",
    on: "payment",
    columns: ["org", "batch_payment_id"],
    where: "batch_payment_id is not null",
    rows: [200_000, 200_000, 10],
  },
];

/** What the bank is told of a payment. */
const told = ["bank_account_number", "particulars", "code", "details"] as const;

export const batchPayments: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
  const kind = sql.raw(dialect.columnTypes.text);
  for (const name of told) {
    await sql`alter table payment add column ${sql.ref(name)} ${kind}`.execute(db);
  }
};
