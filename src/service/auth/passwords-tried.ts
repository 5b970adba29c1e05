/**
 * Signing in with a password, and holding up whoever guesses.
 *
 * Wrong passwords are counted for the address that was typed, known or not, and for where they came
 * from; past a few, each further one must wait twice as long. Counts are in the directory, so that
 * it does not matter which process is asked. Nothing tells whether there is such a person: not the
 * words, not the time, not the waiting.
 */
import {
  addAttempt,
  attemptsOf,
  forgetAttempts,
  forgetOldAttempts,
} from "../../store/directory/attempts.ts";
import { type Person, personWithEmail } from "../../store/directory/people.ts";
import type { Directory, DirectoryTx } from "../../store/directory.ts";
import { fold } from "../../wire/fold.ts";
import { isPassword } from "./passwords.ts";
import { hashOf } from "./secrets.ts";

interface Patience {
  /** Wrong passwords before the first wait. */
  readonly free: number;
  readonly firstWaitMs: number;
}

const withPerson: Patience = { free: 5, firstWaitMs: 5_000 };
/** Many people may sit behind one address. */
const withPlace: Patience = { free: 30, firstWaitMs: 5_000 };
const waitMaxMs = 15 * 60_000;
/** After a day without another wrong one, all is forgotten. */
const rememberedMs = 24 * 3_600_000;

export interface Tried {
  readonly email: string;
  readonly password: string;
  /** From where: an IP address. */
  readonly place: string;
}

export type Outcome =
  | { readonly person: Person }
  /** How long to wait before trying again; zero where the password was wrong. */
  | { readonly person?: undefined; readonly waitMs: number };

/** @param clock  milliseconds since 1970 UTC */
export async function signIn(
  directory: Directory,
  clock: () => number,
  { email, password, place }: Tried,
): Promise<Outcome> {
  const now = clock();
  const who = hashOf(`person ${fold(email.trim())}`);
  const where = hashOf(`place ${place}`);
  // Counted before it is looked at, so that many at once are not all looked at.
  const waitMs = await directory.write(async (tx) => {
    const ofPerson = await waitOf(tx, who, withPerson, now);
    const ofPlace = await waitOf(tx, where, withPlace, now);
    if (ofPerson > 0 || ofPlace > 0) return Math.max(ofPerson, ofPlace);
    for (const subject of [who, where]) {
      await addAttempt(tx, subject, { now, since: now - rememberedMs });
    }
    return 0;
  });
  if (waitMs > 0) return { waitMs };
  const found = await directory.read((tx) => personWithEmail(tx, email));
  const isRight = await isPassword(password, found?.password_hash ?? undefined);
  if (!isRight || found === undefined) return { waitMs: 0 };
  await directory.write(async (tx) => {
    await forgetAttempts(tx, who);
    await forgetAttempts(tx, where);
    await forgetOldAttempts(tx, now - rememberedMs);
  });
  const { id, email: address, name } = found;
  return { person: { id, email: address, name } };
}

async function waitOf(
  tx: DirectoryTx,
  subject: string,
  { free, firstWaitMs }: Patience,
  now: number,
): Promise<number> {
  const before = await attemptsOf(tx, subject);
  if (before.failures < free) return 0;
  if (now - before.lastAt >= rememberedMs) return 0;
  const wait = Math.min(waitMaxMs, firstWaitMs * 2 ** (before.failures - free));
  return Math.max(0, before.lastAt + wait - now);
}
