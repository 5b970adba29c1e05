/**
 * Records the log of a book between one whole backup and the next.
 *
 * Every few seconds new commits are appended to the log of the last backup. Where this is
 * impossible without a gap, the log ends with a report, and the next whole backup begins a new one.
 */
import { AcctError } from "../../resources/errors.ts";
import { LogFollower, type LogPiece } from "../../store/dialects/file-care.ts";
import { BackupLog } from "./backup-log.ts";

/** Recording interval in milliseconds: the most recent work that a restored book may lack. */
export const logEveryMs = 10_000;

export interface RecorderOptions {
  readonly clock: () => number;
  /** Called when the log cannot continue. */
  readonly onEnd: (error: AcctError) => void;
  /** Called when the log has recorded a later moment, in milliseconds since 1970 UTC. */
  readonly onKept?: ((path: string, at: number) => void) | undefined;
}

export class LogRecorder {
  readonly #path: string;
  readonly #options: RecorderOptions;
  readonly #timer: NodeJS.Timeout;
  #follower: LogFollower | undefined;
  #log: BackupLog | undefined;
  #told = 0;
  /** Number of whole backups in progress. */
  #copies = 0;

  /** @param path  of the book file */
  constructor(path: string, options: RecorderOptions) {
    this.#path = path;
    this.#options = options;
    this.#timer = setInterval(() => this.record(), logEveryMs).unref();
  }

  /**
   * Makes a whole backup, during which the current log goes on, and begins the log of the new
   * backup.
   *
   * @param copy  makes the backup
   * @param pathsOf  returns the paths of log and backup; undefined where the backup gets no log
   */
  async during<T>(
    copy: () => Promise<T>,
    pathsOf: (backup: T) => { readonly log: string; readonly backup: string } | undefined,
  ): Promise<T> {
    this.#copies += 1;
    this.#attempt(() => {
      this.#follower ??= LogFollower.at(this.#path);
    });
    try {
      const copied = await copy();
      const paths = pathsOf(copied);
      if (paths !== undefined) this.#attempt(() => this.#begin(paths.log, paths.backup));
      return copied;
    } finally {
      this.#copies -= 1;
      // Without a log, commits need not be followed.
      if (this.#log === undefined) this.#stop();
    }
  }

  /**
   * Appends the commits since the last call to the log; before the first backup it only reads past
   * them.
   */
  record(): void {
    this.#attempt(() => {
      const takePiece = (piece: LogPiece) => this.#log?.add(piece);
      this.#follower?.follow(takePiece);
      if (this.#copies === 0) this.#follower?.shorten(takePiece);
      this.#tell();
    });
  }

  /** Records the last commits, and ends the log. */
  close(): void {
    this.record();
    clearInterval(this.#timer);
    this.#stop();
  }

  #begin(path: string, backup: string): void {
    this.record();
    const follower = this.#follower;
    // The log was lost during the backup, and so was the one that was to follow it.
    if (follower === undefined) return;
    const log = new BackupLog(path, backup, this.#options.clock);
    this.#log?.close();
    this.#log = log;
    follower.rewind((piece) => log.add(piece));
    this.#tell();
  }

  #tell(): void {
    const log = this.#log?.kept;
    if (log === undefined || log.at === this.#told) return;
    this.#told = log.at;
    this.#options.onKept?.(log.path, log.at);
  }

  #attempt<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#stop();
      if (!(error instanceof AcctError)) throw error;
      this.#options.onEnd(error);
      return undefined;
    }
  }

  #stop(): void {
    this.#follower?.close();
    this.#log?.close();
    this.#follower = undefined;
    this.#log = undefined;
  }
}
