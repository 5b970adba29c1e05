/** Checks of bank statement lines: whether each comes to what it is reconciled with. */
import { sql } from "kysely";
import { type Findings, money } from "./findings.ts";

/** Finds lines whose matches come to another amount, and matches of what is not reconciled. */
export async function bankMatches(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  await findings.counted("bank statement lines", sql`bank_statement_line where org = ${org}`);
  await findings.each(
    sql<{ id: string; amount: number; matched: number; status: string }>`
      select l.id, l.amount, l.status, coalesce(sum(m.amount), 0) as matched
      from bank_statement_line as l
      left join bank_match as m on m.org = l.org and m.line_id = l.id
      where l.org = ${org} group by l.org, l.id, l.amount, l.status
      having coalesce(sum(m.amount), 0) <>
        case when l.status = 'RECONCILED' then l.amount else 0 end`,
    ({ id, amount, matched, status }) =>
      `Bank statement line ${id} of ${money(amount)} is ${status}, but its matches come to ${money(matched)}.`,
  );
  await findings.each(
    sql<{ line_id: string; kind: string; record_id: string }>`
      select m.line_id, m.kind, m.record_id from bank_match as m
      left join payment as p on p.org = m.org and p.id = m.record_id
        and p.status = 'AUTHORISED' and p.is_reconciled = 1
      left join document as d on d.org = m.org and d.id = m.record_id
        and d.bank_status = 'AUTHORISED' and d.is_reconciled = 1
      left join bank_transfer as t on t.org = m.org and t.id = m.record_id
        and t.status = 'AUTHORISED'
      left join batch_payment as b on b.org = m.org and b.id = m.record_id
        and b.status = 'AUTHORISED'
      where m.org = ${org}
        and p.id is null and d.id is null and t.id is null and b.id is null`,
    ({ line_id, kind, record_id }) =>
      `Bank statement line ${line_id} is reconciled with the ${kind} ${record_id}, which is not reconciled.`,
  );
}
