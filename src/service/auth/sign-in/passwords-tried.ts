/**
 * Password sign-in with throttling of guesses.
 *
 * Wrong passwords are counted in three ways: for the typed address together with its origin, so
 * that guessing locks out the guesser and not the owner; for that origin alone, whoever is tried;
 * and, with higher limits and short waits, for the address from all origins. In a browser in which
 * the person signed in before they are held up only by guesses in that browser. Beyond a few, each
 * wrong password doubles the wait; after 100 in a row from all origins only those browsers are let
 * in. Counts are in the directory, so that all processes share them. Neither text nor time nor waits
 * of an answer reveal whether the person exists.
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
import { browserActor } from "../../audit/actors.ts";
import type { RequestOrigin } from "../../http/browser.ts";
import { isPassword } from "../passwords.ts";
import { hashOf, newSecret } from "../secrets.ts";
import { useCode } from "../totp.ts";
import { askForCode, endAsked, isCodeDue, noteProven } from "./asked-codes.ts";

interface AttemptLimits {
  /** Wrong passwords before the first wait. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly waitMaxMs: number;
  /** Wrong passwords after which the account is locked until another password is chosen. */
  readonly failuresMax?: number;
}

/** Limits for one person tried from one origin. */
const withBoth: AttemptLimits = { free: 5, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/** Limits for one origin: many people may share an IP address. */
const withPlace: AttemptLimits = { free: 30, firstWaitMs: 5_000, waitMaxMs: 15 * 60_000 };
/** Wait of an account that is locked until another password is chosen, or an operator unlocks it. */
export const untilReset = Number.POSITIVE_INFINITY;
/** Wrong passwords in a row from all origins that lock an account. */
const guessesMax = 100;
/**
 * Limits for one person from all origins: guesses are slowed, then blocked; the owner signs in with
 * a familiar browser, or has a link mailed.
 *
 * @source NIST SP 800-63B, 5.2.2
 */
const withPerson: AttemptLimits = {
  free: 50,
  firstWaitMs: 1_000,
  waitMaxMs: 30_000,
  failuresMax: guessesMax,
};
/** A day without another wrong password resets the counts. */
const rememberedMs = 24 * 3_600_000;
/** How long a sign-in makes its browser familiar for the person. */
const familiarMs = 60 * 24 * 3_600_000;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** Code of the second factor, entered together with the password for a locked account. */
  readonly code?: string;
  readonly origin: RequestOrigin;
}

/** A code that is given for itself. */
export interface CodeAttempt {
  readonly person: Person;
  readonly code: string;
  /** Secret of the sign-in that waits for it. */
  readonly asked?: string;
  readonly origin: RequestOrigin;
}

export type PasswordOutcome =
  /** The browser has a secret from now on, unless it is familiar. */
  | { readonly person: Person; readonly browser?: string | undefined }
  /**
   * Milliseconds until the next try, or `untilReset`; zero where the password was wrong, or `asked`
   * has the secret of a sign-in that waits for a code of the second factor.
   */
  | { readonly person?: undefined; readonly waitMs: number; readonly asked?: string };

/** @param clock  milliseconds since 1970 UTC */
export function signIn(
  directory: Directory,
  clock: () => number,
  { email, password, code = "", origin }: SignInAttempt,
): Promise<PasswordOutcome> {
  const guess = { email, origin, isSignIn: true, hasCode: code !== "" };
  return tryGuess(directory, clock, guess, async (isLocked) => {
    const person = await personBy(directory, email, password);
    if (person === undefined) return undefined;
    return directory.write(async (tx) => {
      if (!isLocked && !(await isCodeDue(tx, person, origin.browser, clock()))) return { person };
      if (code === "") return { asked: await askForCode(tx, person, clock()) };
      return (await useCode(tx, person.id, code, clock())) ? { person, isProven: true } : undefined;
    });
  });
}

/** Signs in the person whose password was right before, or checks a code of a signed-in person. */
export function confirmCode(
  directory: Directory,
  clock: () => number,
  { person, code, asked, origin }: CodeAttempt,
): Promise<PasswordOutcome> {
  const guess = { email: person.email, origin, isSignIn: asked !== undefined, hasCode: true };
  return tryGuess(directory, clock, guess, () =>
    directory.write(async (tx) => {
      if (!(await useCode(tx, person.id, code, clock()))) return undefined;
      if (asked !== undefined) await endAsked(tx, asked);
      return { person, isProven: true };
    }),
  );
}

