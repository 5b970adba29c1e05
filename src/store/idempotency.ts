/** The first answer to each idempotency key, kept in the transaction that gave it. */
import { sql } from "kysely";
import type { ServiceResponse } from "../wire/http.ts";
import { insertRows, runLater, selectOnce } from "./bulk.ts";
import type { Insertion, StoreDialect } from "./dialect.ts";
import type { Tx } from "./store.ts";

/** An answer whose body is at hand; a file is never the answer to a write. */
export interface KeptAnswer extends ServiceResponse {
  readonly body: string | Uint8Array;
}

/** What a request with a key was answered. */
export interface Answered {
  readonly app: string;
  readonly key: string;
  /** What tells the request from another with the same key: a hash of it. */
  readonly print: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly answer: KeptAnswer;
}

const table = "idempotency";
const insertion: Insertion = {
  table,
  columns: ["org", "app", "key", "fingerprint", "status", "headers", "body", "binary", "at"],
  // Of two requests with one key that run at the same time, one fails here.
  tail: "",
};

/** A write was not done, since the answer to another with its key is kept. */
export class KeyTakenError extends Error {}

/** @param on  a conflict as databases name it: a constraint, or columns */
export function isOfKeys(on: string): boolean {
  return on === `${table}_key` || on.startsWith(`${table}.`);
}

type Columns = readonly [
  print: string,
  status: number,
  headers: string,
  body: string,
  binary: number,
  at: number,
];

/** The answer that this app's key was given. */
export async function recall(tx: Tx, app: string, key: string): Promise<Answered | undefined> {
  const build = () => sql`select fingerprint, status, headers, body, "binary", at from idempotency
    where org = ${tx.org} and app = ${app} and "key" = ${key}`;
  const [row] = await selectOnce(tx, { of: table, by: "key", count: 1 }, build, [tx.org, app, key]);
  if (row === undefined) return undefined;
  const [print, status, headers, body, binary, at] = row as Columns;
  return {
    app,
    key,
    print,
    at,
    answer: {
      status,
      headers: JSON.parse(headers),
      body: binary === 1 ? new Uint8Array(Buffer.from(body, "base64")) : body,
    },
  };
}

/** @throws KeyTakenError, from the transaction, where an answer to the key is kept already */
export async function remember(tx: Tx, { app, key, print, at, answer }: Answered): Promise<void> {
  const { status, headers, body } = answer;
  const text = typeof body === "string" ? body : Buffer.from(body).toString("base64");
  const binary = typeof body === "string" ? 0 : 1;
  await insertRows(tx, insertion, [
    [tx.org, app, key, print, status, JSON.stringify(headers), text, binary, at],
  ]);
}

/**
 * How often the answers of before the window are removed, as far as a process goes. The writers of
 * the organisation wait for that, so they may not become too many.
 */
const forgetEveryMs = 5_000;
/** When they were last removed, by organisation. */
const forgotten = new WeakMap<StoreDialect, Map<number, number>>();

/** Removes the answers given before the window, unless that was done a moment ago. */
export async function forgetNowAndThen(tx: Tx, now: number, windowMs: number): Promise<void> {
  const times = forgotten.get(tx.dialect) ?? new Map<number, number>();
  forgotten.set(tx.dialect, times);
  if (Math.abs(now - (times.get(tx.org) ?? Number.NEGATIVE_INFINITY)) < forgetEveryMs) return;
  times.set(tx.org, now);
  await forget(tx, now - windowMs);
}

/** Removes the answers given before `before`. */
export function forget(tx: Tx, before: number): Promise<void> {
  return runLater(tx, sql`delete from idempotency where org = ${tx.org} and at < ${before}`);
}
