/**
 * Reads the names of the fonts in a font collection; a font in it is selected by name.
 *
 * @source OpenType 1.9, Font Collections, and the name table
 */
import { closeSync, openSync, readSync } from "node:fs";

const fontsMax = 64;
/** Id of the PostScript name in the name table. */
const postScript = 6;

/**
 * Names of the fonts in a collection.
 *
 * @returns an empty list where the file cannot be read, or is no collection
 */
export function namesInCollection(file: string): string[] {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const read = readingOf(descriptor);
    const fileHead = read(0, 12);
    if (fileHead.toString("latin1", 0, 4) !== "ttcf") return [];
    const count = Math.min(fileHead.readUInt32BE(8), fontsMax);
    const offsets = read(12, 4 * count);
    return Array.from({ length: count }, (_, at) =>
      nameAt(read, offsets.readUInt32BE(4 * at)),
    ).filter((name) => name !== undefined);
  } catch {
    return [];
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

type ByteReader = (position: number, length: number) => Buffer;

function readingOf(descriptor: number): ByteReader {
  return (position, length) => {
    const bytes = Buffer.alloc(length);
    if (readSync(descriptor, bytes, 0, length, position) < length) {
      throw new RangeError("The file ends before its table does.");
    }
    return bytes;
  };
}

function nameAt(read: ByteReader, fontAt: number): string | undefined {
  const tableCount = read(fontAt + 4, 2).readUInt16BE(0);
  const directory = read(fontAt + 12, 16 * tableCount);
  for (let at = 0; at < directory.length; at += 16) {
    if (directory.toString("latin1", at, at + 4) !== "name") continue;
    const offset = directory.readUInt32BE(at + 8);
    return postScriptName(read(offset, directory.readUInt32BE(at + 12)));
  }
  return undefined;
}

function postScriptName(table: Buffer): string | undefined {
  const stringsAt = table.readUInt16BE(4);
  for (let at = 6; at < 6 + 12 * table.readUInt16BE(2); at += 12) {
    if (table.readUInt16BE(at + 6) !== postScript) continue;
    const start = stringsAt + table.readUInt16BE(at + 10);
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8));
    const isMac = table.readUInt16BE(at) === 1;
    return isMac ? bytes.toString("latin1") : Buffer.from(bytes).swap16().toString("utf16le");
  }
  return undefined;
}
