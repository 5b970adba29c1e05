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
      // Sequence number: 1, 2, 3, … without gaps.
      number: "integer",
      // Time in milliseconds since 1970 UTC; null when the writer had no clock.
      at: "integer?",
      // SHA-256 of the link and of the previous link, hexadecimal.
      hash: "text",
      // The written records with their hashes, encoded (`store/chain/links.ts`).
      records: "bytes",
      // Cause of the link: the last operation of the transaction, or else its last audit entry,
      // with its hash (`store/chain/links.ts`); null in links of versions before 27.
      cause: "text?",
    },
  },
} as const satisfies Record<string, TableDefinition>;
