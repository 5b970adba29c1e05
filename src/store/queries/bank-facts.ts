/** What the book has that a bank statement line may be: open documents, and unreconciled money. */
import { sql } from "kysely";
import { type DocumentType, kinds, paymentSideOf } from "../../ledger/documents/document-kinds.ts";
import type { MatchKind } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Tx } from "../transactions/tx.ts";

/** A document with something open. */
export interface OpenRow {
  readonly id: string;
  readonly type: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly contactId: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly due: Cents;
  readonly currency: string;
}

export async function openDocuments(tx: Tx): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select id, type, number, reference, contact_id as "contactId", date, due_date as "dueDate",
      amount_due as due, currency_code as currency
    from document
    where org = ${tx.org} and status = 'AUTHORISED' and amount_due > 0 and contact_id is not null
    order by id`.execute(tx.db);
  return rows;
}

/** Money on a bank account that is not reconciled; the amount is signed, in the account's currency. */
export interface MoneyRow {
  readonly id: string;
  readonly kind: MatchKind;
  readonly date: string;
  readonly amount: Cents;
  readonly reference: string | null;
  readonly contactId: string | null;
  readonly number: string | null;
  /** The other account, of a transfer. */
  readonly otherAccountId: string | null;
}

/** Payments, of which those of a batch are one; bank transactions; sides of transfers. */
export async function unreconciledMoney(tx: Tx, accountId: string): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select p.id, 'Payment' as kind, p.date, p.reference, d.contact_id as "contactId", d.number,
      cast(null as text) as "otherAccountId",
      case when p.payment_type in (${received}) then 1 else -1 end
        * coalesce(p.bank_amount, p.amount) as amount
    from payment as p
    left join document as d on d.org = p.org and d.id =
      coalesce(p.invoice_id, p.credit_note_id, p.prepayment_id, p.overpayment_id)
    where p.org = ${tx.org} and p.account_id = ${accountId} and p.status = 'AUTHORISED'
      and coalesce(p.is_reconciled, 0) = 0 and p.batch_payment_id is null
    union all
    select id, 'BatchPayment', date, reference, null, null, null,
      case when type = 'PAYBATCH' then -total_amount else total_amount end
    from batch_payment
    where org = ${tx.org} and account_id = ${accountId} and status = 'AUTHORISED'
      and is_reconciled = 0
    union all
    select id, 'BankTransaction', date, reference, contact_id, null, null,
      case when type like 'SPEND%' then -total else total end
    from document
    where org = ${tx.org} and kind = 'BankTransaction' and bank_account_id = ${accountId}
      and bank_status = 'AUTHORISED' and coalesce(is_reconciled, 0) = 0
    union all
    select id, 'BankTransfer', date, reference, null, null, to_bank_account_id, -amount
    from bank_transfer
    where org = ${tx.org} and from_bank_account_id = ${accountId} and status = 'AUTHORISED'
      and coalesce(from_is_reconciled, 0) = 0
    union all
    select id, 'BankTransfer', date, reference, null, null, from_bank_account_id, to_amount
    from bank_transfer
    where org = ${tx.org} and to_bank_account_id = ${accountId} and status = 'AUTHORISED'
      and coalesce(to_is_reconciled, 0) = 0`.execute(tx.db);
  return rows;
}

/** Types of payments that bring money in. */
const received = sql.join(
  (Object.keys(kinds) as DocumentType[]).flatMap((type) => {
    const { payment } = kinds[type];
    return payment !== undefined && paymentSideOf(type) === 1 ? [sql.lit(payment)] : [];
  }),
);

export interface ContactRow {
  readonly id: string;
  readonly name: string;
  readonly account: string | null;
  readonly status: string;
}

/** Every contact by id, name and bank account. */
export async function contactNames(tx: Tx): Promise<ContactRow[]> {
  const { rows } = await sql<ContactRow>`
    select id, name, bank_account_details as account, contact_status as status
    from contact where org = ${tx.org} order by id`.execute(tx.db);
  return rows;
}
