/**
 * The log of a backup: the commits to the book after the backup, appended every few seconds to a
 * file beside it. Backup and log together restore the book at each of these moments.
 *
 * The file begins with a line that names the backup and its SHA-256, and is append-only. Each piece
 * is a line of JSON and a deflated part of the write-ahead log, flushed to disk before the next
 * piece; the last piece of a transaction has its time. An incomplete piece at the end, after a kill
 * or on a full disk, is ignored.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename } from "node:path";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { asDiskError, flushFolder } from "../../platform/disk.ts";
import { AcctError, RefusedError, UnavailableError } from "../../resources/errors.ts";
import { type LogPiece, replayLog } from "../../store/dialects/file-care.ts";

const version = 1 as const;

/** Maximum length of a header line in bytes. */
const lineMax = 512;
const copiedAtOnce = 1024 * 1024;

interface Heading {
  readonly acctLog: typeof version;
  /** File name of the backup. */
  readonly backup: string;
  readonly sha256: string;
}

interface PieceLine {
  /** Offset in the write-ahead log; 0 begins a new one. */
  readonly offset: number;
  readonly bytes: number;
  /** Length of the deflated bytes that follow the line, and their SHA-256. */
  readonly stored: number;
  readonly sha256: string;
  /** Time of the commit in milliseconds since 1970 UTC; undefined within a transaction. */
  readonly at?: number | undefined;
}

// --- writing -------------------------------------------------------------------------------------

export class BackupLog {
  readonly #path: string;
  readonly #file: number;
  readonly #clock: () => number;
  #bytes = 0;
  #at = 0;

