/**
 * Parses PDF objects from bytes: numbers, names, strings, arrays, dictionaries, streams.
 *
 * @source ISO 32000-1, 7.2 and 7.3
 */
import { boundsOf, type Meter, tooMuch } from "../../resources/bounds.ts";
import { EInvoiceError } from "../model.ts";

/**
 * Maximum length of a string or word in bytes; the next is the maximum number of tokens in an
 * object, which is read without pause.
 */
const textMax = 1024 * 1024;
const wordsMax = 200_000;

export type PdfValue =
  | null
  | boolean
  | number
  | string
  | Name
  | Reference
  | readonly PdfValue[]
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

export type Dictionary = ReadonlyMap<string, PdfValue>;

export class Stream {
  readonly dictionary: Dictionary;
  readonly start: number;
  constructor(dictionary: Dictionary, start: number) {
    this.dictionary = dictionary;
    this.start = start;
  }
}

/** A keyword, which is no object: `obj`, `endobj`, `R`. */
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

// --- tokens ----------------------------------------------------------------------------------------

type PdfToken = PdfValue | Keyword;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32;
const delimiterCodes = new Set([..."()<>[]{}/%"].map((text) => text.charCodeAt(0)));
const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && !isSpace(byte) && !delimiterCodes.has(byte);

export class Lexer {
  readonly #bytes: Buffer;
  readonly #meter: Meter;
  #at: number;
  #depth = 0;
  #words = 0;

  constructor(bytes: Buffer, at: number, meter: Meter) {
    this.#bytes = bytes;
    this.#at = at;
    this.#meter = meter;
  }

  /** Current offset in the bytes. */
  get at(): number {
    return this.#at;
  }

  /** Reads an object; also handles references (`7 0 R`) and the start of a stream. */
  value(): PdfValue {
    const token = this.token();
    if (token instanceof Keyword) {
      if (token.text === "true" || token.text === "false") return token.text === "true";
      if (token.text === "null") return null;
      throw damaged();
    }
    if (typeof token === "number" && Number.isInteger(token)) return this.#reference(token);
    return token;
  }

  #reference(number: number): PdfValue {
    const startAt = this.#at;
    if (typeof this.#peeked() === "number") {
      this.token();
      const keyword = this.#peeked();
      if (keyword instanceof Keyword && keyword.text === "R") {
        this.token();
        return new Reference(number);
      }
    }
    this.#at = startAt;
    return number;
  }

  /** Peeks at the next token, if it is a number or keyword. */
  #peeked(): PdfToken | undefined {
    const startAt = this.#at;
    this.#skip();
    const isToken = isRegular(this.#bytes[this.#at]);
    const nextToken = isToken ? this.token() : undefined;
    this.#at = startAt;
    return nextToken;
  }

  token(): PdfToken {
    this.#meter.step();
    this.#words += 1;
    if (this.#words > wordsMax) throw tooMuch(boundsOf.pdf, "has an object of 200,000 words");
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
    this.#meter.deep(this.#depth);
    const value = read();
    this.#depth -= 1;
    return value;
  }

  /** Skips bytes, counting long runs as work. @returns the offset where they began */
  #while(isInside: (byte: number) => boolean): number {
    const start = this.#at;
    for (let byte = this.#bytes[start]; byte !== undefined && isInside(byte); ) {
      this.#at += 1;
      byte = this.#bytes[this.#at];
    }
    this.#meter.step((this.#at - start) >> 5);
    return start;
  }

  /** Returns the bytes from `start` up to the current offset. @throws RefusedError `TooMuch` */
  #text(start: number): string {
    if (this.#at - start > textMax) throw tooMuch(boundsOf.pdf, "has a text of more than 1 MiB");
    return this.#bytes.toString("latin1", start, this.#at);
  }

  #skip(): void {
    for (;;) {
      this.#while(isSpace);
      if (this.#bytes[this.#at] !== 0x25) return;
      this.#while((byte) => byte !== 0x0a && byte !== 0x0d);
    }
  }

  #sign(): string {
    return String.fromCharCode(this.#bytes[this.#at] ?? 0);
  }

  #word(): PdfToken {
    const text = this.#text(this.#while(isRegular));
    return /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : new Keyword(text);
  }

  #name(): Name {
    this.#at += 1;
    const text = this.#text(this.#while(isRegular));
    return new Name(text.replace(/#([\da-fA-F]{2})/g, (_, hex: string) => characterOf(hex, 16)));
  }

  #string(): string {
    this.#at += 1;
    let openCount = 1;
    let isEscaped = false;
    const start = this.#while((byte) => {
      if (isEscaped) isEscaped = false;
      else if (byte === 0x5c) isEscaped = true;
      else if (byte === 0x28) openCount += 1;
      else if (byte === 0x29) openCount -= 1;
      return openCount > 0;
    });
    if (openCount > 0) throw cutOff();
    const text = this.#text(start);
    this.#at += 1;
    return text.replace(/\\([0-7]{1,3}|\r\n|[\s\S])/g, (_, sign: string) => {
      if (/^[0-7]/.test(sign)) return characterOf(sign, 8);
      if (/^[\r\n]/.test(sign)) return "";
      return { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }[sign] ?? sign;
    });
  }

  #hexadecimal(): string {
    this.#at += 1;
    const start = this.#while((byte) => byte !== 0x3e);
    if (this.#at >= this.#bytes.length) throw cutOff();
    const digits = this.#text(start).replace(/[\s\0]+/g, "");
    if (!/^[\da-fA-F]*$/.test(digits)) throw damaged();
    this.#at += 1;
    return Buffer.from(digits.padEnd(digits.length + (digits.length % 2), "0"), "hex").toString(
      "latin1",
    );
  }

  #list(): readonly PdfValue[] {
    this.#at += 1;
    const values: PdfValue[] = [];
    for (;;) {
      this.#skip();
      if (this.#sign() === "]") break;
      values.push(this.value());
    }
    this.#at += 1;
    return values;
  }

  #map(): PdfValue {
    this.#at += 2;
    const entryByName = new Map<string, PdfValue>();
    for (;;) {
      this.#skip();
      if (this.#sign() === ">") break;
      const key = this.token();
      if (!(key instanceof Name)) throw damaged();
      entryByName.set(key.text, this.value());
    }
    this.#at += 2;
    const nextToken = this.#peeked();
    if (!(nextToken instanceof Keyword) || nextToken.text !== "stream") return entryByName;
    this.token();
    if (this.#bytes[this.#at] === 0x0d) this.#at += 1;
    if (this.#bytes[this.#at] === 0x0a) this.#at += 1;
    return new Stream(entryByName, this.#at);
  }
}

const characterOf = (digits: string, radix: number): string =>
  String.fromCharCode(Number.parseInt(digits, radix) & 0xff);
