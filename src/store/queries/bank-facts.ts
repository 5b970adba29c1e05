/** What the book has that a bank statement line may be: open documents, and unreconciled money. */
import { type RawBuilder, sql } from "kysely";
import { type DocumentType, kinds, paymentSideOf } from "../../ledger/documents/document-kinds.ts";
import type { MatchKind } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Tx } from "../tx/tx.ts";

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

/** @param types  of documents that something may settle; named, since the index of what is open is by type */
export async function openDocuments(tx: Tx, types: readonly string[]): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select id, type, number, reference, contact_id as "contactId", date, due_date as "dueDate",
      amount_due as due, currency_code as currency
    from document
    where org = ${tx.org} and status = 'AUTHORISED' and type in (${sql.join(types)})
      and amount_due > 0 and contact_id is not null
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

/** Types of payments that bring money in. */
const received = sql.join(
  (Object.keys(kinds) as DocumentType[]).flatMap((type) => {
    const { payment } = kinds[type];
    return payment !== undefined && paymentSideOf(type) === 1 ? [sql.lit(payment)] : [];
  }),
);

/** Columns of a table of money by what they hold. */
interface MoneyColumns {
  readonly id: string;
  readonly date: string;
  readonly reconciled: string;
}

/** Which money is meant: a condition, so that each table is read by the index that has it. */
type Which = (columns: MoneyColumns) => RawBuilder<unknown>;

/** Written out, so that the index of what is not reconciled can serve. */
const open: Which = ({ reconciled }) => sql`coalesce(${sql.ref(reconciled)}, 0) = 0`;

const datedAfter =
  (day: string): Which =>
  ({ date }) =>
    sql`${sql.ref(date)} > ${day}`;

/** Reconciled with a line of after a day. */
const shownAfter =
  (tx: Tx, accountId: string, day: string): Which =>
  ({ id, reconciled }) =>
    sql`coalesce(${sql.ref(reconciled)}, 0) <> 0 and ${sql.ref(id)} in (
    select m.record_id from bank_statement_line as l
    join bank_match as m on m.org = l.org and m.line_id = l.id
    where l.org = ${tx.org} and l.bank_account_id = ${accountId} and l.status = 'RECONCILED'
      and l.date > ${day})`;

/** Payments, of which those of a batch are one; bank transactions; sides of transfers. */
const moneyOn = (tx: Tx, accountId: string, which: Which) => sql`
  select p.id, 'Payment' as kind, p.date, p.reference, d.contact_id as "contactId", d.number,
    cast(null as text) as "otherAccountId",
    case when p.payment_type in (${received}) then 1 else -1 end
      * coalesce(p.bank_amount, p.amount) as amount
  from payment as p
  left join document as d on d.org = p.org and d.id =
    coalesce(p.invoice_id, p.credit_note_id, p.prepayment_id, p.overpayment_id)
  where p.org = ${tx.org} and p.account_id = ${accountId} and p.status = 'AUTHORISED'
    and p.batch_payment_id is null
    and ${which({ id: "p.id", date: "p.date", reconciled: "p.is_reconciled" })}
  union all
  select id, 'BatchPayment', date, reference, null, null, null,
    case when type = 'PAYBATCH' then -total_amount else total_amount end
  from batch_payment
  where org = ${tx.org} and account_id = ${accountId} and status = 'AUTHORISED'
    and ${which({ id: "id", date: "date", reconciled: "is_reconciled" })}
  union all
  select id, 'BankTransaction', date, reference, contact_id, null, null,
    case when type like 'SPEND%' then -total else total end
  from document
  where org = ${tx.org} and kind = 'BankTransaction' and bank_account_id = ${accountId}
    and bank_status = 'AUTHORISED'
    and ${which({ id: "id", date: "date", reconciled: "is_reconciled" })}
  union all
  select id, 'BankTransfer', date, reference, null, null, to_bank_account_id, -amount
  from bank_transfer
  where org = ${tx.org} and from_bank_account_id = ${accountId} and status = 'AUTHORISED'
    and ${which({ id: "id", date: "date", reconciled: "from_is_reconciled" })}
  union all
  select id, 'BankTransfer', date, reference, null, null, from_bank_account_id, to_amount
  from bank_transfer
  where org = ${tx.org} and to_bank_account_id = ${accountId} and status = 'AUTHORISED'
    and ${which({ id: "id", date: "date", reconciled: "to_is_reconciled" })}`;

export async function unreconciledMoney(tx: Tx, accountId: string): Promise<MoneyRow[]> {
  const { rows } = await moneyOn(tx, accountId, open).execute(tx.db);
  return rows as MoneyRow[];
}

/** Money of up to a day that no line of up to that day shows, by date. */
export async function moneyNotOnStatement(
  tx: Tx,
  accountId: string,
  date: string,
): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select * from (${moneyOn(tx, accountId, open)}
      union all ${moneyOn(tx, accountId, shownAfter(tx, accountId, date))}) as money
    where date <= ${date}
    order by date, id`.execute(tx.db);
  return rows;
}

/** A line of a statement that the book does not show. */
export interface LineRow {
  readonly id: string;
  readonly date: string;
  readonly amount: Cents;
  readonly payee: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** Lines of up to a day that are nothing in the book of up to that day, by date. */
export async function linesNotInBook(tx: Tx, accountId: string, date: string): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select l.id, l.date, l.amount, l.payee, l.description, l.status
    from bank_statement_line as l
    where l.org = ${tx.org} and l.bank_account_id = ${accountId} and l.date <= ${date}
      and (l.status <> 'RECONCILED' or l.id in (
        select m.line_id from (${moneyOn(tx, accountId, datedAfter(date))}) as money
        join bank_match as m on m.org = ${tx.org} and m.record_id = money.id))
    order by l.date, l.id`.execute(tx.db);
  return rows;
}

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
