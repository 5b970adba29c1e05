/** Time and ids of a simulation, which nothing else decides. */

/** Noon of the first of March 2026 in Auckland. */
const start = Date.UTC(2026, 1, 28, 23);

export class Clock {
  /** Milliseconds since 1970 UTC. */
  now = start;
  #sources = 0;

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
