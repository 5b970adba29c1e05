/**
 * JSON parser that loses no digits and enforces limits.
 *
 * `JSON.parse` turns every number into a double. A number of at most 15 significant digits survives
 * exactly; a longer one is kept as its text, which every reader of amounts accepts.
 */

import { boundsOf, Meter } from "../resources/bounds.ts";
import { shown } from "../resources/scalar.ts";

/** Maximum digits of a number that a double represents exactly. */
const exactDigits = 15;

/** Error for an unreadable body, as one sentence without its full stop. */
export class Unreadable extends Error {}

/**
 * Parses JSON; numbers of more than 15 digits become strings.
 * @throws Unreadable for invalid JSON; RefusedError `TooMuch` beyond the limits of nesting or size
 */
export function readJson(text: string): unknown {
  const { hasLongNumber } = scanJson(text);
  try {
    return hasLongNumber ? JSON.parse(text, keepDigits as Reviver) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable(reasonWithoutExcerpt(error.message, text));
  }
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined) return value;
  return digitsIn(context.source) > exactDigits ? context.source : value;
}

function digitsIn(source: string): number {
  return source.replace(/[eE].*$/, "").replace(/[^\d]/g, "").length;
}

/** The engine's error message without the excerpt of the body that it may quote. */
function reasonWithoutExcerpt(message: string, text: string): string {
  const position = /at position (\d+) \(line (\d+) column (\d+)\)/.exec(message);
  const isAtEnd = position !== null && Number(position[1]) >= text.trimEnd().length;
  if (isAtEnd || /end of JSON|Unterminated/.test(message)) return "the JSON ends too early";
  if (position === null) return "it is not JSON";
  return `the JSON is not correct in line ${position[2]} column ${position[3]}`;
}

/** The end of the string that begins at `start`: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let stringEnd = start;
  for (;;) {
    stringEnd = text.indexOf('"', stringEnd + 1);
    if (stringEnd < 0) return text.length;
    let backslashCount = 0;
    while (text.charCodeAt(stringEnd - 1 - backslashCount) === backslashCode) backslashCount += 1;
    if (backslashCount % 2 === 0) return stringEnd;
  }
}

const quoteCode = 0x22;
const backslashCode = 0x5c;

/** Whether the string that ends at `end` is a member name. */
function isName(text: string, stringEnd: number): boolean {
  let position = stringEnd + 1;
  while (text.charCodeAt(position) <= 0x20) position += 1;
  return text.charCodeAt(position) === 0x3a;
}

/** Refuses duplicate member names, of which the engine would silently keep the last. */
function noteName(names: Set<string>[], depth: number, quotedName: string): void {
  names[depth] ??= new Set();
  const seenNames = names[depth];
  const name = quotedName.includes("\\") ? unescapedName(quotedName) : quotedName.slice(1, -1);
  if (seenNames.has(name)) throw new Unreadable(`an object of the JSON names ${shown(name)} twice`);
  seenNames.add(name);
}

function unescapedName(quotedName: string): string {
  try {
    return JSON.parse(quotedName);
  } catch {
    return quotedName; // whatever is wrong with it is told by the engine
  }
}

/**
 * Scans the text once: limits depth and size before anything is built, refuses duplicate member
 * names, and detects numbers that must be kept as text.
 */
function scanJson(text: string): { hasLongNumber: boolean } {
  const meter = new Meter(boundsOf.json, text.length);
  let depth = 0;
  let digits = 0;
  let hasLongNumber = false;
  /** Member names of the open objects, by depth. */
  const names: Set<string>[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > exactDigits) hasLongNumber = true;
      continue;
    }
    if (code === 0x2e) continue; // a point stands inside a number
    digits = 0;
    if (code === quoteCode) {
      const stringEnd = endOfString(text, index);
      if (isName(text, stringEnd)) noteName(names, depth, text.slice(index, stringEnd + 1));
      index = stringEnd;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      meter.step();
      meter.deep(depth);
      names[depth]?.clear();
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (code === 0x2c) {
      meter.step();
    }
  }
  return { hasLongNumber };
}

export type Members = Readonly<Record<string, unknown>>;

/** Members of a JSON object; undefined for any other value. */
export function membersOf(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
