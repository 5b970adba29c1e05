/** The table of the operation log. */
import { index, type TableDefinition } from "../define.ts";

export const operationTables = {
  // Append-only: a row for each request that changed records. The rows of one operation, a command
  // or an import, refer to its first row.
  operation: {
    key: ["org", "id"],
    chain: "each",
    rows: [100_000, 100_000, 1],
    columns: {
      id: "text",
      // Sequence number: 1, 2, 3, … in the order written.
      number: "integer",
      // The first row of the operation; null in the first row itself.
      part_of: "text?",
      at_utc: "integer",
      user: "text",
      app: "text",
      // The command line as it was typed, without secrets; null where a program sent the request.
      command: "text?",
      method: "text",
      path: "text",
      // The operation that this one undoes.
      undoes: "text?",
      // Effects on records, as JSON (`store/operations/effects.ts`).
      effects: "text",
      // Random salt, as of contacts: commands and effects may contain personal data.
      salt: "text?",
      // What the agent that sent the request calls itself.
      agent: "text?",
    },
    indexes: {
      operation_by_number: index(["number"], [100_000, 1]),
      operation_parts: index(["part_of"], [50_000, 20], "part_of is not null"),
      operation_undoes: index(["undoes"], [1_000, 1], "undoes is not null"),
    },
  },
} as const satisfies Record<string, TableDefinition>;
