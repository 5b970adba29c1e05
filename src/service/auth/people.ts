/**
 * People of a server, and their roles in organisations.
 *
 * A member of an organisation is also a User of its book, under the same id unless the book knew
 * them by another; a former member stays there as REMOVED, since records refer to them.
 */

import type { KindsIn } from "../../resources/audit-entry.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { user } from "../../resources/index.ts";
import { directionMarkFault, readId } from "../../resources/scalar.ts";
import type { OrganisationRole, User } from "../../resources/user.ts";
import {
  type Directory,
  type DirectoryTx,
  directoryIn,
  recordOnServer,
} from "../../store/directory/directory.ts";
import {
  addPerson,
  changePerson,
  type Membership,
  membershipsOf,
  membersOf,
  type Person,
  personWithEmail,
  personWithId,
  type Role,
  removeMembership,
  removePerson,
  roles,
  setMembership,
} from "../../store/directory/people.ts";
import { secondFactorOf } from "../../store/directory/second-factors.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import type { Act, Actor, AuditChange } from "../../store/operations/audit-log.ts";
import type { Store } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import { partsOf } from "../lookups/person-name.ts";
import { organisationRoles } from "../request/scopes.ts";
import { hashPassword } from "./passwords.ts";
import { forgetGuesses } from "./sign-in/passwords-tried.ts";

export { type Person, type Role, roles };

/** The directory, the book's store, and the organisation whose members are managed. */
export interface Staff {
  readonly directory: Directory;
  readonly store: Pick<Store, "read" | "write">;
  readonly org: number;
  /** OrganisationID. */
  readonly tenant: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** The actor, for the audit log. */
  readonly by: Actor;
}

/**
 * Makes the `Staff` of an organisation in a store.
 *
 * @param by  the actor
 * @param directoryStore  the store of the directory, where that is another
 */
export function staffIn(
  store: Staff["store"],
  { org, OrganisationID }: { readonly org: number; readonly OrganisationID: string },
  clock: () => number,
  by: Actor,
  directoryStore = store,
): Staff {
  const newId = () => process.getBuiltinModule("node:crypto").randomUUID();
  const directory = directoryIn(directoryStore);
  return { directory, store, org, tenant: OrganisationID, clock, newId, by };
}

export interface RoleUser extends Person {
  readonly role: Role;
}

export interface NewMember {
  readonly email: string;
  /** Defaults to the part of the address before the @. */
  readonly name?: string | undefined;
  readonly role: Role;
  /** Password; required for a new person without an invitation. */
  readonly password?: string | undefined;
  /** Whether a new person sets the password through an invitation link. */
  readonly isInvited?: boolean | undefined;
}

const emailMax = 255;
const nameMax = 255;

/** Whether a person with that address exists, so that no password is needed. */
export async function isKnown({ directory }: Staff, email: string): Promise<boolean> {
  return (await directory.read((tx) => personWithEmail(tx, email))) !== undefined;
}

/**
 * Gives a person a role in the organisation.
 *
 * A person known to the server keeps their name and password unless others are given; a new
 * password has the effects of `changePassword`.
 *
 * @throws RefusedError `ValidationException`, `NameTaken` when they work for it already
 */
export async function addMember(staff: Staff, newMember: NewMember): Promise<RoleUser> {
  const { directory, tenant, clock } = staff;
  const email = readEmail(newMember.email);
  const name = readName(newMember.name);
  const ownWords = [email, name ?? nameIn(email)];
  const passwordHash =
    newMember.password === undefined ? undefined : await hashPassword(newMember.password, ownWords);
  const knownUser = await userWith(staff, email);
  const id = knownUser?.UserID ?? staff.newId();
  const member = await directory.write(async (tx) => {
    const now = clock();
    const before = await personWithEmail(tx, email);
    if (before === undefined) {
      if (passwordHash === undefined && newMember.isInvited !== true) {
        throw invalidPersonRefusal(`${email} needs a password to sign in with.`);
      }
      const person = { id, email, name: name ?? nameIn(email) };
      // Two books may have used one id for different people: an id that is taken gets replaced.
      const isFirstTime = (await personWithId(tx, id)) === undefined;
      const newPerson = isFirstTime ? person : { ...person, id: staff.newId() };
      const audited = await recordOnServer(tx, additionAct(staff, newPerson, newMember.role));
      if (!(await addPerson(audited, newPerson, passwordHash, now))) throw emailTaken(email);
      await setMembership(audited, { personId: newPerson.id, tenant, role: newMember.role }, now);
      return { ...newPerson, role: newMember.role };
    }
    const memberships = await membershipsOf(tx, before.id);
    if (memberships.some((membership) => membership.tenant === tenant)) throw emailTaken(email);
    const savedPerson = { id: before.id, email: before.email, name: name ?? before.name };
    const audited = await recordOnServer(tx, additionAct(staff, savedPerson, newMember.role));
    if (passwordHash !== undefined) {
      await recordOnServer(tx, actOn(staff, "person.password-changed", before, memberships));
    }
    if (savedPerson.name !== before.name) {
      const change = { name: "Name", before: before.name, after: savedPerson.name };
      await recordOnServer(tx, actOn(staff, "person.changed", before, memberships, [change]));
    }
    await changePerson(audited, before.id, { name, passwordHash }, now);
    await setMembership(audited, { personId: before.id, tenant, role: newMember.role }, now);
    return { ...savedPerson, role: newMember.role };
  });
  await keepUser(staff, member);
  return member;
}

