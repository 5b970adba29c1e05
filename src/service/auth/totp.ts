/**
 * Codes of a second factor: those of an authenticator app (TOTP), and recovery codes.
 *
 * @source RFC 6238, RFC 4226: SHA-1, six digits, steps of 30 seconds, one step of drift
 */
import type { DirectoryTx } from "../../store/directory/directory.ts";
import {
  changeSecondFactor,
  type SecondFactor,
  secondFactorOf,
} from "../../store/directory/second-factors.ts";
import { hashOf } from "./secrets.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

const stepMs = 30_000;

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Converts hexadecimal digits, a multiple of ten, to Base32. @source RFC 4648, section 6 */
export function base32(hex: string): string {
  const digits = BigInt(`0x${hex}`)
    .toString(32)
    .padStart((hex.length * 4) / 5, "0");
  return [...digits].map((digit) => letters[Number.parseInt(digit, 32)]).join("");
}

/** Splits a code into groups of four characters. */
export const inGroups = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1 ");

/** Computes the code of a step. @param secret  in hexadecimal @source RFC 4226, section 5.3 */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = crypto().createHmac("sha1", Buffer.from(secret, "hex")).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** Returns the time step of a code, within one step of the current one; undefined for a wrong code. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const current = Math.floor(now / stepMs);
  return [current, current - 1, current + 1].find((step) => codeAt(secret, step) === code);
}

/** Reads a code as typed, in groups or without. */
export const readCode = (typedCode: string) => typedCode.replace(/[\s-]/g, "").toUpperCase();

/** Uses up a code, of the app or of recovery. @returns whether it was right, and not used before */
export async function useCode(
  tx: DirectoryTx,
  personId: string,
  typedCode: string,
  now: number,
): Promise<boolean> {
  const factor = await secondFactorOf(tx, personId);
  if (factor === undefined) return false;
  const code = readCode(typedCode);
  const step = stepOf(factor.secret, code, now) ?? 0;
  const codes = factor.codes.filter((codeHash) => codeHash !== hashOf(code));
  if (step <= factor.step && codes.length === factor.codes.length) return false;
  const changedFactor: SecondFactor = { ...factor, step: Math.max(step, factor.step), codes };
  return changeSecondFactor(tx, personId, factor, changedFactor);
}
