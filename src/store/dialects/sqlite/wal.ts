/**
 * The write-ahead log of SQLite as bytes: a header, and frames of one page each.
 *
 * Checksums run on from frame to frame, so that a row of frames that checks is the one that was
 * written after what came before it.
 *
 * @source https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */

export const headerBytes = 32;
const frameHeaderBytes = 24;

/** The last bit tells the order of bytes in the words that are summed. */
const magic = 0x377f0682;

/** The two running sums, 32 bits each. */
type WalChecksum = readonly [number, number];

/** What a log says of itself when it is begun. */
export interface LogHeader {
  readonly pageBytes: number;
  /** Differ each time the log is begun anew; the first is then greater by one. */
  readonly salts: readonly [number, number];
  readonly isBigEndian: boolean;
  readonly sum: WalChecksum;
}

/** @returns undefined for anything else */
export function readHeader(bytes: Uint8Array): LogHeader | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = viewOf(bytes);
  const word = (at: number) => view.getUint32(at);
  if ((word(0) & ~1) >>> 0 !== magic) return undefined;
  const isBigEndian = (word(0) & 1) === 1;
  const sum = summed(view, 0, 24, isBigEndian, [0, 0]);
  if (sum[0] !== word(24) || sum[1] !== word(28)) return undefined;
  return { pageBytes: word(8), salts: [word(16), word(20)], isBigEndian, sum };
}

export const frameBytes = ({ pageBytes }: LogHeader) => frameHeaderBytes + pageBytes;

export const isSameLog = (one: LogHeader, other: LogHeader) =>
  one.salts[0] === other.salts[0] && one.salts[1] === other.salts[1];

/** Whether a log is the next one after another, begun by a writer once that was merged. */
export const isNextLog = (one: LogHeader, next: LogHeader) =>
  (one.salts[0] + 1) >>> 0 === next.salts[0];

/**
 * Checks whole frames of a log that follow each other.
 *
 * @param before  the sum after the frame before them, or of the header
 * @returns the sum after the last, and whether that ends a transaction; undefined where they are not
 *   what follows
 */
export function checkFrames(
  header: LogHeader,
  frames: Uint8Array,
  before: WalChecksum,
): { readonly sum: WalChecksum; readonly isCommit: boolean } | undefined {
  const view = viewOf(frames);
  const size = frameBytes(header);
  let sum = before;
  let isCommit = false;
  for (let at = 0; at < frames.length; at += size) {
    const word = (index: number) => view.getUint32(at + 4 * index);
    if (word(2) !== header.salts[0] || word(3) !== header.salts[1]) return undefined;
    sum = summed(view, at, at + 8, header.isBigEndian, sum);
    sum = summed(view, at + frameHeaderBytes, at + size, header.isBigEndian, sum);
    if (word(4) !== sum[0] || word(5) !== sum[1]) return undefined;
    // The size of the book after the transaction, in pages; zero in frames that others follow.
    isCommit = word(1) > 0;
  }
  return { sum, isCommit };
}

function summed(
  view: DataView,
  from: number,
  to: number,
  isBigEndian: boolean,
  sum: WalChecksum,
): WalChecksum {
  let [one, two] = sum;
  for (let at = from; at < to; at += 8) {
    one = (one + view.getUint32(at, !isBigEndian) + two) | 0;
    two = (two + view.getUint32(at + 4, !isBigEndian) + one) | 0;
  }
  return [one >>> 0, two >>> 0];
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
