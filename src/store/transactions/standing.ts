/**
 * Standing data: what nearly every write looks at and few change, which is the organisation with its
 * chart of accounts, and its contacts. A process keeps what it found of it in memory.
 *
 * An organisation bears a mark for each kind, drawn anew by whoever changes any of it, in the
 * transaction of the change. A writer reads the marks with the lock that it takes in any case, so
 * nobody changes them before the writer is done: what was found under the same mark is what would be
 * found now. Who has changed something, or commits together with one who has, asks the database.
 */
import { sql } from "kysely";
import type { StoreDialect } from "../dialects/dialect.ts";
import { runLater } from "../mapping/bulk.ts";
import type { Marks, Tx } from "./transactions.ts";

/** A kind of standing data, by the column of its mark. */
export type StandingKind = keyof Marks;

/** What a process keeps of all organisations: charts are some hundred records each. */
const keptMax = { chart_mark: 512, contact_mark: 8192 } satisfies Record<StandingKind, number>;

/** Values by organisation, mark and what was asked for; who came first goes first. */
type Kept = Map<string, unknown>;

const keptBy = new WeakMap<StoreDialect, Record<StandingKind, Kept>>();

function keptOf(dialect: StoreDialect, kind: StandingKind): Kept {
  const known = keptBy.get(dialect) ?? { chart_mark: new Map(), contact_mark: new Map() };
  keptBy.set(dialect, known);
  return known[kind];
}

/** What was kept under `key`, for a writer before whom nobody changed data of the kind since. */
export function recall({ dialect, org, turn }: Tx, kind: StandingKind, key: string): unknown {
  const mark = turn?.marks?.[kind];
  return mark === undefined ? undefined : keptOf(dialect, kind).get(`${org} ${mark} ${key}`);
}

/** Keeps what a writer has found. It is frozen, since others are given the same. */
export function keep(tx: Tx, kind: StandingKind, key: string, found: unknown): void {
  const { dialect, org, turn } = tx;
  const mark = turn?.marks?.[kind];
  if (mark === undefined) return;
  const kept = keptOf(dialect, kind);
  const [first] = kept.size >= keptMax[kind] ? kept.keys() : [];
  if (first !== undefined) kept.delete(first);
  kept.set(`${org} ${mark} ${key}`, frozen(found));
}

/**
 * What `load` finds of the organisation and its chart, or found before anything of it changed.
 *
 * @param key  what it finds, in a word
 * @returns frozen where others are given the same
 */
export async function standing<T>(tx: Tx, key: string, load: (tx: Tx) => Promise<T>): Promise<T> {
  const known = recall(tx, "chart_mark", key);
  if (known !== undefined) return known as T;
  const found = await load(tx);
  keep(tx, "chart_mark", key, found);
  return found;
}

/** To be called by whoever changes standing data, in the same transaction. */
export async function disturb(tx: Tx, kind: StandingKind): Promise<void> {
  const { org, turn } = tx;
  if (turn === undefined) throw new Error("Standing data is changed by a write.");
  if (turn.marks !== undefined) turn.marks[kind] = undefined;
  // Drawn and not counted: no two states bear the same, whatever was copied, undone or restored.
  const mark = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  await runLater(tx, sql`update organisation set ${sql.ref(kind)} = ${mark} where org = ${org}`);
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}
