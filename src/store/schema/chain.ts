/** The table of the hash chain. */
import type { TableDefinition } from "./define.ts";

export const chainTables = {
  // Append-only: a link for each transaction that changed records (`store/chain`).
  chain_link: {
    key: ["org", "number"],
    chain: "derived",
    clustered: true,
    rows: [100_000, 100_000, 1],
    columns: {
      // 1, 2, 3, … without gaps.
      number: "integer",
      // When, in milliseconds since 1970 UTC; null where the writer had no clock.
      at: "integer?",
      // SHA-256 of the link and of the one before, hexadecimal.
      hash: "text",
      // The records that were written, each with its hash; last, since it may be long.
      records: "bytes",
    },
  },
} as const satisfies Record<string, TableDefinition>;
