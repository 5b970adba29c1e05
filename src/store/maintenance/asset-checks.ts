/** Checks of fixed assets: whether their depreciation is what their manual journals have posted. */
import { sql } from "kysely";
import { type Findings, money } from "./findings.ts";

/**
 * Finds accumulated depreciation that the ledger has otherwise, and journals that are not posted.
 *
 * A journal of depreciation changes an account of accumulated depreciation by what stands of its assets
 * there, less what its disposals take off.
 */
export async function depreciation(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("fixed assets", sql`asset where org = ${org}`);
  await findings.each(
    sql<{ id: string; date: string }>`
      select distinct d.manual_journal_id as id, d.date from depreciation as d
      left join manual_journal as m on m.org = d.org and m.id = d.manual_journal_id
        and m.status = 'POSTED' and m.date = d.date
      where d.org = ${org} and m.id is null`,
    ({ id, date }) => `The manual journal ${id} of depreciation is not posted on ${date}.`,
  );
  await findings.each(
    sql<{ number: string; status: string }>`
      select a.asset_number as number, a.status from asset as a
      left join depreciation as d on d.org = a.org and d.asset_id = a.id
        and d.manual_journal_id = a.disposal_journal_id
      where a.org = ${org} and (d.asset_id is null) = (a.status = 'DISPOSED')`,
    ({ number, status }) => `The asset ${number} is ${status}, which its disposal is not.`,
  );
  await findings.each(
    sql<{ id: string; name: string; amount: number; posted: number }>`
      select s.id, s.name, s.amount, s.posted from (
        select d.manual_journal_id as id, account.name,
          sum(d.amount) - sum(case when a.disposal_journal_id = d.manual_journal_id
            then a.opening_accumulated + (select sum(o.amount) from depreciation as o
              where o.org = d.org and o.asset_id = d.asset_id)
            else 0 end) as amount,
          coalesce((select -sum(l.line_amount) from document_line as l
            where l.org = d.org and l.document_id = d.manual_journal_id
              and l.account_id = account.id), 0) as posted
        from depreciation as d
        join asset as a on a.org = d.org and a.id = d.asset_id
        join account on account.org = d.org and account.id = a.accumulated_account_id
        where d.org = ${org}
        group by d.org, d.manual_journal_id, account.id, account.name
      ) as s
      where s.posted <> s.amount`,
    ({ id, name, amount, posted }) =>
      `The manual journal ${id} posts ${money(posted)} to ${name}, but its assets depreciate by ${money(amount)}.`,
  );
}
