/** The table of the hash chain. */
import type { TableDefinition } from "../define.ts";

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
      // The records that were written, each with its hash.
      records: "bytes",
      // The last operation that it was written for, or else the last entry of the audit log, with the
      // hash of that (`store/chain/links.ts`); null in links of versions before 27.
      cause: "text?",
    },
  },
} as const satisfies Record<string, TableDefinition>;
