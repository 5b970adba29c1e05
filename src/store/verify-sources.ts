/** Looks over what payments, transfers and manual journals post: that it is of their day and accounts. */
import { type RawBuilder, sql } from "kysely";
import type { Looking } from "./verify.ts";

/** Rate of the base currency, in units of 10⁻⁶. */
const baseRate = sql.lit(1_000_000);

/** The journals of a record that are in force. */
const live = sql`j.org = r.org and j.source_id = r.id and j.reverses is null and not exists (
  select 1 from journal as u where u.org = j.org and u.basis = j.basis and u.reverses = j.number)`;

const posted = (condition: RawBuilder<unknown>) => sql`exists (
  select 1 from posting as p where p.org = j.org and p.basis = j.basis and p.number = j.number
  and ${condition})`;

/** What each of them says of its journals besides the day; a record is at fault where it is not so. */
const sourcesOf = [
  {
    table: "payment",
    called: "Payment",
    holds: posted(sql`p.account_id = r.account_id and (r.currency_rate <> ${baseRate}
      or coalesce(r.bank_amount, r.amount) <> r.amount or abs(p.amount) = r.amount)`),
  },
  {
    table: "bank_transfer",
    called: "Bank transfer",
    holds: sql`(${posted(sql`p.account_id = r.from_bank_account_id and p.amount < 0
        and (r.currency_rate <> ${baseRate} or -p.amount = r.amount)`)}
      and ${posted(sql`p.account_id = r.to_bank_account_id and p.amount > 0
        and (r.currency_rate <> ${baseRate} or p.amount = r.to_amount)`)})`,
  },
  {
    table: "manual_journal",
    called: "Manual journal",
    holds: sql`not exists (
      select 1 from document_line as l where l.org = r.org and l.document_id = r.id
      and coalesce(l.line_amount, 0) <> 0
      and not ${posted(sql`p.line = l.ord and p.account_id = l.account_id`)})`,
  },
] as const;

/** Finds those that are posted on another day, or to other accounts, than they say. */
export async function sources(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  for (const { table, called, holds } of sourcesOf) {
    const joined = sql`${sql.table(table)} as r join journal as j on ${live} where r.org = ${org}`;
    await looking.each(
      sql<{ id: string; date: string; posted: string }>`
        select r.id, r.date as date, j.date as posted from ${joined} and j.date <> r.date`,
      ({ id, date, posted }) => `${called} ${id} is of ${date}, but posted on ${posted}.`,
    );
    await looking.each(
      sql<{ id: string }>`select distinct r.id from ${joined} and not ${holds}`,
      ({ id }) => `${called} ${id}: its accounts and amounts are not what is posted of it.`,
    );
  }
}
