/**
 * The operation log: the user, time and affected records (created, changed, removed) of each write.
 *
 * A request that changes records adds a row, in its own transaction. Requests that name the same
 * operation, as those of an import do, are parts of one.
 */
import { type RawBuilder, sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import type { Row, Value } from "../connection/connection.ts";
import { newSalt } from "../schema/salt.ts";
import { jsonText, jsonValue, tableOf } from "../schema/tables.ts";
import type { OrganisationLock, Tx } from "../tx/tx.ts";
import { insertNew, keyLists, rowsFor, selectOnce, updateRows } from "./bulk.ts";
import { type Effects, effectsOf, type Former, redactCommand } from "./effects.ts";

/** The origin of a write: user, app and operation. */
export interface WriteOrigin {
  /** Name of the person. */
  readonly user: string;
  /** Client id of the app. */
  readonly app: string;
  /** What the agent that sends the request calls itself. */
  readonly agent?: string | undefined;
  readonly method: string;
  readonly path: string;
  /** Makes a new GUID. */
  readonly newId: () => string;
  /** The operation that the request names; undefined for one of its own. */
  readonly operation?: NamedOperation | undefined;
}

export interface NamedOperation {
  /** GUID of the operation. */
  readonly id: string;
  /** The command line that sends the requests. */
  readonly command?: string | undefined;
  /** Id of the operation that this one undoes. */
  readonly undoes?: string | undefined;
  /** What the agent that made the plan of the operation calls itself. */
  readonly agent?: string | undefined;
}

/** A row of the operation log: one request that changed records. */
export interface LoggedRequest {
  readonly id: string;
  readonly number: number;
  readonly partOf: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly user: string;
  readonly app: string;
  readonly command: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly undoes: string | undefined;
  readonly effects: Effects;
}

/** Number of the last log row, by write set of the locked organisation. */
const lastNumbers = new WeakMap<OrganisationLock["writeSet"], number>();

const noEffects: Effects = { records: {}, rows: {}, lines: {} };

/**
 * Writes the effects of a transaction into the log; nothing when there are none. An undo is logged
 * even without effects, when the requests of an operation cancelled each other out, so that the
 * operation counts as undone.
 * @param at  milliseconds since 1970 UTC
 */
export async function logOperation(tx: Tx, origin: WriteOrigin, at: number): Promise<void> {
  const { user, app, method, path, operation } = origin;
  const { lock } = tx;
  if (lock === undefined) return;
  const effectsWritten = effectsOf(tx);
  if (effectsWritten === undefined && operation?.undoes === undefined) return;
  const first = operation && (await firstOf(tx, operation.id));
  const effects = effectsWritten ?? (first === undefined ? noEffects : undefined);
  if (effects === undefined) return;
  const number = (lastNumbers.get(lock.writeSet) ?? (await lastNumber(tx))) + 1;
  lastNumbers.set(lock.writeSet, number);
  // Only the same user and app may add requests to an operation.
  const isSameWriter = first !== undefined && first.user === user && first.app === app;
  const isFirst = operation !== undefined && first === undefined;
  const own = isSameWriter ? undefined : operation;
  await insertNew(tx, "operation", [
    {
      id: isFirst ? operation.id : origin.newId(),
      number,
      part_of: isSameWriter ? operation?.id : null,
      at_utc: at,
      user,
      app,
      command: redactCommand(tx, own?.command),
      method,
      path,
      undoes: own?.undoes,
      effects: jsonText(effects),
      salt: newSalt(),
      agent: origin.agent,
    },
  ]);
}

/** The columns of a log row that may contain personal data. */
export interface TellingRow {
  readonly id: string;
  readonly command: string | null;
  /** The effects, as JSON. */
  readonly effects: string;
}

/**
 * Log rows that wrote a record, or whose command line contains one of the words.
 * @param words  folded
 */
export async function logRowsAbout(
  tx: Tx,
  recordId: string,
  words: readonly string[],
): Promise<TellingRow[]> {
  const { dialect } = tx;
  const text = dialect.fold(sql`coalesce(command, '')`);
  const tests = [
    dialect.contains(sql`effects`, recordId),
    ...words.map((word) => dialect.contains(text, word)),
  ];
  const { rows } = await sql<TellingRow>`select id, command, effects from operation
    where org = ${tx.org} and (${sql.join(tests, sql` or `)})`.execute(tx.db);
  return rows;
}

/** Rewrites a log row from which personal data was erased. */
export async function rewriteRow(tx: Tx, { id, command, effects }: TellingRow): Promise<void> {
  await updateRows(tx, "operation", { command, effects, salt: newSalt() }, sql`id = ${id}`);
}

/** The number of the last log row; 0 when the log is empty. */
async function lastNumber(tx: Tx): Promise<number> {
  const build = () => sql`select max(number) as last from operation where org = ${tx.org}`;
  const [row] = await selectOnce(tx, { of: "operation", by: "last", count: 1 }, build, [tx.org]);
  return Number(row?.[0] ?? 0);
}

async function firstOf(tx: Tx, id: string) {
  const build = () => sql`select "user", app from operation where org = ${tx.org} and id = ${id}`;
  const key = { of: "operation", by: "id", count: 1 };
  const [row] = await selectOnce(tx, key, build, [tx.org, id]);
  return row && { user: String(row[0]), app: String(row[1]) };
}

// --- reading -------------------------------------------------------------------------------------

const selected = sql.raw(
  `id, number, part_of, at_utc, "user", app, command, method, path, undoes, effects`,
);

function requestFrom(row: Row): LoggedRequest {
  const [id, number, partOf, at, user, app, command, method, path, undoes, effects] = row;
  return {
    id: String(id),
    number: Number(number),
    partOf: partOf === null ? undefined : String(partOf),
    at: Number(at),
    user: String(user),
    app: String(app),
    command: command === null ? undefined : String(command),
    method: String(method),
    path: String(path),
    undoes: undoes === null ? undefined : String(undoes),
    effects: jsonValue(String(effects)) as Effects,
  };
}

async function loadRequests(tx: Tx, condition: RawBuilder<unknown>): Promise<LoggedRequest[]> {
  const { sql: text, parameters } = sql`select ${selected} from operation
    where org = ${tx.org} and ${condition} order by number`.compile(tx.db);
  return (await tx.connection.rows(text, parameters as readonly Value[])).map(requestFrom);
}

/** All requests of the given operations, in the order in which they were done. */
export async function requestsOf(tx: Tx, ids: readonly string[]): Promise<LoggedRequest[]> {
  const loggedRequests: LoggedRequest[] = [];
  for (const list of keyLists(ids)) {
    const idList = sql.join(list);
    loggedRequests.push(...(await loadRequests(tx, sql`id in (${idList}) and part_of is null`)));
    loggedRequests.push(...(await loadRequests(tx, sql`part_of in (${idList})`)));
  }
  return loggedRequests.toSorted((a, b) => a.number - b.number);
}

/** All requests after a number, in order. */
export function requestsAfter(tx: Tx, number: number): Promise<LoggedRequest[]> {
  return loadRequests(tx, sql`number > ${number}`);
}

/** The numbers of operations, by id. */
export async function numbersOf(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsFor(ids, (list) =>
    sql<{ id: string; number: number }>`select id, number from operation
      where org = ${tx.org} and id in (${sql.join(list)})`.execute(tx.db),
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** The operations that undo the given ones, by id of the undone operation. */
export async function undosOf(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly number: number }[]>> {
  const undos = await rowsFor(ids, (list) =>
    sql<{ undoes: string; id: string; number: number }>`select undoes, id, number from operation
      where org = ${tx.org} and undoes in (${sql.join(list)}) order by number`.execute(tx.db),
  );
  return Map.groupBy(undos, ({ undoes }) => undoes);
}

/** Ids of the operations that wrote a record. */
export async function operationsOn(tx: Tx, recordId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct coalesce(part_of, id) as id from operation
    where org = ${tx.org} and effects like ${`%"${recordId}"%`}`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** The previous fields of a record, in the shape of its description; null for empty ones. */
export function formerRecord(resource: Resource, former: Former): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const { columns } = tableOf(resource);
  for (const { field, description, storage } of columns) {
    const value = former[field];
    if (value === undefined) continue;
    if (value === null) record[field] = undefined;
    else if (description.kind === "ref") record[field] = { [description.by[0] ?? ""]: value };
    else record[field] = storage.decode === undefined ? value : storage.decode(value);
  }
  return record;
}
