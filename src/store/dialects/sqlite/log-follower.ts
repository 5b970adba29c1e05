/**
 * The log of a book that others write to, copied as it grows, with nothing left out.
 *
 * SQLite begins its log anew, over the old one, once all of it is merged into the file and nobody
 * reads from it. So a follower reads at all times: it begins its next transaction, copies what was
 * committed, and only then ends the one before. Nobody can merge more of the log than that one sees, and
 * so it is never begun anew, until `shorten` has all of it merged while writers wait. From then on the
 * follower reads from the file alone: the next writer may begin the log anew, once, since nothing can
 * be merged while that goes on. What it writes over was copied to its end.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { UnavailableError } from "../../../resources/errors.ts";
import { checkpointPages } from "./sqlite.ts";
import { explained, isBusy } from "./sqlite-file.ts";
import {
  checkFrames,
  frameBytes,
  headerBytes,
  isNextLog,
  isSameLog,
  type LogHeader,
  readHeader,
} from "./wal.ts";

/** How long a lock of others is waited for. */
const lockWaitMs = 5000;
/** The same for the lock of writers, which is tried again later. */
const writersWaitMs = 2000;

/** Looks at a log that is being begun anew, which happens once at most while it is read. */
const looksMax = 3;

/** Bytes that are copied at a time. */
const pieceBytesMax = 8 * 1024 * 1024;

/** A stretch of a log. */
export interface LogPiece {
  /** Where in the log; 0 for the header and the frames after it. */
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Whether the book is whole after it. */
  readonly isCommit: boolean;
}

/** Called with each piece that is new. */
export type TakePiece = (piece: LogPiece) => void;

/** How far a log was copied; undefined before the first piece. */
interface Position {
  readonly header: LogHeader;
  readonly frames: number;
  readonly sum: LogHeader["sum"];
}

