/**
 * The log of a book, kept between one whole backup and the next.
 *
 * Every few seconds what was committed is copied to the log of the last backup. Where that cannot go
 * on without a gap, it ends and says so, and the next whole backup begins a new one.
 */
import { AcctError } from "../../resources/errors.ts";
import { LogFollower, type LogPiece } from "../../store/dialects/file-care.ts";
import { BackupLog } from "./backup-log.ts";

/** How much of the latest work a restored book may lack. */
export const logEveryMs = 10_000;

export interface RecorderOptions {
  readonly clock: () => number;
  /** Called when the log cannot go on. */
  readonly onEnd: (error: AcctError) => void;
  /** Called when a log has come to a later moment, in milliseconds since 1970 UTC. */
  readonly onKept?: ((path: string, at: number) => void) | undefined;
}

export class LogRecorder {
  readonly #path: string;
  readonly #options: RecorderOptions;
  readonly #timer: NodeJS.Timeout;
  #follower: LogFollower | undefined;
  #log: BackupLog | undefined;
  #told = 0;
  /** Whole backups under way. */
  #copies = 0;

  /** @param path  of the file of the book */
  constructor(path: string, options: RecorderOptions) {
    this.#path = path;
    this.#options = options;
    this.#timer = setInterval(() => this.record(), logEveryMs).unref();
  }

  /**
   * Makes a whole backup, during which the log so far goes on, and begins the log of that one.
   *
   * @param copy  makes it; the paths of log and backup, or undefined where it is not fit for one
   */
  async during<T>(
    copy: () => Promise<T>,
    begun: (made: T) => { readonly log: string; readonly backup: string } | undefined,
  ): Promise<T> {
    this.#copies += 1;
    this.#attempt(() => {
      this.#follower ??= LogFollower.at(this.#path);
    });
    try {
      const made = await copy();
      const paths = begun(made);
      if (paths !== undefined) this.#attempt(() => this.#begin(paths.log, paths.backup));
      return made;
    } finally {
      this.#copies -= 1;
      // Nothing is read ahead of a backup that was not made.
      if (this.#log === undefined) this.#stop();
    }
  }

  /** Copies what was committed since the last time; before the first backup it is only looked at. */
  record(): void {
    this.#attempt(() => {
      const take = (piece: LogPiece) => this.#log?.add(piece);
      this.#follower?.follow(take);
      if (this.#copies === 0) this.#follower?.shorten(take);
      this.#tell();
    });
  }

  /** Records the last, and ends. */
  close(): void {
    this.record();
    clearInterval(this.#timer);
    this.#stop();
  }

  #begin(path: string, backup: string): void {
    this.record();
    const follower = this.#follower;
    // It was lost while the backup was made, and with it what follows that.
    if (follower === undefined) return;
    const log = new BackupLog(path, backup, this.#options.clock);
    this.#log?.close();
    this.#log = log;
    follower.rewind((piece) => log.add(piece));
    this.#tell();
  }

  #tell(): void {
    const kept = this.#log?.kept;
    if (kept === undefined || kept.at === this.#told) return;
    this.#told = kept.at;
    this.#options.onKept?.(kept.path, kept.at);
  }

  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
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
