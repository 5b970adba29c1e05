/**
 * Signing in with a password, and slowing down guesses.
 *
 * Wrong passwords are counted for the address that was typed together with where they came from, so
 * that guessing locks out the guesser and not the owner; for that place alone, whoever is tried;
 * and, with more patience and short waits, for the address from everywhere. A person who signed in
 * from the place before is held up only by what was tried for them there. Past a few, each further
 * wrong one must wait twice as long. Counts are in the directory, so that it does not matter which
 * process is asked. Neither text nor time nor waits of an answer reveal whether the person exists.
 */
import type { KindsIn } from "../../../resources/audit-entry.ts";
import {
  type Directory,
  type DirectoryTx,
  recordOnServer,
} from "../../../store/directory/directory.ts";
import {
  addAttempt,
  attemptsOf,
  forgetAttempts,
  forgetOldAttempts,
} from "../../../store/directory/password-attempts.ts";
import { membershipsOf, type Person, personWithEmail } from "../../../store/directory/people.ts";
import type { Act } from "../../../store/operations/audit-log.ts";
import { fold } from "../../../wire/fold.ts";
import { inBrowser } from "../../audit/actors.ts";
import type { RequestOrigin } from "../../http/browser.ts";
import { isPassword } from "../passwords.ts";
import { hashOf } from "../secrets.ts";

interface AttemptLimits {
  /** Wrong passwords before the first wait. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly waitMaxMs: number;
  /** Wrong passwords after which none is looked at, until all is forgotten. */
  readonly most?: number;
}

