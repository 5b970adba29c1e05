/** Checks whether anything refers to a record, so that it may be archived but not deleted. */
import { type RawBuilder, sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

type Uses = (org: number, id: string) => readonly RawBuilder<unknown>[];

/**
 * The tables that may refer to a record of each resource, the fastest to search first.
 *
 * Lines have no index by account, item, rate or option: searching them all is for the rare deletion
 * of something never used, and an index would slow down every import.
 */
const uses: Readonly<Record<string, Uses>> = {
  Account: (org, id) => [
    sql`select 1 from posting where org = ${org} and account_id = ${id}`,
    sql`select 1 from payment where org = ${org} and account_id = ${id}`,
    sql`select 1 from document_line where org = ${org} and account_id = ${id}`,
    sql`select 1 from asset where org = ${org} and status <> 'DELETED'
      and ${id} in (asset_account_id, accumulated_account_id, expense_account_id)`,
  ],
  Currency: (org, id) => [
    sql`select 1 from account where org = ${org} and currency_code = ${id}`,
    sql`select 1 from document where org = ${org} and currency_code = ${id}`,
    sql`select 1 from repeating_invoice where org = ${org} and currency_code = ${id}`,
    sql`select 1 from contact where org = ${org} and default_currency = ${id}`,
    sql`select 1 from branding_theme where org = ${org} and currency_code = ${id}`,
  ],
  Item: (org, id) => [
    sql`select 1 from inventory_move where org = ${org} and item_id = ${id}`,
    sql`select 1 from document_line where org = ${org} and item_id = ${id}`,
  ],
  TaxRate: (org, id) => [sql`select 1 from document_line where org = ${org} and tax_type = ${id}`],
  BrandingTheme: (org, id) =>
    ["document", "repeating_invoice", "contact"].map(
      (table) =>
        sql`select 1 from ${sql.table(table)} where org = ${org} and branding_theme_id = ${id}`,
    ),
  Option: (org, id) => [
    sql`select 1 from document_line where org = ${org} and (option1 = ${id} or option2 = ${id})`,
    sql`select 1 from balance where org = ${org} and (option1 = ${id} or option2 = ${id})`,
  ],
};

/**
 * Whether documents, payments or postings refer to a record.
 * @param id  the record's id; of a tax rate, the TaxType
 * @throws Error for a resource without an entry in `uses`
 */
export async function isUsed(
  { db, org }: Tx,
  resource: Pick<Resource, "name">,
  id: string,
): Promise<boolean> {
  const usages = uses[resource.name];
  if (usages === undefined) throw new Error(`Nothing is known of what uses a ${resource.name}.`);
  for (const usageQuery of usages(org, id)) {
    const { rows } = await sql`${usageQuery} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

const posted = {
  Account: sql.ref("account_id"),
  TaxRate: sql.ref("tax_type"),
} as const;

/**
 * Whether anything was posted to an account, or with the tax type of a rate, up to a day.
 * @param day  `YYYY-MM-DD`, included; false when undefined
 */
export async function isPostedUntil(
  { db, org }: Tx,
  resource: { readonly name: string },
  id: string,
  day: string | undefined,
): Promise<boolean> {
  const column = posted[resource.name as keyof typeof posted];
  if (day === undefined || column === undefined) return false;
  const { rows } = await sql`select 1 from posting
    where org = ${org} and ${column} = ${id} and date <= ${day} limit 1`.execute(db);
  return rows.length > 0;
}

/** Whether anything at all was posted up to a day, `YYYY-MM-DD`, included. */
export async function isAnythingPostedUntil({ db, org }: Tx, day: string): Promise<boolean> {
  // Journals have no index by date; postings have one that begins with the basis, hence both are
  // named.
  const { rows } = await sql`select 1 from posting where org = ${org}
    and basis in (${sql.join(Object.values(basisCode))}) and date <= ${day} limit 1`.execute(db);
  return rows.length > 0;
}
