/** Scanner (tokenizer) of the where and order languages, with errors for invalid text. */
import { RefusedError } from "../../resources/errors.ts";

/** A token of where or order. `text` is its value: for a quoted text, without quotes. */
export type Token = {
  readonly type: "name" | "text" | "number" | "symbol" | "end" | "unknown";
  readonly text: string;
  /** Start and end positions, from 0. */
  readonly at: number;
  readonly end: number;
};

// Longer symbols come before their prefixes.
const symbols = ["==", "!=", "<>", "<=", ">=", "&&", "||", "=", "<", ">", "!", "(", ")", ",", "."];

const space = /[ \t\r\n]*/y;
const patterns = [
  ["name", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /-?[0-9]+(?:\.[0-9]+)?/y],
] as const;
// Text that no store can hold: a NUL, and half of a surrogate pair.
const unstorable = /\0|\p{Surrogate}/u;

/** Reads a query text token by token; errors give the position. */
export class Scanner {
  /** The next token, not yet consumed. */
  peek: Token;
  readonly #source: string;
  readonly #parameter: string;

  /**
   * Starts a scan.
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

  /** Consumes and returns the next token. */
  next(): Token {
    const token = this.peek;
    this.peek = this.#read(token.end);
    return token;
  }

  /** Consumes the next token if it is one of the symbols. */
  takeSymbol(...texts: readonly string[]): boolean {
    if (this.peek.type !== "symbol" || !texts.includes(this.peek.text)) return false;
    this.next();
    return true;
  }

  /** Consumes the next token if it is this name, in any letter case. `word` is in lower case. */
  takeWord(word: string): boolean {
    if (this.peek.type !== "name" || this.peek.text.toLowerCase() !== word) return false;
    this.next();
    return true;
  }

  /** Whether the end of the text is reached. */
  ended(): boolean {
    return this.peek.type === "end";
  }

  /** Consumes the required symbol, or throws. */
  symbol(text: string): void {
    if (!this.takeSymbol(text)) throw this.expectedError(`'${text}'`);
  }

  /** Consumes the required name, or throws. */
  name(expected: string): Token {
    if (this.peek.type !== "name") throw this.expectedError(expected);
    return this.next();
  }

  /** Makes the error that says what was expected instead of a token, by default the next one. */
  expectedError(expected: string, token: { at: number; end: number } = this.peek): RefusedError {
    const text = token.at === token.end ? "nothing more" : excerptOf(this.text(token));
    return this.refused(token.at, `${expected} was expected but ${text} was found`);
  }

  refused(at: number, fault: string): RefusedError {
    return queryRefused(`At position ${at + 1} of ${this.#parameter}, ${fault}.`);
  }

  /** The source between two positions. */
  text({ at, end }: { at: number; end: number }): string {
    return this.#source.slice(at, end);
  }

  #read(startIndex: number): Token {
    const at = this.#match(space, startIndex);
    if (at === this.#source.length) return { type: "end", text: "", at, end: at };
    const firstCharacter = this.#source[at] as string;
    if (firstCharacter === '"' || firstCharacter === "'") return this.#readText(at, firstCharacter);
    for (const [type, pattern] of patterns) {
      const endAt = this.#match(pattern, at);
      if (endAt > at) return { type, text: this.#source.slice(at, endAt), at, end: endAt };
    }
    const symbol = symbols.find((text) => this.#source.startsWith(text, at));
    if (symbol) return { type: "symbol", text: symbol, at, end: at + symbol.length };
    const text = String.fromCodePoint(this.#source.codePointAt(at) as number);
    return { type: "unknown", text, at, end: at + text.length };
  }

  /** The end of a match of a sticky pattern; `from` when there is none. */
  #match(pattern: RegExp, startIndex: number): number {
    pattern.lastIndex = startIndex;
    return pattern.test(this.#source) ? pattern.lastIndex : startIndex;
  }

  /**
   * Reads a quoted text: a backslash escapes a quote or a backslash, and is literal before others.
   */
  #readText(at: number, quote: string): Token {
    let text = "";
    let startIndex = at + 1;
    for (let i = startIndex; i < this.#source.length; i += 1) {
      const unit = this.#source[i];
      if (unit === quote) {
        return { type: "text", text: text + this.#source.slice(startIndex, i), at, end: i + 1 };
      }
      const following = this.#source[i + 1];
      if (unit === "\\" && (following === '"' || following === "'" || following === "\\")) {
        text += this.#source.slice(startIndex, i);
        startIndex = i + 1;
        i += 1;
      }
    }
    throw this.refused(at, `a text starts with ${quote} and does not end`);
  }
}

/** Makes the error for an unreadable query. */
function queryRefused(message: string): RefusedError {
  return new RefusedError("QueryParseException", message);
}

/** Makes the error for operands of two types, in the wording of the public API. */
export function mixedTypes(sign: string, leftType: string, right: string): RefusedError {
  return queryRefused(
    `Operator '${sign}' incompatible with operand types '${leftType}' and '${right}'`,
  );
}

/** Makes the error for a field unknown to the type, in the wording of the public API. */
export function unknownField(path: readonly string[], type: string): RefusedError {
  return queryRefused(`No property or field '${cut(path.join("."))}' exists in type '${type}'`);
}

const excerptCharacters = 60;

function excerptOf(source: string): string {
  const cutSource = cut(source);
  return /^["']/.test(cutSource) ? cutSource : `'${cutSource}'`;
}

/**
 * The start of the caller's text, without characters that could disturb a terminal or XML writer.
 */
function cut(source: string): string {
  const visible = [...source.slice(0, 2 * excerptCharacters)].slice(0, excerptCharacters).join("");
  return visible.replace(/\p{C}/gu, "\ufffd") + (visible.length < source.length ? "…" : "");
}

/** Writes `text` as a literal of the where language. */
export function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
