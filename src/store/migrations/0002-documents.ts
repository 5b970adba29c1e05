/** Further kinds of documents, and what applies one of them to another. */
import {
  addColumns,
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    // Part of a credit note, a prepayment or an overpayment, applied to an invoice or a bill.
    name: "allocation",
    key: ["org", "id"],
    rows: [100_000, 100_000, 1],
    columns: {
      id: "text",
      credit_id: "text",
      invoice_id: "text",
      amount: "integer",
      date: "text",
      // What it took off the control account of either side, in the base currency.
      credit_base: "integer",
      invoice_base: "integer",
      status: "text", // AUTHORISED or DELETED
      created_at: "integer",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  {
    name: "document_credit_note_number",
    on: "document",
    columns: ["org", "number_key"],
    unique: true,
    where: "type = 'ACCRECCREDIT' and status not in ('DELETED', 'VOIDED')",
    rows: [20_000, 20_000, 1],
  },
  {
    name: "payment_by_credit_note",
    on: "payment",
    columns: ["org", "credit_note_id"],
    where: "credit_note_id is not null",
    rows: [10_000, 10_000, 1],
  },
  {
    name: "allocation_by_credit",
    on: "allocation",
    columns: ["org", "credit_id"],
    rows: [100_000, 100_000, 2],
  },
  {
    name: "allocation_by_invoice",
    on: "allocation",
    columns: ["org", "invoice_id"],
    rows: [100_000, 100_000, 2],
  },
];

export const documents: Migration = async (db, dialect) => {
  // Of what credits have settled, the part whose money had moved.
  await addColumns(db, dialect, "document", { cash_credited: "integer?" });
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
};