export class LogFollower {
  readonly #path: string;
  readonly #file: number;
  /** Reads nothing; asks how long the log is. */
  readonly #watch: DatabaseSync;
  #reader: DatabaseSync;
  #position: Position | undefined;
  /** How long the log was when writers were last given the chance to begin it anew. */
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
      throw explained(path, error);
    }
  }

  /** Follows from what is committed now. @throws DiskError, UnavailableError `Busy` */
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
   * Begins again from the header of the log as it is now. The whole log applies to a copy of the book
   * that was made since the log was last shortened: frames that the copy contains already change nothing.
   */
  rewind(take: TakePiece): void {
    this.#position = undefined;
    this.#told(() => this.#copy(take));
  }

  /**
   * Copies what was committed since the last time.
   *
   * @throws UnavailableError `LogLost` where it is not what follows; whatever `take` throws
   */
  follow(take: TakePiece): void {
    this.#told(() => {
      const { header, frames } = this.#state();
      const known = this.#position;
      const isSame = known !== undefined && header !== undefined && isSameLog(known.header, header);
      if (frames > 0 && !(isSame && frames === known.frames)) this.#step(take);
    });
  }

  /**
   * Lets the next writer begin the log anew where it has become long; writers wait meanwhile, for as
   * long as its last pages take to be merged.
   *
   * @throws as `follow`
   */
  shorten(take: TakePiece): void {
    this.#told(() => {
      const { frames } = this.#state();
      if (frames < checkpointPages || this.#position === this.#offered) return;
      // Most of it is merged while writers go on.
      this.#step(take);
      this.#merge();
      const writer = new DatabaseSync(this.#path, { timeout: writersWaitMs });
      try {
        writer.exec("begin immediate");
        this.#step(take);
        this.#merge();
        // With all of it merged, this one reads from the file alone.
        this.#step(take);
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

  /** What SQLite says, in a sentence. */
  #told(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw explained(this.#path, error);
    }
  }

  #step(take: TakePiece): void {
    const next = this.#read();
    try {
      this.#copy(take);
    } catch (error) {
      next.close();
      throw error;
    }
    this.#reader.close();
    this.#reader = next;
  }

  /** Begins to read the book as it is, and goes on until it is closed. */
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

  /** The log as it is, and how many frames of it are committed and on the disk. */
  #state(): { readonly header: LogHeader | undefined; readonly frames: number } {
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#file) {
      throw lost(this.#path, "another file has taken its place");
    }
    for (let looks = 0; looks < looksMax; looks += 1) {
      const before = this.#header();
      // Asks only: nothing is merged.
      const frames = Number(this.#watch.prepare("pragma wal_checkpoint(noop)").get()?.log);
      if (frames <= 0) return { header: before, frames: 0 };
      const header = this.#header();
      if (header === undefined || before === undefined) continue;
      if (isSameLog(before, header)) return { header, frames };
    }
    throw lost(this.#path, "its beginning cannot be read");
  }

  #header(): LogHeader | undefined {
    return this.#reading((file) => {
      const bytes = new Uint8Array(headerBytes);
      return readHeader(bytes.subarray(0, readSync(file, bytes, 0, headerBytes, 0)));
    });
  }

  /** The log alone is opened: to close the book or its index would drop the locks of SQLite on it. */
  #reading<T>(read: (file: number) => T): T | undefined {
    let file: number;
    try {
      file = openSync(`${this.#path}-wal`, "r");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  }

  #copy(take: TakePiece): void {
    const { header, frames } = this.#state();
    // All of it is merged, and was copied before.
    if (header === undefined || frames === 0) return;
    this.#reading((file) => {
      const start = this.#startIn(header, frames, file);
      const size = frameBytes(header);
      const perPiece = Math.max(1, Math.floor(pieceBytesMax / size));
      let { sum } = start;
      for (let done = start.frames; done < frames; ) {
        const count = Math.min(perPiece, frames - done);
        const offset = done === 0 ? 0 : headerBytes + done * size;
        const bytes = new Uint8Array(headerBytes + (done + count) * size - offset);
        const read = readSync(file, bytes, 0, bytes.length, offset);
        const checked =
          read === bytes.length
            ? checkFrames(header, done === 0 ? bytes.subarray(headerBytes) : bytes, sum)
            : undefined;
        done += count;
        if (checked === undefined || (done === frames && !checked.isCommit)) {
          // Before the first piece a writer may have begun the log anew; once at most, since nothing
          // can be merged while the follower reads.
          const now = this.#header();
          const isAnew = this.#position === undefined && now && !isSameLog(header, now);
          if (isAnew) return this.#copy(take);
          throw lost(this.#path, "what follows in it is not what was written");
        }
        sum = checked.sum;
        take({ offset, bytes, isCommit: done === frames });
        this.#position = { header, frames: done, sum };
      }
    });
  }

  /** Where to go on. @throws UnavailableError `LogLost` */
  #startIn(header: LogHeader, frames: number, file: number): Position {
    const known = this.#position;
    if (known === undefined) return { header, frames: 0, sum: header.sum };
    if (isSameLog(known.header, header)) {
      if (frames >= known.frames) return known;
      throw lost(this.#path, "it is shorter than what was copied");
    }
    if (!isNextLog(known.header, header)) {
      throw lost(this.#path, "it was begun anew, and perhaps not for the first time");
    }
    if (wentOn(known, file)) throw lost(this.#path, "its end was written over");
    return { header, frames: 0, sum: header.sum };
  }
}

/**
 * Whether the log before went on to a commit that was not copied, behind the end of the new one. What
 * was written there of a transaction that was then undone has no end.
 */
function wentOn({ header, frames, sum: end }: Position, file: number): boolean {
  const size = frameBytes(header);
  const frame = new Uint8Array(size);
  let sum = end;
  for (let at = headerBytes + frames * size; ; at += size) {
    const checked =
      readSync(file, frame, 0, size, at) === size ? checkFrames(header, frame, sum) : undefined;
    if (checked === undefined || checked.isCommit) return checked !== undefined;
    sum = checked.sum;
  }
}

function lost(path: string, why: string): UnavailableError {
  const message = `The log of ${path} could not be followed without a gap: ${why}.`;
  return new UnavailableError("LogLost", message);
}

/**
 * Writes a log into the file of a book that nobody has open, as SQLite does after a power cut.
 *
 * @param path  with the log beside it, `…-wal`
 * @returns whether all of the log was taken
 */
export function replayLog(path: string): boolean {
  const log = `${path}-wal`;
  const { size } = statSync(log);
  const db = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    const pageBytes = Number(db.prepare("pragma page_size").get()?.page_size);
    const found = db.prepare("pragma wal_checkpoint(passive)").get();
    const frames = (size - headerBytes) / frameBytes({ pageBytes } as LogHeader);
    return found?.log === frames && found.checkpointed === frames;
  } catch (error) {
    throw explained(path, error);
  } finally {
    db.close();
  }
}
