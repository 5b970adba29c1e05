/** Time and ids of a simulation, which nothing else decides. */

/** Noon of the first of March 2026 in Auckland. */
const start = Date.UTC(2026, 1, 28, 23);

export class Clock {
  /** Programs of their own have the time of the machine, which cannot be put forward. */
  readonly isReal: boolean;
  #now = start;
  #sources = 0;

  constructor(isReal = false) {
    this.isReal = isReal;
  }

  /** Milliseconds since 1970 UTC. */
  get now(): number {
    return this.isReal ? Date.now() : this.#now;
  }

  set now(at: number) {
    this.#now = at;
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
