/** Cells and balances of bank statement lines; of statements where balances are from, and how they were read. */
import type { Kysely } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { addColumns } from "./add-columns.ts";

const added = {
  bank_statement: {
    balance_source: "text?",
    gap: "integer?",
    columns: "text?",
    heading_key: "text?",
    settled: "text?",
    known_lines: "text?",
  },
  bank_statement_line: { cells: "text?", balance: "integer?" },
} as const;

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  for (const [table, columns] of Object.entries(added)) {
    await addColumns(db, dialect, table, columns);
  }
}
