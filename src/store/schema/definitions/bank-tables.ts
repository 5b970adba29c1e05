/** Tables of bank statements, matches of their lines, and bank rules. */
import { index, type TableDefinition, uniqueIndex } from "../define.ts";

export const bankTables = {
  bank_statement: {
    key: ["org", "id"],
    chain: "each",
    rows: [1_000, 1_000, 1],
    columns: {
      id: "text",
      bank_account_id: "text",
      source: "text?",
      format: "text?",
      number: "text?",
      from_date: "text?",
      to_date: "text?",
      opening_balance: "integer?",
      closing_balance: "integer?",
      lines_added: "integer",
      lines_known: "integer",
      created_date_utc: "integer",
      balance_source: "text?",
      gap: "integer?",
      columns: "text?",
      heading_key: "text?",
      settled: "text?",
      // Lines of other statements that the imported file repeated, with their fields before the
      // import.
      known_lines: "text?",
      handle: "text?",
    },
    indexes: {
      // Finds the statement before another.
      bank_statement_by_date: index(["bank_account_id", "to_date"], [1_000, 300, 1]),
      bank_statement_handle: uniqueIndex(["handle"], [1_000, 1]),
    },
  },
  bank_statement_line: {
    key: ["org", "id"],
    chain: "each",
    rows: [100_000, 100_000, 1],
    columns: {
      id: "text",
      bank_statement_id: "text",
      bank_account_id: "text",
      status: "text",
      date: "text",
      amount: "integer",
      payee: "text?",
      description: "text?",
      other_account: "text?",
      reference_texts: "text?",
      bank_reference: "text?",
      charges: "integer?",
      original_amount: "integer?",
      original_currency: "text?",
      parts: "text?",
      flags: "text?",
      source_text: "text?",
      updated_date_utc: "integer",
      // Key of the line within its account, by which repeated imports are detected.
      line_key: "text",
      // Contact and account of an accepted match, for suggestions.
      matched_contact_id: "text?",
      matched_account_code: "text?",
      cells: "text?",
      balance: "integer?",
      handle: "text?",
    },
    indexes: {
      bank_statement_line_once: uniqueIndex(["bank_account_id", "line_key"], [100_000, 30_000, 1]),
      bank_statement_line_by_date: index(
        ["bank_account_id", "status", "date"],
        [100_000, 30_000, 10_000, 30],
      ),
      // Finds lines by the id that the bank gave to another line.
      bank_statement_line_by_reference: index(
        ["bank_account_id", "bank_reference"],
        [100_000, 30_000, 1],
        "bank_reference is not null",
      ),
      bank_statement_line_handle: uniqueIndex(["handle"], [100_000, 1]),
    },
  },
  bank_match: {
    key: ["org", "line_id", "record_id"],
    chain: "each",
    clustered: true,
    rows: [100_000, 100_000, 1, 1],
    columns: {
      line_id: "text",
      record_id: "text",
      kind: "text",
      amount: "integer",
      number: "text?",
      made: "integer",
    },
    indexes: {
      bank_match_by_record: index(["record_id"], [100_000, 1]),
    },
  },
  bank_rule: {
    key: ["org", "id"],
    chain: "each",
    rows: [50, 50, 1],
    columns: {
      id: "text",
      name: "text",
      name_key: "text",
      position: "integer",
      status: "text",
      conditions: "text?",
      contact_id: "text?",
      lines: "text?",
      transfer_account_id: "text?",
      updated_date_utc: "integer",
    },
    indexes: {
      bank_rule_name: uniqueIndex(["name_key"], [50, 1], "status <> 'DELETED'"),
    },
  },
} as const satisfies Record<string, TableDefinition>;
