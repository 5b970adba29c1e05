/** Failed password attempts, counted by email address and by network address. */
import { sql } from "kysely";
import type { DirectoryTx } from "./directory.ts";

export interface Attempts {
  /** Failures since the last correct password, or since the count was deleted. */
  readonly failures: number;
  /** Milliseconds since 1970 UTC. */
  readonly lastAt: number;
}

/**
 * Reads and locks a count until the transaction ends, so that of many guesses at once each sees
 * those before it.
 * @param subject  a hash of the person or of the address
 */
export async function attemptsOf({ db }: DirectoryTx, subject: string): Promise<Attempts> {
  await db
    .insertInto("attempt")
    .values({ subject, failures: 0, last_at: 0 })
    .onConflict((on) => on.column("subject").doUpdateSet({ failures: sql`attempt.failures` }))
    .execute();
  const row = await db
    .selectFrom("attempt")
    .select(["failures", "last_at"])
    .where("subject", "=", subject)
    .executeTakeFirstOrThrow();
  return { failures: row.failures, lastAt: row.last_at };
}

/**
 * Counts one more failure; failures before `since` are dropped. Both in milliseconds since 1970
 * UTC.
 */
export async function addAttempt(
  { db }: DirectoryTx,
  subject: string,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<void> {
  await db
    .insertInto("attempt")
    .values({ subject, failures: 1, last_at: now })
    .onConflict((on) =>
      on.column("subject").doUpdateSet({
        failures: sql`case when attempt.last_at < ${since} then 1 else attempt.failures + 1 end`,
        last_at: now,
      }),
    )
    .execute();
}

export async function forgetAttempts({ db }: DirectoryTx, subject: string): Promise<void> {
  await db.deleteFrom("attempt").where("subject", "=", subject).execute();
}

/** Deletes counts without an attempt since `before`, except those that have come to `most`. */
export async function forgetOldAttempts(
  { db }: DirectoryTx,
  endMs: number,
  failuresMax: number,
): Promise<void> {
  await db
    .deleteFrom("attempt")
    .where("last_at", "<", endMs)
    .where("failures", "<", failuresMax)
    .execute();
}
