/**
 * One-time links to set a password, for invited people and for forgotten passwords.
 *
 * A link can be used once. Only the hashes of its secret and of the current password are stored, so
 * that a change of password invalidates all links.
 */
import type { Mailer } from "../../platform/mail.ts";
import { RefusedError, refusal } from "../../resources/errors.ts";
import { artefactsOf, artefactWith, keepArtefact } from "../../store/directory/artefacts.ts";
import { type DirectoryTx, recordOnServer } from "../../store/directory/directory.ts";
import {
  membershipsOf,
  type Person,
  personWithEmail,
  personWithId,
} from "../../store/directory/people.ts";
import { browserActor } from "../audit/actors.ts";
import type { RequestOrigin } from "../http/browser.ts";
import { passwordPath } from "./paths.ts";
import { actOn, changePassword, type People, personNamed } from "./people.ts";
import { hashOf, newSecret } from "./secrets.ts";

const hourMs = 3_600_000;
/** What links are for, and how long they are good. */
const purposes = {
  invitation: { lifeMs: 7 * 24 * hourMs, inWords: "7 days" },
  reset: { lifeMs: hourMs / 2, inWords: "30 minutes" },
} as const;
export type LinkPurpose = keyof typeof purposes;

/** Maximum number of links an hour for one person. */
const linksMax = 5;
const linkKind = "PasswordLink";

/** The stored form of a link. */
interface StoredLink {
  readonly accountId: string;
  /** Milliseconds since 1970 UTC. */
  readonly madeAt: number;
  readonly until: number;
  /** Hash of the stored password hash at the creation of the link. */
  readonly replaces: string;
}

export interface PasswordLink {
  readonly person: Person;
  readonly purpose: LinkPurpose;
  /** Public address of the server, and of the page of the link. */
  readonly origin: string;
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly until: number;
}

/** How a server sends mail to its people. */
export interface Post {
  readonly mailer: Mailer;
  /** Address of the sender; made of the public address of the server if omitted. */
  readonly sender?: string | undefined;
}

/**
 * Makes a link for a person.
 *
 * @param key     an address in any letter case, or an id
 * @param origin  public address of the server, without a slash at the end
 * @throws NotFoundError; RefusedError after five links within an hour, which the audit log says once
 */
export async function makeLink(
  people: People,
  key: string,
  { purpose, origin }: Pick<PasswordLink, "purpose" | "origin">,
): Promise<PasswordLink> {
  const { directory, clock, tenant } = people;
  const now = clock();
  const untilMs = now + purposes[purpose].lifeMs;
  const secret = newSecret();
  const { person, before } = await directory.write(async (tx) => {
    const named = await personNamed(tx, tenant, key);
    const earlier = (await artefactsOf(tx, linkKind, named.id)).map(({ payload }) => read(payload));
    const count = earlier.filter(({ madeAt }) => now - madeAt < hourMs).length;
    if (count <= linksMax) {
      const change =
        count < linksMax
          ? { name: "Until", after: new Date(untilMs).toISOString() }
          : { name: "Sent", after: `no: ${linksMax} within an hour` };
      const concerns = await membershipsOf(tx, named.id);
      await recordOnServer(tx, actOn(people, "person.link-made", named, concerns, [change]));
      const replaces = await passwordNow(tx, named);
      const link: StoredLink = { accountId: named.id, madeAt: now, until: untilMs, replaces };
      await keepArtefact(tx, {
        kind: linkKind,
        idHash: hashOf(secret),
        grantId: undefined,
        uidHash: undefined,
        payload: JSON.stringify(link),
        expiresAt: Math.max(untilMs, now + hourMs),
      });
    }
    return { person: named, before: count };
  });
  if (before < linksMax) {
    return { person, purpose, origin, url: `${origin}${passwordPath}/${secret}`, until: untilMs };
  }
  throw refusal(
    "People",
    `${person.email} was sent ${linksMax} links within an hour: wait a while.`,
  );
}

const read = (payload: string): StoredLink => JSON.parse(payload);

async function passwordNow(tx: DirectoryTx, { email }: Person): Promise<string> {
  return hashOf((await personWithEmail(tx, email))?.password_hash ?? "");
}

/** Mails a link to its person. @throws UnavailableError */
export async function mailLink(link: PasswordLink, { mailer, sender }: Post, at: number) {
  const { person, purpose, origin, url } = link;
  const { inWords } = purposes[purpose];
  const [subject, begin, end] =
    purpose === "invitation"
      ? [
          "Your account for the books",
          `You may sign in at ${origin} from now on, as ${person.email}.`,
          "",
        ]
      : [
          "A new password",
          `Somebody asked for a new password for your account at ${origin}.`,
          "\nWas it not you? Then do nothing: your password stays as it is.\n",
        ];
  await mailer({
    from: { name: "acct", address: sender ?? `acct@${new URL(origin).hostname}` },
    to: [person.email],
    subject,
    text: `Hello ${person.name},\n\n${begin} Choose a password here within ${inWords}:\n\n${url}\n${end}`,
    at,
    id: process.getBuiltinModule("node:crypto").randomUUID(),
  });
}

/** Returns the person of a link; undefined where it is used, expired or unknown. */
export function personOfLink(
  { directory, clock }: Pick<People, "directory" | "clock">,
  secret: string,
): Promise<Person | undefined> {
  return directory.read((tx) => byLink(tx, secret, clock()));
}

async function byLink(tx: DirectoryTx, secret: string, now: number): Promise<Person | undefined> {
  const artefact = await artefactWith(tx, linkKind, "id_hash", hashOf(secret));
  if (artefact === undefined) return undefined;
  const { accountId, until, replaces } = read(artefact.payload);
  if (now >= until) return undefined;
  const person = await personWithId(tx, accountId);
  const isGood = person !== undefined && replaces === (await passwordNow(tx, person));
  return isGood ? person : undefined;
}

/**
 * Gives the person of a link the password that they chose.
 *
 * @throws RefusedError `StaleForm` where the link is no longer good; as `changePassword`
 */
export async function choosePassword(
  people: Pick<People, "directory" | "clock">,
  { person, secret, password }: Readonly<{ person: Person; secret: string; password: string }>,
  origin: RequestOrigin,
): Promise<void> {
  await changePassword(
    { ...people, by: browserActor(person, origin) },
    person.id,
    password,
    async (tx) => {
      if ((await byLink(tx, secret, people.clock())) !== undefined) return;
      throw new RefusedError("StaleForm", "This link has been used.");
    },
  );
}