  /**
   * @param path  a new file
   * @param backup  path of the backup that the log continues
   * @throws DiskError, UnavailableError `NotWritten`
   */
  constructor(path: string, backup: string, clock: () => number) {
    const heading: Heading = {
      acctLog: version,
      backup: basename(backup),
      sha256: digestOf(backup),
    };
    this.#path = path;
    this.#clock = clock;
    try {
      this.#file = openSync(path, "wx", 0o600);
    } catch (error) {
      throw logWriteError(path, error);
    }
    try {
      this.#write([lineOf(heading)], true);
      flushFolder(path);
    } catch (error) {
      closeSync(this.#file);
      rmSync(path, { force: true });
      throw logWriteError(path, error);
    }
  }

  /** Appends a piece. @throws as the constructor, leaving the log as it was */
  add({ offset, bytes, isCommit }: LogPiece): void {
    const at = isCommit ? Math.max(this.#clock(), this.#at + 1) : undefined;
    const deflated = deflateRawSync(bytes, { level: constants.Z_BEST_SPEED });
    const line: PieceLine = {
      offset,
      bytes: bytes.length,
      stored: deflated.length,
      sha256: sha256Of(deflated),
      at,
    };
    this.#write([lineOf(line), deflated], isCommit);
    this.#at = at ?? this.#at;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Path of the log, and the last moment that it restores; undefined before the first. */
  get kept(): { readonly path: string; readonly at: number } | undefined {
    return this.#at === 0 ? undefined : { path: this.#path, at: this.#at };
  }

  #write(parts: readonly Uint8Array[], isFlushed: boolean): void {
    let offset = this.#bytes;
    try {
      for (const logPart of parts) {
        for (let done = 0; done < logPart.length; ) {
          done += writeSync(this.#file, logPart, done, logPart.length - done, offset + done);
        }
        offset += logPart.length;
      }
      if (isFlushed) fsyncSync(this.#file);
      this.#bytes = offset;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw logWriteError(this.#path, error);
    }
  }
}

/** Makes the error of a log that cannot be written: backups go on without it. */
function logWriteError(path: string, error: unknown): AcctError {
  const explained = asDiskError(path, error);
  if (explained instanceof AcctError) return explained;
  const message = `The log ${path} cannot be written: ${(error as Error).message}.`;
  return new UnavailableError("NotWritten", message, { cause: error });
}

const lineOf = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

// --- reading -------------------------------------------------------------------------------------

/** The part of a log up to a moment. */
export interface LogExtent {
  readonly path: string;
  /** SHA-256 of the backup. */
  readonly sha256: string;
  /** The last moment that the log restores; undefined where there is none. */
  readonly at: number | undefined;
  readonly pieces: readonly FoundPiece[];
  /** Whether damaged bytes follow before the requested moment. */
  readonly isDamaged: boolean;
}

interface FoundPiece extends PieceLine {
  /** Offset of the piece's bytes in the file. */
  readonly start: number;
}

/** Reads a log up to a moment. @returns undefined for a missing file or an unfinished heading */
export function readLog(path: string, by: number): LogExtent | undefined {
  if (!existsSync(path)) return undefined;
  return withFile(path, (handle) => {
    const firstLine = lineAt(handle, 0);
    if (firstLine === "unfinished") return undefined;
    if (firstLine === "damaged" || !isHeading(firstLine.value)) {
      return { path, sha256: "", at: undefined, pieces: [], isDamaged: true };
    }
    return { path, sha256: firstLine.value.sha256, ...piecesIn(handle, firstLine.endOffset, by) };
  });
}

function piecesIn(
  descriptor: number,
  startIndex: number,
  by: number,
): Pick<LogExtent, "at" | "pieces" | "isDamaged"> {
  const { size } = fstatSync(descriptor);
  const foundPieces: FoundPiece[] = [];
  let wholePieces = 0;
  let at: number | undefined;
  let isDamaged = false;
  let lastPiece: FoundPiece | undefined;
  for (let nextOffset = startIndex; nextOffset < size && (at ?? 0) < by; ) {
    const line = lineAt(descriptor, nextOffset);
    if (line === "unfinished") break;
    if (line === "damaged" || !isPiece(line.value) || !isNext(line.value, lastPiece, at)) {
      isDamaged = true;
      break;
    }
    lastPiece = { ...line.value, start: line.endOffset };
    nextOffset = line.endOffset + lastPiece.stored;
    if (nextOffset > size || (lastPiece.at ?? 0) > by) break;
    foundPieces.push(lastPiece);
    if (lastPiece.at === undefined) continue;
    at = lastPiece.at;
    wholePieces = foundPieces.length;
  }
  return { at, pieces: foundPieces.slice(0, wholePieces), isDamaged };
}

/** Reads the header line at an offset; `unfinished` where a killed process left it incomplete. */
function lineAt(
  descriptor: number,
  at: number,
): { readonly value: unknown; readonly endOffset: number } | "unfinished" | "damaged" {
  const bytes = Buffer.alloc(lineMax);
  const count = readSync(descriptor, bytes, 0, lineMax, at);
  const lineEnd = bytes.subarray(0, count).indexOf("\n");
  if (lineEnd < 0) return count < lineMax ? "unfinished" : "damaged";
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", 0, lineEnd));
    return value === null ? "damaged" : { value, endOffset: at + lineEnd + 1 };
  } catch {
    return "damaged";
  }
}

function isHeading(value: unknown): value is Heading {
  const { acctLog, sha256 } = value as Partial<Heading>;
  return acctLog === version && typeof sha256 === "string";
}

function isPiece(value: unknown): value is PieceLine {
  const { offset, bytes, stored, sha256, at } = value as Partial<PieceLine>;
  return (
    [offset, bytes, stored].every(Number.isSafeInteger) &&
    Math.min(bytes as number, stored as number) > 0 &&
    typeof sha256 === "string" &&
    (at === undefined || Number.isSafeInteger(at))
  );
}

function isNext(piece: PieceLine, last: PieceLine | undefined, at: number | undefined): boolean {
  if (piece.at !== undefined && at !== undefined && piece.at <= at) return false;
  return piece.offset === 0 || (last !== undefined && piece.offset === last.offset + last.bytes);
}

// --- replay --------------------------------------------------------------------------------------

/**
 * Restores the book at the last moment of a log.
 *
 * @param partPath  a temporary file, which is overwritten
 * @throws RefusedError `BackupChanged`, `LogDamaged`
 */
export function replay(partPath: string, backup: string, log: LogExtent): void {
  copyFileSync(backup, partPath);
  if (digestOf(partPath) !== log.sha256) {
    const message = `${backup} has changed since it was made, and its log does not belong to it any more; name the file itself to restore it without.`;
    throw new RefusedError("BackupChanged", message);
  }
  withFile(log.path, (descriptor) => {
    let damagedAt: number | undefined;
    for (const run of runsOf(log.pieces)) {
      const walDescriptor = openSync(`${partPath}-wal`, "w", 0o600);
      try {
        for (const { start, stored, sha256, at } of run) {
          const logPiece = bytesAt(descriptor, start, stored);
          if (sha256Of(logPiece) !== sha256) throw logDamaged(log.path, backup, damagedAt);
          writeFileSync(walDescriptor, inflateRawSync(logPiece));
          damagedAt = at ?? damagedAt;
        }
      } finally {
        closeSync(walDescriptor);
      }
      if (!replayLog(partPath)) throw logDamaged(log.path, backup, undefined);
    }
  });
}

/** Groups pieces by the write-ahead log they belong to. */
function runsOf(pieces: readonly FoundPiece[]): readonly (readonly FoundPiece[])[] {
  const begins = pieces.flatMap(({ offset }, index) => (offset === 0 ? [index] : []));
  return begins.map((startIndex, index) => pieces.slice(startIndex, begins[index + 1]));
}

/** @param before  the last moment that can be restored; undefined where only the backup is left */
export function logDamaged(path: string, backup: string, before: number | undefined): RefusedError {
  const moment = before === undefined ? undefined : new Date(before).toISOString();
  const message =
    moment === undefined
      ? `The log ${path} is damaged; name ${backup} itself to restore the backup without it.`
      : `The log ${path} is damaged after ${moment}; --at ${moment} restores the book of that moment.`;
  return new RefusedError("LogDamaged", message);
}

// --- files ---------------------------------------------------------------------------------------

function withFile<T>(path: string, read: (descriptor: number) => T): T {
  const descriptor = openSync(path, "r");
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function bytesAt(descriptor: number, start: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, count, start));
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Returns the SHA-256 of a file in hexadecimal. */
export function digestOf(path: string): string {
  return withFile(path, (descriptor) => {
    const hash = createHash("sha256");
    const bytes = Buffer.alloc(copiedAtOnce);
    for (;;) {
      const count = readSync(descriptor, bytes, 0, copiedAtOnce, null);
      if (count === 0) return hash.digest("hex");
      hash.update(bytes.subarray(0, count));
    }
  });
}
