/**
 * Follows the write-ahead log of a book that others write to, and copies it without gaps as it
 * grows.
 *
 * SQLite restarts its log, overwriting it, once all of it is checkpointed into the file and nobody
 * reads from it. So the follower always holds a read transaction: it begins the next, copies what
 * was committed, and only then ends the previous one. That bars a full checkpoint and so a restart,
 * until `shorten` checkpoints the whole log while writers wait. From then on the follower reads
 * from the file alone, so the next writer may restart the log, but only once, since nothing can be
 * checkpointed meanwhile. All that it overwrites was copied before.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { UnavailableError } from "../../../resources/errors.ts";
import { checkpointPages } from "./sqlite.ts";
import { explainDiskError, isBusy } from "./sqlite-file.ts";
import {
  checkFrames,
  frameBytes,
  headerBytes,
  isNextLog,
  isSameLog,
  type LogHeader,
  readHeader,
} from "./wal.ts";

/** Timeout for locks of other connections. */
const lockWaitMs = 5000;
/** Timeout for the write lock, which is tried again later. */
const writersWaitMs = 2000;

/**
 * Maximum reads of a log header while the log is restarted, which happens at most once meanwhile.
 */
const looksMax = 3;

/** Maximum bytes of one copied piece. */
const pieceBytesMax = 8 * 1024 * 1024;

/** A piece of a log. */
export interface LogPiece {
  /** Byte offset in the log; 0 for the header and the frames after it. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Whether the piece ends with a commit, so that the book is consistent after it. */
  readonly isCommit: boolean;
}

/** Callback that receives each new piece of the log. */
export type TakePiece = (piece: LogPiece) => void;

/** The position up to which a log was copied; undefined before the first piece. */
interface Position {
  readonly header: LogHeader;
  readonly frames: number;
  readonly sum: LogHeader["sum"];
}

export class LogFollower {
  readonly #path: string;
  readonly #file: number;
  /** A connection that reads no data and asks for the length of the log. */
  readonly #watch: DatabaseSync;
  #reader: DatabaseSync;
  #position: Position | undefined;
  /** Length of the log when writers could last restart it. */
  #offered: Position | undefined;

  private constructor(path: string) {
    this.#path = path;
    this.#watch = new DatabaseSync(path, { timeout: lockWaitMs });
    try {
      this.#watch.exec("pragma journal_mode = wal");
      this.#file = statSync(path).ino;
      this.#reader = this.#read();
    } catch (error) {
      this.#watch.close();
      throw explainDiskError(path, error);
    }
  }

  /**
   * Starts a follower at the current end of the log.
   * @throws DiskError, UnavailableError `Busy`
   */
  static at(path: string): LogFollower {
    const follower = new LogFollower(path);
    try {
      follower.rewind(() => undefined);
      return follower;
    } catch (error) {
      follower.close();
      throw error;
    }
  }

  /**
   * Starts over at the header of the current log. The whole log applies to a copy of the book made
   * since the log was last shortened: frames the copy already contains change nothing.
   */
  rewind(takePiece: TakePiece): void {
    this.#position = undefined;
    this.#told(() => this.#copy(takePiece));
  }

