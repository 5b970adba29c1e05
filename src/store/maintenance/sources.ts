/**
 * Looks over the days of what payments, allocations, transfers and manual journals post. What it is is
 * worked out again by the rules of the ledger.
 */
import { sql } from "kysely";
import type { Looking } from "./verify.ts";

const sourcesOf = [
  { table: "payment", called: "Payment" },
  { table: "allocation", called: "Allocation" },
  { table: "bank_transfer", called: "Bank transfer" },
  { table: "manual_journal", called: "Manual journal" },
] as const;

/** Finds those whose journals in force are of another day than they say. */
export async function sources(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  for (const { table, called } of sourcesOf) {
    await looking.each(
      sql<{ id: string; date: string; posted: string }>`
        select r.id, r.date as date, j.date as posted from ${sql.table(table)} as r
        join journal as j on j.org = r.org and j.source_id = r.id and j.date <> r.date
        where r.org = ${org} and j.reverses is null and not exists (
          select 1 from journal as u
          where u.org = j.org and u.basis = j.basis and u.reverses = j.number)`,
      ({ id, date, posted }) => `${called} ${id} is of ${date}, but posted on ${posted}.`,
    );
  }
}
