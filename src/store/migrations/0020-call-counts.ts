/** How often apps have called, for processes that count together. */
import { createTable, type Migration, type TableDefinition } from "./tools.ts";

const table: TableDefinition = {
  name: "call_count",
  key: ["org", "app"],
  rows: [20, 20, 1],
  columns: { app: "text", version: "integer", counts: "text" },
  fleeting: true,
};

export const callCounts: Migration = (db, dialect) => createTable(db, dialect, table);
