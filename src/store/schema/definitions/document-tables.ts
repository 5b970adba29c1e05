/** Tables of documents. */
import { documents } from "../../../resources/index.ts";
import { type Index, index, numberIndexOf, type TableDefinition, uniqueIndex } from "../define.ts";

type DocumentIndex = Index & { readonly columns: readonly ["org", ...string[]] };

const numberIndexes: Readonly<Record<string, DocumentIndex>> = Object.fromEntries(
  documents.flatMap((document): [string, DocumentIndex][] => {
    const { unique } = document.document;
    if (unique === undefined) return [];
    const { type, freedBy, perUser } = unique;
    const statuses = freedBy.map((status) => `'${status}'`).join(", ");
    const statusFilter = statuses === "" ? "" : ` and status not in (${statuses})`;
    return [
      [
        numberIndexOf(document),
        {
          columns: perUser ? ["org", "user_id", "number_key"] : ["org", "number_key"],
          unique: true,
          where: `type = '${type}'${statusFilter}`,
          rows: perUser ? [20_000, 20_000, 2000, 1] : [100_000, 100_000, 1],
        },
      ],
    ];
  }),
);

export const documentTables = {
  // Documents: every kind of record with a contact, lines and totals, such as invoices and bills.
  document: {
    key: ["org", "id"],
    chain: "each",
    rows: [1_000_000, 1_000_000, 1],
    columns: {
      id: "text",
      // Resource name of the document: Invoice.
      kind: "text",
      type: "text",
      number: "text?",
      reference: "text?",
      contact_id: "text",
      date: "text",
      due_date: "text?",
      status: "text",
      line_amount_types: "text",
      sub_total: "integer",
      total_tax: "integer",
      total: "integer",
      total_discount: "integer?",
      updated_date_utc: "integer",
      currency_code: "text",
      currency_rate: "integer",
      branding_theme_id: "text?",
      url: "text?",
      sent_to_contact: "integer?",
      expected_payment_date: "text?",
      planned_payment_date: "text?",
      has_attachments: "integer?",
      repeating_invoice_id: "text?",
      amount_due: "integer",
      amount_paid: "integer",
      amount_credited: "integer",
      fully_paid_on_date: "text?",
      cis_deduction: "integer?",
      cis_rate: "integer?",
      base_due: "integer?",
      unit_decimals: "integer?",
      created_by_app: "text?",
      created_date_utc: "integer?",
      number_key: "text?",
      reference_key: "text?",
      cash_credited: "integer?",
      delivery_date: "text?",
      buyer_reference: "text?",
      expected_arrival_date: "text?",
      delivery_address: "text?",
      attention_to: "text?",
      telephone: "text?",
      delivery_instructions: "text?",
      expiry_date: "text?",
      title: "text?",
      summary: "text?",
      terms: "text?",
      bank_account_id: "text?",
      bank_status: "text?",
      is_reconciled: "integer?",
      last_settled: "text?",
      user_id: "text?",
      source: "text?",
      billings: "text?",
      handle: "text?",
      receipts: "text?",
      expense_claim_id: "text?",
    },
    indexes: {
      ...numberIndexes,
      // For lists of documents: by time of change, by date and number, by status and date, by
      // contact. Type and status end these indexes, so that the count of a page reads the index
      // alone.
      document_by_update: index(["kind", "updated_date_utc", "id"], [1_000_000, 1_000_000, 10, 1]),
      document_by_date: index(
        ["kind", "date", "id", "type", "status"],
        [1_000_000, 1_000_000, 500, 1, 1, 1],
      ),
      document_by_status: index(
        ["kind", "status", "date", "id", "type"],
        [1_000_000, 1_000_000, 200_000, 100, 1, 1],
      ),
      document_by_contact: index(
        ["contact_id", "date", "id", "kind", "type", "status"],
        [1_000_000, 50, 2, 1, 1, 1, 1],
      ),
      // For searches by number or reference, or a part of it: a search for a part scans the index,
      // which has the ids.
      document_by_number: index(["number_key", "id"], [1_000_000, 2, 1]),
      document_by_reference: index(
        ["reference_key", "id"],
        [500_000, 2, 1],
        "reference_key is not null",
      ),
      // For open amounts of contacts: a partial index as small as the open documents.
      document_open: index(
        ["contact_id", "type", "due_date", "base_due"],
        [50_000, 5, 4, 2, 1],
        "status = 'AUTHORISED'",
      ),
      // For open documents of all contacts, by due date.
      document_due: index(
        ["type", "due_date", "date", "base_due"],
        [50_000, 10_000, 100, 50, 1],
        "status = 'AUTHORISED'",
      ),
      // For match candidates of bank lines: a partial index as small as the unreconciled bank
      // transactions.
      document_unreconciled: index(
        ["bank_account_id"],
        [10_000, 5000],
        "coalesce(is_reconciled, 0) = 0 and bank_status = 'AUTHORISED'",
      ),
      document_prepayment_by_update: index(
        ["kind", "updated_date_utc", "id"],
        [10_000, 10_000, 10, 1],
        "type in ('RECEIVE-PREPAYMENT', 'SPEND-PREPAYMENT')",
      ),
      document_prepayment_by_date: index(
        ["kind", "date", "id"],
        [10_000, 10_000, 10, 1],
        "type in ('RECEIVE-PREPAYMENT', 'SPEND-PREPAYMENT')",
      ),
      document_overpayment_by_update: index(
        ["kind", "updated_date_utc", "id"],
        [10_000, 10_000, 10, 1],
        "type in ('RECEIVE-OVERPAYMENT', 'SPEND-OVERPAYMENT')",
      ),
      document_overpayment_by_date: index(
        ["kind", "date", "id"],
        [10_000, 10_000, 10, 1],
        "type in ('RECEIVE-OVERPAYMENT', 'SPEND-OVERPAYMENT')",
      ),
      document_foreign_open: index(
        ["status", "last_settled"],
        [20_000, 10_000, 10],
        "last_settled is not null",
      ),
      // For quotes by expiry date.
      document_by_expiry: index(["expiry_date"], [50_000, 50], "expiry_date is not null"),
      document_handle: uniqueIndex(["handle"], [200_000, 1], "handle is not null"),
    },
  },
  document_line: {
    key: ["org", "document_id", "ord"],
    chain: { by: ["document_id"] },
    clustered: true,
    rows: [3_000_000, 3_000_000, 3, 1],
    columns: {
      document_id: "text",
      // Index of the line, from 0.
      ord: "integer",
      id: "text?",
      description: "text?",
      quantity: "integer?",
      unit_amount: "integer?",
      item_code: "text?",
      account_id: "text?",
      item_id: "text?",
      tax_type: "text?",
      tax_amount: "integer?",
      line_amount: "integer?",
      discount_rate: "integer?",
      discount_amount: "integer?",
      option1: "text?",
      option2: "text?",
    },
  },
  // An allocation of a credit note, prepayment or overpayment to an invoice or a bill.
  allocation: {
    key: ["org", "id"],
    chain: "each",
    rows: [100_000, 100_000, 1],
    columns: {
      id: "text",
      credit_id: "text",
      invoice_id: "text",
      amount: "integer",
      date: "text",
      // Amounts taken off the control account for the credit and for the invoice, in the base
      // currency.
      credit_base: "integer",
      invoice_base: "integer",
      // Status: AUTHORISED or DELETED.
      status: "text",
      created_at: "integer",
    },
    indexes: {
      allocation_by_credit: index(["credit_id"], [100_000, 2]),
      allocation_by_invoice: index(["invoice_id"], [100_000, 2]),
      // For allocations after a day.
      allocation_by_date: index(["date"], [100_000, 50]),
    },
  },
  repeating_invoice: {
    key: ["org", "id"],
    chain: "each",
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
      handle: "text?",
    },
    indexes: {
      repeating_invoice_due: index(["next_date"], [500, 15], "status <> 'DELETED'"),
      repeating_invoice_handle: uniqueIndex(["handle"], [500, 1]),
    },
  },
  // A row for each template date whose invoice was made, so that no date gets two.
  repeating_invoice_date: {
    key: ["org", "repeating_invoice_id", "date"],
    chain: "each",
    clustered: true,
    rows: [20_000, 20_000, 40, 1],
    columns: {
      repeating_invoice_id: "text",
      date: "text",
      // The invoice made for the date.
      invoice_id: "text",
      // Earliest time to email the invoice; null when it was emailed or is not to be.
      send_at: "integer?",
    },
    indexes: {
      repeating_invoice_to_send: index(["send_at"], [10, 1], "send_at is not null"),
    },
  },
  linked_transaction: {
    key: ["org", "id"],
    chain: "each",
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
      handle: "text?",
    },
    indexes: {
      linked_transaction_source_line: uniqueIndex(["source_line_item_id"], [5000, 1]),
      linked_transaction_source: index(["source_transaction_id"], [5000, 2]),
      linked_transaction_contact: index(["contact_id"], [5000, 50]),
      linked_transaction_target: index(["target_transaction_id"], [5000, 5]),
      linked_transaction_handle: uniqueIndex(["handle"], [5000, 1]),
    },
  },
  // State of the online page of a document, once it was opened or its link revoked.
  online_document: {
    key: ["org", "record_id"],
    chain: "each",
    clustered: true,
    rows: [50_000, 50_000, 1],
    columns: {
      record_id: "text",
      // Number of times the link was revoked.
      generation: "integer",
      // Time when an opening was last recorded in the history.
      opened_at: "integer?",
    },
  },
} as const satisfies Record<string, TableDefinition>;
