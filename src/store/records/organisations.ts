/** Organisations: whose books these are. A book in a file has one, a server has many. */
import { sql } from "kysely";
import { NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { organisation } from "../../resources/index.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { fold } from "../../wire/fold.ts";
import type { Insertion } from "../connection/connection.ts";
import { list, type StoredFields } from "../mapping/records.ts";
import type { Audited } from "../operations/audit-log.ts";
import { insertRows, updateRows } from "../operations/bulk.ts";
import { noteSaved } from "../operations/effects.ts";
import { watchCategories } from "../outbox/changes.ts";
import { shapeOf } from "../schema/shapes.ts";
import { columnNames, rowOf, tableOf } from "../schema/tables.ts";
import type { Store } from "../store.ts";
import { cached, invalidate } from "../transactions/reference-cache.ts";
import type { Tx } from "../tx/tx.ts";

/** It also knows how the organisation takes part in the construction industry scheme. */
export type StoredOrganisation = StoredFields<typeof organisation.fields>;

const table = () => tableOf(organisation);

const insertion = (): Insertion => ({
  table: table().name,
  columns: ["org", ...columnNames(table())],
  tail: "on conflict (org) do nothing",
});

/** One of the organisations in a store. */
export interface Listing {
  /** Its key in the store. */
  readonly org: number;
  readonly OrganisationID: string;
  readonly Name: string;
}

/** Every organisation, in the order of their keys: a query that names none. */
export function organisations(store: Store): Promise<Listing[]> {
  return store.read(0, listings);
}

export async function listings({ db }: Tx): Promise<Listing[]> {
  // Every command begins with this query, and the query builder is slow the first time.
  const { rows } = await sql<Listing>`
    select org, id as "OrganisationID", name as "Name" from organisation order by org
    `.execute(db);
  return rows;
}

/**
 * The subscribed categories of each organisation that has subscribers or listeners, by its key; this
 * query names none either.
 */
export function subscribed(store: Store): Promise<ReadonlyMap<number, string>> {
  return store.read(0, async ({ db }) => {
    const { rows } = await sql<{ org: number; told: string }>`
      select org, event_categories as told from organisation
      where event_categories is not null order by org`.execute(db);
    return new Map(rows.map(({ org, told }) => [org, told]));
  });
}

/**
 * One of the organisations, by its name or its id; the only one when nothing is said.
 *
 * @throws NotFoundError `NoOrganisation`; UsageError `WhichOrganisation`
 */
export async function organisationNamed(store: Store, said: string | undefined): Promise<Listing> {
  return organisationAmong(await organisations(store), said, "The database");
}

/**
 * As `organisationNamed`, of those that are known.
 *
 * @param place  where they are, as a sentence begins
 * @throws NotFoundError `NoOrganisation`; UsageError `WhichOrganisation`
 */
export function organisationAmong<L extends Listing>(
  known: readonly L[],
  said: string | undefined,
  place: string,
): L {
  const wanted = said === undefined ? undefined : fold(said);
  const found = known.filter(
    ({ OrganisationID, Name }) =>
      wanted === undefined || OrganisationID === wanted || fold(Name) === wanted,
  );
  if (found.length === 1) return found[0] as L;
  const which = wanted === undefined ? "" : ` called ${said}`;
  if (found.length === 0) {
    throw new NotFoundError("NoOrganisation", `${place} has no organisation${which}.`);
  }
  const first = found
    .slice(0, namedMax)
    .map(({ Name, OrganisationID }) => `${Name} (${OrganisationID})`);
  const rest = found.length > namedMax ? ", …" : "";
  throw new UsageError(
    "WhichOrganisation",
    `${place} has ${found.length} organisations${which}; say which with --tenant: ${first.join(", ")}${rest}.`,
  );
}

/** Names in a refusal. */
const namedMax = 5;

/**
 * Adds an organisation.
 *
 * @param org   its key, above zero; when not given, one more than the highest
 * @param seed  writes what it starts with, in the same transaction: all of it is there, or nothing
 * @returns its key
 * @throws RefusedError `OrganisationExists`
 */
export async function createOrganisation(
  store: Store,
  record: Organisation,
  org?: number,
  seed?: (tx: Tx) => Promise<void>,
): Promise<number> {
  const row = rowOf(table(), { ...record });
  for (let key = org ?? (await highest(store)) + 1; ; key += 1) {
    const kept = await store.write(key, async (tx) => {
      await tx.dialect.lockNew(tx.connection, record.OrganisationID);
      await refuseKnown(tx, record);
      await insertRows(tx, insertion(), [[key, ...row]]);
      const { OrganisationID } = await organisationOf(tx);
      if (OrganisationID !== record.OrganisationID) {
        tx.lock?.writeSet.forget();
        return false;
      }
      await seed?.(tx);
      return true;
    });
    if (kept) return key;
    // Another process may have taken the next key at the same time.
    if (org !== undefined) throw exists(record);
  }
}

function highest(store: Store): Promise<number> {
  return store.read(0, async ({ db }) => {
    const { rows } = await sql<{ org: number | null }>`
      select max(org) as org from organisation`.execute(db);
    return rows[0]?.org ?? 0;
  });
}

/** @throws RefusedError `OrganisationExists` where another number has an organisation of this id */
async function refuseKnown(tx: Tx, record: Organisation): Promise<void> {
  const { rows } = await sql<{ org: number }>`
    select org from organisation where id = ${record.OrganisationID} limit 1`.execute(tx.db);
  if (rows.length > 0) throw exists(record);
}

function exists({ Name }: Pick<Organisation, "Name">): RefusedError {
  return new RefusedError("OrganisationExists", `There is an organisation ${Name} already.`);
}

/** By its name alone nobody could say which of two is meant. @throws RefusedError as above */
export function refuseNameAmong(known: Iterable<Pick<Listing, "Name">>, name: string): void {
  const wanted = fold(name);
  for (const each of known) if (fold(each.Name) === wanted) throw exists(each);
}

/** As above, of the other organisations of a store, of which only who made it may know. */
export async function refuseName(tx: Tx, name: string): Promise<void> {
  await tx.dialect.lockNew(tx.connection, `name ${fold(name)}`);
  const others = (await listings(tx)).filter(({ org }) => org !== tx.org);
  refuseNameAmong(others, name);
}

/** @throws Error when there is none: a key comes from `organisations`, never from a caller */
export async function organisationOf(tx: Tx): Promise<StoredOrganisation> {
  const record = await cached(tx, "organisation", loadOrganisation);
  watchCategories(tx, record.EventCategories);
  return record;
}

async function loadOrganisation(tx: Tx): Promise<StoredOrganisation> {
  const [record] = (await list(tx, organisation)).records;
  if (record === undefined) throw new Error(`The store has no organisation ${tx.org}.`);
  return record;
}

/** Changes some fields of the organisation; `undefined` clears one. */
export async function updateOrganisation(
  tx: Audited<Tx>,
  changes: Partial<StoredOrganisation>,
): Promise<void> {
  const found = await organisationOf(tx);
  tx.lock?.onWrite?.(organisation, [found.OrganisationID]);
  const row = rowOf(table(), { ...found, ...changes });
  const before = async () => new Map([[found.OrganisationID, rowOf(table(), { ...found })]]);
  await noteSaved(tx, table(), [found.OrganisationID], [row], {
    shape: shapeOf(table()),
    stored: before,
  });
  const columns = columnNames(table()).map((column, at) => [column, row[at] ?? null]);
  await updateRows(tx, "organisation", Object.fromEntries(columns), sql`1 = 1`);
  await invalidate(tx, "chart_version");
}
