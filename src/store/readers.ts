/**
 * The readers of a database in this process.
 *
 * What takes long about a small read is to begin and to end its transaction, for which the operating
 * system is asked for locks. So the reads that begin in one turn of the event loop are in one
 * transaction: what a port is asked in a turn had arrived when the turn began, and the first read
 * sees all that was written until then. A read that begins after a write of this process is done
 * has another transaction, as has one that begins late in a long turn.
 */
import type { Begun, Within, Work } from "./transactions.ts";
import { reading } from "./transactions.ts";

export interface Readers {
  read<T>(org: number, work: Work<T>): Promise<T>;
  /** Lets no more reads into the transaction of this turn, since there is something new to see. */
  part(): void;
  /** Ends what no read goes on in. */
  close(): Promise<void>;
}

/** Reads in a transaction of their own. */
export function eachAlone(within: Within): Readers {
  return {
    read: (org, work) => within(reading, ({ use }) => use(org, work)),
    part: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** How long after its begin a transaction takes reads, in a turn that has not ended. */
const joinedMs = 5;

/** Reads in the transaction of their turn. */
export function together(within: Within): Readers {
  let joined: Shared | undefined;
  const part = () => {
    joined?.close();
    joined = undefined;
  };
  const shared = (): Shared => {
    if (joined !== undefined && performance.now() - joined.since <= joinedMs) return joined;
    part();
    const made = new Shared(within);
    joined = made;
    setImmediate(() => {
      if (joined === made) part();
    });
    return made;
  };
  return {
    read: (org, work) => shared().read(org, work),
    part,
    close: async () => {
      const last = joined;
      part();
      await last?.ended;
    },
  };
}

/** A transaction that several reads are in: it ends when it is closed and the last of them is done. */
class Shared {
  readonly since = performance.now();
  /** Fulfilled when it is over, however it ended: its reads say themselves what failed. */
  readonly ended: Promise<void>;
  readonly #begun: Promise<Begun>;
  #end: () => void = () => undefined;
  #underWay = 0;
  #isClosed = false;

  constructor(within: Within) {
    const { promise, resolve, reject } = Promise.withResolvers<Begun>();
    this.#begun = promise;
    this.ended = within(reading, (begun) => {
      resolve(begun);
      return new Promise<void>((end) => {
        this.#end = end;
        this.#endIfDone();
      });
    }).catch(reject);
  }

  async read<T>(org: number, work: Work<T>): Promise<T> {
    this.#underWay += 1;
    try {
      const { use } = await this.#begun;
      return await use(org, work);
    } finally {
      this.#underWay -= 1;
      this.#endIfDone();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#isClosed && this.#underWay === 0) this.#end();
  }
}
