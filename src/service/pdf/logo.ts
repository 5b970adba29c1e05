/**
 * Checks uploaded logos, and strips everything but the picture.
 *
 * A logo is read for every printed document, and shown to customers. It must be small; its content
 * is fully checked, since a picture that inflates beyond its stated size could exhaust memory; and
 * its metadata is removed, in which cameras store their location.
 */
import { crc32, inflateSync } from "node:zlib";
import type { Logo } from "../../output/letterhead.ts";
import { refusal } from "../../resources/errors.ts";

export const logoBytesMax = 1024 * 1024;
/** Maximum size in pixels: of a side, and in total. */
const sideMax = 4000;
const pixelsMax = 4_000_000;

/** Checks and strips a logo. @throws RefusedError unless it is a small intact PNG or JPEG */
export function checkedLogo(bytes: Buffer): Logo {
  if (bytes.length > logoBytesMax) {
    throw refusal(
      "Form",
      `A logo has at most ${logoBytesMax / 1024} KiB, not ${kibibytes(bytes)}.`,
    );
  }
  if (bytes.subarray(0, 8).equals(pngSignature)) return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  throw refusal("Form", "A logo is a PNG or a JPEG file; this is neither.");
}

const kibibytes = ({ length }: Buffer) => Math.ceil(length / 1024);

function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw damagedLogo();
  if (width <= sideMax && height <= sideMax && width * height <= pixelsMax) return;
  throw refusal(
    "Form",
    `The logo has ${width} by ${height} pixels; at most ${sideMax} on a side and ` +
      `${pixelsMax / 1_000_000} million in all are taken. Make it smaller.`,
  );
}

function damagedLogo() {
  return refusal("Form", "The logo is damaged, or is not the picture that it says it is.");
}

// --- PNG ---------------------------------------------------------------------------------------

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Samples per pixel, and the allowed bits per sample, by PNG colour type. */
const colorTypes: Readonly<Record<number, readonly [samples: number, ...bits: number[]]>> = {
  0: [1, 1, 2, 4, 8, 16],
  2: [3, 8, 16],
  3: [1, 1, 2, 4, 8],
  4: [2, 8, 16],
  6: [4, 8, 16],
};

/** PNG chunks of the picture itself; all others are removed. */
const pictureChunks = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

function readPng(bytes: Buffer): Logo {
  const chunks: Buffer[] = [pngSignature];
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  let hasPalette = false;
  for (let at = 8, isFinished = false; !isFinished; ) {
    if (at + 12 > bytes.length) throw damagedLogo();
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw damagedLogo();
    const name = bytes.toString("latin1", at + 4, at + 8);
    const body = bytes.subarray(at + 8, end - 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damagedLogo();
    if ((name === "IHDR") !== (header === undefined)) throw damagedLogo();
    if (name === "IHDR") header = body;
    if (name === "PLTE") hasPalette = length > 0 && length <= 768 && length % 3 === 0;
    if (name === "IDAT") data.push(body);
    if (pictureChunks.has(name)) chunks.push(bytes.subarray(at, end));
    // An unknown critical chunk must not be ignored.
    else if (/^[A-Z]/.test(name)) throw damagedLogo();
    isFinished = name === "IEND";
    at = end;
  }
  if (header?.length !== 13) throw damagedLogo();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits = 0, color = 0, , , interlaced] = header.subarray(8);
  checkSize(width, height);
  const [samples, ...allowed] = colorTypes[color] ?? [0];
  if (!allowed.includes(bits) || (color === 3 && !hasPalette)) throw damagedLogo();
  if (interlaced !== 0) throw refusal("Form", "The logo is interlaced; save it without that.");
  checkPixels(Buffer.concat(data), height, 1 + Math.ceil((width * samples * bits) / 8));
  return { mimeType: "image/png", width, height, bytes: Buffer.concat(chunks) };
}

/** Inflates the rows up to their expected length; each begins with its filter type. */
function checkPixels(data: Buffer, rowCount: number, rowBytes: number): void {
  let pixels: Buffer;
  try {
    pixels = inflateSync(data, { maxOutputLength: rowCount * rowBytes });
  } catch {
    throw damagedLogo();
  }
  if (pixels.length !== rowCount * rowBytes) throw damagedLogo();
  for (let row = 0; row < rowCount; row += 1) {
    if ((pixels[row * rowBytes] ?? 5) > 4) throw damagedLogo();
  }
}

// --- JPEG --------------------------------------------------------------------------------------

/** JPEG segments of the picture itself: tables, frame, scan, and the two on its colour space. */
const pictureMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, 0xe0, 0xee]);
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]);

function readJpeg(bytes: Buffer): Logo {
  const segments: Buffer[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (at + 4 > bytes.length && bytes[at + 1] !== 0xd9) throw damagedLogo();
    if (bytes[at] !== 0xff) throw damagedLogo();
    const markerByte = bytes[at + 1] ?? 0;
    if (markerByte === 0xff) {
      at += 1;
      continue;
    }
    if (markerByte === 0xd9) break;
    const length = bytes.readUInt16BE(at + 2);
    let segmentEnd = at + 2 + length;
    if (length < 2 || segmentEnd > bytes.length) throw damagedLogo();
    if (frameMarkers.has(markerByte)) {
      const [precision, components] = [bytes[at + 4], bytes[at + 9] ?? 0];
      const isKnown = precision === 8 && [1, 3, 4].includes(components);
      if (size !== undefined || !isKnown || length !== 8 + 3 * components) throw damagedLogo();
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else if (markerByte >= 0xc0 && markerByte <= 0xcf && markerByte !== 0xc4) throw damagedLogo();
    if (markerByte === 0xda) {
      if (size === undefined) throw damagedLogo();
      hasScan = true;
      segmentEnd = scanEnd(bytes, segmentEnd);
    }
    if (pictureMarkers.has(markerByte)) segments.push(bytes.subarray(at, segmentEnd));
    at = segmentEnd;
  }
  if (size === undefined || !hasScan) throw damagedLogo();
  checkSize(size.width, size.height);
  segments.push(Buffer.from([0xff, 0xd9]));
  return { mimeType: "image/jpeg", ...size, bytes: Buffer.concat(segments) };
}

/** Whether a checked picture is in CMYK, a colour space that our PDF/A files do not support. */
export function isCmyk({ mimeType, bytes }: Pick<Logo, "mimeType" | "bytes">): boolean {
  if (mimeType !== "image/jpeg") return false;
  const picture = Buffer.from(bytes);
  for (let at = 2; at + 9 < picture.length; at += 2 + picture.readUInt16BE(at + 2)) {
    if (frameMarkers.has(picture[at + 1] ?? 0)) return picture[at + 9] === 4;
  }
  return false;
}

/** Returns the end of a scan: within it, 0xff is followed by 0 or a restart marker. */
function scanEnd(bytes: Buffer, startIndex: number): number {
  for (let at = startIndex; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    const markerByte = bytes[at + 1];
    if (at < 0 || markerByte === undefined) throw damagedLogo();
    if (markerByte !== 0 && !(markerByte >= 0xd0 && markerByte <= 0xd7)) return at;
  }
}
