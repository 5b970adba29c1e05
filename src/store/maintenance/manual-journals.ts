/** Looks the manual journals of a book over: whether each balances, and is posted as it says. */
import { sql } from "kysely";
import { writeDecimal } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Looking } from "./verify.ts";

/** What a line comes to with its tax. */
const gross = sql.raw(`coalesce(l.line_amount, 0) +
  case when m.line_amount_types = 'Exclusive' then coalesce(l.tax_amount, 0) else 0 end`);

// Written out, since PostgreSQL takes a parameter without a type for text.
const accrual = sql.lit(basisCode.accrual);
const cash = sql.lit(basisCode.cash);

/** Finds manual journals that do not balance, or that the ledger does not hold as they are. */
export async function manualJournals(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("manual journals", sql`manual_journal where org = ${org}`);
  await looking.each(
    sql<{ id: string; amount: number }>`
      select m.id, sum(${gross}) as amount from manual_journal as m
      join document_line as l on l.org = m.org and l.document_id = m.id
      where m.org = ${org} group by m.id having sum(${gross}) <> 0`,
    ({ id, amount }) => `Manual journal ${id} is out of balance by ${writeDecimal(amount, 2)}.`,
  );
  // Every posting of one bears the number of its line, and those of a line come to the line.
  await looking.each(
    sql<{ id: string; basis: number; line: number | null; posted: number; amount: number }>`
      select id, basis, line, sum(posted) as posted, sum(amount) as amount from (
        select m.id, b.basis, l.ord as line, 0 as posted, ${gross} as amount
        from manual_journal as m
        join document_line as l on l.org = m.org and l.document_id = m.id
        join (select ${accrual} as basis union all select ${cash} as basis) as b
          on b.basis = ${accrual} or m.show_on_cash_basis_reports = 1
        where m.org = ${org} and m.status = 'POSTED'
        union all
        select j.source_id as id, j.basis, p.line, p.amount as posted, 0 as amount
        from journal as j
        join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
        where j.org = ${org} and j.source_type = 'MANJOURNAL'
      ) as compared
      group by id, basis, line having sum(posted) <> sum(amount)`,
    ({ id, basis, line, posted, amount }) =>
      `Manual journal ${id}: ${writeDecimal(posted, 2)} of line ${(line ?? -1) + 1} is posted` +
      `${basis === basisCode.cash ? " on cash basis" : ""}, not ${writeDecimal(amount, 2)}.`,
  );
}
