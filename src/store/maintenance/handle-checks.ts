/** Verification of handles: unique, given to every record of their kinds, and none above its counter. */
import { sql } from "kysely";
import { handlePrefixes } from "../../resources/field.ts";
import { resources } from "../../resources/index.ts";
import { storedSequences } from "../chain/sequences.ts";
import { tables } from "../schema/all-tables.ts";
import type { Findings } from "./findings.ts";

const handled = Object.entries(tables).flatMap(([name, { columns }]) =>
  "handle" in columns ? name : [],
);

/** Types of documents that have a handle beside, or in place of, a number. */
const handledTypes = [
  ...new Set(resources.flatMap(({ fields: { Handle } }) => Object.keys(handlePrefixes(Handle)))),
];

export async function checkHandles(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  const numberBySequence = await storedSequences(findings.tx);
  let count = 0;
  for (const table of handled) {
    const from = sql`${sql.table(table)} where org = ${org}`;
    const lacking = table === "document" ? sql`type in (${sql.join(handledTypes)})` : sql`1 = 1`;
    await findings.each(
      sql<{ id: string }>`select id from ${from} and handle is null and ${lacking}`,
      ({ id }) => `The ${table} ${id} has no handle.`,
    );
    await findings.each(
      sql<{ handle: string }>`select handle from ${from} and handle is not null
        group by handle having count(*) > 1`,
      ({ handle }) => `The handle ${handle.toUpperCase()} is that of several records.`,
    );
    const digits = "0123456789";
    const prefix = sql`rtrim(handle, ${digits})`;
    const series = await findings.rows(
      sql<{ prefix: string; last: number; count: number }>`
        select ${prefix} as prefix, count(*) as count,
          max(cast(substr(handle, length(${prefix}) + 1) as bigint)) as last
        from ${from} and handle is not null group by 1`,
    );
    for (const seriesRow of series) {
      count += Number(seriesRow.count);
      const name = seriesRow.prefix.replace(/-$/, "").toUpperCase();
      const lastGiven = numberBySequence.get(`handle.${name}`) ?? 0;
      if (Number(seriesRow.last) <= lastGiven) continue;
      findings.faults.push(
        `The handle ${name}-${seriesRow.last} was given, but their counter stands at ${lastGiven}.`,
      );
    }
  }
  findings.checks.push({ name: "handles", count });
}
