/** The first answer to each idempotency key, kept in the transaction that gave it. */
import { sql } from "kysely";
import type { Insertion } from "../connection/connection.ts";
import { executeDeferred, insertRows, selectOnce } from "../operations/bulk.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { IdempotentAnswer, Tx } from "../tx/tx.ts";

const table = "idempotency";
const insertion: Insertion = {
  table,
  columns: ["org", "app", "key", "fingerprint", "status", "headers", "body", "binary", "at"],
  tail: "",
};

type AnswerColumns = readonly [
  fingerprint: string,
  status: number,
  headers: string,
  body: string,
  binary: number,
  at: number,
];

const nameOf = (app: string, key: string) => `${app}\n${key}`;

/** The answer that this app's key was given; a writer asks once, and knows what it keeps itself. */
export async function findAnswer(
  tx: Tx,
  app: string,
  key: string,
): Promise<IdempotentAnswer | undefined> {
  const known = tx.lock?.answers;
  const name = nameOf(app, key);
  if (known?.has(name)) return known.get(name);
  const first = await find(tx, app, key);
  known?.set(name, first);
  return first;
}

async function find(tx: Tx, app: string, key: string): Promise<IdempotentAnswer | undefined> {
  const build = () => sql`select fingerprint, status, headers, body, "binary", at from idempotency
    where org = ${tx.org} and app = ${app} and "key" = ${key}`;
  const [row] = await selectOnce(tx, { of: table, by: "key", count: 1 }, build, [tx.org, app, key]);
  if (row === undefined) return undefined;
  const [fingerprint, status, headers, body, binary, at] = row as AnswerColumns;
  return {
    app,
    key,
    fingerprint,
    at,
    answer: {
      status,
      headers: JSON.parse(headers),
      body: binary === 1 ? new Uint8Array(Buffer.from(body, "base64")) : body,
    },
  };
}

/** @throws Error, from the transaction, where an answer to the key is kept already */
export async function saveAnswer(tx: Tx, answered: IdempotentAnswer): Promise<void> {
  const { app, key, fingerprint, at, answer } = answered;
  tx.lock?.answers.set(nameOf(app, key), answered);
  const { status, headers, body } = answer;
  const text = typeof body === "string" ? body : Buffer.from(body).toString("base64");
  const binary = typeof body === "string" ? 0 : 1;
  await insertRows(tx, insertion, [
    [tx.org, app, key, fingerprint, status, JSON.stringify(headers), text, binary, at],
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
export async function deleteOldAnswers(tx: Tx, now: number, windowMs: number): Promise<void> {
  const times = forgotten.get(tx.dialect) ?? new Map<number, number>();
  forgotten.set(tx.dialect, times);
  if (Math.abs(now - (times.get(tx.org) ?? Number.NEGATIVE_INFINITY)) < forgetEveryMs) return;
  times.set(tx.org, now);
  await deleteAnswers(tx, now - windowMs);
}

/** Removes the answers given before `before`. */
export function deleteAnswers(tx: Tx, before: number): Promise<void> {
  const known = tx.lock?.answers;
  for (const [name, first] of known ?? []) {
    if (first !== undefined && first.at < before) known?.set(name, undefined);
  }
  return executeDeferred(tx, sql`delete from idempotency where org = ${tx.org} and at < ${before}`);
}