/** One person, tried from one place. */
const withBoth: AttemptLimits = { free: 5, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/** Many people may sit behind one address. */
const withPlace: AttemptLimits = { free: 30, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/**
 * Guesses from many places are slowed down, and end: from then on the owner signs in where they have
 * before, or waits for a day or for whoever keeps the server. @source NIST SP 800-63B, 5.2.2
 */
const withPerson: AttemptLimits = { free: 50, firstWaitMs: 1_000, waitMaxMs: 30_000, most: 100 };
/** After a day without another wrong one, all is forgotten. */
const rememberedMs = 24 * 3_600_000;
/** How long it is remembered from where a person has signed in. */
const familiarMs = 60 * 24 * 3_600_000;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
}

export type PasswordOutcome =
  | { readonly person: Person }
  /** How long to wait before trying again; zero where the password was wrong. */
  | { readonly person?: undefined; readonly waitMs: number };

/** @param clock  milliseconds since 1970 UTC */
export function signIn(
  directory: Directory,
  clock: () => number,
  attempt: SignInAttempt,
): Promise<PasswordOutcome> {
  return tryPassword(directory, clock, attempt, true);
}

/** Asks somebody who is signed in for the password once more; wrong ones count as in signing in. */
export function confirmPassword(
  directory: Directory,
  clock: () => number,
  attempt: SignInAttempt,
): Promise<PasswordOutcome> {
  return tryPassword(directory, clock, attempt, false);
}

async function tryPassword(
  directory: Directory,
  clock: () => number,
  { email, password, origin }: SignInAttempt,
  isSignIn: boolean,
): Promise<PasswordOutcome> {
  const now = clock();
  const place = origin.address;
  const who = fold(email.trim());
  const subjects = {
    both: hashOf(`person ${who} at ${place}`),
    place: hashOf(`place ${place}`),
    person: personSubject(who),
    familiar: hashOf(`familiar ${who} at ${place}`),
  };
  // Counted before it is looked at, so that many at once are not all looked at.
  const waitMs = await directory.write(async (tx) => {
    const isFamiliar = (await attemptsOf(tx, subjects.familiar)).lastAt > now;
    const waits = [
      await waitOf(tx, subjects.both, withBoth, now),
      isFamiliar ? 0 : await waitOf(tx, subjects.place, withPlace, now),
      isFamiliar ? 0 : await waitOf(tx, subjects.person, withPerson, now),
    ];
    if (waits.some((wait) => wait > 0)) return Math.max(...waits);
    for (const subject of [subjects.both, subjects.place, subjects.person]) {
      await addAttempt(tx, subject, { now, since: now - rememberedMs });
    }
    return 0;
  });
  if (waitMs > 0) return { waitMs };
  const found = await directory.read((tx) => personWithEmail(tx, email));
  const isRight = await isPassword(password, found?.password_hash ?? undefined);
  const about = { email, origin, subjects, now };
  if (!isRight || found === undefined) {
    await directory.write((tx) => recordFailure(tx, found, about));
    return { waitMs: 0 };
  }
  await directory.write(async (tx) => {
    if (isSignIn) {
      await recordOnServer(tx, await signInAct(tx, "sign-in.succeeded", found, about));
    }
    for (const subject of [subjects.both, subjects.place, subjects.person]) {
      await forgetAttempts(tx, subject);
    }
    // It is in the future until it is forgotten.
    await addAttempt(tx, subjects.familiar, { now: now + familiarMs, since: now });
    await forgetOldAttempts(tx, now - rememberedMs);
  });
  const { id, email: address, name } = found;
  return { person: { id, email: address, name } };
}

interface PasswordAttempt {
  /** As it was typed. */
  readonly email: string;
  readonly origin: RequestOrigin;
  readonly subjects: { readonly both: string; readonly place: string; readonly person: string };
  readonly now: number;
}

/** Enters a wrong password in the audit log; and the wait, where one more is not looked at for some time. */
async function recordFailure(
  tx: DirectoryTx,
  person: Person | undefined,
  tried: PasswordAttempt,
): Promise<void> {
  const { subjects, now } = tried;
  await recordOnServer(tx, await signInAct(tx, "sign-in.failed", person, tried));
  const waitMs = Math.max(
    await waitOf(tx, subjects.both, withBoth, now),
    await waitOf(tx, subjects.place, withPlace, now),
    await waitOf(tx, subjects.person, withPerson, now),
  );
  if (waitMs === 0) return;
  const act = await signInAct(tx, "sign-in.locked", person, tried);
  const changes = [{ name: "Wait", after: inWords(Math.ceil(waitMs / 1000)) }];
  await recordOnServer(tx, { ...act, changes });
}

/** What is no address may be a password in the wrong field, and is not kept. */
async function signInAct(
  tx: DirectoryTx,
  kind: KindsIn<"SERVER">,
  person: Person | undefined,
  { email, origin, now }: PasswordAttempt,
): Promise<Act<"SERVER">> {
  const typed = /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? email.trim().slice(0, 255) : undefined;
  const isIn = kind === "sign-in.succeeded";
  // Of nobody as well, so that it takes as long.
  const memberships = await membershipsOf(tx, person?.id ?? "");
  return {
    kind,
    by: inBrowser(isIn ? person : undefined, origin),
    at: now,
    subject: isIn ? undefined : (person?.email ?? typed ?? "no address"),
    subjectId: person?.id,
    tenants: memberships.map(({ tenant }) => tenant),
  };
}

async function waitOf(
  tx: DirectoryTx,
  subject: string,
  { free, firstWaitMs, waitMaxMs, most = Number.POSITIVE_INFINITY }: AttemptLimits,
  now: number,
): Promise<number> {
  const before = await attemptsOf(tx, subject);
  if (before.failures < free) return 0;
  if (now - before.lastAt >= rememberedMs) return 0;
  if (before.failures >= most) return before.lastAt + rememberedMs - now;
  const wait = Math.min(waitMaxMs, firstWaitMs * 2 ** (before.failures - free));
  return Math.max(0, before.lastAt + wait - now);
}

const personSubject = (who: string) => hashOf(`person ${who}`);

/** Forgets what was guessed from all places for somebody. */
export function forgetGuesses(tx: DirectoryTx, email: string): Promise<void> {
  return forgetAttempts(tx, personSubject(fold(email.trim())));
}

/** What is said to somebody who has to wait. */
export function waitText(waitMs: number): string {
  return `There were too many wrong passwords. Wait ${inWords(Math.ceil(waitMs / 1000))} and try again.`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 60) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
