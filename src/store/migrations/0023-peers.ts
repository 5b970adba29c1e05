/** Processes that serve one database. */
import { createDirectoryTable, type DirectoryTableDefinition, type Migration } from "./tools.ts";

const table: DirectoryTableDefinition = {
  name: "peer",
  key: ["id"],
  rows: [4, 1],
  columns: { id: "text", address: "text", beats: "integer" },
  fleeting: true,
};

export const peers: Migration = (db, dialect) => createDirectoryTable(db, dialect, table);
