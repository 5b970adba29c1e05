/**
 * Unpacks ZIP archives of bank statements.
 *
 * Only the archive and one of its files are in memory at a time, both bounded; a file that unpacks
 * to more than its declared size is refused while it unpacks.
 */

import { crc32, inflateRawSync } from "node:zlib";
import { boundsOf, Meter } from "../resources/bounds.ts";
import { type BankFile, BankFileError } from "./bank-statement.ts";

export interface PackedFile {
  /** Name of the file in the archive; undefined for a file that is not in an archive. */
  readonly name: string | undefined;
  readonly open: BankFile;
}

const bounds = boundsOf.zip;
/** Maximum size of one unpacked file in bytes. */
const fileBytesMax = 128 * 1024 * 1024;
/**
 * Maximum compression ratio: statements compress about 50-fold; a higher ratio indicates a
 * decompression bomb.
 */
const ratioMax = 200;
/** Size in bytes below which the ratio is not checked. */
const smallBytes = 1024 * 1024;
const chunkBytes = 256 * 1024;

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const commentMax = 65_535;

/** Kinds of files that are neither text nor statement, by patterns of their first bytes. */
const documents: readonly (readonly [RegExp, string])[] = [
  [/^\u00d0\u00cf.\u00e0/s, "spreadsheet (Excel)"],
  [/^PK..[\s\S]*(?:\[Content_Types\]\.xml|xl\/workbook)/s, "spreadsheet (Excel)"],
  [/^PK.{0,60}mimetypeapplication\/vnd\.oasis/s, "spreadsheet (OpenDocument)"],
  [/^PK..[\s\S]*Index\/\w+(?:-\d+)?\.iwa/s, "spreadsheet (Numbers)"],
  [/^%PDF-/, "PDF"],
];

/** Kind of a file that is not text, by its first 4,096 bytes as Latin-1: `spreadsheet (Excel)`. */
export function documentKind(fileStart: string): string | undefined {
  return documents.find(([mark]) => mark.test(fileStart))?.[1];
}

/**
 * Yields the files of an archive by name, or the file itself if it is no archive.
 *
 * @throws BankFileError
 */
export function filesIn(file: BankFile): PackedFile[] {
  let startText = "";
  for (const chunk of file()) {
    startText += Buffer.from(chunk.subarray(0, 4096)).toString("latin1");
    if (startText.length >= 4096) break;
  }
  const kind = documentKind(startText);
  if (kind !== undefined) {
    throw new BankFileError("Spreadsheet", `It is a ${kind}; save it as CSV and give that.`);
  }
  const isArchive = startText.startsWith("PK\x03\x04");
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

/** Unpacks the files of any archive. @throws BankFileError */
export function unpack(archive: Buffer): PackedFile[] {
  const endRecord = endOf(archive);
  const count = archive.readUInt16LE(endRecord + 10);
  const meter = new Meter(bounds, archive.length);
  meter.step(count);
  const files: PackedFile[] = [];
  let at = archive.readUInt32LE(endRecord + 16);
  let packedBytes = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== directorySignature) {
      throw brokenError("its directory is damaged");
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
    // Folders, and files that an operating system adds to an archive, are skipped.
    if (name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\.)/.test(name)) continue;
    packedBytes += entry.packed;
    if (packedBytes > archive.length) throw brokenError("its files overlap");
    meter.unpack(entry.size);
    files.push({ name, open: () => contentOf(archive, entry) });
  }
  if (files.length === 0) throw brokenError("it holds no file");
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
  if ((flags & 1) !== 0) throw brokenError("it is protected by a password", name);
  if (method !== 0 && method !== 8) throw brokenError("it is packed in an unusual way", name);
  if (size > fileBytesMax || size > packed * ratioMax + smallBytes) throw tooLargeError(name);
  if (start + 30 > archive.length || archive.readUInt32LE(start) !== localSignature) {
    throw brokenError("its directory is damaged", name);
  }
  const begin = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const bytes = archive.subarray(begin, begin + packed);
  const content = method === 0 ? bytes : inflateEntry(bytes, size, name);
  if (bytes.length !== packed || content.length !== size) throw brokenError("it was cut off", name);
  if (crc32(content) !== crc) throw brokenError("a file in it is damaged", name);
  for (let at = 0; at < content.length; at += chunkBytes)
    yield content.subarray(at, at + chunkBytes);
}

function inflateEntry(bytes: Buffer, size: number, name: string): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLargeError(name);
    throw brokenError("it was cut off", name);
  }
}

function endOf(archive: Buffer): number {
  const firstAt = Math.max(0, archive.length - endLength - commentMax);
  for (let at = archive.length - endLength; at >= firstAt; at -= 1) {
    if (archive.readUInt32LE(at) === endSignature) return at;
  }
  throw brokenError("it was cut off");
}

function brokenError(reason: string, name?: string): BankFileError {
  return new BankFileError("BadFile", `The ZIP cannot be unpacked: ${reason}.`, name);
}

function tooLargeError(name: string): BankFileError {
  return new BankFileError(
    "TooMuch",
    "A file of the ZIP unpacks to more than it says or than is read.",
    name,
  );
}