  /**
   * Copies what was committed since the last call.
   * @throws UnavailableError `LogLost` when the log does not continue the copied part; whatever
   *   `takePiece` throws
   */
  follow(takePiece: TakePiece): void {
    this.#told(() => {
      const { header, frames } = this.#state();
      const known = this.#position;
      const isSame = known !== undefined && header !== undefined && isSameLog(known.header, header);
      if (frames > 0 && !(isSame && frames === known.frames)) this.#step(takePiece);
    });
  }

  /**
   * Lets the next writer restart a log that has become long; writers wait while its last pages are
   * checkpointed.
   * @throws as `follow`
   */
  shorten(takePiece: TakePiece): void {
    this.#told(() => {
      const { frames } = this.#state();
      if (frames < checkpointPages || this.#position === this.#offered) return;
      // Checkpoints most of the log while writers go on.
      this.#step(takePiece);
      this.#merge();
      const writer = new DatabaseSync(this.#path, { timeout: writersWaitMs });
      try {
        writer.exec("begin immediate");
        this.#step(takePiece);
        this.#merge();
        // After a full checkpoint the follower reads from the file alone.
        this.#step(takePiece);
        this.#offered = this.#position;
      } catch (error) {
        if (!isBusy(error)) throw error;
      } finally {
        writer.close();
      }
    });
  }

  close(): void {
    this.#reader.close();
    this.#watch.close();
  }

  /** Runs work, and explains errors of SQLite in a sentence. */
  #told(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw explainDiskError(this.#path, error);
    }
  }

  #step(takePiece: TakePiece): void {
    const nextReader = this.#read();
    try {
      this.#copy(takePiece);
    } catch (error) {
      nextReader.close();
      throw error;
    }
    this.#reader.close();
    this.#reader = nextReader;
  }

  /** Opens a read transaction on the current state, held until the connection is closed. */
  #read(): DatabaseSync {
    const reader = new DatabaseSync(this.#path, { timeout: lockWaitMs });
    try {
      reader.exec("begin");
      reader.prepare("pragma user_version").get();
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  #merge(): void {
    this.#watch.prepare("pragma wal_checkpoint(passive)").get();
  }

  /** The log's header, and the number of its frames that are committed and on disk. */
  #state(): { readonly header: LogHeader | undefined; readonly frames: number } {
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#file) {
      throw logLostError(this.#path, "another file has taken its place");
    }
    for (let lookCount = 0; lookCount < looksMax; lookCount += 1) {
      const headerBefore = this.#header();
      // The mode `noop` only reports and checkpoints nothing.
      const frameCount = Number(this.#watch.prepare("pragma wal_checkpoint(noop)").get()?.log);
      if (frameCount <= 0) return { header: headerBefore, frames: 0 };
      const header = this.#header();
      if (header === undefined || headerBefore === undefined) continue;
      if (isSameLog(headerBefore, header)) return { header, frames: frameCount };
    }
    throw logLostError(this.#path, "its beginning cannot be read");
  }

  #header(): LogHeader | undefined {
    return this.#reading((descriptor) => {
      const bytes = new Uint8Array(headerBytes);
      return readHeader(bytes.subarray(0, readSync(descriptor, bytes, 0, headerBytes, 0)));
    });
  }

  /** Opens the log alone: closing the book or its index would drop SQLite's locks on it. */
  #reading<T>(read: (descriptor: number) => T): T | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(`${this.#path}-wal`, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      return read(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #copy(takePiece: TakePiece): void {
    const { header, frames } = this.#state();
    // An empty log was wholly checkpointed, and copied before.
    if (header === undefined || frames === 0) return;
    this.#reading((descriptor) => {
      const start = this.#startIn(header, frames, descriptor);
      const size = frameBytes(header);
      const perPiece = Math.max(1, Math.floor(pieceBytesMax / size));
      let { sum } = start;
      for (let doneFrames = start.frames; doneFrames < frames; ) {
        const count = Math.min(perPiece, frames - doneFrames);
        const offset = doneFrames === 0 ? 0 : headerBytes + doneFrames * size;
        const bytes = new Uint8Array(headerBytes + (doneFrames + count) * size - offset);
        const length = readSync(descriptor, bytes, 0, bytes.length, offset);
        const checked =
          length === bytes.length
            ? checkFrames(header, doneFrames === 0 ? bytes.subarray(headerBytes) : bytes, sum)
            : undefined;
        doneFrames += count;
        if (checked === undefined || (doneFrames === frames && !checked.isCommit)) {
          // Before the first piece a writer may have restarted the log; at most once, since nothing
          // can be checkpointed while the follower reads.
          const now = this.#header();
          const isAnew = this.#position === undefined && now && !isSameLog(header, now);
          if (isAnew) return this.#copy(takePiece);
          throw logLostError(this.#path, "what follows in it is not what was written");
        }
        sum = checked.sum;
        takePiece({ offset, bytes, isCommit: doneFrames === frames });
        this.#position = { header, frames: doneFrames, sum };
      }
    });
  }

  /**
   * The position at which to continue copying.
   * @throws UnavailableError `LogLost`
   */
  #startIn(header: LogHeader, frameCount: number, handle: number): Position {
    const position = this.#position;
    if (position === undefined) return { header, frames: 0, sum: header.sum };
    if (isSameLog(position.header, header)) {
      if (frameCount >= position.frames) return position;
      throw logLostError(this.#path, "it is shorter than what was copied");
    }
    if (!isNextLog(position.header, header)) {
      throw logLostError(this.#path, "it was begun anew, and perhaps not for the first time");
    }
    if (hasLostCommit(position, handle)) throw logLostError(this.#path, "its end was written over");
    return { header, frames: 0, sum: header.sum };
  }
}

/**
 * Whether the previous log had a commit, behind the end of the new log, that was not copied. Frames
 * of a rolled-back transaction have no commit.
 */
function hasLostCommit({ header, frames, sum: end }: Position, handle: number): boolean {
  const size = frameBytes(header);
  const frame = new Uint8Array(size);
  let sum = end;
  for (let at = headerBytes + frames * size; ; at += size) {
    const checked =
      readSync(handle, frame, 0, size, at) === size ? checkFrames(header, frame, sum) : undefined;
    if (checked === undefined || checked.isCommit) return checked !== undefined;
    sum = checked.sum;
  }
}

function logLostError(path: string, reason: string): UnavailableError {
  const message = `The log of ${path} could not be followed without a gap: ${reason}.`;
  return new UnavailableError("LogLost", message);
}

/**
 * Applies a log to the file of a book that nobody has open, as SQLite does after a power cut.
 * @param path  of the book, with its log beside it in `…-wal`
 * @returns whether the whole log was applied
 */
export function replayLog(path: string): boolean {
  const log = `${path}-wal`;
  const { size } = statSync(log);
  using db = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    const pageBytes = Number(db.prepare("pragma page_size").get()?.page_size);
    const result = db.prepare("pragma wal_checkpoint(passive)").get();
    const frameCount = (size - headerBytes) / frameBytes({ pageBytes } as LogHeader);
    return result?.log === frameCount && result.checkpointed === frameCount;
  } catch (error) {
    throw explainDiskError(path, error);
  }
}
