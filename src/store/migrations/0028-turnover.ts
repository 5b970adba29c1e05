/** What all postings of a basis come to without signs, which bounds every sum over any of them. */
import { sql } from "kysely";
import type { Migration } from "./tools.ts";

export const turnover: Migration = async (db) => {
  // Once for each organisation, whose postings are read in the order of their key.
  const weight = sql.raw(
    "abs(p.amount) + abs(coalesce(p.tax_amount, 0)) + abs(coalesce(p.foreign_amount, 0))",
  );
  const most = sql.lit(Number.MAX_SAFE_INTEGER);
  await sql`insert into sequence (org, name, last)
    select org, name, case when amount > ${most} then ${most} else amount end from (
      select p.org as org, case p.basis when 0 then 'turnover.accrual' else 'turnover.cash' end as name,
        sum(case when j.reverses is null then ${weight} else -(${weight}) end) as amount
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      group by p.org, p.basis
    ) as sums where amount > 0`.execute(db);
};
