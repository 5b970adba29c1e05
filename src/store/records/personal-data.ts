/**
 * Personal data of a contact in records beyond the contact itself, and its erasure.
 *
 * Rows with personal data have a salt (`schema/salt.ts`), which is erased with them: the hashes of
 * former versions stay in the chain, and no longer prove what they were made of.
 */
import { type RawBuilder, sql } from "kysely";
import { deleteRows, updateRows } from "../operations/bulk.ts";
import { newSalt } from "../schema/salt.ts";
import type { Tx } from "../tx/tx.ts";

/** An unfinished record that still needs the contact. */
export interface OpenRecord {
  /** Name of the record's resource. */
  readonly resource: string;
  /** Number or name of the record; its id when it has neither. */
  readonly name: string;
}

/** Final statuses of documents. */
const endedStatuses = sql.join(
  ["PAID", "VOIDED", "DELETED", "INVOICED", "DECLINED", "BILLED"].map((text) => sql`${text}`),
);

async function queryRows<T>(tx: Tx, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(tx.db)).rows;
}

/**
 * Open documents, templates and rules of a contact.
 * @param max  for each kind
 */
export function openRecordsOf(tx: Tx, contactId: string, max: number): Promise<OpenRecord[]> {
  const { org } = tx;
  return queryRows(
    tx,
    sql<OpenRecord>`
      select * from (select kind as resource, coalesce(number, id) as name from document
        where org = ${org} and contact_id = ${contactId} and status not in (${endedStatuses})
        order by date, id limit ${max}) as documents
      union all
      select * from (select 'RepeatingInvoice', coalesce(reference, id) from repeating_invoice
        where org = ${org} and contact_id = ${contactId} and status <> 'DELETED'
        order by id limit ${max}) as templates
      union all
      select * from (select 'BankRule', name from bank_rule
        where org = ${org} and contact_id = ${contactId} and status <> 'DELETED'
        order by id limit ${max}) as rules`,
  );
}

/** The date of the contact's last posted document; undefined when there is none. */
export async function lastPostedDay(tx: Tx, contactId: string): Promise<string | undefined> {
  const [row] = await queryRows(
    tx,
    sql<{ date: string | null }>`select max(date) as date from document as d
      where org = ${tx.org} and contact_id = ${contactId} and exists (
        select 1 from journal as j where j.org = d.org and j.source_id = d.id)`,
  );
  return row?.date ?? undefined;
}

/** A history text that may contain personal data. */
export interface PersonalText {
  readonly recordId: string;
  readonly id: string;
  /** The action of the history entry, in a word. */
  readonly changes: string;
  readonly details: string;
}

/**
 * Texts with possible personal data in the histories of the contact, its documents, their payments,
 * and groups.
 */
export async function personalTextsOf(tx: Tx, contactId: string): Promise<PersonalText[]> {
  const { org } = tx;
  return queryRows(
    tx,
    sql<PersonalText>`
      select record_id as "recordId", id, changes, details from history
      where org = ${org} and salt is not null and record_id in (
        select ${contactId} union select id from document
        where org = ${org} and contact_id = ${contactId}
        union select id from contact_group where org = ${org}
        union select id from repeating_invoice where org = ${org} and contact_id = ${contactId}
        union ${paymentsOf(tx, contactId)})`,
  );
}

/** Replaces one history text. */
export async function replaceText(
  tx: Tx,
  { recordId, id }: Pick<PersonalText, "recordId" | "id">,
  details: string,
): Promise<void> {
  const oneNote = sql`record_id = ${recordId} and id = ${id}`;
  await updateRows(tx, "history", { details, salt: newSalt() }, oneNote);
}

/** SQL: ids of the payments on documents of a contact. */
function paymentsOf({ org }: Tx, contactId: string): RawBuilder<unknown> {
  const ofContact = sql`select id from document where org = ${org} and contact_id = ${contactId}`;
  const settledParts = [
    "invoice_id",
    "credit_note_id",
    "prepayment_id",
    "overpayment_id",
    "expense_claim_id",
  ].map(
    (name) => sql`select id from payment where org = ${org} and ${sql.id(name)} in (${ofContact})`,
  );
  return sql.join(settledParts, sql` union `);
}