/** Checks the password of a signed-in person again; wrong ones count as in signing in. */
export function confirmPassword(
  directory: Directory,
  clock: () => number,
  { email, password, origin }: SignInAttempt,
): Promise<PasswordOutcome> {
  const guess = { email, origin, isSignIn: false, hasCode: false };
  return tryGuess(directory, clock, guess, async () => {
    const person = await personBy(directory, email, password);
    return person && { person };
  });
}

/** Returns the person of an address and password, after the same time where there is none. */
async function personBy(
  directory: Directory,
  address: string,
  password: string,
): Promise<Person | undefined> {
  const person = await directory.read((tx) => personWithEmail(tx, address));
  const isCorrect = await isPassword(password, person?.password_hash ?? undefined);
  if (!isCorrect || person === undefined) return undefined;
  const { id, email, name } = person;
  return { id, email, name };
}

interface Guess {
  /** The address as typed. */
  readonly email: string;
  readonly origin: RequestOrigin;
  /** Whether it is to sign somebody in. */
  readonly isSignIn: boolean;
  /** Whether it has a code of the second factor, with which a locked account is tried. */
  readonly hasCode: boolean;
}

/** A right guess; or a right password, for which a code is waited for. */
type RightGuess =
  | { readonly person: Person; readonly isProven?: boolean }
  | { readonly asked: string; readonly person?: undefined };

/** @param check  looks at the guess, which is undefined where it is wrong */
async function tryGuess(
  directory: Directory,
  clock: () => number,
  { email, origin, isSignIn, hasCode }: Guess,
  check: (isLocked: boolean) => Promise<RightGuess | undefined>,
): Promise<PasswordOutcome> {
  const now = clock();
  const foldedEmail = fold(email.trim());
  const familiarKey = (browser: string) => hashOf(`familiar ${foldedEmail} in ${browser}`);
  // The attempt is counted before the check, so that parallel guesses are not all checked.
  const { waitMs, guards, isFamiliar, isLocked } = await directory.write(async (tx) => {
    const browserAttempts = await attemptsOf(tx, familiarKey(origin.browser ?? ""));
    const isFamiliar = origin.browser !== undefined && browserAttempts.lastAt > now;
    const person = { subject: personSubject(foldedEmail), limits: withPerson };
    const isLocked = !isFamiliar && (await longestWait(tx, [person], now)) === untilReset;
    const guards = isFamiliar
      ? [{ subject: familiarKey(`${origin.browser} wrong`), limits: withBoth }]
      : [
          { subject: hashOf(`person ${foldedEmail} at ${origin.address}`), limits: withBoth },
          { subject: hashOf(`place ${origin.address}`), limits: withPlace },
          isLocked && hasCode ? { subject: codeSubject(foldedEmail), limits: withPerson } : person,
        ];
    const waitMs = await longestWait(tx, guards, now);
    if (waitMs > 0) return { waitMs, guards, isFamiliar, isLocked };
    for (const { subject } of guards) {
      await addAttempt(tx, subject, { now, since: now - rememberedMs });
    }
    return { waitMs, guards, isFamiliar, isLocked };
  });
  if (waitMs > 0) return { waitMs };
  const right = await check(isLocked);
  const about = { email, origin, guards, now };
  if (right === undefined) {
    await directory.write(async (tx) => recordFailure(tx, await personWithEmail(tx, email), about));
    return { waitMs: 0 };
  }
  if (right.person === undefined) return { waitMs: 0, asked: right.asked };
  const { person, isProven = false } = right;
  const browser = isFamiliar || !isSignIn ? undefined : newSecret();
  await directory.write(async (tx) => {
    if (isSignIn) {
      await recordOnServer(tx, await signInAct(tx, "sign-in.succeeded", person, about));
    }
    for (const { subject } of guards) await forgetAttempts(tx, subject);
    if (isLocked) await forgetGuesses(tx, email);
    const usedBrowser = browser ?? origin.browser;
    if (isSignIn && usedBrowser !== undefined) {
      // A time in the future marks the browser as familiar until it expires.
      await addAttempt(tx, familiarKey(usedBrowser), { now: now + familiarMs, since: now });
      if (isProven) await noteProven(tx, person, usedBrowser, now);
    }
    await forgetOldAttempts(tx, now - rememberedMs, guessesMax);
  });
  return { person, browser };
}

