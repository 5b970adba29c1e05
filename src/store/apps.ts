/**
 * Apps that call the service over a port, and the tokens by which they are recognised.
 *
 * Secrets and tokens are kept as hashes alone: whoever reads the book can call nobody's service.
 */
import type { OrganisationRole } from "../resources/user.ts";
import { insertRows } from "./bulk.ts";
import type { Insertion } from "./dialect.ts";
import type { Tx } from "./store.ts";

export interface App {
  /** The client id, a GUID. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
}

/** What a token stands for. */
export interface Grant {
  readonly app: string;
  readonly user: string;
  readonly email: string;
  readonly role: OrganisationRole;
  readonly reports: boolean;
  /** Milliseconds since 1970 UTC; it counts until then, and no longer. */
  readonly expiresAt: number;
}

const appInsertion: Insertion = {
  table: "app",
  columns: ["org", "id", "name", "secret_hash", "created_at"],
  tail: "",
};

const tokenInsertion: Insertion = {
  table: "access_token",
  columns: [
    "org",
    "hash",
    "app_id",
    "user",
    "email",
    "role",
    "reports",
    "created_at",
    "expires_at",
  ],
  tail: "",
};

/** Every app of the organisation, in the order in which they were added. */
export async function apps(tx: Tx): Promise<App[]> {
  const rows = await tx.db
    .selectFrom("app")
    .select(["id", "name", "created_at"])
    .where("org", "=", tx.org)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, created_at }) => ({ id, name, createdAt: created_at }));
}

/** Keeps a new app. @param secretHash  of its secret, which is kept nowhere itself */
export async function addApp(tx: Tx, app: App, secretHash: string): Promise<void> {
  await insertRows(tx, appInsertion, [[tx.org, app.id, app.name, secretHash, app.createdAt]]);
}

/** Removes an app with its tokens; the records that it made keep its id. */
export async function removeApp(tx: Tx, id: string): Promise<void> {
  await tx.db
    .deleteFrom("access_token")
    .where("org", "=", tx.org)
    .where("app_id", "=", id)
    .execute();
  await tx.db.deleteFrom("app").where("org", "=", tx.org).where("id", "=", id).execute();
}

/**
 * Keeps what a token grants.
 *
 * @param hash  of the token, which is kept nowhere itself
 * @param now   milliseconds since 1970 UTC
 */
export async function addToken(tx: Tx, hash: string, grant: Grant, now: number): Promise<void> {
  const { app, user, email, role, reports, expiresAt } = grant;
  await insertRows(tx, tokenInsertion, [
    [tx.org, hash, app, user, email, role, reports ? 1 : 0, now, expiresAt],
  ]);
}

/** Removes the tokens that expired before `before`. */
export async function forgetTokens(tx: Tx, before: number): Promise<void> {
  await tx.db
    .deleteFrom("access_token")
    .where("org", "=", tx.org)
    .where("expires_at", "<", before)
    .execute();
}

/** What the token of this hash stands for, with the name of its app; also when it has expired. */
export async function grantOf(
  tx: Tx,
  hash: string,
): Promise<(Grant & { readonly appName: string }) | undefined> {
  const row = await tx.db
    .selectFrom("access_token as t")
    .innerJoin("app as a", (join) =>
      join.onRef("a.org", "=", "t.org").onRef("a.id", "=", "t.app_id"),
    )
    .select(["t.app_id", "a.name", "t.user", "t.email", "t.role", "t.reports", "t.expires_at"])
    .where("t.org", "=", tx.org)
    .where("t.hash", "=", hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    app: row.app_id,
    appName: row.name,
    user: row.user,
    email: row.email,
    role: row.role as OrganisationRole,
    reports: row.reports === 1,
    expiresAt: row.expires_at,
  };
}
