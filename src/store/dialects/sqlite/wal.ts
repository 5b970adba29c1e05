/**
 * The byte format of SQLite's write-ahead log: a header, and frames of one page each.
 *
 * Checksums continue from frame to frame, so frames with valid checksums are those written after
 * what precedes them.
 *
 * @source https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */

export const headerBytes = 32;
const frameHeaderBytes = 24;

/** Magic number of a log; its last bit is the byte order of the words in the checksum. */
const magicNumber = 0x377f0682;

/** Checksum of the log: two running sums of 32 bits each. */
type WalChecksum = readonly [number, number];

/** The header of a log. */
export interface LogHeader {
  readonly pageBytes: number;
  /** Salts, which differ each time the log is restarted; the first is then greater by one. */
  readonly salts: readonly [number, number];
  readonly isBigEndian: boolean;
  readonly sum: WalChecksum;
}

/**
 * Parses the header of a log.
 * @returns undefined for anything else
 */
export function readHeader(bytes: Uint8Array): LogHeader | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = viewOf(bytes);
  const wordAt = (at: number) => view.getUint32(at);
  if ((wordAt(0) & ~1) >>> 0 !== magicNumber) return undefined;
  const isBigEndian = (wordAt(0) & 1) === 1;
  const sum = addChecksum(view, 0, 24, isBigEndian, [0, 0]);
  if (sum[0] !== wordAt(24) || sum[1] !== wordAt(28)) return undefined;
  return { pageBytes: wordAt(8), salts: [wordAt(16), wordAt(20)], isBigEndian, sum };
}

export const frameBytes = ({ pageBytes }: LogHeader) => frameHeaderBytes + pageBytes;

export const isSameLog = (first: LogHeader, second: LogHeader) =>
  first.salts[0] === second.salts[0] && first.salts[1] === second.salts[1];

/** Whether a log is the successor of another, restarted after its checkpoint. */
export const isNextLog = (former: LogHeader, nextHeader: LogHeader) =>
  (former.salts[0] + 1) >>> 0 === nextHeader.salts[0];

/**
 * Verifies the checksums of whole, consecutive frames of a log.
 * @param checksum  checksum of the preceding frame or of the header
 * @returns the checksum of the last frame, and whether it commits; undefined when a checksum is
 *   wrong
 */
export function checkFrames(
  header: LogHeader,
  frames: Uint8Array,
  checksum: WalChecksum,
): { readonly sum: WalChecksum; readonly isCommit: boolean } | undefined {
  const view = viewOf(frames);
  const size = frameBytes(header);
  let sum = checksum;
  let isCommit = false;
  for (let at = 0; at < frames.length; at += size) {
    const wordAt = (index: number) => view.getUint32(at + 4 * index);
    if (wordAt(2) !== header.salts[0] || wordAt(3) !== header.salts[1]) return undefined;
    sum = addChecksum(view, at, at + 8, header.isBigEndian, sum);
    sum = addChecksum(view, at + frameHeaderBytes, at + size, header.isBigEndian, sum);
    if (wordAt(4) !== sum[0] || wordAt(5) !== sum[1]) return undefined;
    // The book's size in pages after a commit; zero in the other frames of a transaction.
    isCommit = wordAt(1) > 0;
  }
  return { sum, isCommit };
}

function addChecksum(
  view: DataView,
  startIndex: number,
  to: number,
  isBigEndian: boolean,
  sum: WalChecksum,
): WalChecksum {
  let [one, two] = sum;
  for (let at = startIndex; at < to; at += 8) {
    one = (one + view.getUint32(at, !isBigEndian) + two) | 0;
    two = (two + view.getUint32(at + 4, !isBigEndian) + one) | 0;
  }
  return [one >>> 0, two >>> 0];
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
