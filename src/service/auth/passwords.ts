/**
 * Passwords: stored as salted scrypt hashes, so that a stolen directory reveals none.
 *
 * The stored text names its parameters, so that they can be raised without a migration.
 */
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { refusal } from "../../resources/errors.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

interface Cost {
  /** Log2 of scrypt's cost parameter N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/**
 * 32 MiB and about 60 ms per guess.
 *
 * @source OWASP Password Storage Cheat Sheet: N=2^15, r=8, p=3
 */
const cost: Cost = { ln: 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;
/** Minimum length of a password without a second factor. @source NIST SP 800-63B-4, 3.1.1.2 */
const passwordCharactersMin = 15;
/** Minimum length of a password with a second factor. */
const withSecondFactorMin = 8;
/** Maximum password length: hashing longer ones would let a stranger keep the server busy. */
const passwordCharactersMax = 1024;
/** Guesses that an attacker needs on average, at least. */
const guessesMin = 1e8;

/**
 * Checks and hashes a password.
 *
 * @param ownWords  names and address of the person
 * @param hasSecond  whether the person has a second factor
 * @throws RefusedError for a short, common or easily guessed password
 */
export async function hashPassword(
  password: string,
  ownWords: readonly string[] = [],
  hasSecond = false,
): Promise<string> {
  const fault = await passwordFault(password, ownWords, hasSecond);
  if (fault !== undefined) throw refusal("People", fault);
  const salt = crypto().randomBytes(saltBytes);
  const hash = await deriveHash(password, salt, cost);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toText(salt)}$${toText(hash)}`;
}

/**
 * Returns the reason for which a password is refused; undefined for a good one.
 *
 * @param ownWords  names and address of the person
 * @param hasSecond  whether the person has a second factor
 */
export async function passwordFault(
  password: string,
  ownWords: readonly string[],
  hasSecond = false,
): Promise<string | undefined> {
  const least = hasSecond ? withSecondFactorMin : passwordCharactersMin;
  if ([...password].length < least || password.length > passwordCharactersMax) {
    return `A password has ${least} to ${passwordCharactersMax} characters; several words are easy to keep.`;
  }
  const names = [...ownWords, "acct", "bookkeeping", "accounting"].flatMap((name) => {
    const wholeName = name.normalize("NFKC").toLowerCase();
    return [wholeName, ...wholeName.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
  });
  const folded = password.normalize("NFKC").toLowerCase();
  if (isOfNames(folded, names)) {
    return "A password of one's own names, or those of this program, is guessed soon: choose another.";
  }
  const { guesses } = (await guessEstimator()).check(folded, names);
  return guesses >= guessesMin
    ? undefined
    : "That password is guessed soon, being of common passwords, repetitions or rows of keys: choose another.";
}

/** Whether a password consists of the given words, with too few letters besides. */
function isOfNames(folded: string, names: readonly string[]): boolean {
  const longestFirst = names.toSorted((a, b) => b.length - a.length);
  const remainder = longestFirst.reduce((text, word) => text.replaceAll(word, ""), folded);
  return remainder !== folded && remainder.replace(/[^\p{L}]/gu, "").length < lettersLeftMin;
}

const lettersLeftMin = 4;

let madeEstimator: ZxcvbnFactory | undefined;

/** Estimates how many guesses a password takes, with a list of common and leaked passwords. */
async function guessEstimator(): Promise<ZxcvbnFactory> {
  if (madeEstimator !== undefined) return madeEstimator;
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  madeEstimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return madeEstimator;
}

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;
/** Hash that no password matches: checked for unknown people, so that the time is the same. */
const decoy = `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Whether a password matches the stored hash.
 *
 * @param stored  undefined for an unknown person or one without a password: false, after the same
 *   time
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt = "", hash = ""] = form.exec(stored ?? decoy) ?? [];
  if (ln === undefined) throw new Error("A password in the directory is kept in an unknown form.");
  const expected = Buffer.from(hash, "base64");
  const actual = await deriveHash(
    password.slice(0, passwordCharactersMax),
    Buffer.from(salt, "base64"),
    { ln: Number(ln), r: Number(r), p: Number(p) },
    expected.length,
  );
  return crypto().timingSafeEqual(actual, expected) && stored !== undefined;
}

/** Derives the hash. Unicode normalisation makes the same letters equal, however typed. */
function deriveHash(
  password: string,
  salt: Buffer,
  { ln, r, p }: Cost,
  bytes = hashBytes,
): Promise<Buffer> {
  const N = 2 ** ln;
  const maxmem = 128 * N * r * 2;
  return new Promise((resolve, reject) => {
    crypto().scrypt(password.normalize("NFKC"), salt, bytes, { N, r, p, maxmem }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

function toText(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
