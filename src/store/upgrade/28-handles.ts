/** To version 28: handles of records without numbers, counted in the order of their creation. */
import { type Kysely, sql } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { complete } from "./add-columns.ts";

/** The prefix of a row of each table, as SQL, and the order of creation. */
const counted: Readonly<Record<string, readonly [prefix: string, order: string]>> = {
  document: [
    `case type when 'ACCPAY' then 'b' when 'RECEIVE' then 't' when 'SPEND' then 't'
      when 'RECEIVE-PREPAYMENT' then 'pp' when 'SPEND-PREPAYMENT' then 'pp'
      when 'RECEIVE-OVERPAYMENT' then 'op' when 'SPEND-OVERPAYMENT' then 'op' end`,
    "coalesce(created_date_utc, updated_date_utc)",
  ],
  repeating_invoice: ["'ri'", "coalesce(created_date_utc, 0)"],
  linked_transaction: ["'lt'", "updated_date_utc"],
  payment: ["'p'", "coalesce(created_date_utc, updated_date_utc)"],
  batch_payment: ["'bp'", "coalesce(created_date_utc, updated_date_utc)"],
  bank_transfer: ["'tr'", "created_date_utc"],
  bank_statement: ["'bs'", "created_date_utc"],
  bank_statement_line: [
    "'l'",
    `(select s.created_date_utc from bank_statement as s
      where s.org = t.org and s.id = t.bank_statement_id), date`,
  ],
  manual_journal: ["'mj'", "coalesce(created_date_utc, updated_date_utc)"],
  published_report: ["'r'", "at"],
};

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  for (const [table, [prefix, order]] of Object.entries(counted)) {
    const where = table === "document" ? "handle is not null" : undefined;
    const index = { columns: ["org", "handle"], unique: true, where } as const;
    const columns = { handle: "text?" };
    const indexes = { [`${table}_handle`]: index };
    await complete(db, dialect, { [table]: { key: ["org", "id"], columns, indexes } });
    // Of those with a type only some have a prefix: invoices have numbers.
    const kept = `from "${table}" as t where ${prefix} is not null`;
    await sql
      .raw(`with counted as (select org, id, ${prefix} as prefix,
          row_number() over (partition by org, ${prefix} order by ${order}, id) as place ${kept})
        update "${table}" set handle = counted.prefix || '-' || counted.place from counted
        where "${table}".org = counted.org and "${table}".id = counted.id`)
      .execute(db);
    await sql
      .raw(`insert into sequence (org, name, last)
        select org, 'handle.' || upper(${prefix}), count(*) ${kept}
        group by org, 'handle.' || upper(${prefix})`)
      .execute(db);
  }
}
