/** Tables of payments. */
import { type TableDefinition, uniqueIndex } from "../define.ts";

export const paymentTables = {
  payment: {
    key: ["org", "id"],
    chain: "each",
    rows: [1_000_000, 1_000_000, 1],
    columns: {
      id: "text",
      invoice_id: "text?",
      credit_note_id: "text?",
      prepayment_id: "text?",
      overpayment_id: "text?",
      account_id: "text",
      date: "text",
      amount: "integer",
      bank_amount: "integer?",
      currency_rate: "integer?",
      reference: "text?",
      is_reconciled: "integer?",
      status: "text",
      payment_type: "text",
      updated_date_utc: "integer",
      batch_payment_id: "text?",
      base_amount: "integer?",
      created_by_app: "text?",
      created_date_utc: "integer?",
      bank_account_number: "text?",
      particulars: "text?",
      code: "text?",
      details: "text?",
      reference_key: "text?",
      // Random salt, as of contacts, for a payment with bank details of a person.
      salt: "text?",
      handle: "text?",
      expense_claim_id: "text?",
    },
    indexes: {
      payment_by_update: {
        columns: ["org", "updated_date_utc", "id"],
        rows: [1_000_000, 1_000_000, 10, 1],
      },
      payment_by_date: {
        columns: ["org", "date", "updated_date_utc", "id"],
        rows: [1_000_000, 1_000_000, 500, 2, 1],
      },
      payment_by_invoice: { columns: ["org", "invoice_id"], rows: [1_000_000, 1_000_000, 1] },
      payment_by_credit_note: {
        columns: ["org", "credit_note_id"],
        where: "credit_note_id is not null",
        rows: [10_000, 10_000, 1],
      },
      payment_by_prepayment: {
        columns: ["org", "prepayment_id"],
        where: "prepayment_id is not null",
        rows: [5000, 5000, 1],
      },
      payment_by_overpayment: {
        columns: ["org", "overpayment_id"],
        where: "overpayment_id is not null",
        rows: [5000, 5000, 1],
      },
      payment_by_expense_claim: {
        columns: ["org", "expense_claim_id"],
        where: "expense_claim_id is not null",
        rows: [5000, 5000, 1],
      },
      // For the payments of a batch.
      payment_by_batch: {
        columns: ["org", "batch_payment_id"],
        where: "batch_payment_id is not null",
        rows: [200_000, 200_000, 10],
      },
      // For lists by status, by type, or by both, in list order.
      payment_by_status: {
        columns: ["org", "status", "payment_type", "updated_date_utc", "id"],
        rows: [1_000_000, 1_000_000, 950_000, 250_000, 4, 1],
      },
      payment_by_reference: {
        columns: ["org", "reference_key"],
        where: "reference_key is not null",
        rows: [500_000, 500_000, 2],
      },
      // For match candidates of bank lines: a partial index as small as the unreconciled payments.
      payment_unreconciled: {
        columns: ["org", "account_id"],
        where:
          "coalesce(is_reconciled, 0) = 0 and status = 'AUTHORISED' and batch_payment_id is null",
        rows: [10_000, 10_000, 5_000],
      },
      payment_handle: uniqueIndex("handle", 1_000_000),
    },
  },
  batch_payment: {
    key: ["org", "id"],
    chain: "each",
    rows: [50_000, 50_000, 1],
    columns: {
      id: "text",
      account_id: "text",
      date: "text",
      type: "text",
      status: "text",
      total_amount: "integer",
      is_reconciled: "integer",
      reference: "text?",
      particulars: "text?",
      code: "text?",
      details: "text?",
      narrative: "text?",
      updated_date_utc: "integer",
      created_by_app: "text?",
      created_date_utc: "integer?",
      handle: "text?",
    },
    indexes: {
      batch_payment_by_update: {
        columns: ["org", "updated_date_utc", "id"],
        rows: [50_000, 50_000, 1, 1],
      },
      batch_payment_by_date: {
        columns: ["org", "date", "updated_date_utc", "id"],
        rows: [50_000, 50_000, 20, 1, 1],
      },
      batch_payment_handle: uniqueIndex("handle", 50_000),
    },
  },
  bank_transfer: {
    key: ["org", "id"],
    chain: "each",
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
      // Amount received on the target account, in its currency.
      to_amount: "integer",
      handle: "text?",
    },
    indexes: {
      bank_transfer_by_creation: {
        columns: ["org", "created_date_utc", "id"],
        rows: [20_000, 20_000, 2, 1],
      },
      bank_transfer_by_date: {
        columns: ["org", "date", "created_date_utc", "id"],
        rows: [20_000, 20_000, 10, 1, 1],
      },
      bank_transfer_by_from: uniqueIndex("from_bank_transaction_id", 20_000),
      bank_transfer_by_to: uniqueIndex("to_bank_transaction_id", 20_000),
      bank_transfer_handle: uniqueIndex("handle", 20_000),
    },
  },
} as const satisfies Record<string, TableDefinition>;
