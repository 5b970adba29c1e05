/** Tax reports that were published, and which accounts stand in which box of a 1099 report. */
import { createTable, type Migration, type TableDefinition } from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "published_report",
    key: ["org", "id"],
    rows: [50, 50, 1],
    columns: {
      id: "text",
      name: "text",
      type: "text",
      titles: "text",
      dates: "text",
      to_date: "text",
      at: "integer",
      attributes: "text",
      fields: "text",
    },
  },
  {
    name: "box_1099",
    key: ["org", "account_id"],
    rows: [10, 10, 1],
    columns: { account_id: "text", form: "text", box: "integer" },
  },
];

export const reports: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
};
