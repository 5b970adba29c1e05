/** Apps: registered API clients that may ask for access to books. */
import { fold } from "../../wire/fold.ts";
import { keyLists } from "../operations/bulk.ts";
import type { DirectoryTables } from "../schema/index.ts";
import { endConsents, removeConnections } from "./connections.ts";
import { type AuditedDirectoryTx, type DirectoryTx, touchChained } from "./directory.ts";

export const appKinds = ["web", "pkce", "machine", "agent"] as const;
/**
 * Kind of an app: with a secret (web), without one (native), without a person (machine), or one that
 * never does more than plan what it may not do (agent).
 */
export type AppKind = (typeof appKinds)[number];

/** How an app proves itself: an agent by PKCE where it has a redirect URI, else as a machine. */
export function proofOf({ kind, redirectUris }: Pick<App, "kind" | "redirectUris">) {
  if (kind !== "agent") return kind;
  return redirectUris.length > 0 ? "pkce" : "machine";
}

export interface App {
  /** The client id, a GUID. */
  readonly id: string;
  readonly name: string;
  readonly kind: AppKind;
  /** For a web app: whether its library lacks PKCE. */
  readonly withoutPkce: boolean;
  /** For a machine app: the OrganisationID of the one organisation it works for. */
  readonly tenant: string | undefined;
  readonly redirectUris: readonly string[];
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
}

/** Every app, in the order in which they were added. */
export async function apps({ db }: DirectoryTx): Promise<App[]> {
  const rows = await db.selectFrom("app").selectAll().orderBy("created_at").orderBy("id").execute();
  return rows.map(appOf);
}

export async function appWithId({ db }: DirectoryTx, id: string): Promise<App | undefined> {
  const row = await db.selectFrom("app").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : appOf(row);
}

/** The apps with the given ids; unknown ids are left out. */
export async function appsWithIds(
  { db }: DirectoryTx,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, App>> {
  const appById = new Map<string, App>();
  for (const list of keyLists(ids)) {
    const rows = await db.selectFrom("app").selectAll().where("id", "in", list).execute();
    for (const row of rows) appById.set(row.id, appOf(row));
  }
  return appById;
}

/** The app with a name, in any letter case. */
export async function appWithName({ db }: DirectoryTx, name: string): Promise<App | undefined> {
  const key = fold(name.trim());
  const row = await db.selectFrom("app").selectAll().where("name_key", "=", key).executeTakeFirst();
  return row === undefined ? undefined : appOf(row);
}

/** The hash of an app's secret; undefined when it has none, or there is no such app. */
export async function secretHashOf({ db }: DirectoryTx, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("app")
    .select("secret_hash")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.secret_hash ?? undefined;
}

/**
 * Registers an app.
 * @returns false when the name is taken, and nothing was changed
 */
export async function addApp(
  tx: AuditedDirectoryTx,
  { id, name, tenant, redirectUris, createdAt, ...app }: App,
  secretHash: string | undefined,
): Promise<boolean> {
  await touchChained(tx, "app", [[id]]);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto("app")
    .values({
      id,
      name,
      name_key: fold(name),
      kind: storedKind(app),
      secret_hash: secretHash ?? null,
      tenant: tenant ?? null,
      redirect_uris: JSON.stringify(redirectUris),
      created_at: createdAt,
    })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function changeSecret(
  tx: AuditedDirectoryTx,
  id: string,
  secretHash: string,
): Promise<void> {
  await touchChained(tx, "app", [[id]]);
  await tx.db.updateTable("app").set({ secret_hash: secretHash }).where("id", "=", id).execute();
}

/**
 * Changes whether an app may work without PKCE.
 * @param app  in its new state
 */
export async function changePkce(tx: AuditedDirectoryTx, app: App): Promise<void> {
  await touchChained(tx, "app", [[app.id]]);
  await tx.db
    .updateTable("app")
    .set({ kind: storedKind(app) })
    .where("id", "=", app.id)
    .execute();
}

/** Removes an app with its connections and consents; records keep its id. */
export async function removeApp(tx: AuditedDirectoryTx, id: string): Promise<void> {
  await removeConnections(tx, { appId: id });
  await endConsents(tx, { appId: id });
  await touchChained(tx, "app", [[id]]);
  await tx.db.deleteFrom("app").where("id", "=", id).execute();
}

/** Stored kind of a web app without PKCE: the column holds both facts. */
const noPkceKind = "web-without-pkce";

const storedKind = ({ kind, withoutPkce }: Pick<App, "kind" | "withoutPkce">) =>
  withoutPkce ? noPkceKind : kind;

function appOf(row: DirectoryTables["app"]): App {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === noPkceKind ? "web" : (row.kind as AppKind),
    withoutPkce: row.kind === noPkceKind,
    tenant: row.tenant ?? undefined,
    redirectUris: JSON.parse(row.redirect_uris),
    createdAt: row.created_at,
  };
}
