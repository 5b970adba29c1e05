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
 * The hash of a link is the SHA-256 of
 * `{"at":…,"cause":…,"number":…,"previous":…,"records":…,"version":2}`, JSON by RFC 8785: `previous`
 * is the hash of the link before, for the first of them 64 zeros, and `records` the SHA-256 of the
 * bytes, both hexadecimal. `cause` is `operation N H` or `audit N H`: the number of the last row of
 * that log that the transaction wrote, and the hash of its record. All links of a transaction have the
 * same. Links of earlier versions of the program have none, and `"version":1`.
 */
import { hexOf, isInteger, type RecordKind, recordKindOf, sha256 } from "./canonical.ts";

/** A record as a link names it. */
export interface LinkedRecord {
  /** The columns of the record key, joined by `\0`. */
  readonly key: string;
  /** SHA-256 in 32 characters; empty for a removed record. */
  readonly hash: string;
}

/** The records that a link names, by kind. */
export type LinkedRecords = ReadonlyMap<RecordKind, readonly LinkedRecord[]>;

/** Maximum records of one link; a larger transaction has several links, all but the last full. */
export const recordsMax = 4096;

/** The head of an empty chain: number and hash that the first link follows. */
export const genesis = { number: 0, hash: "0".repeat(64) } as const;

export interface Head {
  readonly number: number;
  /** Hash of the link, hexadecimal. */
  readonly hash: string;
}

export interface Link extends Head {
  readonly at: number | null;
  readonly records: Uint8Array;
  readonly cause: string | null;
}

/** The cause of a link: the operation or audit entry for which it was written. */
export interface Cause {
  readonly log: "operation" | "audit";
  readonly number: number;
  /** Hash of the record of the operation or audit entry, hexadecimal. */
  readonly hash: string;
}

export const writeCause = ({ log, number, hash }: Cause): string => `${log} ${number} ${hash}`;

/** Parses a cause; undefined when the text is null or no cause. */
export function readCause(text: string | null): Cause | undefined {
  const [, log, number, hash = ""] =
    /^(operation|audit) (\d+) ([\da-f]{64})$/.exec(text ?? "") ?? [];
  return log === undefined ? undefined : { log: log as Cause["log"], number: Number(number), hash };
}

/** Makes the link that follows `head`. */
export function linkAfter(previous: Head, link: Pick<Link, "at" | "records" | "cause">): Link {
  const linked = { ...link, number: previous.number + 1 };
  return { ...linked, hash: linkHash(previous.hash, linked) };
}

type HashedLink = Omit<Link, "hash">;

export function linkHash(previous: string, { number, at, records, cause }: HashedLink): string {
  const causeText = cause === null ? null : JSON.stringify(cause);
  return hexOf(
    sha256(
      `{"at":${at},"cause":${causeText},"number":${number},"previous":"${previous}",` +
        `"records":"${hexOf(sha256(records))}","version":2}`,
    ),
  );
}

/** The hash of a link in version 1, which has no cause. */
export function linkHashBefore(previous: string, { number, at, records }: HashedLink): string {
  const hash = hexOf(sha256(records));
  return hexOf(
    sha256(
      `{"at":${at},"number":${number},"previous":"${previous}","records":"${hash}","version":1}`,
    ),
  );
}

// --- bytes of records ----------------------------------------------------------------------------

export const hashBytes = 32;
const guidBytes = 16;
const isGuid = 0;
const isLong = 255;
const guidLength = 36;
const hyphenCode = 45;
/** The value of a hexadecimal digit by its code; above 15 for other characters. */
const digits = new Uint8Array(128).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) digits[digit.charCodeAt(0)] = value;

export function encodeRecords(records: LinkedRecords): Uint8Array {
  const writer = new LinkWriter();
  for (const [{ table, key }, entries] of records) {
    if (entries.length === 0) continue;
    writer.text(table);
    writer.byte(key.length);
    writer.count(entries.length);
    for (const entry of entries) {
      writer.key(key.length, entry.key);
      writer.byte(entry.hash === "" ? 0 : 1);
      if (entry.hash !== "") writer.latin1(entry.hash);
    }
  }
  return writer.bytes();
}

/**
 * The buffer into which records are encoded, shared by all links: allocating one for each would
 * cost more than the encoding.
 */
let scratch = Buffer.allocUnsafe(4096);

class LinkWriter {
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

  /** @param columnCount  number of columns of the key */
  key(columnCount: number, key: string): void {
    if (columnCount === 1) this.text(key);
    else if (columnCount > 1) for (const column of key.split("\0")) this.text(column);
  }

  /**
   * Writes a GUID as sixteen bytes.
   * @returns false, having written nothing, when the text is no GUID
   */
  #guid(text: string): boolean {
    this.#room(1 + guidBytes);
    const buffer = this.#buffer;
    let endOffset = this.#end + 1;
    for (let at = 0; at < guidLength; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        if (text.charCodeAt(at) !== hyphenCode) return false;
        at += 1;
      }
      const value = (digits[text.charCodeAt(at)] ?? 255) * 16;
      const low = digits[text.charCodeAt(at + 1)] ?? 255;
      if (value > 240 || low > 15) return false;
      buffer[endOffset] = value + low;
      endOffset += 1;
    }
    buffer[this.#end] = isGuid;
    this.#end = endOffset;
    return true;
  }

  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#end);
  }

  bytes(): Uint8Array {
    return Buffer.from(this.view());
  }
}