/** A count of wrong passwords, with its limits. */
interface Guard {
  /** Hash of the counted subject. */
  readonly subject: string;
  readonly limits: AttemptLimits;
}

async function longestWait(
  tx: DirectoryTx,
  guards: readonly Guard[],
  now: number,
): Promise<number> {
  let waitMs = 0;
  for (const { subject, limits } of guards) {
    waitMs = Math.max(waitMs, await waitOf(tx, subject, limits, now));
  }
  return waitMs;
}

interface PasswordAttempt {
  /** The address as typed. */
  readonly email: string;
  readonly origin: RequestOrigin;
  readonly guards: readonly Guard[];
  readonly now: number;
}

/** Enters a wrong password in the audit log, and the wait before the next attempt, if any. */
async function recordFailure(
  tx: DirectoryTx,
  person: Person | undefined,
  attempt: PasswordAttempt,
): Promise<void> {
  await recordOnServer(tx, await signInAct(tx, "sign-in.failed", person, attempt));
  const waitMs = await longestWait(tx, attempt.guards, attempt.now);
  if (waitMs === 0) return;
  const auditAct = await signInAct(tx, "sign-in.locked", person, attempt);
  const changes = [
    {
      name: "Wait",
      after: waitMs === untilReset ? "until another password is chosen" : durationInWords(waitMs),
    },
  ];
  await recordOnServer(tx, { ...auditAct, changes });
}

/** Text that is no email address may be a mistyped password, so it is not logged. */
async function signInAct(
  tx: DirectoryTx,
  kind: KindsIn<"SERVER">,
  person: Person | undefined,
  { email, origin, now }: PasswordAttempt,
): Promise<Act<"SERVER">> {
  const typed = /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? email.trim().slice(0, 255) : undefined;
  const isSuccess = kind === "sign-in.succeeded";
  // Runs for unknown people as well, so that the time is the same.
  const memberships = await membershipsOf(tx, person?.id ?? "");
  return {
    kind,
    by: browserActor(isSuccess ? person : undefined, origin),
    at: now,
    subject: isSuccess ? undefined : (person?.email ?? typed ?? "no address"),
    subjectId: person?.id,
    tenants: memberships.map(({ tenant }) => tenant),
  };
}

async function waitOf(
  tx: DirectoryTx,
  subject: string,
  { free, firstWaitMs, waitMaxMs, failuresMax: most = Number.POSITIVE_INFINITY }: AttemptLimits,
  now: number,
): Promise<number> {
  const attempts = await attemptsOf(tx, subject);
  if (attempts.failures >= most) return untilReset;
  if (attempts.failures < free || now - attempts.lastAt >= rememberedMs) return 0;
  const waitMs = Math.min(waitMaxMs, firstWaitMs * 2 ** (attempts.failures - free));
  return Math.max(0, attempts.lastAt + waitMs - now);
}

const personSubject = (email: string) => hashOf(`person ${email}`);
/** Counts the guesses with a code at a locked account. */
const codeSubject = (email: string) => hashOf(`code of ${email}`);

/** Deletes the counts of wrong passwords from all origins for a person. */
export async function forgetGuesses(tx: DirectoryTx, email: string): Promise<void> {
  const who = fold(email.trim());
  for (const subject of [personSubject(who), codeSubject(who)]) await forgetAttempts(tx, subject);
}

/** Returns the message for a person who has to wait. */
export function waitText(waitMs: number): string {
  return waitMs === untilReset
    ? "There were too many wrong passwords. You are let in only in browsers in which you have signed in before, until you choose another password by the link below; or with a code of your second factor, if you have one."
    : `There were too many wrong passwords. Wait ${durationInWords(waitMs)} and try again.`;
}

function durationInWords(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1000);
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 60) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}
