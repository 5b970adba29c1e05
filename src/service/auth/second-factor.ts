/**
 * The second factor of a person: set up, renewed and taken off.
 *
 * The key is stored as it is, since codes are computed with it; of recovery codes hashes are stored.
 */
import { refusal } from "../../resources/errors.ts";
import {
  type Directory,
  type DirectoryTx,
  recordOnServer,
} from "../../store/directory/directory.ts";
import { membershipsOf, type Person } from "../../store/directory/people.ts";
import {
  keepSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  secondFactorOf,
} from "../../store/directory/second-factors.ts";
import { actOn, type People, personNamed } from "./people.ts";
import { hashOf } from "./secrets.ts";
import { base32, readCode, stepOf } from "./totp.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

const secretBytes = 20;
const recoveryBytes = 10;
const recoveryCount = 10;

/** Who must have a second factor: everybody, or advisers. */
export type SecondFactorRule = "required" | "advisers";

/** Makes the key of a new second factor, in hexadecimal. */
export const newFactorSecret = (): string => crypto().randomBytes(secretBytes).toString("hex");

const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCount }, () =>
    base32(crypto().randomBytes(recoveryBytes).toString("hex")),
  );

/**
 * Sets up a second factor with a key that the app of the person has.
 *
 * @param code  of the app, which proves that it has the key
 * @returns the recovery codes, which are shown this once
 * @throws RefusedError for a wrong code, or beside another second factor
 */
export async function setSecondFactor(
  people: People,
  { id }: Person,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<readonly string[]> {
  const { directory, clock } = people;
  const now = clock();
  const step = /^[\da-f]{40}$/.test(secret) ? stepOf(secret, readCode(code), now) : undefined;
  if (step === undefined) throw refusal("People", "That is not the code that the app shows now.");
  const codes = newRecoveryCodes();
  await directory.write(async (tx) => {
    if ((await secondFactorOf(tx, id)) !== undefined) {
      throw refusal("People", "There is a second factor already: take that one off first.");
    }
    await record(people, tx, id, "person.second-factor-set");
    await keepSecondFactor(tx, id, { secret, step, codes: codes.map(hashOf) }, now);
  });
  return codes;
}

/** Replaces the recovery codes of a person. @returns the new ones, which are shown this once */
export async function renewRecoveryCodes(
  people: People,
  { id }: Person,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  await people.directory.write(async (tx) => {
    const factor = await ownFactor(tx, id);
    await record(people, tx, id, "person.recovery-codes-made");
    await keepSecondFactor(tx, id, { ...factor, codes: codes.map(hashOf) }, people.clock());
  });
  return codes;
}

/** Takes a second factor off. @throws NotFoundError, RefusedError where there is none */
export async function endSecondFactor(people: People, key: string): Promise<void> {
  await people.directory.write(async (tx) => {
    const { id } = await personNamed(tx, people.tenant, key);
    await ownFactor(tx, id);
    await record(people, tx, id, "person.second-factor-removed");
    await removeSecondFactor(tx, id);
  });
}

async function ownFactor(tx: DirectoryTx, personId: string): Promise<SecondFactor> {
  const factor = await secondFactorOf(tx, personId);
  if (factor === undefined) throw refusal("People", "There is no second factor.");
  return factor;
}

async function record(
  people: People,
  tx: DirectoryTx,
  id: string,
  kind: `person.${"second-factor-set" | "second-factor-removed" | "recovery-codes-made"}`,
): Promise<void> {
  const person = await personNamed(tx, undefined, id);
  await recordOnServer(tx, actOn(people, kind, person, await membershipsOf(tx, id)));
}

/** Whether a person must have a second factor and has none. */
export async function lacksSecondFactor(
  directory: Directory,
  rule: SecondFactorRule | undefined,
  { id }: Pick<Person, "id">,
): Promise<boolean> {
  if (rule === undefined) return false;
  return directory.read(async (tx) => {
    const isEligible =
      rule === "required" || (await membershipsOf(tx, id)).some(({ role }) => role === "adviser");
    return isEligible && (await secondFactorOf(tx, id)) === undefined;
  });
}
