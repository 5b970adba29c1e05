/** Time and ids of a simulation, which nothing else decides. */
import type { Disk } from "./disk.ts";

/** Noon of the first of March 2026 in Auckland. */
const start = Date.UTC(2026, 1, 28, 23);

export class Clock {
  /** Whether it goes by itself: programs of their own have the time of the machine. */
  readonly isReal: boolean;
  readonly #machine: Disk | undefined;
  #ahead = 0;
  #now = start;
  #sources = 0;

  /** @param machine  whose time programs have; undefined where it cannot be put */
  constructor(isReal = false, machine?: Disk) {
    this.isReal = isReal;
    this.#machine = machine;
  }

  /** Milliseconds since 1970 UTC. */
  get now(): number {
    return this.isReal ? Date.now() : this.#now;
  }

  /** Time that goes by itself is left alone. */
  set now(at: number) {
    this.#now = at;
  }

  get canBePut(): boolean {
    return !this.isReal || this.#machine !== undefined;
  }

  /** Puts it to another moment, also one that was before. */
  put(at: number): void {
    this.#ahead += Math.round(at - this.now);
    if (this.isReal) this.#machine?.putClock(this.#ahead);
    else this.#now = at;
  }

  /** Has it as the machine has it. */
  end(): void {
    this.#machine?.putClock(0);
  }

  readonly read = (): number => this.now;

  /** Ids that nobody else is given. */
  newIds(): () => string {
    this.#sources += 1;
    const source = String(this.#sources).padStart(4, "0");
    let last = 0;
    return () => {
      last += 1;
      return `00000000-0000-7000-${source}-${String(last).padStart(12, "0")}`;
    };
  }
}
