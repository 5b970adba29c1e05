/**
 * Webhook subscriptions, and the lease of the process that delivers to each.
 *
 * The signing key is stored in plain: unlike a password, which is only compared, it is needed for
 * each signature. Anyone who can read the book can sign in its name.
 */
import { sql } from "kysely";
import type { Audited } from "../operations/audit-log.ts";
import { deleteRows, insertNew, ownRows, updateRows } from "../operations/bulk.ts";
import type { Tables } from "../schema/index.ts";
import { invalidate } from "../transactions/reference-cache.ts";
import type { Tx } from "../tx/tx.ts";

/**
 * Status of a subscription: only `OK` gets deliveries; `INTENT` until the receiver has proved that
 * it checks signatures.
 */
export type WebhookStatus = "INTENT" | "OK" | "DISABLED";

export interface Webhook {
  readonly id: string;
  readonly name: string;
  /** URL of the receiver; empty for a listener, which fetches its deliveries. */
  readonly url: string;
  readonly categories: readonly string[];
  /** Client id of the app that the subscription belongs to, if any. */
  readonly app: string | undefined;
  readonly signingKey: string;
  /** Permissions for the URL beyond public https addresses: `http`, `private`. */
  readonly allowed?: readonly string[] | undefined;
  readonly status: WebhookStatus;
  /** Reason why the subscription is not in use, for people. */
  readonly reason: string | undefined;
  /** Milliseconds since 1970 UTC, as all moments here. */
  readonly createdAt: number;
  /** Number of the last event put into a delivery; 0 before the first. */
  readonly lastSequence: number;
  /** Expiry of a listener, extended each time it fetches; undefined for webhooks. */
  readonly expiresAt: number | undefined;
}

/** Adds a subscription. */
export function addWebhook(tx: Audited<Tx>, webhook: Webhook): Promise<void> {
  return insertWebhook(tx, webhook);
}

/**
 * Adds a listener: a program that polls for events, may read the records as well, and expires when
 * it stops polling.
 */
export function addListener(tx: Tx, listener: Webhook): Promise<void> {
  return insertWebhook(tx, listener);
}

async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  const { id, name, url, categories, status, reason, allowed = [] } = webhook;
  await insertNew(tx, "webhook", [
    {
      id,
      name,
      url,
      categories: categories.join(","),
      app_id: webhook.app,
      signing_key: webhook.signingKey,
      allowed: allowed.join(",") || null,
      status,
      reason,
      created_at: webhook.createdAt,
      last_sequence: webhook.lastSequence,
      expires_at: webhook.expiresAt,
    },
  ]);
  await keepCategories(tx);
}

/** All subscriptions, listeners included, in the order in which they were added. */
export async function webhooksOf(tx: Tx): Promise<Webhook[]> {
  const rows = await ownRows(tx, "webhook")
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(webhookFrom);
}

export async function webhookOf(tx: Tx, id: string): Promise<Webhook | undefined> {
  const row = await ownRows(tx, "webhook", { id }).selectAll().executeTakeFirst();
  return row && webhookFrom(row);
}

function webhookFrom(row: Tables["webhook"]): Webhook {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    categories: row.categories.split(","),
    app: row.app_id ?? undefined,
    signingKey: row.signing_key,
    allowed: row.allowed?.split(","),
    status: row.status as WebhookStatus,
    reason: row.reason ?? undefined,
    createdAt: row.created_at,
    lastSequence: row.last_sequence,
    expiresAt: row.expires_at ?? undefined,
  };
}

/** Sets the status of a subscription, and the reason why it is not in use. */
export async function setStatus(
  tx: Audited<Tx>,
  id: string,
  status: WebhookStatus,
  reason?: string,
): Promise<void> {
  await updateRows(tx, "webhook", { status, reason: reason ?? null }, sql`id = ${id}`);
  await keepCategories(tx);
}

/** Extends a listener to `expiresAt`. */
export async function keepListening(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await updateRows(tx, "webhook", { expires_at: expiresAt }, sql`id = ${id}`);
}

/**
 * Takes the next `count` event numbers of a subscription.
 * @returns the first of them
 */
export async function takeSequence(tx: Tx, id: string, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    update webhook set last_sequence = last_sequence + ${count}
    where org = ${tx.org} and id = ${id} returning last_sequence as last`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no subscription ${id}.`);
  return row.last - count + 1;
}

