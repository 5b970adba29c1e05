/** Tables of the chart of accounts, tax rates, tracking, currencies, budgets and items. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const chartTables = {
  account: {
    key: ["org", "id"],
    chain: "each",
    rows: [100, 100, 1],
    columns: {
      id: "text",
      code: "text?",
      name: "text",
      status: "text",
      type: "text",
      tax_type: "text?",
      description: "text?",
      class: "text?",
      system_account: "text?",
      enable_payments_to_account: "integer?",
      show_in_expense_claims: "integer?",
      bank_account_number: "text?",
      bank_account_type: "text?",
      currency_code: "text?",
      reporting_code: "text?",
      reporting_code_name: "text?",
      has_attachments: "integer?",
      updated_date_utc: "integer?",
      add_to_watchlist: "integer?",
      code_key: "text?",
      name_key: "text",
    },
    indexes: {
      // Unique index: it enforces uniqueness under concurrency, beyond the checks of the service.
      account_code: uniqueIndex(["code_key"], [100, 1], "status <> 'DELETED'"),
      account_name: uniqueIndex(["name_key"], [100, 1], "status = 'ACTIVE'"),
    },
  },
  tax_rate: {
    key: ["org", "id"],
    chain: "each",
    rows: [50, 50, 1],
    columns: {
      // The TaxType.
      id: "text",
      name: "text",
      report_tax_type: "text?",
      tax_category: "text?",
      can_apply_to_assets: "integer?",
      can_apply_to_equity: "integer?",
      can_apply_to_expenses: "integer?",
      can_apply_to_liabilities: "integer?",
      can_apply_to_revenue: "integer?",
      display_tax_rate: "integer?",
      effective_rate: "integer?",
      status: "text",
      tax_components: "text?",
      system: "integer?",
      unusable: "integer?",
      tax_type_key: "text",
      name_key: "text",
    },
    indexes: {
      tax_rate_name: uniqueIndex(["name_key"], [40, 1], "status = 'ACTIVE'"),
    },
  },
  tracking_category: {
    key: ["org", "id"],
    chain: "each",
    rows: [4, 4, 1],
    columns: {
      id: "text",
      name: "text",
      status: "text",
      name_key: "text",
    },
    indexes: {
      tracking_category_name: uniqueIndex(["name_key"], [4, 1], "status <> 'DELETED'"),
    },
  },
  tracking_option: {
    key: ["org", "id"],
    chain: "each",
    rows: [100, 100, 1],
    columns: {
      id: "text",
      name: "text",
      status: "text",
      tracking_category_id: "text",
      name_key: "text",
    },
    indexes: {
      tracking_option_name: uniqueIndex(
        ["tracking_category_id", "name_key"],
        [100, 50, 1],
        "status <> 'DELETED'",
      ),
    },
  },
  currency: {
    key: ["org", "id"],
    chain: "each",
    rows: [10, 10, 1],
    columns: {
      id: "text",
      description: "text?",
    },
  },
  // Exchange rate of a currency on a day, in units of it for one of the base currency (10⁻⁶).
  exchange_rate: {
    key: ["org", "currency", "date"],
    chain: "each",
    clustered: true,
    rows: [20_000, 20_000, 2000, 1],
    columns: {
      currency: "text",
      date: "text",
      rate: "integer",
    },
  },
  budget: {
    key: ["org", "id"],
    chain: "each",
    rows: [5, 5, 1],
    columns: {
      id: "text",
      type: "text",
      description: "text?",
      updated_date_utc: "integer",
      tracking: "text?",
    },
    indexes: {
      // Allows only one overall budget, which reports use.
      budget_overall: { columns: ["org"], unique: true, where: "type = 'OVERALL'", rows: [1, 1] },
    },
  },
  budget_balance: {
    key: ["org", "budget_id", "month", "account_id"],
    chain: "each",
    clustered: true,
    rows: [5000, 5000, 1000, 50, 1],
    columns: {
      budget_id: "text",
      // Month as `YYYY-MM`.
      month: "text",
      account_id: "text",
      // Amount as planned: income and costs are both positive.
      amount: "integer",
      notes: "text?",
    },
  },
  item: {
    key: ["org", "id"],
    chain: "each",
    rows: [5000, 5000, 1],
    columns: {
      id: "text",
      code: "text",
      name: "text?",
      is_sold: "integer?",
      is_purchased: "integer?",
      description: "text?",
      purchase_description: "text?",
      unit_code: "text?",
      purchase_details: "text?",
      sales_details: "text?",
      is_tracked_as_inventory: "integer?",
      inventory_asset_account_code: "text?",
      total_cost_pool: "integer?",
      quantity_on_hand: "integer?",
      updated_date_utc: "integer",
      code_key: "text",
    },
    indexes: {
      item_code: uniqueIndex(["code_key"], [5000, 1]),
    },
  },
  // Stock moves. Append-only.
  inventory_move: {
    key: ["org", "id"],
    chain: "each",
    rows: [100_000, 100_000, 1],
    columns: {
      id: "text",
      item_id: "text",
      document_id: "text",
      // Index of the document line, from 0.
      line: "integer?",
      quantity: "integer",
      cost: "integer",
      at: "integer",
    },
    indexes: {
      inventory_move_by_document: index(["document_id"], [100_000, 2]),
      inventory_move_by_item: index(["item_id"], [100_000, 100]),
    },
  },
} as const satisfies Record<string, TableDefinition>;