const bankDetails = ["bank_account_number", "particulars", "code", "details"] as const;
const hasBankDetails = sql`(${sql.join(
  bankDetails.map((name) => sql`${sql.id(name)} is not null`),
  sql` or `,
)})`;

/** Number of payments with bank details of a contact. */
export async function countBankDetails(tx: Tx, contactId: string): Promise<number> {
  const [row] = await queryRows(
    tx,
    sql<{ count: number }>`select count(*) as count from payment
      where org = ${tx.org} and id in (${paymentsOf(tx, contactId)}) and ${hasBankDetails}`,
  );
  return row?.count ?? 0;
}

/** Clears the bank details of a contact's payments. */
export async function removeBankDetails(tx: Tx, contactId: string): Promise<void> {
  const ofContact = sql`id in (${paymentsOf(tx, contactId)}) and ${hasBankDetails}`;
  const emptied = Object.fromEntries(bankDetails.map((name) => [name, null]));
  await updateRows(tx, "payment", { ...emptied, salt: null }, ofContact);
}

/** Number of groups with the contact as a member. */
export async function countGroups(tx: Tx, contactId: string): Promise<number> {
  const [row] = await queryRows(
    tx,
    sql<{ count: number }>`select count(*) as count from contact_group_member
      where org = ${tx.org} and contact_id = ${contactId}`,
  );
  return row?.count ?? 0;
}

export async function leaveGroups(tx: Tx, contactId: string): Promise<void> {
  await deleteRows(tx, "contact_group_member", sql`contact_id = ${contactId}`);
}

/** Deletes stored answers of idempotency keys that contain the contact. */
export async function forgetAnswers(tx: Tx, contactId: string): Promise<void> {
  const shows = tx.dialect.contains(sql`body`, contactId);
  await deleteRows(tx, "idempotency", sql`"binary" = 0 and ${shows}`);
}

/** A field in which people enter free text. */
export interface FreeText {
  readonly resource: string;
  readonly name: string;
  readonly text: string;
}

const documentTexts = [
  "reference",
  "title",
  "summary",
  "terms",
  "delivery_address",
  "attention_to",
  "telephone",
  "delivery_instructions",
] as const;
const lineTexts = [
  "payee",
  "description",
  "other_account",
  "reference_texts",
  "source_text",
  "cells",
];

const joinedColumns = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql`coalesce(${sql.id(name)}, '')`),
    sql` || ' ' || `,
  );

/**
 * Free texts on the documents of a contact and their lines, and on all bank statements, that
 * contain one of the words, in any letter case.
 * @param words  folded
 */
export async function freeTextsWith(
  tx: Tx,
  contactId: string,
  words: readonly string[],
): Promise<FreeText[]> {
  if (words.length === 0) return [];
  const { org, dialect } = tx;
  const hasWord = (text: RawBuilder<unknown>) =>
    sql`(${sql.join(
      words.map((word) => dialect.contains(dialect.fold(text), word)),
      sql` or `,
    )})`;
  return queryRows(
    tx,
    sql<FreeText>`
      select kind as resource, coalesce(number, id) as name, ${joinedColumns(documentTexts)} as text
      from document where org = ${org} and contact_id = ${contactId}
        and ${hasWord(joinedColumns(documentTexts))}
      union all
      select d.kind, coalesce(d.number, d.id), l.description
      from document as d join document_line as l on l.org = d.org and l.document_id = d.id
      where d.org = ${org} and d.contact_id = ${contactId} and ${hasWord(sql`l.description`)}
      union all
      select 'BankStatementLine', date, ${joinedColumns(lineTexts)}
      from bank_statement_line where org = ${org} and ${hasWord(joinedColumns(lineTexts))}`,
  );
}

/** Number of attachments on the documents of a contact. */
export async function countDocumentFiles(tx: Tx, contactId: string): Promise<number> {
  const [row] = await queryRows(
    tx,
    sql<{ count: number }>`select count(*) as count from attachment where org = ${tx.org}
      and record_id in (
        select id from document where org = ${tx.org} and contact_id = ${contactId})`,
  );
  return row?.count ?? 0;
}
