/** Bank transfers, found also by the bank transactions that are their two sides. */
import { createIndex, createTable, type IndexDefinition, type Migration } from "./tools.ts";

const indexes: readonly IndexDefinition[] = [
  {
    name: "bank_transfer_by_creation",
    on: "bank_transfer",
    columns: ["org", "created_date_utc", "id"],
    rows: [20_000, 20_000, 2, 1],
  },
  {
    name: "bank_transfer_by_date",
    on: "bank_transfer",
    columns: ["org", "date", "created_date_utc", "id"],
    rows: [20_000, 20_000, 10, 1, 1],
  },
  ...["from_bank_transaction_id", "to_bank_transaction_id"].map(
    (column): IndexDefinition => ({
      name: `bank_transfer_by_${column.replace("_bank_transaction_id", "")}`,
      on: "bank_transfer",
      columns: ["org", column],
      unique: true,
      rows: [20_000, 20_000, 1],
    }),
  ),
];

export const bankTransfers: Migration = async (db, dialect) => {
  await createTable(db, dialect, {
    name: "bank_transfer",
    key: ["org", "id"],
    rows: [20_000, 20_000, 1],
    columns: {
      id: "text",
      from_bank_account_id: "text",
      to_bank_account_id: "text",
      amount: "integer",
      date: "text",
      reference: "text?",
      from_is_reconciled: "integer?",
      to_is_reconciled: "integer?",
      from_tracking: "text?",
      to_tracking: "text?",
      currency_rate: "integer",
      from_bank_transaction_id: "text",
      to_bank_transaction_id: "text",
      has_attachments: "integer?",
      created_date_utc: "integer",
      status: "text",
      // What came to the other account, in its currency.
      to_amount: "integer",
    },
  });
  for (const index of indexes) await createIndex(db, dialect, index);
};
