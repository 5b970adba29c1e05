/** Indexes for the conditions that the API promises to be fast, and for counting what a page is one of. */
import { sql } from "kysely";
import { addColumns, createIndex, type IndexDefinition, type Migration } from "./tools.ts";

const indexes: readonly IndexDefinition[] = [
  // By status, by type, or by both; in the order in which lists come.
  {
    name: "payment_by_status",
    on: "payment",
    columns: ["org", "status", "payment_type", "updated_date_utc", "id"],
    rows: [1_000_000, 1_000_000, 950_000, 250_000, 4, 1],
  },
  {
    name: "payment_by_reference",
    on: "payment",
    columns: ["org", "reference_key"],
    where: "reference_key is not null",
    rows: [500_000, 500_000, 2],
  },
  // Quotes by the day to which they hold.
  {
    name: "document_by_expiry",
    on: "document",
    columns: ["org", "expiry_date"],
    where: "expiry_date is not null",
    rows: [50_000, 50_000, 50],
  },
  // Every page of contacts counts those that are not archived.
  {
    name: "contact_by_status",
    on: "contact",
    columns: ["org", "contact_status"],
    rows: [20_000, 20_000, 18_000],
  },
];

export const indexed: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "payment", { reference_key: "text?" });
  const folded = dialect.fold(sql.ref("reference"));
  await sql`update payment set reference_key = ${folded} where reference is not null`.execute(db);
  for (const index of indexes) await createIndex(db, dialect, index);
};
