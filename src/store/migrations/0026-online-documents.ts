/** The pages on which customers see documents, and the secret that their addresses are made with. */
import { createTable, type Migration, type TableDefinition } from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "secret",
    key: ["org", "name"],
    rows: [1, 1, 1],
    columns: { name: "text", value: "text" },
    clustered: true,
  },
  {
    name: "online_document",
    key: ["org", "record_id"],
    rows: [50_000, 50_000, 1],
    columns: { record_id: "text", generation: "integer", opened_at: "integer?" },
    clustered: true,
  },
];

export const onlineDocuments: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
};
