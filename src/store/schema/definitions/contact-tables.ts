/** Tables of contacts. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const contactTables = {
  contact: {
    key: ["org", "id"],
    chain: "each",
    rows: [20_000, 20_000, 1],
    columns: {
      id: "text",
      contact_number: "text?",
      account_number: "text?",
      contact_status: "text",
      name: "text",
      first_name: "text?",
      last_name: "text?",
      email_address: "text?",
      company_number: "text?",
      bank_account_details: "text?",
      tax_number: "text?",
      tax_number_type: "text?",
      electronic_address: "text?",
      buyer_reference: "text?",
      accounts_receivable_tax_type: "text?",
      accounts_payable_tax_type: "text?",
      contact_persons: "text?",
      addresses: "text?",
      phones: "text?",
      is_supplier: "integer?",
      is_customer: "integer?",
      default_currency: "text?",
      sales_default_line_amount_type: "text?",
      purchases_default_line_amount_type: "text?",
      sales_default_account_code: "text?",
      purchases_default_account_code: "text?",
      sales_tracking_categories: "text?",
      purchases_tracking_categories: "text?",
      payment_terms: "text?",
      website: "text?",
      discount: "integer?",
      has_attachments: "integer?",
      updated_date_utc: "integer",
      name_key: "text",
      contact_number_key: "text?",
      branding_theme_id: "text?",
      batch_payments: "text?",
      xero_network_key: "text?",
      merged_to_contact_id: "text?",
      cis_enabled: "integer?",
      cis_rate: "integer?",
      // Random salt, drawn at each write, so that nobody can guess the content of a former hash.
      salt: "text?",
    },
    indexes: {
      contact_name: uniqueIndex(["name_key"], [18_000, 1], "contact_status = 'ACTIVE'"),
      contact_number: uniqueIndex(["contact_number_key"], [20_000, 1]),
      // For lists of contacts by name, archived ones included, and by time of change.
      contact_by_name: index(["name_key", "id"], [20_000, 2, 1]),
      contact_by_update: index(["updated_date_utc", "id"], [20_000, 10, 1]),
      // For the count of active contacts, made with every page of contacts.
      contact_by_status: index(["contact_status"], [20_000, 18_000]),
    },
  },
  contact_group: {
    key: ["org", "id"],
    chain: "each",
    rows: [20, 20, 1],
    columns: {
      id: "text",
      name: "text",
      status: "text",
      name_key: "text",
    },
    indexes: {
      contact_group_name: uniqueIndex(["name_key"], [20, 1], "status = 'ACTIVE'"),
    },
  },
  contact_group_member: {
    key: ["org", "group_id", "contact_id"],
    chain: "each",
    clustered: true,
    rows: [5000, 5000, 250, 1],
    columns: {
      group_id: "text",
      contact_id: "text",
    },
    indexes: {
      // For the groups of a page of contacts.
      contact_group_member_by_contact: index(["contact_id"], [5000, 2]),
    },
  },
} as const satisfies Record<string, TableDefinition>;
