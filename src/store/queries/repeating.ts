/** Repeating invoice templates that are due, and the dates whose invoices were made. */
import { sql } from "kysely";
import { insertNew, ownRows, updateRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** A scheduled date of a template. */
export interface TemplateDate {
  readonly templateId: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** The next date of every live template that has one up to `today`, the earliest first. */
export async function dueDates(tx: Tx, today: string): Promise<TemplateDate[]> {
  const { rows } = await sql<TemplateDate>`
    select id as "templateId", next_date as date from repeating_invoice
    where org = ${tx.org} and status <> 'DELETED' and next_date <= ${today}
    order by next_date, id`.execute(tx.db);
  return rows;
}

/**
 * Marks the invoice of a template date as made; a date can have only one.
 * @param sendAt  earliest time to email it, milliseconds since 1970 UTC; undefined when it is not
 *   emailed
 */
export async function useDate(
  tx: Tx,
  { templateId, date }: TemplateDate,
  invoiceId: string,
  sendAt: number | undefined,
): Promise<void> {
  const row = { repeating_invoice_id: templateId, date, invoice_id: invoiceId, send_at: sendAt };
  await insertNew(tx, "repeating_invoice_date", [row]);
}

/** An invoice still to be emailed. */
export interface ToSend extends TemplateDate {
  readonly invoiceId: string;
  readonly sendAt: number;
}

/** Invoices due to be emailed at a time, ordered by template date. */
export async function invoicesToSend(tx: Tx, now: number): Promise<ToSend[]> {
  return ownRows(tx, "repeating_invoice_date")
    .select([
      "repeating_invoice_id as templateId",
      "date",
      "invoice_id as invoiceId",
      "send_at as sendAt",
    ])
    .where("send_at", "<=", now)
    .orderBy("date")
    .orderBy("repeating_invoice_id")
    .$narrowType<{ sendAt: number }>()
    .execute();
}

/**
 * Postpones an email or, with undefined, cancels it.
 * @returns false when another process was faster
 */
export async function postponeEmail(
  tx: Tx,
  { templateId, date, sendAt }: ToSend,
  untilMs: number | undefined,
): Promise<boolean> {
  const planned = sql`repeating_invoice_id = ${templateId} and date = ${date} and send_at = ${sendAt}`;
  const changes = { send_at: untilMs ?? null };
  return (await updateRows(tx, "repeating_invoice_date", changes, planned)) > 0;
}
