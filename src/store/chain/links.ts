/**
 * Links of the chain: what a transaction wrote, record by record, and how it follows from the link
 * before.
 *
 * The records of a link are bytes: for each table its name, the number of columns of its keys and
 * that of its records; for each record its key, column by column, then 1 and the SHA-256 of the
 * record as it was left, or 0 where it was removed. A name or a column is a byte with its length and
 * that many bytes of UTF-8, integers as decimal digits; a length of 0 says that the sixteen bytes of
 * a GUID follow, 255 that the length does, in four bytes as all counts.
 *
 * The hash of a link is the SHA-256 of `{"at":…,"number":…,"previous":…,"records":…,"version":1}`,
 * JSON by RFC 8785: `previous` is the hash of the link before, for the first
 * of them 64 zeros, and `records` the SHA-256 of the bytes, both hexadecimal.
 */
import { hexOf, type RecordKind, recordKindOf, sha256, version } from "./canonical.ts";

/** A record as a link names it. */
export interface LinkedRecord {
  /** Its columns, `\0` between them. */
  readonly key: string;
  /** SHA-256 in 32 characters; empty for one that was removed. */
  readonly hash: string;
}

/** The records that were written, by kind. */
export type LinkedRecords = ReadonlyMap<RecordKind, readonly LinkedRecord[]>;

/** The link before the first. */
export const genesis = { number: 0, hash: "0".repeat(64) } as const;

export interface Head {
  readonly number: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface Link extends Head {
  readonly at: number | null;
  readonly records: Uint8Array;
}

/** The link that follows `head`. */
export function linkAfter(head: Head, at: number | null, records: Uint8Array): Link {
  const number = head.number + 1;
  return { number, at, records, hash: linkHash(head.hash, { number, at, records }) };
}

export function linkHash(
  previous: string,
  { number, at, records }: Pick<Link, "number" | "at" | "records">,
): string {
  const said = hexOf(sha256(records));
  return hexOf(
    sha256(
      `{"at":${at},"number":${number},"previous":"${previous}","records":"${said}","version":${version}}`,
    ),
  );
}

// --- bytes of records ----------------------------------------------------------------------------

const hashBytes = 32;
const guidBytes = 16;
const isGuid = 0;
const isLong = 255;
const guidLength = 36;
const hyphen = 45;
/** The value of a hexadecimal digit by its code; above 15 for other characters. */
const digits = new Uint8Array(128).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) digits[digit.charCodeAt(0)] = value;

export function encodeRecords(records: LinkedRecords): Uint8Array {
  const out = new Writer();
  for (const [{ table, key }, entries] of records) {
    if (entries.length === 0) continue;
    out.text(table);
    out.byte(key.length);
    out.count(entries.length);
    for (const entry of entries) {
      if (key.length === 1) out.text(entry.key);
      else if (key.length > 1) for (const column of entry.key.split("\0")) out.text(column);
      out.byte(entry.hash === "" ? 0 : 1);
      if (entry.hash !== "") out.latin1(entry.hash);
    }
  }
  return out.bytes();
}

/** Written to by one writer at a time, and kept: a new one for each link would cost more than the writing. */
let scratch = Buffer.allocUnsafe(4096);

class Writer {
  #buffer = scratch;
  #end = 0;

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#end + bytes));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
    scratch = larger;
  }

  byte(value: number): void {
    this.#room(1);
    this.#buffer[this.#end] = value;
    this.#end += 1;
  }

  count(value: number): void {
    this.#room(4);
    this.#end = this.#buffer.writeUInt32BE(value, this.#end);
  }

  latin1(text: string): void {
    this.#room(text.length);
    this.#end += this.#buffer.write(text, this.#end, "latin1");
  }

  text(text: string): void {
    if (text.length === guidLength && this.#guid(text)) return;
    const length = Buffer.byteLength(text);
    if (length > 0 && length < isLong) this.byte(length);
    else {
      this.byte(isLong);
      this.count(length);
    }
    this.#room(length);
    this.#end += this.#buffer.write(text, this.#end);
  }

  /** Writes a GUID. @returns false, having written nothing, where it is none */
  #guid(text: string): boolean {
    this.#room(1 + guidBytes);
    const buffer = this.#buffer;
    let end = this.#end + 1;
    for (let at = 0; at < guidLength; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        if (text.charCodeAt(at) !== hyphen) return false;
        at += 1;
      }
      const value = (digits[text.charCodeAt(at)] ?? 255) * 16;
      const low = digits[text.charCodeAt(at + 1)] ?? 255;
      if (value > 240 || low > 15) return false;
      buffer[end] = value + low;
      end += 1;
    }
    buffer[this.#end] = isGuid;
    this.#end = end;
    return true;
  }

  bytes(): Uint8Array {
    return Buffer.from(this.#buffer.subarray(0, this.#end));
  }
}

const every = () => true;

/**
 * Calls `found` with each record of a link, in their order.
 *
 * @param wants  kinds whose records are passed over otherwise, which takes a tenth of the time
 * @throws Error where the bytes are not those of records
 */
export function decodeRecords(
  bytes: Uint8Array,
  found: (kind: RecordKind, record: LinkedRecord) => void,
  wants: (kind: RecordKind) => boolean = every,
): void {
  const from = new Reader(bytes);
  while (!from.isAtEnd) {
    const table = from.text();
    const columns = from.byte();
    const count = from.count();
    const kind = recordKindOf(table);
    if (kind === undefined || kind.key.length !== columns) {
      throw new Error(`There are no records of ${table} with keys of ${columns} columns.`);
    }
    if (!wants(kind)) {
      for (let at = 0; at < count; at += 1) {
        for (let column = 0; column < columns; column += 1) from.pass();
        if (from.byte() !== 0) from.passBytes(hashBytes);
      }
      continue;
    }
    for (let at = 0; at < count; at += 1) {
      let key = columns === 0 ? "" : from.text();
      for (let column = 1; column < columns; column += 1) key += `\0${from.text()}`;
      found(kind, { key, hash: from.byte() === 0 ? "" : from.latin1(hashBytes) });
    }
  }
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  count(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  latin1(length: number): string {
    const at = this.#take(length);
    return this.#bytes.toString("latin1", at, at + length);
  }

  text(): string {
    const said = this.byte();
    if (said === isGuid) {
      const at = this.#take(guidBytes);
      const hex = this.#bytes.toString("hex", at, at + guidBytes);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    }
    const length = said === isLong ? this.count() : said;
    const at = this.#take(length);
    return this.#bytes.toString("utf8", at, at + length);
  }

  /** Leaves out a text. */
  pass(): void {
    const said = this.byte();
    this.#take(said === isGuid ? guidBytes : said === isLong ? this.count() : said);
  }

  passBytes(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw new Error("The records of the link end too early.");
    this.#at += length;
    return at;
  }
}
