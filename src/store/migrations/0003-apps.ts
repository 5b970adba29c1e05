/** Apps that call a served book, and the tokens they were given. */
import { createTable, type Migration, type TableDefinition } from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "app",
    key: ["org", "id"],
    rows: [20, 20, 1],
    columns: {
      id: "text",
      name: "text",
      secret_hash: "text",
      created_at: "integer",
    },
  },
  {
    name: "access_token",
    key: ["org", "hash"],
    rows: [1000, 1000, 1],
    columns: {
      hash: "text",
      app_id: "text",
      user: "text",
      email: "text",
      role: "text",
      reports: "integer",
      created_at: "integer",
      expires_at: "integer",
    },
  },
];

export const apps: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
};
