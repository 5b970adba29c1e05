/** The first answer to each idempotency key, kept in the transaction that gave it. */
import type { ServiceResponse } from "../wire/http.ts";
import { insertRows } from "./bulk.ts";
import type { Insertion } from "./dialect.ts";
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

const insertion: Insertion = {
  table: "idempotency",
  columns: ["org", "app", "key", "fingerprint", "status", "headers", "body", "binary", "at"],
  // Answers of before the window may still lie here.
  tail: `on conflict (org, app, key) do update set fingerprint = excluded.fingerprint,
    status = excluded.status, headers = excluded.headers, body = excluded.body,
    "binary" = excluded."binary", at = excluded.at`,
};

/** The answer that this app's key was given at `since` or later. */
export async function recall(
  tx: Tx,
  app: string,
  key: string,
  since: number,
): Promise<Answered | undefined> {
  const row = await tx.db
    .selectFrom("idempotency")
    .select(["fingerprint", "status", "headers", "body", "binary", "at"])
    .where("org", "=", tx.org)
    .where("app", "=", app)
    .where("key", "=", key)
    .where("at", ">=", since)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { fingerprint, status, headers, body, binary, at } = row;
  return {
    app,
    key,
    print: fingerprint,
    at,
    answer: {
      status,
      headers: JSON.parse(headers),
      body: binary === 1 ? new Uint8Array(Buffer.from(body, "base64")) : body,
    },
  };
}

export async function remember(tx: Tx, { app, key, print, at, answer }: Answered): Promise<void> {
  const { status, headers, body } = answer;
  const text = typeof body === "string" ? body : Buffer.from(body).toString("base64");
  const binary = typeof body === "string" ? 0 : 1;
  await insertRows(tx, insertion, [
    [tx.org, app, key, print, status, JSON.stringify(headers), text, binary, at],
  ]);
}

/** Removes the answers given before `before`. */
export async function forget(tx: Tx, before: number): Promise<void> {
  await tx.db
    .deleteFrom("idempotency")
    .where("org", "=", tx.org)
    .where("at", "<", before)
    .execute();
}
