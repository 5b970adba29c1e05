/**
 * Sessions of browsers on the pages of a server: who signed in there, until they sign out, for eight
 * hours at most.
 *
 * A session is found by a hash of what its cookie holds, and ends with the password of its person.
 */
import {
  artefactWith,
  forgetArtefacts,
  keepArtefact,
  removeArtefact,
} from "../../store/directory/artefacts.ts";
import type { Directory } from "../../store/directory/directory.ts";
import {
  browserSessionKind,
  type Membership,
  membershipsOf,
  type Person,
  personWithId,
} from "../../store/directory/people.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** As long as a sign-in to an app is remembered. */
const sessionLifeMs = 8 * 3_600_000;

export interface BrowserSession {
  readonly person: Person;
  readonly memberships: readonly Membership[];
  /** Stands in its forms, and is made of the cookie. */
  readonly formToken: string;
}

/** Begins a session. @returns what the cookie holds */
export async function beginBrowserSession(
  directory: Directory,
  clock: () => number,
  personId: string,
): Promise<string> {
  const secret = newSecret();
  const now = clock();
  await directory.write(async (tx) => {
    await forgetArtefacts(tx, now);
    await keepArtefact(tx, {
      kind: browserSessionKind,
      idHash: hashOf(secret),
      grantId: undefined,
      uidHash: undefined,
      payload: JSON.stringify({ accountId: personId }),
      expiresAt: now + sessionLifeMs,
    });
  });
  return secret;
}

/** The session of a cookie; undefined for one that has ended, or that nobody began. */
export async function browserSession(
  directory: Directory,
  clock: () => number,
  secret: string,
): Promise<BrowserSession | undefined> {
  return directory.read(async (tx) => {
    const found = await artefactWith(tx, browserSessionKind, "id_hash", hashOf(secret));
    if (found === undefined || clock() >= (found.expiresAt ?? 0)) return undefined;
    const { accountId } = JSON.parse(found.payload) as { readonly accountId: string };
    const person = await personWithId(tx, accountId);
    if (person === undefined) return undefined;
    const memberships = await membershipsOf(tx, accountId);
    return { person, memberships, formToken: hashOf(`form ${secret}`) };
  });
}

export async function endBrowserSession(directory: Directory, secret: string): Promise<void> {
  await directory.write((tx) => removeArtefact(tx, browserSessionKind, hashOf(secret)));
}
