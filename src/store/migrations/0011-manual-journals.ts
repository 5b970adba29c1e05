/** Manual journals; their lines are among those of documents. */
import {
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "manual_journal",
    key: ["org", "id"],
    rows: [50_000, 50_000, 1],
    columns: {
      id: "text",
      narration: "text",
      date: "text",
      status: "text",
      line_amount_types: "text",
      url: "text?",
      show_on_cash_basis_reports: "integer",
      has_attachments: "integer?",
      updated_date_utc: "integer",
      created_by_app: "text?",
      created_date_utc: "integer?",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  // Lists by what changed since, and by date.
  {
    name: "manual_journal_by_update",
    on: "manual_journal",
    columns: ["org", "updated_date_utc", "id"],
    rows: [50_000, 50_000, 1, 1],
  },
  {
    name: "manual_journal_by_date",
    on: "manual_journal",
    columns: ["org", "date", "updated_date_utc", "id"],
    rows: [50_000, 50_000, 20, 1, 1],
  },
];

export const manualJournals: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
};
