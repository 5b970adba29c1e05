/** The words of the where and order languages, and how a text that is none of them is refused. */
import { RefusedError } from "../../resources/errors.ts";

/** One word of where or order. `text` is what it says: of a quoted text, without quotes. */
export type Token = {
  readonly type: "name" | "text" | "number" | "symbol" | "end" | "unknown";
  readonly text: string;
  /** Where it starts and ends, counted from 0. */
  readonly at: number;
  readonly end: number;
};

// Longer symbols stand before those they start with.
const symbols = ["==", "!=", "<>", "<=", ">=", "&&", "||", "=", "<", ">", "!", "(", ")", ",", "."];

const space = /[ \t\r\n]*/y;
const patterns = [
  ["name", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /-?[0-9]+(?:\.[0-9]+)?/y],
] as const;
// What no store can keep: a NUL, and half of a surrogate pair.
const unstorable = /\0|\p{Surrogate}/u;

/** Reads a query text word by word, and refuses with the position of what it found. */
export class Scanner {
  /** The next word, not yet taken. */
  peek: Token;
  readonly #source: string;
  readonly #parameter: string;

  /**
   * @param parameter      the name of the query parameter, for messages
   * @param charactersMax  the longest source accepted
   * @throws RefusedError `QueryParseException`, when the source is longer or cannot be stored
   */
  constructor(source: string, parameter: string, charactersMax: number) {
    this.#source = source;
    this.#parameter = parameter;
    if (source.length > charactersMax) {
      const size = `${source.length} characters long, and at most ${charactersMax} are accepted`;
      throw queryRefused(`The text of ${parameter} is ${size}.`);
    }
    const bad = unstorable.exec(source);
    if (bad) throw this.refused(bad.index, "there is a character that no text can hold");
    this.peek = this.#read(0);
  }

  /** Takes the next word. */
  next(): Token {
    const token = this.peek;
    this.peek = this.#read(token.end);
    return token;
  }

  /** Takes the next word if it is this symbol. */
  takesSymbol(...texts: readonly string[]): boolean {
    if (this.peek.type !== "symbol" || !texts.includes(this.peek.text)) return false;
    this.next();
    return true;
  }

  /** Takes the next word if it is this name, in any letter case. `word` is in lower case. */
  takesWord(word: string): boolean {
    if (this.peek.type !== "name" || this.peek.text.toLowerCase() !== word) return false;
    this.next();
    return true;
  }

  /** Whether nothing more comes. */
  ended(): boolean {
    return this.peek.type === "end";
  }

  /** Takes the symbol that must come next. */
  symbol(text: string): void {
    if (!this.takesSymbol(text)) throw this.expected(`'${text}'`);
  }

  /** Takes the name that must come next. */
  name(what: string): Token {
    if (this.peek.type !== "name") throw this.expected(what);
    return this.next();
  }

  /** The refusal that says what should stand in the place of a word, by default the next one. */
  expected(what: string, found: { at: number; end: number } = this.peek): RefusedError {
    const text = found.at === found.end ? "nothing more" : excerpt(this.text(found));
    return this.refused(found.at, `${what} was expected but ${text} was found`);
  }

  refused(at: number, fault: string): RefusedError {
    return queryRefused(`At position ${at + 1} of ${this.#parameter}, ${fault}.`);
  }

  /** The source between two positions. */
  text({ at, end }: { at: number; end: number }): string {
    return this.#source.slice(at, end);
  }

  #read(from: number): Token {
    const at = this.#match(space, from);
    if (at === this.#source.length) return { type: "end", text: "", at, end: at };
    const first = this.#source[at] as string;
    if (first === '"' || first === "'") return this.#readText(at, first);
    for (const [type, pattern] of patterns) {
      const end = this.#match(pattern, at);
      if (end > at) return { type, text: this.#source.slice(at, end), at, end };
    }
    const symbol = symbols.find((text) => this.#source.startsWith(text, at));
    if (symbol) return { type: "symbol", text: symbol, at, end: at + symbol.length };
    const text = String.fromCodePoint(this.#source.codePointAt(at) as number);
    return { type: "unknown", text, at, end: at + text.length };
  }

  /** Where the match of a sticky pattern ends; `from` when there is none. */
  #match(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.test(this.#source) ? pattern.lastIndex : from;
  }

  /** A backslash stands for the quote or the backslash after it, and before any other for itself. */
  #readText(at: number, quote: string): Token {
    let text = "";
    let from = at + 1;
    for (let i = from; i < this.#source.length; i += 1) {
      const unit = this.#source[i];
      if (unit === quote) {
        return { type: "text", text: text + this.#source.slice(from, i), at, end: i + 1 };
      }
      const next = this.#source[i + 1];
      if (unit === "\\" && (next === '"' || next === "'" || next === "\\")) {
        text += this.#source.slice(from, i);
        from = i + 1;
        i += 1;
      }
    }
    throw this.refused(at, `a text starts with ${quote} and does not end`);
  }
}

/** The refusal of a query that cannot be read. */
function queryRefused(message: string): RefusedError {
  return new RefusedError("QueryParseException", message);
}

/** The refusal of a field that the type does not have, in the words of the public API. */
export function unknownField(path: readonly string[], type: string): RefusedError {
  return queryRefused(`No property or field '${cut(path.join("."))}' exists in type '${type}'`);
}

const excerptCharacters = 60;

function excerpt(source: string): string {
  const shown = cut(source);
  return /^["']/.test(shown) ? shown : `'${shown}'`;
}

/** The start of what a caller wrote, without what could upset a terminal or an XML writer. */
function cut(source: string): string {
  const shown = [...source.slice(0, 2 * excerptCharacters)].slice(0, excerptCharacters).join("");
  return shown.replace(/\p{C}/gu, "\ufffd") + (shown.length < source.length ? "…" : "");
}

/** Writes `text` as a literal of the where language. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
