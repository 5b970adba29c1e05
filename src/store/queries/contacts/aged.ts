/** Aged documents: the documents of one contact, and the open amounts of all, as at a day. */
import { type RawBuilder, sql } from "kysely";
import { type Cents, type Rate, rateFrom } from "../../../resources/decimal.ts";
import { bankTransaction, creditNote } from "../../../resources/index.ts";
import type { Tx } from "../../tx/tx.ts";
import { hasSettlement, settledAfter, settledBeyond, settledUpTo } from "../foreign-balances.ts";

export interface AgedQuery {
  readonly contactId: string;
  readonly type: "ACCREC" | "ACCPAY";
  /** The last date of the listed documents, included. */
  readonly to: string;
  /** The last day of payments and allocations, included. */
  readonly date: string;
}

/** An approved invoice or bill, with the amounts settled. */
export interface AgedRow {
  readonly id: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly date: string;
  readonly due_date: string | null;
  /** Currency code of the document. */
  readonly currency: string;
  /** Total in the currency of the document. */
  readonly total: Cents;
  /** Amount withheld under the construction industry scheme. */
  readonly withheld: Cents;
  readonly currency_rate: Rate;
  /** Amount paid, in the base currency. */
  readonly paid: Cents;
  /** Amount allocated from credit notes, prepayments and overpayments, in the base currency. */
  readonly credited: Cents;
}

/**
 * Approved invoices or bills of a contact dated up to a day, by date. A later document that was
 * paid up to the day of the payments is included with the paid amount, since that counts on the
 * control account too.
 */
export async function agedDocuments(tx: Tx, query: AgedQuery): Promise<AgedRow[]> {
  const { contactId, type, to, date } = query;
  const isPaidBefore =
    to === date
      ? sql`id in (select p.invoice_id from payment as p where p.org = ${tx.org}
          and p.status <> 'DELETED' and p.date <= ${date})`
      : sql`1 = 0`;
  const { rows } = await sql<Omit<AgedRow, "currency_rate"> & { readonly currency_rate: string }>`
    select id, number, reference, date, due_date, currency_code as currency,
      cast(currency_rate as text) as currency_rate,
      case when date <= ${to} then total else 0 end as total,
      case when date <= ${to} then coalesce(cis_deduction, 0) else 0 end as withheld,
      coalesce((select sum(coalesce(p.base_amount, p.amount)) from payment as p
        where p.org = document.org and p.invoice_id = document.id
          and p.status <> 'DELETED' and p.date <= ${date}), 0) as paid,
      coalesce((select sum(a.invoice_base) from allocation as a
        where a.org = document.org and a.invoice_id = document.id
          and a.status <> 'DELETED' and a.date <= ${date}), 0) as credited
    from document
    where org = ${tx.org} and contact_id = ${contactId}
      and (date <= ${to} or ${isPaidBefore}) and type = ${type} and status in ('AUTHORISED', 'PAID')
    order by date, id`.execute(tx.db);
  return rows.map((row) => ({ ...row, currency_rate: rateFrom(row.currency_rate) }));
}

/** A document with a balance on its control account at a day. */
export interface OpenOnDay {
  readonly id: string;
  readonly kind: string;
  readonly number: string | null;
  readonly handle: string | null;
  readonly contactId: string;
  readonly contact: string;
  readonly type: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly currency: string;
  /** Outstanding amount in its currency. */
  readonly open: Cents;
  /** Its balance on the control account, in the base currency. */
  readonly openBase: Cents;
}

/**
 * Documents of some types that were open at the end of a day. Documents dated after the day have a
 * negative amount: what was settled of them up to the day.
 *
 * @param contactIds  of these contacts alone; of all when not given
 */
export async function openOnDay(
  tx: Tx,
  types: readonly string[],
  date: string,
  contactIds?: readonly string[],
): Promise<OpenOnDay[]> {
  const ofContacts =
    contactIds === undefined ? sql`1 = 1` : sql`d.contact_id in (${sql.join(contactIds)})`;
  const { rows } = await sql<OpenOnDay>`
    select d.id, d.kind, d.number, d.handle, d.contact_id as "contactId", c.name as contact, d.type, d.date,
      d.due_date as "dueDate", d.currency_code as currency,
      case when d.date <= ${date} then d.amount_due + ${settledBeyond(date, 0)} else 0 end as open,
      case when d.date <= ${date} then d.base_due + ${settledBeyond(date, 1)}
        else -(${settledUpTo(date)}) end as "openBase"
    from document as d
    join contact as c on c.org = d.org and c.id = d.contact_id
    where d.org = ${tx.org} and d.type in (${sql.join(types)}) and ${ofContacts}
      and (d.status = 'AUTHORISED' or d.status = 'PAID'
        and (d.date > ${date} or d.id in (${settledAfter(tx, date)})))
    order by c.name_key, d.contact_id, d.date, d.id`.execute(tx.db);
  return rows.filter(({ open, openBase }) => open !== 0 || openBase !== 0);
}

/** Kinds of documents with the types of credits, by which an index finds them. */
const creditKinds = [creditNote.name, bankTransaction.name];

/**
 * Contacts that may have a balance on the other side of a control account: with an open credit, or
 * with a document dated after the day that was settled up to it.
 *
 * @param types  types of documents on the account; `credits` are those on its other side
 */
export async function loadContactsInCredit(
  tx: Tx,
  types: readonly string[],
  credits: readonly string[],
  date: string,
): Promise<string[]> {
  const isSettled = (when: RawBuilder<unknown>) => hasSettlement(credits, when);
  const { rows } = await sql<{ readonly id: string }>`
    select contact_id as id from document as d
    where org = ${tx.org} and kind in (${sql.join(creditKinds)}) and type in (${sql.join(credits)})
      and date <= ${date} and status in ('AUTHORISED', 'PAID')
      and (status = 'AUTHORISED' or ${isSettled(sql`s.date > ${date}`)})
    union
    select contact_id from document as d
    where org = ${tx.org} and type in (${sql.join(types)}) and date > ${date}
      and status in ('AUTHORISED', 'PAID') and ${isSettled(sql`s.date <= ${date}`)}`.execute(tx.db);
  return rows.map(({ id }) => id);
}
