/**
 * Browser sessions on the pages of a server: they last until sign-out, and eight hours at most.
 *
 * A session is stored under a hash of its cookie, and ends when its person's password changes.
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

/** Maximum session length, the same as for a remembered sign-in to an app. */
const sessionLifeMs = 8 * 3_600_000;

export interface BrowserSession {
  /** Public id of the session, by which its person can end it; it grants no access. */
  readonly id: string;
  readonly person: Person;
  readonly memberships: readonly Membership[];
  /** CSRF token of the session's forms, derived from the cookie. */
  readonly formToken: string;
}

/** One session in the list of a person's sessions. */
export interface ListedSession {
  readonly id: string;
  /** Start of the session in milliseconds since 1970 UTC. */
  readonly since: number;
  /** IP address of the request that began the session. */
  readonly address: string | undefined;
  /** `User-Agent` of the browser. */
  readonly agent: string | undefined;
}

/** The stored form of a session. */
interface StoredSession {
  readonly accountId: string;
  readonly since?: number;
  readonly address?: string;
  readonly agent?: string;
}

const agentMax = 300;

/** The directory and the clock for the functions on sessions. */
export interface Sessions {
  readonly directory: Directory;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** Begins a session. @returns the value of the cookie */
export async function beginBrowserSession(
  { directory, clock }: Sessions,
  personId: string,
  { address, agent }: Pick<ListedSession, "address" | "agent">,
): Promise<string> {
  const secret = newSecret();
  const now = clock();
  const session = { accountId: personId, since: now, address, agent: agent?.slice(0, agentMax) };
  await directory.write(async (tx) => {
    await forgetArtefacts(tx, now);
    await keepArtefact(tx, {
      kind: browserSessionKind,
      idHash: hashOf(secret),
      grantId: undefined,
      uidHash: undefined,
      payload: JSON.stringify(session),
      expiresAt: now + sessionLifeMs,
    });
  });
  return secret;
}

/** Returns the session of a cookie; undefined for an ended or unknown one. */
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

/** Lists the sessions of a person, latest first. */
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

/** Selects the sessions to end: the one with an id, or all except one. */
export type SessionsToEnd = { readonly id: string } | { readonly allBut: string };

/**
 * Ends sessions of a person.
 *
 * @returns the number of sessions ended; sessions of other people are not counted
 */
export async function endSessions(
  { directory, clock }: Sessions,
  { person, by }: { readonly person: Person; readonly by: Actor },
  sessions: SessionsToEnd,
): Promise<number> {
  return directory.write(async (tx) => {
    const allSessions = await artefactsOf(tx, browserSessionKind, person.id);
    const endedSessions = allSessions.filter(({ idHash }) =>
      "id" in sessions ? idHash === sessions.id : idHash !== sessions.allBut,
    );
    if (endedSessions.length === 0) return 0;
    const memberships = await membershipsOf(tx, person.id);
    await recordOnServer(tx, {
      kind: "session.ended",
      by,
      at: clock(),
      tenants: memberships.map(({ tenant }) => tenant),
      changes: endedSessions.map(({ payload }) => {
        const { address, agent }: StoredSession = JSON.parse(payload);
        return {
          name: "Session",
          before: [agent, address].filter(Boolean).join(", ") || "unknown",
        };
      }),
    });
    for (const { idHash } of endedSessions) await removeArtefact(tx, browserSessionKind, idHash);
    return endedSessions.length;
  });
}
