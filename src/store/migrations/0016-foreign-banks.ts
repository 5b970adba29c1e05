/** What bank accounts in foreign currencies hold in their own. */
import { sql } from "kysely";
import { addColumns, type Migration } from "./tools.ts";

/** The accounts of an organisation in another currency than its books. */
const foreignAccounts = sql`select a.id from account as a
  join organisation as o on o.org = a.org
  where a.org = posting.org and a.type = 'BANK' and a.currency_code <> o.base_currency`;

export const foreignBanks: Migration = async (db, dialect) => {
  await addColumns(db, dialect, "posting", { foreign_amount: "integer?" });
  await addColumns(db, dialect, "balance", { foreign_amount: "integer?" });
  // What was posted before: by payments, by bank transactions, by the two sides of transfers.
  await sql`update posting set foreign_amount = (case when amount < 0 then -1 else 1 end) * (
      select coalesce(
        (select p.bank_amount from payment as p where p.org = j.org and p.id = j.source_id),
        (select d.total from document as d where d.org = j.org and d.id = j.source_id),
        (select case when t.to_bank_account_id = posting.account_id then t.to_amount
            else t.amount end
          from bank_transfer as t where t.org = j.org and t.id = j.source_id))
      from journal as j
      where j.org = posting.org and j.basis = posting.basis and j.number = posting.number)
    where account_id in (${foreignAccounts})`.execute(db);
  await sql`update balance set foreign_amount = (
      select sum(p.foreign_amount) from posting as p
      where p.org = balance.org and p.basis = balance.basis and p.account_id = balance.account_id
      and substr(p.date, 1, 7) = balance.month
      and p.option1 = balance.option1 and p.option2 = balance.option2)
    where exists (
      select 1 from posting as p where p.org = balance.org and p.account_id = balance.account_id
      and p.foreign_amount is not null)`.execute(db);
};
