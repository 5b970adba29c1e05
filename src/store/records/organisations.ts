/** Organisations, to whom the books belong. A book in a file has one, a server has many. */
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
import { invalidate, loadCached } from "../transactions/reference-cache.ts";
import type { Tx } from "../tx/tx.ts";

/** A stored organisation; it also has the settings of the construction industry scheme. */
export type StoredOrganisation = StoredFields<typeof organisation.fields>;

const table = () => tableOf(organisation);

const insertion = (): Insertion => ({
  table: table().name,
  columns: ["org", ...columnNames(table())],
  tail: "on conflict (org) do nothing",
});

/** An organisation in the list of a store. */
export interface Listing {
  /** Number of the organisation: its key in the store. */
  readonly org: number;
  readonly OrganisationID: string;
  readonly Name: string;
}

/** Every organisation, by number: a query across organisations. */
export function listBooks(store: Store): Promise<Listing[]> {
  return store.read(0, readListings);
}

export async function readListings({ db }: Tx): Promise<Listing[]> {
  // Written as raw SQL, since every command begins with it and the query builder is slow at first
  // use.
  const { rows } = await sql<Listing>`
    select org, id as "OrganisationID", name as "Name" from organisation order by org
    `.execute(db);
  return rows;
}

/**
 * The subscribed event categories of each organisation with webhooks or listeners, by number; also
 * a query across organisations.
 */
export function loadSubscribed(store: Store): Promise<ReadonlyMap<number, string>> {
  return store.read(0, async ({ db }) => {
    const { rows } = await sql<{ org: number; told: string }>`
      select org, event_categories as told from organisation
      where event_categories is not null order by org`.execute(db);
    return new Map(rows.map(({ org, told }) => [org, told]));
  });
}

/**
 * Finds an organisation by name or id; the only one when `said` is undefined.
 * @throws NotFoundError `NoOrganisation`; UsageError `WhichOrganisation`
 */
export async function organisationNamed(store: Store, key: string | undefined): Promise<Listing> {
  return organisationAmong(await listBooks(store), key, "The database");
}

/**
 * Finds an organisation among those given, as `organisationNamed` does.
 * @param place  where they are, for the beginning of a sentence
 * @throws NotFoundError `NoOrganisation`; UsageError `WhichOrganisation`
 */
export function organisationAmong<L extends Listing>(
  knownBooks: readonly L[],
  key: string | undefined,
  place: string,
): L {
  const wantedName = key === undefined ? undefined : fold(key);
  const matches = knownBooks.filter(
    ({ OrganisationID, Name }) =>
      wantedName === undefined || OrganisationID === wantedName || fold(Name) === wantedName,
  );
  if (matches.length === 1) return matches[0] as L;
  const which = wantedName === undefined ? "" : ` called ${key}`;
  if (matches.length === 0) {
    throw new NotFoundError("NoOrganisation", `${place} has no organisation${which}.`);
  }
  const names = matches
    .slice(0, namedMax)
    .map(({ Name, OrganisationID }) => `${Name} (${OrganisationID})`);
  const rest = matches.length > namedMax ? ", …" : "";
  throw new UsageError(
    "WhichOrganisation",
    `${place} has ${matches.length} organisations${which}; say which with --tenant: ${names.join(", ")}${rest}.`,
  );
}

/** Maximum organisations named in an error message. */
const namedMax = 5;

const apiKeyLength = 30;

/**
 * An identifier of the organisation for older programs: constant, and no credential, since it derives
 * from the OrganisationID. New books keep it, since loading `node:crypto` takes longer than reading them.
 */
export function apiKeyOf(organisationId: string): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  return hash("sha256", `APIKey of ${organisationId}`).slice(0, apiKeyLength).toUpperCase();
}

/**
 * Adds an organisation.
 * @param org   its number, above zero; the highest plus one when undefined
 * @param seed  writes its initial records, in the same transaction
 * @returns its number
 * @throws RefusedError `OrganisationExists`
 */
export async function createOrganisation(
  store: Store,
  record: Organisation,
  org?: number,
  seed?: (tx: Tx) => Promise<void>,
): Promise<number> {
  const row = rowOf(table(), { ...record });
  for (let key = org ?? (await highestNumber(store)) + 1; ; key += 1) {
    const isNew = await store.write(key, async (tx) => {
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
    if (isNew) return key;
    // Another process may have taken the number at the same time; a given number is not retried.
    if (org !== undefined) throw organisationExists(record);
  }
}

function highestNumber(store: Store): Promise<number> {
  return store.read(0, async ({ db }) => {
    const { rows } = await sql<{ org: number | null }>`
      select max(org) as org from organisation`.execute(db);
    return rows[0]?.org ?? 0;
  });
}

/**
 * Refuses an id in use.
 * @throws RefusedError `OrganisationExists` when another number has an organisation of this id
 */
async function refuseKnown(tx: Tx, record: Organisation): Promise<void> {
  const { rows } = await sql<{ org: number }>`
    select org from organisation where id = ${record.OrganisationID} limit 1`.execute(tx.db);
  if (rows.length > 0) throw organisationExists(record);
}

function organisationExists({ Name }: Pick<Organisation, "Name">): RefusedError {
  return new RefusedError("OrganisationExists", `There is an organisation ${Name} already.`);
}

/**
 * Refuses a name in use, since a name must identify one organisation.
 * @throws RefusedError as above
 */
export function refuseNameAmong(knownBooks: Iterable<Pick<Listing, "Name">>, name: string): void {
  const wantedName = fold(name);
  for (const each of knownBooks) if (fold(each.Name) === wantedName) throw organisationExists(each);
}

/**
 * Refuses a name used by another organisation of the store, for callers that may know of all
 * organisations.
 */
export async function refuseName(tx: Tx, name: string): Promise<void> {
  await tx.dialect.lockNew(tx.connection, `name ${fold(name)}`);
  const otherListings = (await readListings(tx)).filter(({ org }) => org !== tx.org);
  refuseNameAmong(otherListings, name);
}

/**
 * The organisation of the transaction.
 * @throws Error when it does not exist: its number comes from `organisations`, never from a caller
 */
export async function organisationOf(tx: Tx): Promise<StoredOrganisation> {
  const record = await loadCached(tx, "organisation", loadOrganisation);
  watchCategories(tx, record.EventCategories);
  return record;
}

async function loadOrganisation(tx: Tx): Promise<StoredOrganisation> {
  const [record] = (await list(tx, organisation)).records;
  if (record === undefined) throw new Error(`The store has no organisation ${tx.org}.`);
  return record;
}

/** Updates fields of the organisation; `undefined` clears a field. */
export async function updateOrganisation(
  tx: Audited<Tx>,
  changes: Partial<StoredOrganisation>,
): Promise<void> {
  const stored = await organisationOf(tx);
  tx.lock?.onWrite?.(organisation, [stored.OrganisationID]);
  const row = rowOf(table(), { ...stored, ...changes });
  const rowBefore = async () => new Map([[stored.OrganisationID, rowOf(table(), { ...stored })]]);
  await noteSaved(tx, table(), [stored.OrganisationID], [row], {
    shape: shapeOf(table()),
    stored: rowBefore,
  });
  const columns = columnNames(table()).map((column, at) => [column, row[at] ?? null]);
  await updateRows(tx, "organisation", Object.fromEntries(columns), sql`1 = 1`);
  await invalidate(tx, "chart_version");
}