/** Deletes a subscription with its waiting events and its delivery log. */
export function removeWebhook(tx: Audited<Tx>, id: string): Promise<void> {
  return deleteWebhook(tx, id);
}

export function removeListener(tx: Tx, id: string): Promise<void> {
  return deleteWebhook(tx, id);
}

async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  for (const table of ["event", "delivery"] as const) {
    await deleteRows(tx, table, sql`webhook_id = ${id}`);
  }
  await deleteRows(tx, "webhook", sql`id = ${id}`);
  await keepCategories(tx);
}

/**
 * Deletes expired listeners.
 * @returns their number
 */
export async function removeExpired(tx: Tx, now: number): Promise<number> {
  const rows = await ownRows(tx, "webhook").select("id").where("expires_at", "<=", now).execute();
  for (const { id } of rows) await removeListener(tx, id);
  return rows.length;
}

/** Stores the subscribed categories with the organisation. */
async function keepCategories(tx: Tx): Promise<void> {
  const rows = await ownRows(tx, "webhook", { status: "OK" }).select("categories").execute();
  const wanted = [...new Set(rows.flatMap(({ categories }) => categories.split(",")))].sort();
  const categories = wanted.length === 0 ? null : wanted.join(",");
  await updateRows(tx, "organisation", { event_categories: categories }, sql`1 = 1`);
  await invalidate(tx, "chart_version");
}

// --- who delivers ----------------------------------------------------------------------------

/**
 * Takes or renews the lease of one process on the deliveries of a subscription.
 *
 * Times come from the processes' own clocks: between machines these must agree to a few seconds, or
 * a slow process is taken for a dead one, and the subscriber gets a delivery twice.
 *
 * @param holder  id of the process
 * @returns whether the process holds the lease
 */
export async function takeLease(
  tx: Tx,
  id: string,
  lease: { readonly holder: string; readonly now: number; readonly until: number },
): Promise<boolean> {
  const { holder, now, until } = lease;
  const { rows } = await sql`
    update webhook set leased_by = ${holder}, leased_until = ${until}
    where org = ${tx.org} and id = ${id} and status = 'OK'
      and (leased_by is null or leased_by = ${holder} or leased_until <= ${now})
    returning id`.execute(tx.db);
  return rows.length > 0;
}

/** Whether `holder` still holds the lease. */
export async function holdsLease(tx: Tx, id: string, holder: string): Promise<boolean> {
  const row = await ownRows(tx, "webhook", { id }).select("leased_by").executeTakeFirst();
  return row?.leased_by === holder;
}

export async function releaseLease(tx: Tx, id: string, holder: string): Promise<void> {
  const ownLease = sql`id = ${id} and leased_by = ${holder}`;
  await updateRows(tx, "webhook", { leased_by: null, leased_until: null }, ownLease);
}

/** A subscription with something to deliver, and the time from which it is due. */
export interface DueWebhook {
  readonly id: string;
  /** Due time, milliseconds since 1970 UTC; 0 for at once. */
  readonly dueAt: number;
}

/** Subscriptions with waiting events or deliveries, without listeners. */
export async function dueWebhooks(tx: Tx): Promise<DueWebhook[]> {
  const { rows } = await sql<{ id: string; next: number | null; leased: number | null }>`
    select w.id, w.leased_until as leased,
      (select d.next_try_at from delivery d
       where d.org = w.org and d.webhook_id = w.id and d.status = 'WAITING'
       order by d.first_sequence limit 1) as next
    from webhook w
    where w.org = ${tx.org} and w.status = 'OK' and w.expires_at is null
      and (exists (select 1 from event e where e.org = w.org and e.webhook_id = w.id)
        or exists (select 1 from delivery d
          where d.org = w.org and d.webhook_id = w.id and d.status = 'WAITING'))
    order by w.id`.execute(tx.db);
  return rows.map(({ id, next, leased }) => ({
    id,
    dueAt: Math.max(Number(next ?? 0), Number(leased ?? 0)),
  }));
}

/** Whether any webhook subscription exists, in use or not; listeners do not count. */
export async function hasWebhooks(tx: Tx): Promise<boolean> {
  const row = await ownRows(tx, "webhook", { status: "OK" })
    .select("id")
    .where("expires_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
