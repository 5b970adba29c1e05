/**
 * A cache of reference data, which nearly every write reads and few change: the organisation with
 * its chart of accounts, and contacts.
 *
 * An organisation has a version of each kind, changed in the transaction of every change. A writer
 * reads the versions together with the lock of the organisation, so nobody changes them before the
 * writer is done: values cached under the same version equal the database's. A writer that has
 * changed something, or shares a transaction with one that has, reads the database.
 */
import { sql } from "kysely";
import type { ReferenceKind } from "../connection/versions.ts";
import { executeDeferred } from "../operations/bulk.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { Tx } from "../tx/tx.ts";

/** Maximum entries of a process for all organisations: charts are some hundred records each. */
const keptMax = { chart_version: 512, contact_version: 8192 } satisfies Record<
  ReferenceKind,
  number
>;

/** Cached values by organisation, version and key; the oldest is dropped first. */
type CachedValues = Map<string, unknown>;

const keptBy = new WeakMap<StoreDialect, Record<ReferenceKind, CachedValues>>();

function keptOf(dialect: StoreDialect, kind: ReferenceKind): CachedValues {
  const versions = keptBy.get(dialect) ?? { chart_version: new Map(), contact_version: new Map() };
  keptBy.set(dialect, versions);
  return versions[kind];
}

/** The value cached under `key`, if the version of its kind is unchanged. */
export function readCache({ dialect, org, lock }: Tx, kind: ReferenceKind, key: string): unknown {
  const version = lock?.versions?.[kind];
  return version === undefined ? undefined : keptOf(dialect, kind).get(`${org} ${version} ${key}`);
}

/** Caches a value, frozen, since it is shared. */
export function writeCache(tx: Tx, kind: ReferenceKind, key: string, value: unknown): void {
  const { dialect, org, lock } = tx;
  const version = lock?.versions?.[kind];
  if (version === undefined) return;
  const cache = keptOf(dialect, kind);
  const [first] = cache.size >= keptMax[kind] ? cache.keys() : [];
  if (first !== undefined) cache.delete(first);
  cache.set(`${org} ${version} ${key}`, deepFreeze(value));
}

/**
 * The result of `load`, cached until the organisation or its chart changes.
 * @param key  name of the result, in a word
 * @returns a frozen value when it is shared
 */
export async function loadCached<T>(tx: Tx, key: string, load: (tx: Tx) => Promise<T>): Promise<T> {
  const cachedValue = readCache(tx, "chart_version", key);
  if (cachedValue !== undefined) return cachedValue as T;
  const result = await load(tx);
  writeCache(tx, "chart_version", key, result);
  return result;
}

/** Invalidates the cache; called by every change of reference data, in its transaction. */
export async function invalidate(tx: Tx, kind: ReferenceKind): Promise<void> {
  const { org, lock } = tx;
  if (lock === undefined) throw new Error("Reference data is changed by a write.");
  if (lock.versions !== undefined) lock.versions[kind] = undefined;
  // The version is random and not counted: no two states share one, even after a copy, rollback or
  // restore.
  const version = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  await executeDeferred(
    tx,
    sql`update organisation set ${sql.ref(kind)} = ${version} where org = ${org}`,
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const record of Object.values(value)) deepFreeze(record);
  return Object.freeze(value);
}
