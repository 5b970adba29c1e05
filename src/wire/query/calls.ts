/** Values that are written as calls: `Guid("…")`, `DateTime(2026, 3, 31)`, `DateTime.Parse("…")`. */

import { guidOf, instantOf, type Literal, utcOf } from "./literals.ts";
import type { Scanner, Token } from "./scanner.ts";

/** A value, and where its text ends. */
interface Called {
  readonly literal: Literal;
  readonly end: number;
}

/** Reads `Guid(` or `DateTime(`, whose opening parenthesis has been taken. @throws RefusedError */
export function readCall(words: Scanner, called: Token): Called {
  if (isWord(called, "guid")) {
    const token = quotedArgument(words, "a GUID in quotes");
    const value = guidOf(token.text);
    if (!value) throw words.expected("a GUID in quotes", token);
    return { literal: { is: "guid", value }, end: closed(words) };
  }
  if (!isWord(called, "datetime")) throw words.expected("a field, Guid or DateTime", called);
  const parts = datePartsIn(words);
  const end = closed(words);
  const ms = utcOf(parts);
  if (ms === undefined) throw words.expected("a time that exists", { at: called.at, end });
  return { literal: { is: "instant", ms, exact: true }, end };
}

/** Reads `DateTime.Parse(`, whose opening parenthesis has been taken. @throws RefusedError */
export function readParsedTime(words: Scanner): Called {
  const what = "a time in quotes such as 2026-03-31 or 2026-03-31T10:20:30Z";
  const token = quotedArgument(words, what);
  const instant = instantOf(token.text);
  if (!instant) throw words.expected(what, token);
  return { literal: { is: "instant", ...instant }, end: closed(words) };
}

/** Takes the parenthesis that closes a call, and answers where it ends. */
export function closed(words: Scanner): number {
  const { end } = words.peek;
  words.symbol(")");
  return end;
}

export function isWord(token: Token, word: string): boolean {
  return token.text.toLowerCase() === word;
}

/** Year, month and day, and after them hour, minute and second, or none of these. */
function datePartsIn(words: Scanner): number[] {
  const parts = [datePart(words, "a year")];
  for (const what of ["a month", "a day"]) {
    words.symbol(",");
    parts.push(datePart(words, what));
  }
  if (!words.takesSymbol(",")) return parts;
  parts.push(datePart(words, "an hour"));
  for (const what of ["a minute", "a second"]) {
    words.symbol(",");
    parts.push(datePart(words, what));
  }
  return parts;
}

function datePart(words: Scanner, what: string): number {
  const { peek } = words;
  if (peek.type !== "number" || !/^0*[0-9]{1,4}$/.test(peek.text)) throw words.expected(what);
  return Number(words.next().text);
}

function quotedArgument(words: Scanner, what: string): Token {
  if (words.peek.type !== "text") throw words.expected(what);
  return words.next();
}
