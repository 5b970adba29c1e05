/**
 * To version 25, from books whose number says nothing of their tables.
 *
 * What the tables lack is added: tables, columns that may be empty, indexes. What follows from other
 * records is worked out anew: balances, from the postings.
 */
import { type Kysely, sql } from "kysely";
import type { AnyTableDefinition, Index } from "../schema/define.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { tables25 } from "./25-tables.ts";
import { complete } from "./add-columns.ts";

export async function migration(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  // Of counts that only caches went by, and of an index that has another name.
  for (const column of ["chart_mark", "contact_mark"]) {
    if (!(await has(db, dialect, `column organisation.${column} `))) continue;
    await sql.raw(`alter table organisation drop column ${column}`).execute(db);
  }
  await sql.raw("drop index if exists document_sales_number").execute(db);
  const hasTaxes = await has(db, dialect, "column balance.tax ");
  if (!hasTaxes) await sql.raw("drop table if exists balance").execute(db);
  await complete(db, dialect, definitions());
  if (!hasTaxes) await fillBalances(db);
  await sumTurnovers(db);
}

async function has(db: Kysely<Tables>, dialect: StoreDialect, start: string): Promise<boolean> {
  return (await dialect.shape(db)).lines.some((line) => line.startsWith(start));
}

async function fillBalances(db: Kysely<Tables>): Promise<void> {
  await sql
    .raw(`insert into balance (org, basis, month, account_id, option1, option2, debit, credit,
        foreign_amount, tax)
      select org, basis, substr(date, 1, 7), account_id, option1, option2, sum(debit),
        sum(debit - amount), sum(foreign_amount), sum(coalesce(tax_amount, 0))
      from posting group by org, basis, substr(date, 1, 7), account_id, option1, option2`)
    .execute(db);
}

/** Sums of what was posted, by which a posting is refused that would be too large; the first had none. */
async function sumTurnovers(db: Kysely<Tables>): Promise<void> {
  const name = "case p.basis when 0 then 'turnover.accrual' else 'turnover.cash' end";
  await sql
    .raw(`insert into sequence (org, name, last)
      select p.org, ${name}, sum((abs(p.amount) + abs(coalesce(p.tax_amount, 0))
        + abs(coalesce(p.foreign_amount, 0))) * case when j.reverses is null then 1 else -1 end)
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where not exists (select 1 from sequence as s where s.org = p.org and s.name = ${name})
      group by p.org, p.basis`)
    .execute(db);
}

/** The tables of this version. */
export function definitions(): Record<string, AnyTableDefinition> {
  const lines = tables25.trim().split("\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = "", flags = "", columns = "", key = "", rest = ""] =
        /^(\w+)([ \w]*): (.*?); \(([^)]*)\)(.*)$/.exec(line) ?? [];
      const table: AnyTableDefinition = {
        key: key.split(", "),
        columns: Object.fromEntries(columns.split(", ").map((each) => each.split(" "))),
        ...(flags.includes("clustered") ? { clustered: true } : {}),
        ...(flags.includes("unlogged") ? { unlogged: true } : {}),
        indexes: Object.fromEntries(rest.split("; ").slice(1).map(indexFrom)),
      };
      return [name, table];
    }),
  );
}

function indexFrom(text: string): [string, Index] {
  const [, unique, name = "", columns = "", where] =
    /^(unique )?(\w+) \(([^)]*)\)(?: where (.*))?$/.exec(text) ?? [];
  const index = { columns: columns.split(", "), where };
  return [name, unique === undefined ? index : { ...index, unique: true }];
}
