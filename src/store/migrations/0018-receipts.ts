/** Whose a receipt is, and that the numbers of each user's are unique. */
import { addColumns, createIndex, type IndexDefinition, type Migration } from "./tools.ts";

const indexes: readonly IndexDefinition[] = [
  {
    name: "document_receipt_number",
    on: "document",
    columns: ["org", "user_id", "number_key"],
    unique: true,
    where: "type = 'RECEIPT'",
    rows: [20_000, 20_000, 2000, 1],
  },
];

export const receipts: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "document", { user_id: "text?" });
  for (const index of indexes) await createIndex(db, dialect, index);
};
