/**
 * Match candidates in the book for bank statement lines: open documents and unreconciled money.
 */
import { type RawBuilder, sql } from "kysely";
import { type DocumentType, kinds, paymentSideOf } from "../../ledger/documents/document-kinds.ts";
import type { MatchKind } from "../../resources/bank-statement.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { Tx } from "../tx/tx.ts";

/** A document with an open amount. */
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

/**
 * The open documents of some types.
 * @param types  document types that can be settled, listed because the index of open documents
 *   starts with the type
 */
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

/**
 * An unreconciled record that moves money on a bank account; its amount is signed, in the account's
 * currency.
 */
export interface MoneyRow {
  readonly id: string;
  readonly kind: MatchKind;
  readonly date: string;
  readonly amount: Cents;
  readonly reference: string | null;
  readonly contactId: string | null;
  readonly number: string | null;
  /** The other bank account of a transfer. */
  readonly otherAccountId: string | null;
}

/** Payment types that bring money in. */
const received = sql.join(
  (Object.keys(kinds) as DocumentType[]).flatMap((type) => {
    const { payment } = kinds[type];
    return payment !== undefined && paymentSideOf(type) === 1 ? [sql.lit(payment)] : [];
  }),
);

/** The columns of a table that moves money, by meaning. */
interface MoneyColumns {
  readonly id: string;
  readonly date: string;
  readonly reconciled: string;
}

/** Selects which money records to read: a condition, so that each table uses a suitable index. */
type MoneyFilter = (columns: MoneyColumns) => RawBuilder<unknown>;

/** Unreconciled records; a literal condition, so that the partial index can serve. */
const unreconciled: MoneyFilter = ({ reconciled }) => sql`coalesce(${sql.ref(reconciled)}, 0) = 0`;

const withDateAfter =
  (day: string): MoneyFilter =>
  ({ date }) =>
    sql`${sql.ref(date)} > ${day}`;

/** Records reconciled with a bank line dated after a day. */
const withLineAfter =
  (tx: Tx, accountId: string, day: string): MoneyFilter =>
  ({ id, reconciled }) =>
    sql`coalesce(${sql.ref(reconciled)}, 0) <> 0 and ${sql.ref(id)} in (
    select m.record_id from bank_statement_line as l
    join bank_match as m on m.org = l.org and m.line_id = l.id
    where l.org = ${tx.org} and l.bank_account_id = ${accountId} and l.status = 'RECONCILED'
      and l.date > ${day})`;

/**
 * Money records of a bank account: payments (a batch payment counts as one), bank transactions,
 * sides of transfers.
 */
const moneyRecords = (tx: Tx, accountId: string, condition: MoneyFilter) => sql`
  select p.id, 'Payment' as kind, p.date, p.reference, d.contact_id as "contactId", d.number,
    cast(null as text) as "otherAccountId",
    case when p.payment_type in (${received}) then 1 else -1 end
      * coalesce(p.bank_amount, p.amount) as amount
  from payment as p
  left join document as d on d.org = p.org and d.id =
    coalesce(p.invoice_id, p.credit_note_id, p.prepayment_id, p.overpayment_id, p.expense_claim_id)
  where p.org = ${tx.org} and p.account_id = ${accountId} and p.status = 'AUTHORISED'
    and p.batch_payment_id is null
    and ${condition({ id: "p.id", date: "p.date", reconciled: "p.is_reconciled" })}
  union all
  select id, 'BatchPayment', date, reference, null, null, null,
    case when type = 'PAYBATCH' then -total_amount else total_amount end
  from batch_payment
  where org = ${tx.org} and account_id = ${accountId} and status = 'AUTHORISED'
    and ${condition({ id: "id", date: "date", reconciled: "is_reconciled" })}
  union all
  select id, 'BankTransaction', date, reference, contact_id, null, null,
    case when type like 'SPEND%' then -total else total end
  from document
  where org = ${tx.org} and kind = 'BankTransaction' and bank_account_id = ${accountId}
    and bank_status = 'AUTHORISED'
    and ${condition({ id: "id", date: "date", reconciled: "is_reconciled" })}
  union all
  select id, 'BankTransfer', date, reference, null, null, to_bank_account_id, -amount
  from bank_transfer
  where org = ${tx.org} and from_bank_account_id = ${accountId} and status = 'AUTHORISED'
    and ${condition({ id: "id", date: "date", reconciled: "from_is_reconciled" })}
  union all
  select id, 'BankTransfer', date, reference, null, null, from_bank_account_id, to_amount
  from bank_transfer
  where org = ${tx.org} and to_bank_account_id = ${accountId} and status = 'AUTHORISED'
    and ${condition({ id: "id", date: "date", reconciled: "to_is_reconciled" })}`;

export async function unreconciledMoney(tx: Tx, accountId: string): Promise<MoneyRow[]> {
  const { rows } = await moneyRecords(tx, accountId, unreconciled).execute(tx.db);
  return rows as MoneyRow[];
}

/** Money records up to a day that no bank line up to that day shows, by date. */
export async function moneyNotOnStatement(
  tx: Tx,
  accountId: string,
  date: string,
): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select * from (${moneyRecords(tx, accountId, unreconciled)}
      union all ${moneyRecords(tx, accountId, withLineAfter(tx, accountId, date))}) as money
    where date <= ${date}
    order by date, id`.execute(tx.db);
  return rows;
}

/** A bank statement line without a record in the book. */
export interface LineRow {
  readonly id: string;
  readonly date: string;
  readonly amount: Cents;
  readonly payee: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** Bank lines up to a day without a record in the book up to that day, by date. */
export async function linesNotInBook(tx: Tx, accountId: string, date: string): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select l.id, l.date, l.amount, l.payee, l.description, l.status
    from bank_statement_line as l
    where l.org = ${tx.org} and l.bank_account_id = ${accountId} and l.date <= ${date}
      and (l.status <> 'RECONCILED' or l.id in (
        select m.line_id from (${moneyRecords(tx, accountId, withDateAfter(date))}) as money
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
