/** Number and income of the sales invoices issued in a range of days. */
import { sql } from "kysely";
import { type Rate, rateFrom } from "../../resources/decimal.ts";
import type { Tx } from "../tx/tx.ts";

/** Approved sales invoices with the same exchange rate. */
export interface IssuedRow {
  readonly currency_rate: Rate;
  readonly count: number;
  /** Income without tax, in the currency of the documents. */
  readonly income: bigint;
}

/**
 * The invoices issued, by exchange rate.
 * @param range  first and last day, both included
 */
export async function invoicesIssued(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<IssuedRow[]> {
  // Summed in two parts: in a currency of small units the sum may exceed the safe integers.
  const { rows } = await sql<{
    readonly currency_rate: string;
    readonly count: number;
    readonly millions: number;
    readonly rest: number;
  }>`
    select cast(currency_rate as text) as currency_rate, count(*) as count,
      sum(sub_total / 1000000) as millions, sum(sub_total % 1000000) as rest
    from document
    where org = ${tx.org} and kind = 'Invoice' and date >= ${from} and date <= ${to}
      and type = 'ACCREC' and status in ('AUTHORISED', 'PAID')
    group by currency_rate`.execute(tx.db);
  return rows.map(({ currency_rate, count, millions, rest }) => ({
    currency_rate: rateFrom(currency_rate),
    count,
    income: BigInt(millions) * 1_000_000n + BigInt(rest),
  }));
}
