/**
 * A row that several processes count in.
 *
 * Changes of one process wait while another is being written, and are then written together. What a
 * process last saw of the row it believes until it turns out that somebody else has written: then it
 * reads the row, and makes its changes again.
 */
import { type Counts, countsOf, writeCounts } from "../../store/directory/call-counts.ts";
import type { Store } from "../../store/store.ts";

/** Makes a change to what the row holds; may be run several times, each time on what was read anew. */
export type Change<S, R> = (state: S) => R;

interface Waiting<S> {
  readonly change: Change<S, unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export interface RowOptions<S> {
  readonly store: Store;
  readonly org: number;
  readonly app: string;
  /** @param text  empty where nothing was counted yet */
  readonly read: (text: string) => S;
  readonly write: (state: S) => string;
}

/** How long a change that nobody waits for is kept, to be written with the next. */
const keptMs = 5;
/** Others write between; who is unlucky that often finds the database out of order. */
const triesMax = 200;

export class SharedRow<S> {
  readonly #options: RowOptions<S>;
  #known: Counts | undefined;
  #waiting: Waiting<S>[] = [];
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RowOptions<S>) {
    this.#options = options;
  }

  /** @returns what the change came to, when it is written */
  change<R>(change: Change<S, R>): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({ change, resolve: resolve as Waiting<S>["resolve"], reject });
      this.#begin();
    });
  }

  /** A change that is written soon, and lost where that fails. */
  changeSoon(change: Change<S, void>): void {
    const ignored = () => undefined;
    this.#waiting.push({ change, resolve: ignored, reject: ignored });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#begin();
    }, keptMs);
  }

  /** Returns when nothing waits to be written. */
  async written(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#begin();
    await this.#running;
  }

  #begin(): void {
    // Another may have written already what this was to begin for.
    if (this.#running !== undefined || this.#waiting.length === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#begin();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0);
      try {
        const results = await this.#make(taken.map(({ change }) => change));
        for (const [at, { resolve }] of taken.entries()) resolve(results[at]);
      } catch (error) {
        this.#known = undefined;
        for (const { reject } of taken) reject(error);
      }
    }
  }

  async #make(changes: readonly Change<S, unknown>[]): Promise<unknown[]> {
    const { store, org, app, read, write } = this.#options;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const isFresh = this.#known === undefined;
      const known = this.#known ?? (await store.apart(org, (tx) => countsOf(tx, app)));
      this.#known = undefined;
      const state = read(known.counts);
      const results = changes.map((change) => change(state));
      const counts = write(state);
      if (counts === known.counts) {
        // Nothing to write tells nothing of whether what it was made from is still so.
        if (!isFresh) continue;
        this.#known = known;
        return results;
      }
      const next = { version: known.version, counts };
      if (await store.apart(org, (tx) => writeCounts(tx, app, next))) {
        this.#known = { version: known.version + 1, counts };
        return results;
      }
    }
    throw new Error(`The calls of ${app} cannot be counted: others always write first.`);
  }
}
