/**
 * A cache of reference data: what nearly every write reads and few change, which is the organisation
 * with its chart of accounts, and its contacts.
 *
 * An organisation has a version of each kind, drawn anew by every change, in the transaction of the
 * change. A writer reads the versions together with the lock of the organisation, so nobody changes
 * them before the writer is done: what was cached under the same version is what the database holds.
 * A writer that has changed something, or shares a transaction with one that has, asks the database.
 */
import { sql } from "kysely";
import type { ReferenceKind } from "../connection/versions.ts";
import { executeDeferred } from "../operations/bulk.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { Tx } from "../tx/tx.ts";

/** What a process keeps of all organisations: charts are some hundred records each. */
const keptMax = { chart_version: 512, contact_version: 8192 } satisfies Record<
  ReferenceKind,
  number
>;

/** Values by organisation, version and key; the oldest goes first. */
type CachedValues = Map<string, unknown>;

const keptBy = new WeakMap<StoreDialect, Record<ReferenceKind, CachedValues>>();

function keptOf(dialect: StoreDialect, kind: ReferenceKind): CachedValues {
  const known = keptBy.get(dialect) ?? { chart_version: new Map(), contact_version: new Map() };
  keptBy.set(dialect, known);
  return known[kind];
}

/** The value cached under `key`, while the version of its kind is the same. */
export function readCache({ dialect, org, lock }: Tx, kind: ReferenceKind, key: string): unknown {
  const version = lock?.versions?.[kind];
  return version === undefined ? undefined : keptOf(dialect, kind).get(`${org} ${version} ${key}`);
}

/** Caches a value, frozen, since others are given the same. */
export function writeCache(tx: Tx, kind: ReferenceKind, key: string, found: unknown): void {
  const { dialect, org, lock } = tx;
  const version = lock?.versions?.[kind];
  if (version === undefined) return;
  const cache = keptOf(dialect, kind);
  const [first] = cache.size >= keptMax[kind] ? cache.keys() : [];
  if (first !== undefined) cache.delete(first);
  cache.set(`${org} ${version} ${key}`, frozen(found));
}

/**
 * What `load` finds of the organisation and its chart, or found before anything of it changed.
 *
 * @param key  what it finds, in a word
 * @returns frozen where others are given the same
 */
export async function cached<T>(tx: Tx, key: string, load: (tx: Tx) => Promise<T>): Promise<T> {
  const known = readCache(tx, "chart_version", key);
  if (known !== undefined) return known as T;
  const found = await load(tx);
  writeCache(tx, "chart_version", key, found);
  return found;
}

/** Called by every change of reference data, in its transaction. */
export async function invalidate(tx: Tx, kind: ReferenceKind): Promise<void> {
  const { org, lock } = tx;
  if (lock === undefined) throw new Error("Reference data is changed by a write.");
  if (lock.versions !== undefined) lock.versions[kind] = undefined;
  // Drawn and not counted: no two states have the same, whatever was copied, undone or restored.
  const version = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  await executeDeferred(
    tx,
    sql`update organisation set ${sql.ref(kind)} = ${version} where org = ${org}`,
  );
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