/** Makes the audit entry of an act on a person. @param concerns  their roles in organisations */
export function actOn(
  { clock, by }: Pick<Staff, "clock" | "by">,
  kind: KindsIn<"SERVER">,
  { id, email }: Pick<Person, "id" | "email">,
  concerns: readonly Pick<Membership, "tenant">[],
  changes: readonly AuditChange[] = [],
): Act<"SERVER"> {
  const tenants = concerns.map(({ tenant }) => tenant);
  return { kind, by, at: clock(), subject: email, subjectId: id, tenants, changes };
}

function additionAct(staff: Staff, person: Person, role: Role): Act<"SERVER"> {
  const changes = [
    { name: "Name", after: person.name },
    { name: "Role", after: role },
  ];
  return actOn(staff, "person.added", person, [staff], changes);
}

/** Lists the members of the organisation, by address. */
export function listMembers({ directory, tenant }: Staff): Promise<RoleUser[]> {
  return directory.read((tx) => membersOf(tx, tenant));
}

/** Returns a member. @param key  an address in any letter case, or an id @throws NotFoundError */
export function findMember({ directory, tenant }: Staff, key: string): Promise<RoleUser> {
  return directory.read((tx) => memberNamed(tx, tenant, key));
}

/** Changes the role of a member, with effect within two seconds. @throws NotFoundError */
export async function changeRole(staff: Staff, key: string, role: Role): Promise<RoleUser> {
  const { directory, tenant, clock } = staff;
  const member = await directory.write(async (tx) => {
    const user = await memberNamed(tx, tenant, key);
    const change = { name: "Role", before: user.role, after: role };
    const audited = await recordOnServer(
      tx,
      actOn(staff, "person.role-changed", user, [staff], [change]),
    );
    await setMembership(audited, { personId: user.id, tenant, role }, clock());
    return { ...user, role };
  });
  await keepUser(staff, member);
  return member;
}

/** The people of a server, or only the members of one organisation. */
export interface People extends Pick<Staff, "directory" | "clock" | "by"> {
  /** OrganisationID that the call is limited to. */
  readonly tenant?: string | undefined;
}

/** Returns a person. @param key  an address in any letter case, or an id @throws NotFoundError */
export function findPerson(
  { directory, tenant }: Omit<People, "by">,
  key: string,
): Promise<Person> {
  return directory.read((tx) => personNamed(tx, tenant, key));
}

/**
 * Changes a password. All sign-ins of the person end, in browsers and in apps: refresh tokens at
 * once, access tokens within two seconds. Wrong passwords before are forgotten.
 *
 * @param check  refuses the change, in its transaction
 * @throws NotFoundError, RefusedError
 */
export async function changePassword(
  people: People,
  key: string,
  password: string,
  check?: (tx: DirectoryTx) => Promise<void>,
): Promise<void> {
  const { directory, tenant, clock } = people;
  const { own, hasSecond } = await directory.read(async (tx) => {
    const { id, email, name } = await personNamed(tx, tenant, key);
    return { own: [email, name], hasSecond: (await secondFactorOf(tx, id)) !== undefined };
  });
  const passwordHash = await hashPassword(password, own, hasSecond);
  await directory.write(async (tx) => {
    await check?.(tx);
    const person = await personNamed(tx, tenant, key);
    const concerns = await membershipsOf(tx, person.id);
    const auditAct = actOn(people, "person.password-changed", person, concerns);
    await forgetGuesses(tx, person.email);
    await changePerson(await recordOnServer(tx, auditAct), person.id, { passwordHash }, clock());
  });
}

