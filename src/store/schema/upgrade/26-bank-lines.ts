/** Cells and balances of bank statement lines; of statements where balances are from, and how they were read. */
import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../../dialects/dialect.ts";
import { columnText } from "../create.ts";
import type { Tables } from "../index.ts";

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
    for (const [column, type] of Object.entries(columns)) {
      const text = columnText(dialect, column, type);
      await sql.raw(`alter table "${table}" add column ${text}`).execute(db);
    }
  }
}
