/**
 * Calls in a window of time that rolls.
 *
 * Calls of the same grain of time are counted together: in the memory of a process a grain is a
 * millisecond, and counting exact; what several processes share is coarser, so that it stays small.
 * A grain leaves the window when its last moment does: no window ever holds more calls than it may.
 */
export class Rolling {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #grainMs: number;
  /** Where grains with calls begin, the oldest first, and how many calls each has, from `#from` on. */
  #starts: number[] = [];
  #counts: number[] = [];
  #from = 0;
  #count = 0;

  /**
   * @param max      calls in any window
   * @param written  of another, what `written` gave
   */
  constructor(max: number, windowMs: number, grainMs = 1, written: readonly number[] = []) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#grainMs = grainMs;
    let start = 0;
    for (let at = 0; at + 1 < written.length; at += 2) {
      start += written[at] ?? 0;
      this.take(start * grainMs, written[at + 1]);
    }
  }

  /** How many calls may still be made at `now`. */
  left(now: number): number {
    this.#slide(now);
    return this.#max - this.#count;
  }

  isEmpty(now: number): boolean {
    return this.left(now) === this.#max;
  }

  /** Counts calls at `now`, which is never before those counted already. */
  take(now: number, calls = 1): void {
    const start = Math.floor(now / this.#grainMs) * this.#grainMs;
    const last = this.#starts.length - 1;
    // A clock that was put back counts on where it was.
    if (last >= this.#from && start <= (this.#starts[last] ?? 0)) {
      this.#counts[last] = (this.#counts[last] ?? 0) + calls;
    } else {
      this.#starts.push(start);
      this.#counts.push(calls);
    }
    this.#count += calls;
  }

  /** Takes back calls that were counted at `at` and not made. */
  giveBack(at: number, calls = 1): void {
    const start = Math.floor(at / this.#grainMs) * this.#grainMs;
    const place = this.#starts.lastIndexOf(start);
    if (place < this.#from) return;
    const given = Math.min(calls, this.#counts[place] ?? 0);
    this.#counts[place] = (this.#counts[place] ?? 0) - given;
    this.#count -= given;
  }

  /** How long until there is one left. */
  waitMs(now: number): number {
    if (this.left(now) > 0) return 0;
    let free = this.#max - this.#count;
    for (let at = this.#from; at < this.#starts.length; at += 1) {
      free += this.#counts[at] ?? 0;
      if (free > 0) return (this.#starts[at] ?? now) + this.#grainMs - 1 + this.#windowMs - now;
    }
    return this.#windowMs;
  }

  /** Grains since the one before, and their calls, in turns. */
  written(now: number): number[] {
    this.#slide(now);
    const written: number[] = [];
    let before = 0;
    for (let at = this.#from; at < this.#starts.length; at += 1) {
      const calls = this.#counts[at] ?? 0;
      if (calls === 0) continue;
      const grain = (this.#starts[at] ?? 0) / this.#grainMs;
      written.push(grain - before, calls);
      before = grain;
    }
    return written;
  }

  #slide(now: number): void {
    const gone = now - this.#windowMs - this.#grainMs + 1;
    while ((this.#starts[this.#from] ?? Number.POSITIVE_INFINITY) <= gone) {
      this.#count -= this.#counts[this.#from] ?? 0;
      this.#from += 1;
    }
    // Cut off by halves, so that a call costs the same however many came before.
    if (this.#from * 2 <= this.#starts.length) return;
    this.#starts = this.#starts.slice(this.#from);
    this.#counts = this.#counts.slice(this.#from);
    this.#from = 0;
  }
}