/**
 * Unlocks the sign-in of a person, which too many wrong passwords had blocked.
 *
 * @throws NotFoundError
 */
export async function unlock(people: People, key: string): Promise<Person> {
  const { directory, tenant } = people;
  return directory.write(async (tx) => {
    const person = await personNamed(tx, tenant, key);
    const concerns = await membershipsOf(tx, person.id);
    await recordOnServer(tx, actOn(people, "person.unlocked", person, concerns));
    await forgetGuesses(tx, person.email);
    return person;
  });
}

/**
 * Removes a person's role in the organisation, and the connections of their apps to it; a person
 * without any role left is deleted from the server.
 *
 * @throws NotFoundError
 */
export async function removeMember(staff: Staff, key: string): Promise<RoleUser> {
  const { directory, tenant } = staff;
  const member = await directory.write(async (tx) => {
    const user = await memberNamed(tx, tenant, key);
    const change = { name: "Role", before: user.role, after: undefined };
    const audited = await recordOnServer(
      tx,
      actOn(staff, "person.removed", user, [staff], [change]),
    );
    await removeMembership(audited, user.id, tenant);
    if ((await membershipsOf(tx, user.id)).length === 0) await removePerson(audited, user.id);
    return user;
  });
  await keepUser(staff, member, "REMOVED");
  return member;
}

async function memberNamed(tx: DirectoryTx, tenant: string, key: string): Promise<RoleUser> {
  const wantedKey = fold(key.trim());
  const members = await membersOf(tx, tenant);
  const member = members.find(({ id, email }) => id === wantedKey || fold(email) === wantedKey);
  if (member !== undefined) return member;
  throw nobodyError(key);
}

/** Finds a person. @param tenant  OrganisationID to which the call is limited @throws NotFoundError */
export async function personNamed(
  tx: DirectoryTx,
  tenant: string | undefined,
  key: string,
): Promise<Person> {
  if (tenant !== undefined) return memberNamed(tx, tenant, key);
  const id = readId(key);
  const person =
    (await personWithEmail(tx, key)) ?? (id === undefined ? undefined : await personWithId(tx, id));
  if (person !== undefined) return person;
  throw nobodyError(key);
}

function nobodyError(key: string): NotFoundError {
  return new NotFoundError("NotFound", `Nobody here has the address ${key.slice(0, emailMax)}.`);
}

async function userWith({ store, org }: Staff, email: string): Promise<User | undefined> {
  const [stored] = await store.read(org, (tx) => fetch(tx, user, "EmailAddress", [email]));
  return stored;
}

/** Writes the User of a member into the book. */
async function keepUser(staff: Staff, member: RoleUser, role?: OrganisationRole): Promise<void> {
  const { store, org, clock } = staff;
  await store.write(org, async (tx) => {
    const [known] = await fetch(tx, user, "EmailAddress", [member.email]);
    const { first, last } = partsOf(member.name);
    const record: User = {
      UserID: known?.UserID ?? member.id,
      EmailAddress: member.email,
      FirstName: first,
      LastName: last,
      UpdatedDateUTC: clock(),
      IsSubscriber: known?.IsSubscriber ?? false,
      OrganisationRole: role ?? organisationRoles[member.role].role,
    };
    await save(tx, user, [record]);
  });
}

function readEmail(text: string): string {
  const email = text.trim();
  if (email.length <= emailMax && /^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(email)) return email;
  throw invalidPersonRefusal(`"${text.slice(0, emailMax)}" is no email address.`);
}

function readName(text: string | undefined): string | undefined {
  const name = text?.trim();
  const fault = directionMarkFault(name ?? "");
  if (fault !== undefined) throw invalidPersonRefusal(`A name ${fault}.`);
  if (name === undefined || (name !== "" && name.length <= nameMax)) return name;
  throw invalidPersonRefusal(`A name has 1 to ${nameMax} characters.`);
}

function nameIn(email: string): string {
  return email.slice(0, email.lastIndexOf("@"));
}

function invalidPersonRefusal(message: string): RefusedError {
  return refusal("People", message);
}

function emailTaken(email: string): RefusedError {
  return new RefusedError("NameTaken", `${email} works for this organisation already.`);
}
