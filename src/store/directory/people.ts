/** People who sign in, and their role in each organisation. */
import { fold } from "../../wire/fold.ts";
import { endConsents, removeConnections } from "./connections.ts";
import { type AuditedDirectoryTx, type DirectoryTx, touchChained } from "./directory.ts";
import { removeSecondFactor } from "./second-factors.ts";

export const roles = [
  "adviser",
  "standard",
  "standard-without-reports",
  "invoice-only",
  "read-only",
] as const;
export type Role = (typeof roles)[number];

export interface Person {
  /** GUID of the person. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export interface Membership {
  readonly personId: string;
  /** OrganisationID of the membership. */
  readonly tenant: string;
  readonly role: Role;
}

const columns = ["id", "email", "name"] as const;

/**
 * Adds a person.
 * @returns false when the email address is taken, and nothing was changed
 */
export async function addPerson(
  tx: AuditedDirectoryTx,
  { id, email, name }: Person,
  passwordHash: string | undefined,
  now: number,
): Promise<boolean> {
  await touchChained(tx, "person", [[id]]);
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto("person")
    .values({
      id,
      email,
      email_key: fold(email),
      name,
      password_hash: passwordHash ?? null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The person with an email address, in any letter case. */
export function personWithEmail(
  { db }: DirectoryTx,
  email: string,
): Promise<(Person & { readonly password_hash: string | null }) | undefined> {
  return db
    .selectFrom("person")
    .select([...columns, "password_hash"])
    .where("email_key", "=", fold(email.trim()))
    .executeTakeFirst();
}

/**
 * Time of the last change of a person, in milliseconds since 1970 UTC; undefined for an unknown id.
 */
export async function personChanged({ db }: DirectoryTx, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("person")
    .select("updated_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.updated_at;
}

export function personWithId({ db }: DirectoryTx, id: string): Promise<Person | undefined> {
  return db.selectFrom("person").select(columns).where("id", "=", id).executeTakeFirst();
}

/**
 * Changes the name or the password, where given.
 *
 * A new password ends every sign-in, since others may have used the old one.
 */
export async function changePerson(
  tx: AuditedDirectoryTx,
  id: string,
  changes: { readonly name?: string | undefined; readonly passwordHash?: string | undefined },
  now: number,
): Promise<void> {
  const { name, passwordHash } = changes;
  if (passwordHash !== undefined) await endSignIns(tx, id);
  await touchChained(tx, "person", [[id]]);
  await tx.db
    .updateTable("person")
    .set({
      updated_at: now,
      ...(name === undefined ? {} : { name }),
      ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    })
    .where("id", "=", id)
    .execute();
}

/** Artefact kind of the browser sessions on a server's own pages. */
export const browserSessionKind = "BrowserSession";

/** Artefact kind of sign-ins that wait for a code of the second factor. */
export const codeAskedKind = "CodeAsked";

/** Artefact kinds of browsers: their sessions, and sign-ins and consents in progress. */
const ofBrowsers = ["Session", "Interaction", browserSessionKind, codeAskedKind];

/**
 * Ends every sign-in of a person: browsers ask for the password again, and all codes and tokens of
 * apps on the person's behalf are revoked. Connections of apps stay, for the next sign-in.
 */
async function endSignIns(tx: DirectoryTx, id: string): Promise<void> {
  await endConsents(tx, { personId: id });
  await tx.db
    .deleteFrom("artefact")
    .where("kind", "in", ofBrowsers)
    .where("payload", "like", `%"accountId":"${id}"%`)
    .execute();
}

/** Removes a person who has no membership left, with all consents. */
export async function removePerson(tx: AuditedDirectoryTx, id: string): Promise<void> {
  const { db } = tx;
  await endSignIns(tx, id);
  await removeConnections(tx, { personId: id });
  await removeSecondFactor(tx, id);
  const ownMemberships = await membershipsOf(tx, id);
  await touchChained(
    tx,
    "membership",
    ownMemberships.map(({ tenant }) => [id, tenant]),
  );
  await touchChained(tx, "person", [[id]]);
  await db.deleteFrom("membership").where("person_id", "=", id).execute();
  await db.deleteFrom("person").where("id", "=", id).execute();
}

/** Sets the role of a person in an organisation. */
export async function setMembership(
  tx: AuditedDirectoryTx,
  { personId, tenant, role }: Membership,
  now: number,
): Promise<void> {
  await touchChained(tx, "membership", [[personId, tenant]]);
  await tx.db
    .insertInto("membership")
    .values({ person_id: personId, tenant, role, created_at: now })
    .onConflict((on) => on.columns(["person_id", "tenant"]).doUpdateSet({ role }))
    .execute();
}

/** Removes a membership, with the app connections made on the person's behalf. */
export async function removeMembership(
  tx: AuditedDirectoryTx,
  personId: string,
  tenant: string,
): Promise<void> {
  await removeConnections(tx, { personId, tenant });
  await touchChained(tx, "membership", [[personId, tenant]]);
  await tx.db
    .deleteFrom("membership")
    .where("person_id", "=", personId)
    .where("tenant", "=", tenant)
    .execute();
}

/** The memberships of a person: organisations and roles. */
export async function membershipsOf({ db }: DirectoryTx, personId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom("membership")
    .select(["person_id", "tenant", "role"])
    .where("person_id", "=", personId)
    .orderBy("tenant")
    .execute();
  return rows.map(({ person_id, tenant, role }) => ({
    personId: person_id,
    tenant,
    role: role as Role,
  }));
}

/** The members of an organisation, ordered by email address. */
export async function membersOf(
  { db }: DirectoryTx,
  tenant: string,
): Promise<(Person & { readonly role: Role })[]> {
  const rows = await db
    .selectFrom("membership as m")
    .innerJoin("person as p", "p.id", "m.person_id")
    .select(["p.id", "p.email", "p.name", "m.role"])
    .where("m.tenant", "=", tenant)
    .orderBy("p.email_key")
    .execute();
  return rows.map((row) => ({ ...row, role: row.role as Role }));
}
