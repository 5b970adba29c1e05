/** Verification that a file holds no rows of other organisations. */
import { sql } from "kysely";
import { tables } from "../schema/all-tables.ts";
import type { Findings } from "./findings.ts";

/**
 * Finds rows of other organisations by index, since keys begin with the organisation: one lookup
 * for each organisation. In a shared database such rows are no fault.
 */
export async function foreignRows(findings: Findings): Promise<void> {
  if (!findings.tx.dialect.oneWriter) return;
  for (const name of Object.keys(tables)) {
    if (name === "organisation") continue;
    const table = sql.table(name);
    await findings.each(
      sql<{ org: number; count: number }>`select next as org,
          (select count(*) from ${table} where org = next) as count
        from (select distinct (select min(t.org) from ${table} as t where t.org > o.org) as next
          from (select org from organisation union select 0 union select -9007199254740991) as o
        ) as those
        where next <> 0 and next not in (select org from organisation)`,
      ({ org, count }) =>
        `${name} has ${count} ${Number(count) === 1 ? "row" : "rows"} of an organisation ${org}, which the book does not hold.`,
    );
  }
}
