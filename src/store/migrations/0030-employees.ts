/** Employees; and tax rates that a book began with are known as the system's. */
import { sql } from "kysely";
import { createIndex, createTable, type Migration } from "./tools.ts";

export const employees: Migration = async (db, dialect) => {
  await createTable(db, dialect, {
    name: "employee",
    key: ["org", "id"],
    rows: [200, 200, 1],
    columns: {
      id: "text",
      status: "text",
      first_name: "text",
      last_name: "text",
      external_link: "text?",
      updated_date_utc: "integer",
      last_name_key: "text",
    },
  });
  await createIndex(db, dialect, {
    name: "employee_by_last_name",
    on: "employee",
    columns: ["org", "last_name_key", "id"],
    rows: [200, 200, 1],
  });
  // Every rate that somebody has made since is called TAX001 and on.
  await sql`update tax_rate set system = 1 where id not like 'TAX%'`.execute(db);
};
