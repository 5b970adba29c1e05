/**
 * What a transaction changes that somebody wants to be told of.
 *
 * Every record is kept by `save`, which lets it be noted here first; when the work of the transaction
 * is done, `tell` writes an event of each, in the same transaction. A record is told of once, however
 * often it was kept, and only where its `UpdatedDateUTC` moved. Where nobody listens, nothing is
 * looked up and nothing is noted: whether anybody does stands with the organisation, which nearly
 * every write reads.
 */
import { sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import { keyLists, selectOnce } from "../mapping/bulk.ts";
import { tableOf } from "../mapping/tables.ts";
import type { Tx } from "../transactions/tx.ts";
import type { Change } from "./events.ts";

interface Noted {
  readonly watched: ReadonlySet<string>;
  readonly changes: Map<string, Change>;
}

const unwatched: Noted = { watched: new Set(), changes: new Map() };
const notedBy = new WeakMap<Tx, Noted>();

/** Says which events anybody is told of, as it stands with the organisation. */
export function expectWatched(tx: Tx, categories: string | null | undefined): Noted {
  const known = notedBy.get(tx);
  if (known !== undefined) return known;
  const noted = categories
    ? { watched: new Set(categories.split(",")), changes: new Map() }
    : unwatched;
  notedBy.set(tx, noted);
  return noted;
}

async function watchedIn(tx: Tx): Promise<Noted> {
  const known = notedBy.get(tx);
  if (known !== undefined) return known;
  const build = () => sql`select event_categories from organisation where org = ${tx.org}`;
  const [row] = await selectOnce(tx, { of: "events", by: "category", count: 1 }, build, [tx.org]);
  return expectWatched(tx, row?.[0] as string | null | undefined);
}

/** Notes records that are about to be kept, where anybody is told of such. */
export async function note(
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
    const known = changes.get(id);
    if (known === undefined) changes.set(id, { category, id, before: before.get(id), at, data });
    else Object.assign(known, { at, data });
  }
}

async function updatedBefore(
  tx: Tx,
  resource: Resource,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { name } = tableOf(resource);
  const found = new Map<string, number>();
  for (const list of keyLists(ids)) {
    const build = () => sql`select id, updated_date_utc from ${sql.id(name)}
      where org = ${tx.org} and id in (${sql.join(list)})`;
    const key = { of: name, by: "id, when updated", count: list.length };
    for (const [id, at] of await selectOnce(tx, key, build, [tx.org, ...list])) {
      found.set(id as string, at as number);
    }
  }
  return found;
}

/**
 * Writes the events of what was noted, for each who is told of them.
 *
 * @param at  the moment of the request, in milliseconds since 1970 UTC: a record of that moment was
 *   changed by it, also where another request changed the record within the same millisecond
 * @returns whether there were any
 */
export async function tell(tx: Tx, at: number | undefined): Promise<boolean> {
  const changes = notedBy.get(tx)?.changes;
  if (changes === undefined || changes.size === 0) return false;
  const moved = [...changes.values()].filter((each) => each.at !== each.before || each.at === at);
  if (moved.length === 0) return false;
  const { addEvents } = await import("./events.ts");
  return addEvents(tx, moved);
}
