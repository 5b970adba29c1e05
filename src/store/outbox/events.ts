/**
 * Events that wait for delivery: one row for each change and each subscription to its category.
 *
 * They are written in the transaction of the change, and deleted when a delivery is made of them
 * (`deliveries.ts`). Their numbers are the order of delivery. Writers of an organisation run one
 * after another, so an event never has a lower number than an earlier one of the same record.
 * Subscribers see other numbers, without gaps, which are assigned with the delivery.
 */
import { sql } from "kysely";
import { deleteRows, insertNew, ownRows } from "../operations/bulk.ts";
import type { Tables } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/** A change of a record: created or updated. */
export interface RecordChange {
  readonly category: string;
  readonly id: string;
  /** `UpdatedDateUTC` at the start of the transaction; undefined for a new record. */
  readonly before: number | undefined;
  /** `UpdatedDateUTC` after the change. */
  at: number;
  /** The record fields that its events carry. */
  data: Readonly<Record<string, unknown>> | undefined;
}

export type EventType = "CREATE" | "UPDATE";

export interface WaitingEvent {
  readonly number: number;
  readonly category: string;
  readonly type: EventType;
  readonly resourceId: string;
  /** Time of the event, milliseconds since 1970 UTC. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** A subscription with its categories, and the number of its last waiting event. */
interface Subscriber {
  readonly id: string;
  readonly categories: readonly string[];
  readonly last: number;
}

/** The subscriptions that receive events, without expired listeners. */
async function loadSubscribers(tx: Tx, at: number): Promise<Subscriber[]> {
  const { rows } = await sql<{ id: string; categories: string; last: number | null }>`
    select w.id, w.categories,
      (select max(e.number) from event e where e.org = w.org and e.webhook_id = w.id) as last
    from webhook w
    where w.org = ${tx.org} and w.status = 'OK' and (w.expires_at is null or w.expires_at > ${at})
    order by w.id`.execute(tx.db);
  return rows.map(({ id, categories, last }) => ({
    id,
    categories: categories.split(","),
    last: Number(last ?? 0),
  }));
}

/**
 * Writes an event of each change for each subscription to its category.
 * @param changes  in the order of delivery
 * @returns whether there is any subscription
 */
export async function addEvents(tx: Tx, changes: readonly RecordChange[]): Promise<boolean> {
  const latestAt = Math.max(...changes.map((change) => change.at));
  const rows: Omit<Tables["event"], "org">[] = [];
  for (const { id, categories, last } of await loadSubscribers(tx, latestAt)) {
    const wantedChanges = changes.filter(({ category }) => categories.includes(category));
    for (const [index, change] of wantedChanges.entries()) {
      const type: EventType = change.before === undefined ? "CREATE" : "UPDATE";
      const data = change.data === undefined ? null : JSON.stringify(change.data);
      const { category, at } = change;
      const number = last + 1 + index;
      rows.push({ webhook_id: id, number, resource_id: change.id, category, type, at, data });
    }
  }
  await insertNew(tx, "event", rows);
  return rows.length > 0;
}

/** Adds an event for one subscription, for a record that was not changed. */
export async function addEvent(
  tx: Tx,
  webhookId: string,
  event: Omit<WaitingEvent, "number">,
): Promise<void> {
  const { category, type, resourceId, at, data } = event;
  const { last } = await ownRows(tx, "event", { webhook_id: webhookId })
    .select(({ fn }) => fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  const number = Number(last ?? 0) + 1;
  const json = data === undefined ? null : JSON.stringify(data);
  const row = { webhook_id: webhookId, number, resource_id: resourceId, category, type, at };
  await insertNew(tx, "event", [{ ...row, data: json }]);
}

/** The first waiting events of a subscription, in order. */
export async function waitingEvents(
  tx: Tx,
  webhookId: string,
  limit: number,
): Promise<WaitingEvent[]> {
  const rows = await ownRows(tx, "event", { webhook_id: webhookId })
    .select(["number", "category", "type", "resource_id", "at", "data"])
    .orderBy("number")
    .orderBy("resource_id")
    .limit(limit)
    .execute();
  return rows.map(({ number, category, type, resource_id, at, data }) => ({
    number,
    category,
    type: type as EventType,
    resourceId: resource_id,
    at,
    data: data === null ? undefined : JSON.parse(data),
  }));
}

/** Deletes events that were put into a delivery, or all of a subscription. */
export async function removeEvents(
  tx: Tx,
  webhookId: string,
  events?: readonly WaitingEvent[],
): Promise<void> {
  const ofWebhook = sql`webhook_id = ${webhookId}`;
  if (events === undefined) {
    await deleteRows(tx, "event", ofWebhook);
    return;
  }
  const lastEvent = events.at(-1);
  if (lastEvent === undefined) return;
  await deleteRows(tx, "event", sql`${ofWebhook} and number < ${lastEvent.number}`);
  const sharing = events.filter((event) => event.number === lastEvent.number);
  const ids = sharing.map((waitingEvent) => waitingEvent.resourceId);
  const takenEvents = sql`number = ${lastEvent.number} and resource_id in (${sql.join(ids)})`;
  await deleteRows(tx, "event", sql`${ofWebhook} and ${takenEvents}`);
}
