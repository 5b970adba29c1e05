/** Idempotency keys with their first answer, stored in the transaction of the request. */
import { sql } from "kysely";
import { executeDeferred, insertNew, selectOnce } from "../operations/bulk.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { IdempotentAnswer, Tx } from "../tx/tx.ts";

const table = "idempotency";

type AnswerColumns = readonly [
  fingerprint: string,
  status: number,
  headers: string,
  body: string,
  binary: number,
  at: number,
];

const nameOf = (app: string, key: string) => `${app}\n${key}`;

/**
 * The stored answer to an app's idempotency key; a writer reads it once and then knows its own.
 */
export async function findAnswer(
  tx: Tx,
  app: string,
  key: string,
): Promise<IdempotentAnswer | undefined> {
  const answerByKey = tx.lock?.answers;
  const name = nameOf(app, key);
  if (answerByKey?.has(name)) return answerByKey.get(name);
  const storedAnswer = await find(tx, app, key);
  answerByKey?.set(name, storedAnswer);
  return storedAnswer;
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

/**
 * Stores the answer to a key.
 * @throws Error, from the transaction, when the key has an answer already
 */
export async function saveAnswer(tx: Tx, newAnswer: IdempotentAnswer): Promise<void> {
  const { app, key, fingerprint, at, answer } = newAnswer;
  tx.lock?.answers.set(nameOf(app, key), newAnswer);
  const { status, headers, body } = answer;
  const text = typeof body === "string" ? body : Buffer.from(body).toString("base64");
  const binary = typeof body === "string" ? 0 : 1;
  const kept = { fingerprint, status, headers: JSON.stringify(headers), body: text, binary, at };
  await insertNew(tx, table, [{ app, key, ...kept }]);
}

/**
 * Minimum interval between deletions of old answers by a process. The writers of the organisation
 * wait meanwhile, so old answers must not become too many.
 */
const forgetEveryMs = 5_000;
/** Time of the last deletion, by organisation. */
const forgottenAtByOrg = new WeakMap<StoreDialect, Map<number, number>>();

/** Deletes answers older than the window, unless that was done within the interval. */
export async function deleteOldAnswers(tx: Tx, now: number, windowMs: number): Promise<void> {
  const timeByOrg = forgottenAtByOrg.get(tx.dialect) ?? new Map<number, number>();
  forgottenAtByOrg.set(tx.dialect, timeByOrg);
  if (Math.abs(now - (timeByOrg.get(tx.org) ?? Number.NEGATIVE_INFINITY)) < forgetEveryMs) return;
  timeByOrg.set(tx.org, now);
  await deleteAnswers(tx, now - windowMs);
}

/** Deletes the answers given before `before`. */
export function deleteAnswers(tx: Tx, endMs: number): Promise<void> {
  const answerByKey = tx.lock?.answers;
  for (const [name, first] of answerByKey ?? []) {
    if (first !== undefined && first.at < endMs) answerByKey?.set(name, undefined);
  }
  return executeDeferred(tx, sql`delete from idempotency where org = ${tx.org} and at < ${endMs}`);
}
