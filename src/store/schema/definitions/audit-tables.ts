/** The table of the audit log. */
import type { TableDefinition } from "../define.ts";

export const auditTables = {
  // Append-only. The log of a server is stored under organisation 0, like its directory.
  audit_entry: {
    key: ["org", "number"],
    chain: "each",
    rows: [10_000, 10_000, 1],
    columns: {
      // Sequence number: 1, 2, 3, … without gaps.
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
      // In the log of a server: ids of the organisations concerned, separated by spaces.
      tenants: "text?",
      // Changed values as JSON: `[{"Name","Before","After"}, …]`.
      changes: "text?",
      // What the agent that acted calls itself.
      agent: "text?",
    },
  },
} as const satisfies Record<string, TableDefinition>;
