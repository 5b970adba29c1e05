/**
 * State of the online pages of documents for customers; a row exists only once something happened.
 */

import type { Insertion } from "../connection/connection.ts";
import { insertRows, ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface OnlineDocument {
  /** Number of times the page's link was revoked. */
  readonly generation: number;
  /**
   * Time when an opening of the page was last recorded in the history, milliseconds since 1970 UTC.
   */
  readonly openedAt: number | undefined;
}

const insertion: Insertion = {
  table: "online_document",
  columns: ["org", "record_id", "generation", "opened_at"],
  tail: `on conflict (org, record_id) do update
    set generation = excluded.generation, opened_at = excluded.opened_at`,
  replaces: true,
};

export async function onlineDocument(tx: Tx, recordId: string): Promise<OnlineDocument> {
  const row = await ownRows(tx, "online_document", { record_id: recordId })
    .select(["generation", "opened_at as openedAt"])
    .executeTakeFirst();
  return { generation: row?.generation ?? 0, openedAt: row?.openedAt ?? undefined };
}

export async function saveOnlineDocument(
  tx: Tx,
  recordId: string,
  { generation, openedAt }: OnlineDocument,
): Promise<void> {
  await insertRows(tx, insertion, [[tx.org, recordId, generation, openedAt ?? null]]);
}

const secretInsertion: Insertion = {
  table: "secret",
  columns: ["org", "name", "value"],
  tail: "on conflict (org, name) do nothing",
};

/**
 * The value of a secret.
 * @returns undefined until `addSecret` has added it
 */
export async function secretOf(tx: Tx, name: string): Promise<string | undefined> {
  const row = await ownRows(tx, "secret", { name }).select("value").executeTakeFirst();
  return row?.value;
}

/** Adds a secret of the organisation, unless one of that name exists. */
export async function addSecret(tx: Tx, name: string, value: string): Promise<void> {
  await insertRows(tx, secretInsertion, [[tx.org, name, value]]);
}
