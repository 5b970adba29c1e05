/**
 * Small readings of one process, which go to a server together.
 *
 * What a request is looked up by takes less time than the way to the server and back, and than
 * waking one of its processes. So the lookups of one moment share a connection and a batch; those
 * that are asked for meanwhile are the next. Each is a statement by itself, which sees whatever was
 * committed before it was asked for.
 */
import { reading, type Within, type Work } from "./transactions.ts";

interface Waiting {
  readonly org: number;
  readonly work: Work<unknown>;
  resolve(found: unknown): void;
  reject(error: unknown): void;
}

export class Lookups {
  readonly #within: Within;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(within: Within) {
    this.#within = within;
  }

  find<T>(org: number, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ org, work, resolve: resolve as Waiting["resolve"], reject });
      if (!this.#isUnderWay) void this.#run();
    });
  }

  /** Asks one batch after the other until nobody waits. */
  async #run(): Promise<void> {
    this.#isUnderWay = true;
    // Whoever has asked by the end of this turn of the event loop is there.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#ask(group);
    }
    this.#isUnderWay = false;
  }

  async #ask(group: readonly Waiting[]): Promise<void> {
    let failed: readonly Waiting[] = [];
    try {
      const outcomes = await this.#within(undefined, ({ use }) =>
        Promise.allSettled(group.map(({ org, work }) => use(org, work))),
      );
      failed = group.filter(({ resolve }, at) => {
        const outcome = outcomes[at];
        if (outcome?.status === "fulfilled") resolve(outcome.value);
        return outcome?.status !== "fulfilled";
      });
    } catch (error) {
      // There is no connection.
      for (const { reject } of group) reject(error);
    }
    // Where one fails, so do those after it: each is tried alone, which tells whose fault it was.
    const alone = ({ org, work, resolve, reject }: Waiting) =>
      this.#within(reading, ({ use }) => use(org, work)).then(resolve, reject);
    await Promise.all(failed.map(alone));
  }
}
