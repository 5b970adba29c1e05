/** Postings of earlier versions in fractions of a base currency that has no decimal places. */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";

/**
 * Whether a book whose base currency has no decimal places holds postings of documents or bank
 * transfers in fractions of its unit: until November 2026 conversions, shares of payments and costs
 * of goods were rounded to hundredths. Bank transactions in the base currency do not count: their
 * amounts are entered, not computed.
 * @param baseCurrency  code of the base currency
 */
export async function hasPartsOfUnits(tx: Tx, baseCurrency: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    left join document as d on d.org = j.org and d.id = j.document_id
    where p.org = ${tx.org} and p.amount % 100 <> 0 and (j.source_type = 'TRANSFER'
      or d.currency_code <> ${baseCurrency} or d.type not in ('SPEND', 'RECEIVE'))
    limit 1`.execute(tx.db);
  return rows.length > 0;
}
