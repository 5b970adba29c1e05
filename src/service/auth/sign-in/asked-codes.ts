/** Sign-ins whose password was right, and which wait for a code of the second factor. */
import { artefactWith, keepArtefact, removeArtefact } from "../../../store/directory/artefacts.ts";
import type { DirectoryTx } from "../../../store/directory/directory.ts";
import { addAttempt, attemptsOf } from "../../../store/directory/password-attempts.ts";
import { codeAskedKind, type Person, personWithId } from "../../../store/directory/people.ts";
import { type SecondFactor, secondFactorOf } from "../../../store/directory/second-factors.ts";
import { hashOf, newSecret } from "../secrets.ts";

/** How long a code is waited for. */
const askedMs = 10 * 60_000;
/** How long a browser is trusted after a code. */
const provenMs = 30 * 24 * 3_600_000;

/** Begins to wait for a code. @returns the secret under which it is given */
export async function askForCode(
  tx: DirectoryTx,
  { id: accountId }: Person,
  now: number,
): Promise<string> {
  const askSecret = newSecret();
  await keepArtefact(tx, {
    kind: codeAskedKind,
    idHash: hashOf(askSecret),
    grantId: undefined,
    uidHash: undefined,
    payload: JSON.stringify({ accountId }),
    expiresAt: now + askedMs,
  });
  return askSecret;
}

/** Returns whose code is waited for; undefined where that is over. */
export async function personOfAskedCode(
  tx: DirectoryTx,
  askSecret: string,
  now: number,
): Promise<Person | undefined> {
  const artefact = await artefactWith(tx, codeAskedKind, "id_hash", hashOf(askSecret));
  if (artefact === undefined || now >= (artefact.expiresAt ?? 0)) return undefined;
  return personWithId(tx, JSON.parse(artefact.payload).accountId);
}

export const endAsked = (tx: DirectoryTx, askSecret: string): Promise<void> =>
  removeArtefact(tx, codeAskedKind, hashOf(askSecret));

const provenIn = ({ secret }: SecondFactor, browser: string) =>
  hashOf(`second factor ${secret} in ${browser}`);

/** Whether a person has a second factor, and gave no code of it in the browser for 30 days. */
export async function isCodeDue(
  tx: DirectoryTx,
  { id }: Person,
  browser: string | undefined,
  now: number,
): Promise<boolean> {
  const factor = await secondFactorOf(tx, id);
  if (factor === undefined || browser === undefined) return factor !== undefined;
  return (await attemptsOf(tx, provenIn(factor, browser))).lastAt <= now;
}

/** Notes that a person gave a code in a browser. */
export async function noteProven(
  tx: DirectoryTx,
  { id }: Person,
  browser: string,
  now: number,
): Promise<void> {
  const factor = await secondFactorOf(tx, id);
  if (factor === undefined) return;
  // A time in the future marks the browser until it expires.
  await addAttempt(tx, provenIn(factor, browser), { now: now + provenMs, since: now });
}
