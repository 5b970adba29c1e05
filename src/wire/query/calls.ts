/** Parses values written as calls: `Guid("…")`, `DateTime(2026, 3, 31)`, `DateTime.Parse("…")`. */

import { readId } from "../../resources/scalar.ts";
import { instantOf, type Literal, utcOf } from "./literals.ts";
import type { Scanner, Token } from "./scanner.ts";

/** A parsed value, and the end position of its text. */
interface ParsedCall {
  readonly literal: Literal;
  readonly end: number;
}

/**
 * Parses a call of `Guid` or `DateTime`, after its opening parenthesis.
 * @throws RefusedError
 */
export function readCall(words: Scanner, called: Token): ParsedCall {
  if (isWord(called, "guid")) {
    const token = quotedArgument(words, "a GUID in quotes");
    const value = readId(token.text);
    if (!value) throw words.expectedError("a GUID in quotes", token);
    return { literal: { is: "guid", value }, end: closeCall(words) };
  }
  if (!isWord(called, "datetime")) throw words.expectedError("a field, Guid or DateTime", called);
  const parts = datePartsIn(words);
  const end = closeCall(words);
  const ms = utcOf(parts);
  if (ms === undefined) throw words.expectedError("a time that exists", { at: called.at, end });
  return { literal: { is: "instant", ms, isExact: true }, end };
}

/**
 * Parses a call of `DateTime.Parse`, after its opening parenthesis.
 * @throws RefusedError
 */
export function readParsedTime(words: Scanner): ParsedCall {
  const expected = "a time in quotes such as 2026-03-31 or 2026-03-31T10:20:30Z";
  const token = quotedArgument(words, expected);
  const instant = instantOf(token.text);
  if (!instant) throw words.expectedError(expected, token);
  return { literal: { is: "instant", ...instant }, end: closeCall(words) };
}

/** Consumes the closing parenthesis of a call, and returns its end position. */
export function closeCall(words: Scanner): number {
  const { end } = words.peek;
  words.symbol(")");
  return end;
}

export function isWord(token: Token, word: string): boolean {
  return token.text.toLowerCase() === word;
}

/** Parses year, month, day and optionally hour, minute and second. */
function datePartsIn(words: Scanner): number[] {
  const parts = [datePart(words, "a year")];
  for (const expected of ["a month", "a day"]) {
    words.symbol(",");
    parts.push(datePart(words, expected));
  }
  if (!words.takeSymbol(",")) return parts;
  parts.push(datePart(words, "an hour"));
  for (const expected of ["a minute", "a second"]) {
    words.symbol(",");
    parts.push(datePart(words, expected));
  }
  return parts;
}

function datePart(words: Scanner, what: string): number {
  const { peek } = words;
  if (peek.type !== "number" || !/^0*[0-9]{1,4}$/.test(peek.text)) throw words.expectedError(what);
  return Number(words.next().text);
}

function quotedArgument(words: Scanner, expected: string): Token {
  if (words.peek.type !== "text") throw words.expectedError(expected);
  return words.next();
}
