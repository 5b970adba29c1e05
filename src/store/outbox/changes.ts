/**
 * The outbox of a transaction: changes of records that webhooks subscribe to.
 *
 * `save` records each change here before it writes the record; at the end of the transaction
 * `flushChanges` writes one event for each record, however often it was saved, where its
 * `UpdatedDateUTC` moved. The subscribed categories stand with the organisation, which nearly every
 * write reads: without a subscription nothing is looked up and nothing is recorded.
 */
import { sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import { keyLists, selectOnce } from "../operations/bulk.ts";
import { tableOf } from "../schema/tables.ts";
import type { Tx } from "../tx/tx.ts";
import type { RecordChange } from "./events.ts";

interface Outbox {
  readonly watched: ReadonlySet<string>;
  readonly changes: Map<string, RecordChange>;
}

const unsubscribed: Outbox = { watched: new Set(), changes: new Map() };
const outboxOf = new WeakMap<Tx, Outbox>();

/** Sets the subscribed webhook categories, as read with the organisation. */
export function watchCategories(tx: Tx, categories: string | null | undefined): Outbox {
  const queued = outboxOf.get(tx);
  if (queued !== undefined) return queued;
  const outbox = categories
    ? { watched: new Set(categories.split(",")), changes: new Map() }
    : unsubscribed;
  outboxOf.set(tx, outbox);
  return outbox;
}

async function watchedIn(tx: Tx): Promise<Outbox> {
  const outbox = outboxOf.get(tx);
  if (outbox !== undefined) return outbox;
  const build = () => sql`select event_categories from organisation where org = ${tx.org}`;
  const [row] = await selectOnce(tx, { of: "events", by: "category", count: 1 }, build, [tx.org]);
  return watchCategories(tx, row?.[0] as string | null | undefined);
}

/** Records changes that are about to be saved, if their category has a subscription. */
export async function recordChanges(
  tx: Tx,
  resource: Resource,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const { eventCategory: category, eventData, id: idField } = resource;
  if (category === undefined || records.length === 0) return;
  const { watched, changes } = await watchedIn(tx);
  if (!watched.has(category)) return;
  const idOf = (record: Readonly<Record<string, unknown>>) => String(record[idField]);
  const unknown = records.map(idOf).filter((id) => !changes.has(id));
  const before = await updatedBefore(tx, resource, unknown);
  for (const record of records) {
    const id = idOf(record);
    const at = record.UpdatedDateUTC as number;
    const data = eventData && Object.fromEntries(eventData.map((name) => [name, record[name]]));
    const earlier = changes.get(id);
    if (earlier === undefined) changes.set(id, { category, id, before: before.get(id), at, data });
    else Object.assign(earlier, { at, data });
  }
}

async function updatedBefore(
  tx: Tx,
  resource: Resource,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { name } = tableOf(resource);
  const updatedById = new Map<string, number>();
  for (const list of keyLists(ids)) {
    const build = () => sql`select id, updated_date_utc from ${sql.id(name)}
      where org = ${tx.org} and id in (${sql.join(list)})`;
    const key = { of: name, by: "id, when updated", count: list.length };
    for (const [id, at] of await selectOnce(tx, key, build, [tx.org, ...list])) {
      updatedById.set(id as string, at as number);
    }
  }
  return updatedById;
}

/**
 * Writes an event for each recorded change and each subscription to its category.
 * @param at  time of the request in milliseconds since 1970 UTC: a record with this update time was
 *   changed by it, even if another request changed the record in the same millisecond
 * @returns whether there were any
 */
export async function flushChanges(tx: Tx, at: number | undefined): Promise<boolean> {
  const changes = outboxOf.get(tx)?.changes;
  if (changes === undefined || changes.size === 0) return false;
  const moved = [...changes.values()].filter((each) => each.at !== each.before || each.at === at);
  if (moved.length === 0) return false;
  const { addEvents } = await import("./events.ts");
  return addEvents(tx, moved);
}
