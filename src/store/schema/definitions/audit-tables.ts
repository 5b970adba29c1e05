/** The table of the audit log. */
import type { TableDefinition } from "../define.ts";

export const auditTables = {
  // Append-only. That of a server stands under the organisation 0, where its directory is.
  audit_entry: {
    key: ["org", "number"],
    chain: "each",
    rows: [10_000, 10_000, 1],
    columns: {
      // 1, 2, 3, … without gaps.
      number: "integer",
      at: "integer",
      kind: "text",
      user_name: "text?",
      email_address: "text?",
      app_id: "text?",
      app_name: "text?",
      through: "text",
      address: "text?",
      request_id: "text?",
      subject: "text?",
      subject_id: "text?",
      // Of a server: the organisations that it concerns, their ids with spaces between.
      tenants: "text?",
      // JSON: `[{"Name","Before","After"}, …]`.
      changes: "text?",
    },
  },
} as const satisfies Record<string, TableDefinition>;
