/**
 * The objects of PDF as they stand in its bytes: numbers, names, texts, lists, dictionaries, streams.
 *
 * @source ISO 32000-1, 7.2 and 7.3
 */
import { EInvoiceError } from "../model.ts";

/** Bounds of one file: objects that are looked at, and how deep they nest. */
export const objectsMax = 200_000;
export const depthMax = 60;

export type Value =
  | null
  | boolean
  | number
  | string
  | Name
  | Reference
  | readonly Value[]
  | Dictionary
  | Stream;

export class Name {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Reference {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

export type Dictionary = ReadonlyMap<string, Value>;

export class Stream {
  readonly dictionary: Dictionary;
  readonly start: number;
  constructor(dictionary: Dictionary, start: number) {
    this.dictionary = dictionary;
    this.start = start;
  }
}

/** A word that is no object: `obj`, `endobj`, `R`. */
export class Keyword {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const damaged = (cause?: unknown): EInvoiceError =>
  new EInvoiceError("BadFile", "The PDF is damaged; save it anew with a program that shows it.", {
    cause,
  });
export const cutOff = (): EInvoiceError => new EInvoiceError("Truncated", "The PDF was cut off.");
export const tooLarge = (): EInvoiceError =>
  new EInvoiceError("TooLong", "A file within the PDF unpacks to more than is read.");

// --- tokens ----------------------------------------------------------------------------------------

type Token = Value | Keyword;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32;
const delimiters = new Set([..."()<>[]{}/%"].map((each) => each.charCodeAt(0)));
const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && !isSpace(byte) && !delimiters.has(byte);

export class Lexer {
  readonly #bytes: Buffer;
  #at: number;
  #depth = 0;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** An object, with `7 0 R` as a reference and what `stream` begins. */
  value(): Value {
    const token = this.token();
    if (token instanceof Keyword) {
      if (token.text === "true" || token.text === "false") return token.text === "true";
      if (token.text === "null") return null;
      throw damaged();
    }
    if (typeof token === "number" && Number.isInteger(token)) return this.#reference(token);
    return token;
  }

  #reference(number: number): Value {
    const back = this.#at;
    if (typeof this.#peeked() === "number") {
      this.token();
      const last = this.#peeked();
      if (last instanceof Keyword && last.text === "R") {
        this.token();
        return new Reference(number);
      }
    }
    this.#at = back;
    return number;
  }

  /** The next token, where it is a number or a word. */
  #peeked(): Token | undefined {
    const back = this.#at;
    this.#skip();
    const begins = isRegular(this.#bytes[this.#at]);
    const found = begins ? this.token() : undefined;
    this.#at = back;
    return found;
  }

  token(): Token {
    this.#skip();
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw cutOff();
    const sign = String.fromCharCode(byte);
    if (sign === "/") return this.#name();
    if (sign === "(") return this.#string();
    if (sign === "[") return this.#nested(() => this.#list());
    if (sign === "<") {
      if (this.#bytes[this.#at + 1] !== byte) return this.#hexadecimal();
      return this.#nested(() => this.#map());
    }
    if (!isRegular(byte)) throw damaged();
    return this.#word();
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > depthMax) throw damaged();
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #skip(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (isSpace(byte)) this.#at += 1;
      else if (byte === 0x25) {
        while (this.#at < this.#bytes.length && !/[\r\n]/.test(this.#sign())) this.#at += 1;
      } else return;
    }
  }

  #sign(): string {
    return String.fromCharCode(this.#bytes[this.#at] ?? 0);
  }

  #word(): Token {
    const start = this.#at;
    while (isRegular(this.#bytes[this.#at])) this.#at += 1;
    const text = this.#bytes.toString("latin1", start, this.#at);
    if (text.length > 200) throw damaged();
    return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : new Keyword(text);
  }

  #name(): Name {
    this.#at += 1;
    const start = this.#at;
    while (isRegular(this.#bytes[this.#at])) this.#at += 1;
    const text = this.#bytes.toString("latin1", start, this.#at);
    return new Name(
      text.replace(/#([\da-fA-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
  }

  #string(): string {
    const parts: string[] = [];
    let open = 1;
    this.#at += 1;
    for (; ; this.#at += 1) {
      if (this.#at >= this.#bytes.length) throw cutOff();
      let sign = this.#sign();
      if (sign === "(") open += 1;
      else if (sign === ")") {
        open -= 1;
        if (open === 0) break;
      } else if (sign === "\\") {
        this.#at += 1;
        sign = this.#escaped();
      }
      parts.push(sign);
    }
    this.#at += 1;
    return parts.join("");
  }

  #escaped(): string {
    const octal = /^[0-7]{1,3}/.exec(this.#bytes.toString("latin1", this.#at, this.#at + 3))?.[0];
    if (octal !== undefined) {
      this.#at += octal.length - 1;
      return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    }
    const sign = this.#sign();
    if (sign === "\r" && this.#bytes[this.#at + 1] === 0x0a) this.#at += 1;
    if (/[\r\n]/.test(sign)) return "";
    return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }[sign] ?? sign;
  }

  #hexadecimal(): string {
    const end = this.#bytes.indexOf(">", this.#at);
    if (end < 0) throw cutOff();
    const digits = this.#bytes.toString("latin1", this.#at + 1, end).replace(/\s+/g, "");
    if (!/^[\da-fA-F]*$/.test(digits)) throw damaged();
    this.#at = end + 1;
    return Buffer.from(digits.padEnd(digits.length + (digits.length % 2), "0"), "hex").toString(
      "latin1",
    );
  }

  #list(): readonly Value[] {
    this.#at += 1;
    const values: Value[] = [];
    for (;;) {
      this.#skip();
      if (this.#sign() === "]") break;
      values.push(this.value());
      if (values.length > objectsMax) throw damaged();
    }
    this.#at += 1;
    return values;
  }

  #map(): Value {
    this.#at += 2;
    const map = new Map<string, Value>();
    for (;;) {
      this.#skip();
      if (this.#sign() === ">") break;
      const key = this.token();
      if (!(key instanceof Name)) throw damaged();
      map.set(key.text, this.value());
    }
    this.#at += 2;
    const next = this.#peeked();
    if (!(next instanceof Keyword) || next.text !== "stream") return map;
    this.token();
    if (this.#bytes[this.#at] === 0x0d) this.#at += 1;
    if (this.#bytes[this.#at] === 0x0a) this.#at += 1;
    return new Stream(map, this.#at);
  }
}
