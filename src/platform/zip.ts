/**
 * Writes ZIP archives while their files are created; only the file names are kept in memory.
 *
 * @source PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4
 */
import { Readable } from "node:stream";
import { constants, crc32, createDeflateRaw } from "node:zlib";
import { RefusedError } from "../resources/errors.ts";

export interface ZipEntry {
  readonly name: string;
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

interface WrittenEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/** Flags: sizes and checksum follow the content, and names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
const version = 20;
const localSignature = 0x04034b50;
const descriptorSignature = 0x08074b50;
const directorySignature = 0x02014b50;
const endSignature = 0x06054b50;
/** Maximum size; larger archives need the ZIP64 format, which older readers do not know. */
const bytesMax = 0xffff_ffff;
const filesMax = 0xffff;

/**
 * Writes an archive.
 *
 * @param entries  files, each requested when the one before is written
 * @param at       time of the files, in milliseconds since 1970 UTC
 * @throws RefusedError `TooLarge`
 */
export async function* zipEntries(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
  at: number,
): AsyncGenerator<Uint8Array> {
  const { time, day } = dosTime(at);
  const writtenEntries: WrittenEntry[] = [];
  let offset = 0;
  for await (const { name: text, content } of entries) {
    const name = Buffer.from(text);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(localSignature, 0);
    header.writeUInt16LE(version, 4);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(deflated, 8);
    header.writeUInt16LE(time, 10);
    header.writeUInt16LE(day, 12);
    header.writeUInt16LE(name.length, 26);
    yield Buffer.concat([header, name]);
    let crc = 0;
    let size = 0;
    let packedBytes = 0;
    const countedChunks = async function* () {
      for await (const contentPiece of contentBytes(content)) {
        crc = crc32(contentPiece, crc);
        size += contentPiece.length;
        yield contentPiece;
      }
    };
    const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
    const source = Readable.from(countedChunks());
    // Errors in creating the content fail the archive.
    source.on("error", (error) => deflate.destroy(error));
    try {
      for await (const chunk of source.pipe(deflate) as AsyncIterable<Buffer>) {
        packedBytes += chunk.length;
        yield chunk;
      }
    } finally {
      source.destroy();
    }
    const start = offset;
    offset += header.length + name.length + packedBytes + 16;
    if (size > bytesMax || offset > bytesMax || writtenEntries.length >= filesMax) {
      throw new RefusedError(
        "TooLarge",
        "An archive of more than 4 GiB or 65,535 files cannot be written.",
      );
    }
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(descriptorSignature, 0);
    descriptor.writeUInt32LE(crc, 4);
    descriptor.writeUInt32LE(packedBytes, 8);
    descriptor.writeUInt32LE(size, 12);
    yield descriptor;
    writtenEntries.push({ name, offset: start, crc, packed: packedBytes, size });
  }
  yield centralDirectory(writtenEntries, offset, { time, day });
}

function centralDirectory(
  written: readonly WrittenEntry[],
  offset: number,
  { time, day }: { readonly time: number; readonly day: number },
): Buffer {
  const records = written.map((entry) => {
    const record = Buffer.alloc(46);
    record.writeUInt32LE(directorySignature, 0);
    record.writeUInt16LE(version, 4);
    record.writeUInt16LE(version, 6);
    record.writeUInt16LE(flags, 8);
    record.writeUInt16LE(deflated, 10);
    record.writeUInt16LE(time, 12);
    record.writeUInt16LE(day, 14);
    record.writeUInt32LE(entry.crc, 16);
    record.writeUInt32LE(entry.packed, 20);
    record.writeUInt32LE(entry.size, 24);
    record.writeUInt16LE(entry.name.length, 28);
    record.writeUInt32LE(entry.offset, 42);
    return Buffer.concat([record, entry.name]);
  });
  const allRecords = Buffer.concat(records);
  const endRecord = Buffer.alloc(22);
  endRecord.writeUInt32LE(endSignature, 0);
  endRecord.writeUInt16LE(written.length, 8);
  endRecord.writeUInt16LE(written.length, 10);
  endRecord.writeUInt32LE(allRecords.length, 12);
  endRecord.writeUInt32LE(offset, 16);
  return Buffer.concat([allRecords, endRecord]);
}

const pieceLength = 65_536;

/** Joins small texts to few large chunks. */
async function* contentBytes(content: ZipEntry["content"]): AsyncGenerator<Uint8Array> {
  let waitingText = "";
  for await (const chunk of content) {
    if (typeof chunk === "string") waitingText += chunk;
    if (waitingText !== "" && (typeof chunk !== "string" || waitingText.length >= pieceLength)) {
      yield Buffer.from(waitingText);
      waitingText = "";
    }
    if (typeof chunk !== "string") yield chunk;
  }
  if (waitingText !== "") yield Buffer.from(waitingText);
}

/** Converts a time to DOS format in UTC: from 1980 on, in steps of two seconds. */
function dosTime(at: number): { readonly time: number; readonly day: number } {
  const date = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  const year = Math.min(date.getUTCFullYear() - 1980, 127);
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}
