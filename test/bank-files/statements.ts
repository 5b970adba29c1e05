/** Files of banks as tests bring them, and statements as tests compare them. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import {
  BankFileError,
  type BankStatement,
  collect,
  type ReadOptions,
} from "../../src/bank-files/bank-statement.ts";
import { readBankFile } from "../../src/bank-files/index.ts";
import { fc } from "../support/properties.ts";

export function sample(name: string): Buffer {
  return readFileSync(new URL(`samples/${name}`, import.meta.url));
}

export function read(file: Uint8Array | string, options: ReadOptions = {}): BankStatement[] {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  return collect(readBankFile(() => [bytes], options));
}

export function only(file: Uint8Array | string, options: ReadOptions = {}): BankStatement {
  const statements = read(file, options);
  expect(statements).toHaveLength(1);
  return statements[0] as BankStatement;
}

/** The error that a file is refused with. */
export function refusal(file: Uint8Array | string, options: ReadOptions = {}): BankFileError {
  try {
    read(file, options);
  } catch (error) {
    if (error instanceof BankFileError) return error;
    throw error;
  }
  throw new Error("the file was read");
}

/** Date, amount in cents, other party and text of each line. */
export function rows({ lines }: BankStatement): (string | number | undefined)[][] {
  return lines.map(({ date, amount, party, text }) => [date, amount, party?.name, text]);
}

/** What a sample is expected to give, by its account. */
export interface Expected {
  readonly account: string | undefined;
  readonly count: number;
  /** Cents. */
  readonly sum: number;
  readonly opening?: number;
  readonly closing?: number;
}

export function summary({ account, lines, sum, lineCount, opening, closing }: BankStatement) {
  expect(lineCount).toBe(lines.length);
  expect(sum).toBe(lines.reduce((total, { amount }) => total + amount, 0));
  return {
    account: account.iban ?? account.number,
    count: lineCount,
    sum,
    ...(opening === undefined ? {} : { opening: opening.amount }),
    ...(closing === undefined ? {} : { closing: closing.amount }),
  };
}

/** A file cut into chunks at any places. */
export function chunked(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return fc
    .array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 })
    .map((places) => [0, ...places.sort((a, b) => a - b), bytes.length])
    .map((places) => places.slice(1).map((end, at) => bytes.slice(places[at], end)));
}

/** A file gives the same lines wherever it is cut into chunks. */
export function checkChunks(bytes: Uint8Array, options: ReadOptions = {}): void {
  const whole = read(bytes, options);
  fc.assert(
    fc.property(chunked(bytes), (chunks) => {
      expect(collect(readBankFile(() => chunks, options))).toEqual(whole);
    }),
    { numRuns: 25 },
  );
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(collect(readBankFile(() => single, options))).toEqual(whole);
}
