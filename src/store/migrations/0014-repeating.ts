/** Templates of repeating invoices, the dates they have seen, and expenses that customers pay back. */
import {
  createIndex,
  createTable,
  type IndexDefinition,
  type Migration,
  type TableDefinition,
} from "./tools.ts";

const tables: readonly TableDefinition[] = [
  {
    name: "repeating_invoice",
    key: ["org", "id"],
    rows: [500, 500, 1],
    columns: {
      id: "text",
      type: "text",
      contact_id: "text",
      reference: "text?",
      reference_key: "text?",
      status: "text",
      schedule: "text",
      line_amount_types: "text",
      sub_total: "integer",
      total_tax: "integer",
      total: "integer",
      currency_code: "text",
      branding_theme_id: "text?",
      has_attachments: "integer?",
      approved_for_sending: "integer",
      send_copy: "integer",
      mark_as_sent: "integer",
      include_pdf: "integer",
      next_date: "text?",
      last_date: "text?",
      held_because: "text?",
      created_by_app: "text?",
      created_date_utc: "integer?",
    },
  },
  // One row for each date that has its invoice, so that no date has two.
  {
    name: "repeating_invoice_date",
    key: ["org", "repeating_invoice_id", "date"],
    clustered: true,
    rows: [20_000, 20_000, 40, 1],
    columns: {
      repeating_invoice_id: "text",
      date: "text",
      invoice_id: "text",
      send_at: "integer?",
    },
  },
  {
    name: "linked_transaction",
    key: ["org", "id"],
    rows: [5000, 5000, 1],
    columns: {
      id: "text",
      source_transaction_id: "text",
      source_line_item_id: "text",
      contact_id: "text?",
      target_transaction_id: "text?",
      target_line_item_id: "text?",
      type: "text",
      source_transaction_type_code: "text",
      updated_date_utc: "integer",
    },
  },
];

const indexes: readonly IndexDefinition[] = [
  {
    name: "repeating_invoice_due",
    on: "repeating_invoice",
    columns: ["org", "next_date"],
    where: "status <> 'DELETED'",
    rows: [500, 500, 15],
  },
  {
    name: "repeating_invoice_to_send",
    on: "repeating_invoice_date",
    columns: ["org", "send_at"],
    where: "send_at is not null",
    rows: [10, 10, 1],
  },
  {
    name: "linked_transaction_source_line",
    on: "linked_transaction",
    columns: ["org", "source_line_item_id"],
    unique: true,
    rows: [5000, 5000, 1],
  },
  {
    name: "linked_transaction_source",
    on: "linked_transaction",
    columns: ["org", "source_transaction_id"],
    rows: [5000, 5000, 2],
  },
  {
    name: "linked_transaction_contact",
    on: "linked_transaction",
    columns: ["org", "contact_id"],
    rows: [5000, 5000, 50],
  },
  {
    name: "linked_transaction_target",
    on: "linked_transaction",
    columns: ["org", "target_transaction_id"],
    rows: [5000, 5000, 5],
  },
];

export const repeating: Migration = async (db, dialect) => {
  for (const table of tables) await createTable(db, dialect, table);
  for (const index of indexes) await createIndex(db, dialect, index);
};
