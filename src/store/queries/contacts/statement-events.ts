/** Events on the receivable of a contact, for a statement of account. */
import { type RawBuilder, sql } from "kysely";
import type { Cents } from "../../../resources/decimal.ts";
import type { Tx } from "../../tx/tx.ts";

/** An event: a document, its payment or refund, or the allocation of a credit. */
export interface StatementEvent {
  readonly kind: "document" | "payment" | "allocation";
  readonly date: string;
  /** Amount in the currency of the document; positive when the contact owes more. */
  readonly amount: Cents;
  /** Reference of the payment. */
  readonly paymentReference: string | null;
  readonly documentId: string;
  readonly type: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly documentDate: string;
  readonly dueDate: string | null;
  readonly currency: string;
}

/** The side of each document type on the control account: 1 debits it, −1 credits it. */
export type Sides = ReadonlyMap<string, 1 | -1>;

/**
 * Events up to a day, by day. The allocation of a credit that is itself on the control account
 * gives two events, of the invoice and of the credit, which cancel out.
 */
export async function statementEvents(
  tx: Tx,
  contactId: string,
  sides: Sides,
  to: string,
): Promise<StatementEvent[]> {
  const types = sql.join([...sides.keys()]);
  const controlSide = sql`case d.type ${sql.join(
    [...sides].map(([type, sign]) => sql`when ${type} then ${sql.lit(sign)}`),
    sql` `,
  )} end`;
  const document = sql`d.id as "documentId", d.type, d.number, d.reference,
    d.date as "documentDate", d.due_date as "dueDate", d.currency_code as currency`;
  const owned = sql`d.org = ${tx.org} and d.contact_id = ${contactId} and d.type in (${types})
    and d.status in ('AUTHORISED', 'PAID')`;
  const settledBy = (
    kind: StatementEvent["kind"],
    table: string,
    column: string,
    reference: RawBuilder<unknown>,
  ) => sql`
    select ${sql.lit(kind)} as kind, s.date, -(${controlSide}) * s.amount as amount,
      ${reference} as "paymentReference", ${document}
    from document as d
    join ${sql.table(table)} as s on s.org = d.org and s.${sql.ref(column)} = d.id
    where ${owned} and s.status <> 'DELETED' and s.date <= ${to}`;
  const nullText = sql`cast(null as text)`;
  const { rows } = await sql<StatementEvent>`
    select * from (
      select 'document' as kind, d.date,
        (${controlSide}) * (d.total - coalesce(d.cis_deduction, 0)) as amount,
        ${nullText} as "paymentReference", ${document}
      from document as d where ${owned} and d.date <= ${to}
      union all ${settledBy("payment", "payment", "invoice_id", sql`s.reference`)}
      union all ${settledBy("payment", "payment", "credit_note_id", sql`s.reference`)}
      union all ${settledBy("payment", "payment", "overpayment_id", sql`s.reference`)}
      union all ${settledBy("allocation", "allocation", "invoice_id", nullText)}
      union all ${settledBy("allocation", "allocation", "credit_id", nullText)}) as moved
    order by date, kind, "documentDate", number, "documentId", amount`.execute(tx.db);
  return rows;
}
