/**
 * Sessions of browsers on the pages of a server: who signed in there, until they sign out, for eight
 * hours at most.
 *
 * A session is found by a hash of what its cookie holds, and ends with the password of its person.
 */
import {
  artefactsOf,
  artefactWith,
  forgetArtefacts,
  keepArtefact,
  removeArtefact,
} from "../../store/directory/artefacts.ts";
import { type Directory, recordOnServer } from "../../store/directory/directory.ts";
import {
  browserSessionKind,
  type Membership,
  membershipsOf,
  type Person,
  personWithId,
} from "../../store/directory/people.ts";
import type { Actor } from "../../store/operations/audit-log.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** As long as a sign-in to an app is remembered. */
const sessionLifeMs = 8 * 3_600_000;

export interface BrowserSession {
  /** By which its person names it; of no use to anybody else. */
  readonly id: string;
  readonly person: Person;
  readonly memberships: readonly Membership[];
  /** Stands in its forms, and is made of the cookie. */
  readonly formToken: string;
}

/** One of the sessions of a person. */
export interface ListedSession {
  readonly id: string;
  /** Milliseconds since 1970 UTC. */
  readonly since: number;
  /** IP address from which it was begun. */
  readonly address: string | undefined;
  /** What the browser calls itself. */
  readonly agent: string | undefined;
}

/** What is kept of a session. */
interface StoredSession {
  readonly accountId: string;
  readonly since?: number;
  readonly address?: string;
  readonly agent?: string;
}

const agentMax = 300;

/** The sessions of a server, and what time it is there. */
export interface Sessions {
  readonly directory: Directory;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** Begins a session. @returns what the cookie holds */
export async function beginBrowserSession(
  { directory, clock }: Sessions,
  personId: string,
  { address, agent }: Pick<ListedSession, "address" | "agent">,
): Promise<string> {
  const secret = newSecret();
  const now = clock();
  const kept = { accountId: personId, since: now, address, agent: agent?.slice(0, agentMax) };
  await directory.write(async (tx) => {
    await forgetArtefacts(tx, now);
    await keepArtefact(tx, {
      kind: browserSessionKind,
      idHash: hashOf(secret),
      grantId: undefined,
      uidHash: undefined,
      payload: JSON.stringify(kept),
      expiresAt: now + sessionLifeMs,
    });
  });
  return secret;
}

/** The session of a cookie; undefined for one that has ended, or that nobody began. */
export async function browserSession(
  { directory, clock }: Sessions,
  secret: string,
): Promise<BrowserSession | undefined> {
  return directory.read(async (tx) => {
    const id = hashOf(secret);
    const artefact = await artefactWith(tx, browserSessionKind, "id_hash", id);
    if (artefact === undefined || clock() >= (artefact.expiresAt ?? 0)) return undefined;
    const { accountId }: StoredSession = JSON.parse(artefact.payload);
    const person = await personWithId(tx, accountId);
    if (person === undefined) return undefined;
    const memberships = await membershipsOf(tx, accountId);
    return { id, person, memberships, formToken: hashOf(`form ${secret}`) };
  });
}

/** The sessions of a person, the latest first. */
export async function sessionsOf(
  { directory, clock }: Sessions,
  personId: string,
): Promise<readonly ListedSession[]> {
  const now = clock();
  const artefacts = await directory.read((tx) => artefactsOf(tx, browserSessionKind, personId));
  return artefacts
    .filter(({ expiresAt = 0 }) => now < expiresAt)
    .map(({ idHash, payload, expiresAt = 0 }) => {
      const {
        since = expiresAt - sessionLifeMs,
        address,
        agent,
      }: StoredSession = JSON.parse(payload);
      return { id: idHash, since, address, agent };
    })
    .sort((a, b) => b.since - a.since);
}

/** Which sessions of a person are to end: that of an id, or all but that of one. */
export type Ending = { readonly id: string } | { readonly allBut: string };

/**
 * Ends sessions of a person.
 *
 * @returns how many there were; of another person there is none
 */
export async function endSessions(
  { directory, clock }: Sessions,
  { person, by }: { readonly person: Person; readonly by: Actor },
  ending: Ending,
): Promise<number> {
  return directory.write(async (tx) => {
    const all = await artefactsOf(tx, browserSessionKind, person.id);
    const over = all.filter(({ idHash }) =>
      "id" in ending ? idHash === ending.id : idHash !== ending.allBut,
    );
    if (over.length === 0) return 0;
    const memberships = await membershipsOf(tx, person.id);
    await recordOnServer(tx, {
      kind: "session.ended",
      by,
      at: clock(),
      tenants: memberships.map(({ tenant }) => tenant),
      changes: over.map(({ payload }) => {
        const { address, agent }: StoredSession = JSON.parse(payload);
        return {
          name: "Session",
          before: [agent, address].filter(Boolean).join(", ") || "unknown",
        };
      }),
    });
    for (const { idHash } of over) await removeArtefact(tx, browserSessionKind, idHash);
    return over.length;
  });
}
