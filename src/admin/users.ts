/**
 * Administers the users of a server: members of an organisation with their roles, and passwords.
 */
import { UnavailableError } from "../resources/errors.ts";
import type { PasswordLink } from "../service/auth/password-links.ts";
import type { NewMember, Person, Role, RoleUser, Staff } from "../service/auth/people.ts";
import { actorAt, type Operator, withBook } from "./book.ts";
import { withServer } from "./serve-book.ts";

export type { NewMember, Role, RoleUser };

const people = () => import("../service/auth/people.ts");

/** Dependencies of the administration of users: the path of the book, the clock, the actor. */
interface Dependencies {
  readonly path: string;
  /** Clock that returns milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The person at the terminal, as the actor of audit entries. */
  readonly operator: Operator;
}

/** Whether the server has a user of that email address already. */
export function isKnown(dependencies: Dependencies, email: string): Promise<boolean> {
  return withStaff(dependencies, async (staff) => (await people()).isKnown(staff, email));
}

/** Adds a member to an organisation. @throws RefusedError `ValidationException`, `NameTaken` */
export function addMember(dependencies: Dependencies, newMember: NewMember): Promise<RoleUser> {
  return withStaff(dependencies, async (staff) => (await people()).addMember(staff, newMember));
}

/**
 * Finds a member of an organisation.
 *
 * @param key  an email address or an id
 * @throws NotFoundError
 */
export function findMember(dependencies: Dependencies, key: string): Promise<RoleUser> {
  return withStaff(dependencies, async (staff) => (await people()).findMember(staff, key));
}

/** Changes the role of a member. @throws NotFoundError */
export function changeRole(dependencies: Dependencies, key: string, role: Role): Promise<RoleUser> {
  return withStaff(dependencies, async (staff) => (await people()).changeRole(staff, key, role));
}

/**
 * Finds a user of the server; where an organisation is named, only among its members.
 *
 * @param key  an email address or an id
 * @throws NotFoundError
 */
export function findPerson(
  { path, clock }: Omit<Dependencies, "operator">,
  key: string,
): Promise<Person> {
  return withServer(path, async (server) => (await people()).findPerson({ ...server, clock }, key));
}

/**
 * Changes the password of a user, found as by `findPerson`.
 *
 * @throws NotFoundError, RefusedError `ValidationException`
 */
export function changePassword(
  { path, clock, operator }: Dependencies,
  key: string,
  password: string,
): Promise<void> {
  return withServer(path, async (server) =>
    (await people()).changePassword(
      { ...server, clock, by: await actorAt(operator) },
      key,
      password,
    ),
  );
}

/**
 * Unlocks a user, found as by `findPerson`, after too many failed sign-ins.
 *
 * @throws NotFoundError
 */
export function unlock({ path, clock, operator }: Dependencies, key: string): Promise<Person> {
  return withServer(path, async (server) =>
    (await people()).unlock({ ...server, clock, by: await actorAt(operator) }, key),
  );
}

/** Takes the second factor of a user off, found as by `findPerson`. @throws NotFoundError, RefusedError */
export function endSecondFactor(
  { path, clock, operator }: Dependencies,
  key: string,
): Promise<void> {
  return withServer(path, async (server) =>
    (await import("../service/auth/second-factor.ts")).endSecondFactor(
      { ...server, clock, by: await actorAt(operator) },
      key,
    ),
  );
}

/** One-time link for a user to set a password. */
export interface MadeLink extends Pick<PasswordLink, "url" | "until"> {
  readonly email: string;
  /** Whether it was mailed to the user. */
  readonly isMailed: boolean;
  /** Why the mail server did not take it. */
  readonly fault?: string;
}

/**
 * Makes a link by which a user, found as by `findPerson`, chooses a password, and mails it where
 * there is a mail server that takes it.
 *
 * @throws NotFoundError, RefusedError
 */
export function sendLink(
  { path, clock, operator }: Dependencies,
  key: string,
  linkOptions: Pick<PasswordLink, "purpose" | "origin">,
  smtpUrl: string | undefined,
): Promise<MadeLink> {
  return withServer(path, async (server) => {
    const { makeLink, mailLink } = await import("../service/auth/password-links.ts");
    const people = { ...server, clock, by: await actorAt(operator) };
    const link = await makeLink(people, key, linkOptions);
    const { url, until, person } = link;
    const linkMade = { url, until, email: person.email };
    if (!smtpUrl) return { ...linkMade, isMailed: false };
    const { smtpMailer } = await import("../platform/mail.ts");
    try {
      await mailLink(link, { mailer: smtpMailer(smtpUrl), sender: operator.email }, clock());
      return { ...linkMade, isMailed: true };
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      return { ...linkMade, isMailed: false, fault: error.message };
    }
  });
}

/** Removes a member from an organisation. @throws NotFoundError */
export function removeMember(dependencies: Dependencies, key: string): Promise<RoleUser> {
  return withStaff(dependencies, async (staff) => (await people()).removeMember(staff, key));
}

function withStaff<T>(
  { path, clock, operator }: Dependencies,
  action: (staff: Staff) => Promise<T>,
): Promise<T> {
  return withBook(path, async ({ store, org, tenant, directory }) => {
    const { staffIn } = await people();
    const owner = { org, OrganisationID: tenant };
    return action(staffIn(store, owner, clock, await actorAt(operator), await directory()));
  });
}
