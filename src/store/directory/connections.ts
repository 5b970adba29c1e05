/**
 * Connections of apps: which app works on which organisation on behalf of which person, with the
 * scopes that were granted.
 */

import { keyLists } from "../operations/bulk.ts";
import type { DirectoryTables } from "../schema/index.ts";
import { type AuditedDirectoryTx, type DirectoryTx, touchChained } from "./directory.ts";

export interface Connection {
  /** GUID of the connection, not of the organisation. */
  readonly id: string;
  readonly appId: string;
  /** The person's id; empty for a machine app. */
  readonly personId: string;
  /** OrganisationID of the connected organisation. */
  readonly tenant: string;
  /** Authentication event of the consent that last made or renewed the connection. */
  readonly authEventId: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An app and the person on whose behalf it works. */
export interface Pairing {
  readonly appId: string;
  /** The person's id; empty for a machine app. */
  readonly personId: string;
}

export interface Consent extends Pairing {
  /** GUID of the authentication event. */
  readonly id: string;
  readonly scopes: readonly string[];
}

/** The connections of an app on behalf of a person, in the order in which they were made. */
export async function connectionsOf(
  { db }: DirectoryTx,
  { appId, personId }: Pairing,
): Promise<Connection[]> {
  const rows = await db
    .selectFrom("connection")
    .selectAll()
    .where("person_id", "=", personId)
    .where("app_id", "=", appId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(connectionOf);
}

/** Upserts a connection; an existing one gets the new authentication event. */
export async function connect(tx: AuditedDirectoryTx, connection: Connection): Promise<void> {
  const { appId, personId, tenant } = connection;
  const [before] = await idsOf(tx, { appId, personId, tenant });
  await touchChained(tx, "connection", [[before ?? connection.id]]);
  await tx.db
    .insertInto("connection")
    .values({
      id: connection.id,
      app_id: connection.appId,
      person_id: connection.personId,
      tenant: connection.tenant,
      auth_event_id: connection.authEventId,
      created_at: connection.createdAt,
      updated_at: connection.updatedAt,
    })
    .onConflict((on) =>
      on
        .columns(["person_id", "app_id", "tenant"])
        .doUpdateSet({ auth_event_id: connection.authEventId, updated_at: connection.updatedAt }),
    )
    .execute();
}

/**
 * Removes a connection of the app and person.
 * @returns whether it existed
 */
export async function disconnect(
  tx: AuditedDirectoryTx,
  { appId, personId }: Pairing,
  id: string,
): Promise<boolean> {
  return (await removeConnections(tx, { appId, personId, id })) > 0;
}

type Which = Partial<Pick<Connection, "id" | "appId" | "personId" | "tenant">>;

/** Ids of the connections that match all given fields. */
async function idsOf({ db }: DirectoryTx, { id, appId, personId, tenant }: Which) {
  let query = db.selectFrom("connection").select("id");
  if (id !== undefined) query = query.where("id", "=", id);
  if (appId !== undefined) query = query.where("app_id", "=", appId);
  if (personId !== undefined) query = query.where("person_id", "=", personId);
  if (tenant !== undefined) query = query.where("tenant", "=", tenant);
  return (await query.execute()).map((row) => row.id);
}

/**
 * Removes the connections that match all given fields.
 * @returns their number
 */
export async function removeConnections(tx: AuditedDirectoryTx, chosen: Which): Promise<number> {
  const ids = await idsOf(tx, chosen);
  await removeRows(tx, "connection", ids);
  return ids.length;
}

async function removeRows(
  tx: DirectoryTx,
  table: "connection" | "consent",
  ids: readonly string[],
): Promise<void> {
  await touchChained(
    tx,
    table,
    ids.map((id) => [id]),
  );
  for (const list of keyLists(ids)) {
    await tx.db.deleteFrom(table).where("id", "in", list).execute();
  }
}

/** Revokes consents of a person or an app, with their codes and tokens; connections stay. */
export async function endConsents(tx: DirectoryTx, chosen: Partial<Pairing>): Promise<void> {
  const { appId, personId } = chosen;
  let query = tx.db.selectFrom("consent").select("id");
  if (appId !== undefined) query = query.where("app_id", "=", appId);
  if (personId !== undefined) query = query.where("person_id", "=", personId);
  for (const { id } of await query.execute()) await endConsent(tx, id);
}

/** Revokes one consent, with its code and its tokens. */
async function endConsent(tx: DirectoryTx, id: string): Promise<void> {
  await forgetGrant(tx, id);
  await removeRows(tx, "consent", [id]);
}

/**
 * Whether an app can still get tokens on behalf of a person.
 * @param now  in milliseconds since 1970 UTC
 */
export async function isSignedIn(
  { db }: DirectoryTx,
  { appId, personId }: Pairing,
  now: number,
): Promise<boolean> {
  const consent = await db
    .selectFrom("consent as c")
    .innerJoin("artefact as a", "a.grant_id", "c.id")
    .select("a.id_hash")
    .where("c.person_id", "=", personId)
    .where("c.app_id", "=", appId)
    .where("a.kind", "=", "RefreshToken")
    .where("a.expires_at", ">", now)
    .limit(1)
    .executeTakeFirst();
  return consent !== undefined;
}

/** Revokes everything that a person allowed an app: connections, consents, codes and tokens. */
export async function revoke(tx: AuditedDirectoryTx, { appId, personId }: Pairing): Promise<void> {
  await endConsents(tx, { appId, personId });
  await removeConnections(tx, { appId, personId });
}

export async function addConsent(
  tx: AuditedDirectoryTx,
  { id, appId, personId, scopes }: Consent,
  now: number,
): Promise<void> {
  await touchChained(tx, "consent", [[id]]);
  await tx.db
    .insertInto("consent")
    .values({
      id,
      app_id: appId,
      person_id: personId,
      scopes: scopes.join(" "),
      created_at: now,
    })
    .execute();
}

export async function consentsOf(
  { db }: DirectoryTx,
  { appId, personId }: Pairing,
): Promise<Consent[]> {
  const rows = await db
    .selectFrom("consent")
    .select(["id", "scopes"])
    .where("person_id", "=", personId)
    .where("app_id", "=", appId)
    .execute();
  return rows.map(({ id, scopes }) => ({
    id,
    appId,
    personId,
    scopes: scopes.split(" ").filter((scope) => scope !== ""),
  }));
}

export async function consentWithId({ db }: DirectoryTx, id: string): Promise<Consent | undefined> {
  const row = await db
    .selectFrom("consent")
    .select(["id", "app_id", "person_id", "scopes"])
    .where("id", "=", id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      appId: row.app_id,
      personId: row.person_id,
      scopes: row.scopes.split(" ").filter((scope) => scope !== ""),
    }
  );
}

/** A grant: the scopes a person allowed an app, and the organisations connected to it. */
export interface Grant extends Pairing {
  readonly appName: string;
  readonly personName: string;
  readonly email: string;
  readonly tenants: readonly string[];
  /** Scopes of the consents that were not revoked. */
  readonly scopes: readonly string[];
  /** Time of the latest consent, in milliseconds since 1970 UTC. */
  readonly at: number;
}

/** The grants of one person, or all for one organisation; machine apps have none. */
export async function grantsOf(
  { db }: DirectoryTx,
  filter: { readonly personId: string } | { readonly tenant: string },
): Promise<Grant[]> {
  const connections = await db
    .selectFrom("connection as c")
    .innerJoin("app as a", "a.id", "c.app_id")
    .innerJoin("person as p", "p.id", "c.person_id")
    .select(["c.app_id", "c.person_id", "c.tenant", "c.updated_at", "a.name as app"])
    .select(["p.name as person", "p.email"])
    .where(
      "personId" in filter ? "c.person_id" : "c.tenant",
      "=",
      "personId" in filter ? filter.personId : filter.tenant,
    )
    .execute();
  // An app used only for sign-in has a consent but no connection.
  const consents = await db
    .selectFrom("consent as c")
    .innerJoin("app as a", "a.id", "c.app_id")
    .innerJoin("person as p", "p.id", "c.person_id")
    .select(["c.app_id", "c.person_id", "c.scopes", "c.created_at", "a.name as app"])
    .select(["p.name as person", "p.email"])
    .$if("personId" in filter, (query) =>
      query.where("c.person_id", "=", "personId" in filter ? filter.personId : ""),
    )
    .execute();
  const grantByKey = new Map<string, Grant>();
  const add = (row: GrantRow, details: Pick<Grant, "tenants" | "scopes" | "at">) => {
    const key = `${row.person_id} ${row.app_id}`;
    const formerGrant = grantByKey.get(key);
    grantByKey.set(key, {
      appId: row.app_id,
      personId: row.person_id,
      appName: row.app,
      personName: row.person,
      email: row.email,
      tenants: [...(formerGrant?.tenants ?? []), ...details.tenants],
      scopes: [...new Set([...(formerGrant?.scopes ?? []), ...details.scopes])],
      at: Math.max(formerGrant?.at ?? 0, details.at),
    });
  };
  for (const row of connections)
    add(row, { tenants: [row.tenant], scopes: [], at: row.updated_at });
  for (const row of consents) {
    if (!("personId" in filter) && !grantByKey.has(`${row.person_id} ${row.app_id}`)) continue;
    const scopes = row.scopes.split(" ").filter((scope) => scope !== "");
    add(row, { tenants: [], scopes, at: row.created_at });
  }
  return [...grantByKey.values()].sort(
    (a, b) => a.appName.localeCompare(b.appName) || a.email.localeCompare(b.email),
  );
}

interface GrantRow {
  readonly app_id: string;
  readonly person_id: string;
  readonly app: string;
  readonly person: string;
  readonly email: string;
}

/** Whether the consent exists, that is, was not revoked. */
export async function hasConsent(
  { db }: DirectoryTx,
  { appId, personId }: Pairing,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("consent")
    .select("id")
    .where("id", "=", id)
    .where("app_id", "=", appId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes one consent, with its code and its tokens; connections stay. */
export const removeConsent = (tx: AuditedDirectoryTx, id: string): Promise<void> =>
  endConsent(tx, id);

/** Deletes the code and the tokens of a revoked consent. */
export async function forgetGrant({ db }: DirectoryTx, id: string): Promise<void> {
  await db.deleteFrom("artefact").where("grant_id", "=", id).execute();
}

/** Deletes consents made before `before` that have no refresh token left. */
export async function forgetConsents(tx: DirectoryTx, endMs: number): Promise<void> {
  const expired = tx.db
    .selectFrom("consent")
    .select("consent.id")
    .where("consent.created_at", "<", endMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("artefact")
            .select("id_hash")
            .where("artefact.kind", "=", "RefreshToken")
            .whereRef("artefact.grant_id", "=", "consent.id"),
        ),
      ),
    );
  const ids = (await expired.limit(forgottenMax).execute()).map(({ id }) => id);
  for (const id of ids) await endConsent(tx, id);
}

/** Maximum consents deleted at a time; the rest is left for the next run. */
const forgottenMax = 100;

function connectionOf(row: DirectoryTables["connection"]): Connection {
  return {
    id: row.id,
    appId: row.app_id,
    personId: row.person_id,
    tenant: row.tenant,
    authEventId: row.auth_event_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
