/** Tables of the ledger: journals, postings, balances, fixed assets and tax reports. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const ledgerTables = {
  // Journals. Append-only.
  journal: {
    key: ["org", "basis", "number"],
    chain: "each",
    clustered: true,
    rows: [2_000_000, 2_000_000, 1_000_000, 1],
    columns: {
      // Basis as in `basisCode`.
      basis: "integer",
      // Journal number: 1, 2, 3, … without gaps, for each organisation and basis.
      number: "integer",
      id: "text",
      date: "text",
      source_type: "text?",
      source_id: "text",
      document_id: "text",
      reference: "text?",
      // Number of the journal that this one reverses; unique.
      reverses: "integer?",
      created_at: "integer",
    },
    indexes: {
      // Unique index: a journal is reversed only once.
      journal_reverses: uniqueIndex(
        ["basis", "reverses"],
        [50_000, 40_000, 1],
        "reverses is not null",
      ),
      // For journals by source record, and for journals that move the money of a document.
      journal_by_source: index(["source_id"], [2_000_000, 2]),
      journal_by_document: index(["document_id"], [2_000_000, 3]),
      journal_by_id: uniqueIndex(["id"], [2_000_000, 1]),
    },
  },
  // Postings. Append-only.
  posting: {
    key: ["org", "basis", "number", "ord"],
    chain: { by: ["basis", "number"] },
    clustered: true,
    rows: [8_000_000, 8_000_000, 4_000_000, 4, 1],
    columns: {
      basis: "integer",
      // Number of the posting's journal.
      number: "integer",
      // Index of the posting in its journal, from 0.
      ord: "integer",
      // Date of the posting's journal.
      date: "text",
      account_id: "text",
      // Amount, debit positive.
      amount: "integer",
      // Debit amount; `debit - amount` is the credit. A reversal reduces the side that it reverses,
      // so that reversed amounts add to neither.
      debit: "integer",
      // TrackingOptionIDs; empty where there is none.
      option1: "text",
      option2: "text",
      description: "text?",
      tax_type: "text?",
      tax_amount: "integer?",
      line: "integer?",
      // For a bank account in a foreign currency: amount in that currency, debit positive.
      foreign_amount: "integer?",
    },
    indexes: {
      // For sums over part of a month, from the index alone, and for the transactions of an
      // account.
      posting_by_date: index(
        ["basis", "date", "account_id", "option1", "option2", "amount", "debit"],
        [8_000_000, 4_000_000, 2000, 40, 20, 20, 2, 1],
      ),
      posting_by_account: index(["account_id", "basis", "date"], [8_000_000, 80_000, 40_000, 20]),
    },
  },
  // Monthly balances: sums of postings by month, updated in the transaction that posts.
  balance: {
    key: ["org", "basis", "month", "account_id", "option1", "option2"],
    chain: "derived",
    clustered: true,
    rows: [20_000, 20_000, 10_000, 100, 2, 2, 1],
    columns: {
      basis: "integer",
      // Month as `YYYY-MM`.
      month: "text",
      account_id: "text",
      option1: "text",
      option2: "text",
      debit: "integer",
      credit: "integer",
      // For a bank account in a foreign currency: movement in that currency, debits less credits.
      foreign_amount: "integer?",
      // Tax of the postings, debit positive: tax on sales is negative.
      tax: "integer",
    },
  },
  manual_journal: {
    key: ["org", "id"],
    chain: "each",
    rows: [50_000, 50_000, 1],
    columns: {
      id: "text",
      narration: "text",
      date: "text",
      status: "text",
      line_amount_types: "text",
      url: "text?",
      show_on_cash_basis_reports: "integer",
      series_id: "text?",
      has_attachments: "integer?",
      updated_date_utc: "integer",
      created_by_app: "text?",
      created_date_utc: "integer?",
      handle: "text?",
    },
    indexes: {
      // For lists by time of change, and by date.
      manual_journal_by_update: index(["updated_date_utc", "id"], [50_000, 1, 1]),
      manual_journal_by_series: index(["series_id"], [5_000, 6], "series_id is not null"),
      manual_journal_by_date: index(["date", "updated_date_utc", "id"], [50_000, 20, 1, 1]),
      manual_journal_handle: uniqueIndex(["handle"], [50_000, 1]),
    },
  },
  // Published tax reports. Append-only.
  published_report: {
    key: ["org", "id"],
    chain: "each",
    rows: [50, 50, 1],
    columns: {
      id: "text",
      name: "text",
      type: "text",
      // Titles as JSON.
      titles: "text",
      dates: "text",
      to_date: "text",
      at: "integer",
      // Attributes as JSON.
      attributes: "text",
      // Fields as JSON.
      fields: "text",
      accrual_number: "integer?",
      cash_number: "integer?",
      handle: "text?",
    },
    indexes: {
      published_report_handle: uniqueIndex(["handle"], [50, 1]),
    },
  },
  // Opening balances; one row for each organisation, with the organisation's id.
  opening_balance: {
    key: ["org", "id"],
    chain: "each",
    rows: [1, 1, 1],
    columns: {
      id: "text",
      date: "text",
      accounts: "text?",
      documents: "text?",
      stock: "text?",
      stock_document_id: "text?",
      historical_adjustment: "integer",
      updated_date_utc: "integer",
    },
  },
  asset: {
    key: ["org", "id"],
    chain: "each",
    rows: [1_000, 1_000, 1],
    columns: {
      id: "text",
      asset_number: "text",
      asset_number_key: "text",
      name: "text",
      status: "text",
      description: "text?",
      serial_number: "text?",
      purchase_date: "text",
      cost: "integer",
      invoice_id: "text?",
      line_item_id: "text?",
      method: "text",
      averaging: "text",
      rate: "integer?",
      life: "integer?",
      depreciation_start_date: "text",
      residual_value: "integer",
      cost_limit: "integer?",
      opening_accumulated: "integer",
      opening_date: "text?",
      asset_account_id: "text?",
      accumulated_account_id: "text?",
      expense_account_id: "text?",
      disposal_date: "text?",
      disposal_proceeds: "integer?",
      capital_gain: "integer?",
      gain: "integer?",
      disposal_journal_id: "text?",
      updated_date_utc: "integer",
    },
    indexes: {
      asset_number: uniqueIndex(["asset_number_key"], [1_000, 1], "status <> 'DELETED'"),
    },
  },
  // Depreciation of an asset posted by a manual journal: of a month, or with the disposal.
  depreciation: {
    key: ["org", "asset_id", "manual_journal_id"],
    chain: "each",
    clustered: true,
    rows: [60_000, 60_000, 60, 1],
    columns: {
      asset_id: "text",
      manual_journal_id: "text",
      date: "text",
      amount: "integer",
    },
    indexes: {
      // For the assets of a journal.
      depreciation_by_journal: index(["manual_journal_id"], [60_000, 1_000]),
    },
  },
  // The 1099 box to which payments for an account are assigned.
  box_1099: {
    key: ["org", "account_id"],
    chain: "each",
    rows: [10, 10, 1],
    columns: {
      account_id: "text",
      form: "text",
      box: "integer",
    },
  },
} as const satisfies Record<string, TableDefinition>;
