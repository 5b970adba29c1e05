/**
 * Passwords: stored by scrypt with salt, so that a stolen directory reveals none.
 *
 * The stored text names its parameters, so that they can be raised without a migration.
 */
import { RefusedError } from "../../resources/errors.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

interface Cost {
  /** Logarithm of how often memory is gone through. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and some 60 ms a guess. @source OWASP Password Storage Cheat Sheet: N=2^15, r=8, p=3 */
const cost: Cost = { ln: 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;
const passwordCharactersMin = 8;
/** Longer ones would let a stranger keep the server busy with hashing. */
const passwordCharactersMax = 1024;

/** @throws RefusedError for a password that anybody would guess, or that is no text */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < passwordCharactersMin || password.length > passwordCharactersMax) {
    throw new RefusedError(
      "ValidationException",
      `A password has ${passwordCharactersMin} to ${passwordCharactersMax} characters.`,
    );
  }
  const salt = crypto().randomBytes(saltBytes);
  const hash = await derived(password, salt, cost);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${inText(salt)}$${inText(hash)}`;
}

const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;
/** Of nobody: compared with where there is nobody, so that it takes as long. */
const decoy = `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Whether a password matches the stored one.
 *
 * @param kept  undefined for an unknown person or one without a password: false, after the same
 *   time
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt = "", hash = ""] = form.exec(kept ?? decoy) ?? [];
  if (ln === undefined) throw new Error("A password in the directory is kept in an unknown form.");
  const wanted = Buffer.from(hash, "base64");
  const given = await derived(
    password.slice(0, passwordCharactersMax),
    Buffer.from(salt, "base64"),
    { ln: Number(ln), r: Number(r), p: Number(p) },
    wanted.length,
  );
  return crypto().timingSafeEqual(given, wanted) && kept !== undefined;
}

/** The same letters, however a keyboard composes them, are the same password. */
function derived(
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

function inText(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
