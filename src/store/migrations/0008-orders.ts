/** What purchase orders and quotes have that other documents have not, and their numbers. */
import { addColumns, createIndex, type IndexDefinition, type Migration } from "./tools.ts";

const columns = {
  delivery_date: "text?",
  expected_arrival_date: "text?",
  delivery_address: "text?",
  attention_to: "text?",
  telephone: "text?",
  delivery_instructions: "text?",
  expiry_date: "text?",
  title: "text?",
  summary: "text?",
  terms: "text?",
} as const;

const indexes: readonly IndexDefinition[] = [
  // A deleted order keeps its number.
  {
    name: "document_purchase_order_number",
    on: "document",
    columns: ["org", "number_key"],
    unique: true,
    where: "type = 'PURCHASEORDER'",
    rows: [20_000, 20_000, 1],
  },
  {
    name: "document_quote_number",
    on: "document",
    columns: ["org", "number_key"],
    unique: true,
    where: "type = 'QUOTE' and status <> 'DELETED'",
    rows: [20_000, 20_000, 1],
  },
];

export const orders: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "document", columns);
  for (const index of indexes) await createIndex(db, dialect, index);
};
