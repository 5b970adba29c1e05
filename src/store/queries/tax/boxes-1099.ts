/** Data of 1099 reports: the accounts assigned to boxes, and payments for them. */
import { sql } from "kysely";
import type { Cents } from "../../../resources/decimal.ts";
import type { Insertion } from "../../connection/connection.ts";
import { deleteRows, insertRows, keyLists, ownRows, rowsFor } from "../../operations/bulk.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";

export interface AccountBox {
  readonly accountId: string;
  /** Form of the box: NEC or MISC. */
  readonly form: string;
  readonly box: number;
}

/** The accounts assigned to a box of a 1099 form, by AccountID. */
export async function accountBoxes(tx: Tx): Promise<AccountBox[]> {
  return ownRows(tx, "box_1099")
    .select(["account_id as accountId", "form", "box"])
    .orderBy("account_id")
    .execute();
}

const insertion: Insertion = {
  table: "box_1099",
  columns: ["org", "account_id", "form", "box"],
  tail: "on conflict (org, account_id) do update set form = excluded.form, box = excluded.box",
  replaces: true,
};

/** Assigns accounts to boxes, replacing earlier assignments. */
export async function saveBoxes(tx: Tx, boxes: readonly AccountBox[]): Promise<void> {
  // An upsert statement may not touch a row twice.
  const byAccount = new Map(boxes.map((box) => [box.accountId, box]));
  await insertRows(
    tx,
    insertion,
    [...byAccount.values()].map(({ accountId, form, box }) => [tx.org, accountId, form, box]),
  );
}

/** Removes accounts from their boxes. */
export async function removeBoxes(tx: Tx, accountIds: readonly string[]): Promise<void> {
  for (const ids of keyLists(accountIds)) {
    await deleteRows(tx, "box_1099", sql`account_id in (${sql.join(ids)})`);
  }
}

/** Payments to a contact for lines of an account. */
export interface PaidRow {
  readonly contact_id: string;
  readonly account_id: string;
  /** Amount paid with tax, less refunds. */
  readonly paid: Cents;
}

/**
 * Bank accounts whose payments the card company or payment service reports, on a form of its own.
 */
const isCard = sql.raw("a.bank_account_type in ('CREDITCARD', 'PAYPAL')");

/**
 * SQL: whether the posting `p` of journal `j` was not paid by card, directly or by the credit that
 * it applies.
 */
export const isNotByCard = (tx: Tx) => sql`not exists (
    select 1 from posting as m
    join account as a on a.org = m.org and a.id = m.account_id
    where m.org = ${tx.org} and m.basis = p.basis and m.number = p.number and ${isCard})
  and not exists (
    select 1 from allocation as n
    join document as c on c.org = n.org and c.id = n.credit_id
    join account as a on a.org = c.org and a.id = c.bank_account_id
    where n.org = ${tx.org} and n.id = j.source_id and ${isCard})`;

/**
 * Payments in a range of days by contact and account, from the cash ledger: the postings of the
 * accounts in these days lead to their documents and contacts. Left out are payments by card, also
 * those behind a credit that is applied now, and documents in a foreign currency.
 * @param currency  base currency of the books
 */
export async function payments1099(
  tx: Tx,
  accountIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
  currency: string,
): Promise<PaidRow[]> {
  return rowsFor(accountIds, (ids) =>
    sql<PaidRow>`
      select d.contact_id, p.account_id, sum(p.amount + coalesce(p.tax_amount, 0)) as paid
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      join document as d on d.org = j.org and d.id = j.document_id
      where p.org = ${tx.org} and p.account_id in (${sql.join(ids)})
        and p.basis = ${basisCode.cash} and p.date >= ${from} and p.date <= ${to}
        and j.org = ${tx.org} and d.org = ${tx.org} and d.currency_code = ${currency}
        and ${isNotByCard(tx)}
      group by d.contact_id, p.account_id
      order by d.contact_id, p.account_id`.execute(tx.db),
  );
}
