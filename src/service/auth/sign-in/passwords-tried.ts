/**
 * Password sign-in with throttling of guesses.
 *
 * Wrong passwords are counted in three ways: for the typed address together with its origin, so
 * that guessing locks out the guesser and not the owner; for that origin alone, whoever is tried;
 * and, with higher limits and short waits, for the address from all origins. A person who signed in
 * from the origin before is held up only by guesses for them there. Beyond a few, each wrong
 * password doubles the wait. Counts are in the directory, so that all processes share them. Neither
 * text nor time nor waits of an answer reveal whether the person exists.
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
  /** Wrong passwords after which the account is locked until the counts expire. */
  readonly most?: number;
}

/** Limits for one person tried from one origin. */
const withBoth: AttemptLimits = { free: 5, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/** Limits for one origin: many people may share an IP address. */
const withPlace: AttemptLimits = { free: 30, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/**
 * Limits for one person from all origins: guesses are slowed, then blocked; the owner signs in from
 * a familiar origin, waits for a day, or asks the operator.
 *
 * @source NIST SP 800-63B, 5.2.2
 */
const withPerson: AttemptLimits = { free: 50, firstWaitMs: 1_000, waitMaxMs: 30_000, most: 100 };
/** A day without another wrong password resets the counts. */
const rememberedMs = 24 * 3_600_000;
/** How long a sign-in makes its origin familiar for the person. */
const familiarMs = 60 * 24 * 3_600_000;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly origin: RequestOrigin;
}

export type PasswordOutcome =
  | { readonly person: Person }
  /** Milliseconds until the next try; zero where the password was wrong. */
  | { readonly person?: undefined; readonly waitMs: number };

/** @param clock  milliseconds since 1970 UTC */
export function signIn(
  directory: Directory,
  clock: () => number,
  attempt: SignInAttempt,
): Promise<PasswordOutcome> {
  return tryPassword(directory, clock, attempt, true);
}

/** Checks the password of a signed-in person again; wrong ones count as in signing in. */
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
  // The attempt is counted before the check, so that parallel guesses are not all checked.
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
  const person = await directory.read((tx) => personWithEmail(tx, email));
  const isRight = await isPassword(password, person?.password_hash ?? undefined);
  const about = { email, origin, subjects, now };
  if (!isRight || person === undefined) {
    await directory.write((tx) => recordFailure(tx, person, about));
    return { waitMs: 0 };
  }
  await directory.write(async (tx) => {
    if (isSignIn) {
      await recordOnServer(tx, await signInAct(tx, "sign-in.succeeded", person, about));
    }
    for (const subject of [subjects.both, subjects.place, subjects.person]) {
      await forgetAttempts(tx, subject);
    }
    // A time in the future marks the origin as familiar until it expires.
    await addAttempt(tx, subjects.familiar, { now: now + familiarMs, since: now });
    await forgetOldAttempts(tx, now - rememberedMs);
  });
  const { id, email: address, name } = person;
  return { person: { id, email: address, name } };
}

interface PasswordAttempt {
  /** The address as typed. */
  readonly email: string;
  readonly origin: RequestOrigin;
  readonly subjects: { readonly both: string; readonly place: string; readonly person: string };
  readonly now: number;
}

/** Enters a wrong password in the audit log, and the wait before the next attempt, if any. */
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

/** Text that is no email address may be a mistyped password, so it is not logged. */
async function signInAct(
  tx: DirectoryTx,
  kind: KindsIn<"SERVER">,
  person: Person | undefined,
  { email, origin, now }: PasswordAttempt,
): Promise<Act<"SERVER">> {
  const typed = /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? email.trim().slice(0, 255) : undefined;
  const isIn = kind === "sign-in.succeeded";
  // Runs for unknown people as well, so that the time is the same.
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

/** Deletes the counts of wrong passwords from all origins for a person. */
export function forgetGuesses(tx: DirectoryTx, email: string): Promise<void> {
  return forgetAttempts(tx, personSubject(fold(email.trim())));
}

/** Returns the message for a person who has to wait. */
export function waitText(waitMs: number): string {
  return `There were too many wrong passwords. Wait ${inWords(Math.ceil(waitMs / 1000))} and try again.`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 60) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
