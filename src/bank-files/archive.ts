/**
 * Files in a ZIP, as banks pack statements.
 *
 * The archive and one file of it at a time are in memory, both bounded; what says to be small and
 * unpacks to more is refused while it unpacks.
 */

import { crc32, inflateRawSync } from "node:zlib";
import { boundsOf, Meter } from "../resources/bounds.ts";
import { type BankFile, BankFileError } from "./bank-statement.ts";

export interface PackedFile {
  /** In the archive; undefined of a file that is none. */
  readonly name: string | undefined;
  readonly open: BankFile;
}

const bounds = boundsOf.zip;
/** Of one file. */
const fileBytesMax = 128 * 1024 * 1024;
/** Statements become smaller by a factor of 50; what does by more is made for its reader to choke on. */
const ratioMax = 200;
/** Below this the ratio does not matter. */
const smallBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const commentMax = 65_535;

/** What is no text and no statement, by what its first bytes hold. */
const documents: readonly (readonly [RegExp, string])[] = [
  [/^\u00d0\u00cf.\u00e0/s, "spreadsheet (Excel)"],
  [/^PK..[\s\S]*(?:\[Content_Types\]\.xml|xl\/workbook)/s, "spreadsheet (Excel)"],
  [/^PK.{0,60}mimetypeapplication\/vnd\.oasis/s, "spreadsheet (OpenDocument)"],
  [/^PK..[\s\S]*Index\/\w+(?:-\d+)?\.iwa/s, "spreadsheet (Numbers)"],
  [/^%PDF-/, "PDF"],
];

/** What a file is that holds no text, by its first 4,096 bytes as Latin-1: `spreadsheet (Excel)`. */
export function documentKind(head: string): string | undefined {
  return documents.find(([mark]) => mark.test(head))?.[1];
}

/** The files in an archive by their names, or the file itself. @throws BankFileError */
export function filesIn(file: BankFile): PackedFile[] {
  let head = "";
  for (const chunk of file()) {
    head += Buffer.from(chunk.subarray(0, 4096)).toString("latin1");
    if (head.length >= 4096) break;
  }
  const kind = documentKind(head);
  if (kind !== undefined) {
    throw new BankFileError("Spreadsheet", `It is a ${kind}; save it as CSV and give that.`);
  }
  const isArchive = head.startsWith("PK\x03\x04");
  return isArchive ? unpack(archiveOf(file)) : [{ name: undefined, open: file }];
}

function archiveOf(file: BankFile): Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const chunk of file()) {
    bytes += chunk.length;
    new Meter(bounds, bytes);
    chunks.push(Buffer.from(chunk)); // the caller may fill its buffer anew
  }
  return Buffer.concat(chunks);
}

/** The files in an archive of any kind. @throws BankFileError */
export function unpack(archive: Buffer): PackedFile[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  const meter = new Meter(bounds, archive.length);
  meter.step(count);
  const files: PackedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  let packedBytes = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== directorySignature) {
      throw broken("its directory is damaged");
    }
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number];
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    const entry = {
      name,
      flags: archive.readUInt16LE(at + 8),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      start: archive.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + extraLength + commentLength;
    // What a system adds beside the files of the bank.
    if (name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\.)/.test(name)) continue;
    packedBytes += entry.packed;
    if (packedBytes > archive.length) throw broken("its files overlap");
    meter.unpack(entry.size);
    files.push({ name, open: () => contentOf(archive, entry) });
  }
  if (files.length === 0) throw broken("it holds no file");
  return files;
}

interface ArchiveEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
}

function* contentOf(archive: Buffer, entry: ArchiveEntry): Generator<Uint8Array> {
  const { name, flags, method, crc, packed, size, start } = entry;
  if ((flags & 1) !== 0) throw broken("it is protected by a password", name);
  if (method !== 0 && method !== 8) throw broken("it is packed in an unusual way", name);
  if (size > fileBytesMax || size > packed * ratioMax + smallBytes) throw tooLarge(name);
  if (start + 30 > archive.length || archive.readUInt32LE(start) !== localSignature) {
    throw broken("its directory is damaged", name);
  }
  const begin = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const bytes = archive.subarray(begin, begin + packed);
  const content = method === 0 ? bytes : inflated(bytes, size, name);
  if (bytes.length !== packed || content.length !== size) throw broken("it was cut off", name);
  if (crc32(content) !== crc) throw broken("a file in it is damaged", name);
  for (let at = 0; at < content.length; at += chunkBytes)
    yield content.subarray(at, at + chunkBytes);
}

function inflated(bytes: Buffer, size: number, name: string): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(name);
    throw broken("it was cut off", name);
  }
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - commentMax);
  for (let at = archive.length - endLength; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === endSignature) return at;
  }
  throw broken("it was cut off");
}

function broken(why: string, name?: string): BankFileError {
  return new BankFileError("BadFile", `The ZIP cannot be unpacked: ${why}.`, name);
}

function tooLarge(name: string): BankFileError {
  return new BankFileError(
    "TooMuch",
    "A file of the ZIP unpacks to more than it says or than is read.",
    name,
  );
}
