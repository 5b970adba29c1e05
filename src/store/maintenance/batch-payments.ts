/** Looks the batches of payments of a book over: whether each comes to its members, and stands as they do. */
import { sql } from "kysely";
import { writeDecimal } from "../../resources/decimal.ts";
import type { Looking } from "./verify.ts";

/** Finds batches that do not come to their members, and members that stand otherwise. */
export async function batchPayments(looking: Looking): Promise<void> {
  const { org } = looking.tx;
  await looking.counted("batch payments", sql`batch_payment where org = ${org}`);
  await looking.each(
    sql<{ id: string; total: number; amount: number }>`
      select b.id, b.total_amount as total, coalesce(sum(p.amount), 0) as amount
      from batch_payment as b
      left join payment as p on p.org = b.org and p.batch_payment_id = b.id
      where b.org = ${org} group by b.org, b.id, b.total_amount
      having coalesce(sum(p.amount), 0) <> b.total_amount`,
    ({ id, total, amount }) =>
      `Batch payment ${id}: the total ${writeDecimal(total, 2)} is not that of its payments, ` +
      `${writeDecimal(amount, 2)}.`,
  );
  await looking.each(
    sql<{ id: string; batch: string }>`
      select p.id, p.batch_payment_id as batch from payment as p
      left join batch_payment as b on b.org = p.org and b.id = p.batch_payment_id
      where p.org = ${org} and p.batch_payment_id is not null
      and (b.id is null or b.status <> p.status or b.date <> p.date
        or b.account_id <> p.account_id or p.payment_type <>
          case when b.type = 'PAYBATCH' then 'ACCPAYPAYMENT' else 'ACCRECPAYMENT' end)`,
    ({ id, batch }) => `Payment ${id} does not agree with its batch ${batch}.`,
  );
}
