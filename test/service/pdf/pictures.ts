/** Small pictures, made as files of their kinds are. */
import { crc32, deflateSync } from "node:zlib";

export function pngChunk(name: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngHeader(width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(rest, 8);
  return pngChunk("IHDR", header);
}

/** One colour, red green blue. */
export function png(width: number, height: number, color = [0x1d, 0x4f, 0x91]): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk("IDAT", data),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A JPEG of which only the parts around the scan are real, with a note that a camera left. */
export function jpeg(width: number, height: number, note = "Exif here", components = 1): Buffer {
  const segment = (marker: number, body: Uint8Array) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const colours = Array.from({ length: components }, (_, at) => [at + 1, 0x11, 0]);
  const frame = Buffer.from([8, 0, 0, 0, 0, components, ...colours.flat()]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.from(note)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from("what comes after the picture"),
  ]);
}