const wantsAll = () => true;

/**
 * Calls `found` with the offsets of each record in the bytes of a link, in their order, without
 * decoding anything.
 * @param visit  receives where the key begins and ends, and where the hash begins, which is below
 *   zero for a removed record
 * @param wants  the kinds of record to report; records of others are skipped
 * @throws Error when the bytes are no encoded records
 */
export function scanRecords(
  bytes: Uint8Array,
  visit: (kind: RecordKind, startIndex: number, to: number, hashAt: number) => void,
  wants: (kind: RecordKind) => boolean = wantsAll,
): void {
  const reader = new LinkReader(bytes);
  while (!reader.isAtEnd) {
    const table = reader.text();
    const columnCount = reader.byte();
    const count = reader.count();
    const kind = recordKindOf(table);
    if (kind === undefined || kind.key.length !== columnCount) {
      throw new Error(`There are no records of ${table} with keys of ${columnCount} columns.`);
    }
    const isWanted = wants(kind);
    for (let at = 0; at < count; at += 1) {
      const startIndex = reader.at;
      for (let column = 0; column < columnCount; column += 1) reader.pass();
      const to = reader.at;
      const hashAt = reader.byte() === 0 ? -1 : reader.passBytes(hashBytes);
      if (isWanted) visit(kind, startIndex, to, hashAt);
    }
  }
}

/** Calls `found` with each record of a link, in their order. @throws Error as `scanRecords` */
export function decodeRecords(
  bytes: Uint8Array,
  visit: (kind: RecordKind, record: LinkedRecord) => void,
): void {
  const buffer = bufferOf(bytes);
  scanRecords(buffer, (kind, startIndex, _, hashAt) => {
    const hash = hashAt < 0 ? "" : buffer.toString("latin1", hashAt, hashAt + hashBytes);
    visit(kind, { key: decodeKey(kind, buffer, startIndex), hash });
  });
}

/** Decodes the key of a record from the bytes of a link, its columns joined by `\0`. */
export function decodeKey({ key }: RecordKind, bytes: Uint8Array, startIndex: number): string {
  const reader = new LinkReader(bytes, startIndex);
  return key.map(() => reader.text()).join("\0");
}

/** Encodes a key as in the bytes of a link; the result is valid until the next key is encoded. */
export function encodeKey({ key: columns }: RecordKind, key: string): Uint8Array {
  const writer = new LinkWriter();
  writer.key(columns.length, key);
  return writer.view();
}

/**
 * Compares two keys in the order of the database, integers by value and texts by their bytes; below
 * zero when the first comes first.
 */
export function keyOrder(kind: RecordKind, a: Uint8Array, b: Uint8Array, fromA = 0): number {
  const [own, other] = [new LinkReader(a, fromA), new LinkReader(b)];
  for (let at = 0; at < kind.key.length; at += 1) {
    const order = isInteger(kind, at)
      ? Number(own.text()) - Number(other.text())
      : own.compare(other);
    if (order !== 0) return order;
  }
  return 0;
}

/** A buffer over the same bytes, not copied. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

class LinkReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : bufferOf(bytes);
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  count(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  text(): string {
    const kind = this.byte();
    if (kind === isGuid) {
      const at = this.#take(guidBytes);
      const hex = this.#bytes.toString("hex", at, at + guidBytes);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    }
    const length = kind === isLong ? this.count() : kind;
    const at = this.#take(length);
    return this.#bytes.toString("utf8", at, at + length);
  }

  /**
   * Reads a text from both readers and compares them.
   * @returns below zero when this reader's text comes first by its bytes
   */
  compare(otherReader: LinkReader): number {
    if (this.#bytes[this.at] !== isGuid || otherReader.#bytes[otherReader.at] !== isGuid) {
      return Buffer.compare(Buffer.from(this.text()), Buffer.from(otherReader.text()));
    }
    const [own, its] = [this.#take(1 + guidBytes), otherReader.#take(1 + guidBytes)];
    for (let at = 1; at <= guidBytes; at += 1) {
      const order = (this.#bytes[own + at] as number) - (otherReader.#bytes[its + at] as number);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Skips a text. */
  pass(): void {
    const kind = this.byte();
    this.#take(kind === isGuid ? guidBytes : kind === isLong ? this.count() : kind);
  }

  /**
   * Skips bytes.
   * @returns the offset at which they begin
   */
  passBytes(length: number): number {
    return this.#take(length);
  }

  #take(length: number): number {
    const at = this.at;
    if (at + length > this.#bytes.length) throw new Error("The records of the link end too early.");
    this.at += length;
    return at;
  }
}
