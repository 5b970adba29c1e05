/** ZIP archives made to cost their reader as much as they can. */
import { crc32, deflateRawSync } from "node:zlib";

interface Entry {
  readonly name: string;
  readonly content: Buffer;
  /** The size that the directory says, where that is a lie. */
  readonly size?: number;
}

export function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, size = content.length } of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(size, 18);
    about.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), about, Buffer.from(name), packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00"), about, place, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, all, end]);
}

const statement = Buffer.from("Date,Amount,Description\n2026-03-01,1.00,Coffee\n");

export const hostileZips: Readonly<Record<string, () => Buffer>> = {
  "a file of zeros, packed a thousandfold": () =>
    zipOf([{ name: "a.csv", content: Buffer.alloc(64 * 1024 * 1024) }]),
  "files that unpack to 300 MB together": () => {
    const size = 100 * 1024 * 1024;
    return zipOf(["a.csv", "b.csv", "c.csv"].map((name) => ({ name, content: statement, size })));
  },
  "a file that unpacks to more than it says": () =>
    zipOf([{ name: "a.csv", content: Buffer.alloc(2_000_000, statement), size: 1_000 }]),
  "more files than are read": () =>
    zipOf(Array.from({ length: 1_001 }, (_, at) => ({ name: `${at}.csv`, content: statement }))),
};
