/**
 * A service by several processes of one machine, behind one port.
 *
 * This process has the port and answers nothing itself. It starts those that do, hands connections to
 * them, starts another where one has ended, and tells their figures together.
 */
import type { ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { ToldError } from "../../resources/errors.ts";
import { createLog } from "../http/log.ts";
import type { Collected, Figure, MetricsPort } from "../http/metrics.ts";
import type { Opening } from "../http/opened.ts";
import type { Operations } from "../http/operations.ts";
import type { ServedBook } from "../http/serve.ts";
import { type Ended, Forked } from "./forked.ts";
import { type Arrival, Front } from "./front.ts";
import type { Seat } from "./messages.ts";
import { placeOf, writersAmong } from "./placing.ts";

export interface PrimaryOptions extends Pick<Opening, "host" | "port"> {
  /** How many answer. */
  readonly processes: number;
  /** How many can run at a time; what this machine says when not given. */
  readonly processors?: number;
  /** Starts one that serves the same and knows its seat. */
  readonly fork: (seat: Seat) => ChildProcess;
  readonly operations: Operations;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** A process that ends again and again is started once in that time. */
const restartMs = 1_000;
/** How long the processes may take to end once they have drained. */
const endingMs = 20_000;

/**
 * Opens the port and starts the processes: one, and the others when that is ready, so that it alone
 * says what stands in the way of all.
 *
 * @throws PortError, ToldError
 */
export async function servePrimary(options: PrimaryOptions): Promise<ServedBook> {
  const primary = new Primary(options);
  try {
    return await primary.open();
  } catch (error) {
    await primary.close();
    throw error;
  }
}

class Primary {
  readonly #options: PrimaryOptions;
  readonly #writers: number;
  readonly #front = new Front((arrival) => this.#place(arrival));
  readonly #log: ReturnType<typeof createLog>;
  /** By their places; some may have ended, and others follow. */
  readonly #forked: Forked[] = [];
  readonly #living = new Set<Forked>();
  /** Came while there was no process to take them. */
  readonly #unplaced: Arrival[] = [];
  readonly #restarts = new Set<NodeJS.Timeout>();
  readonly #left = Promise.withResolvers<void>();
  #origin = "";
  #metrics: MetricsPort | undefined;
  #restarted = 0;
  #turn = 0;
  #isEnding = false;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    const { processes, processors = availableParallelism() } = options;
    this.#writers = writersAmong(processes, processors);
    const { log: format = "text", write, isFull } = options.operations;
    this.#log = createLog({ format, requests: false, write, isFull, clock: options.clock });
    // Where this process is ended on the spot, so are they.
    process.on("exit", this.#kill);
  }

  readonly #kill = () => {
    for (const each of this.#living) each.kill();
  };

  async open(): Promise<ServedBook> {
    const { processes, operations } = this.#options;
    this.#origin = await this.#front.open(this.#options);
    if (operations.metrics !== undefined) this.#metrics = await this.#tell(operations.metrics);
    await this.#started(0);
    const others = Array.from({ length: processes - 1 }, (_, at) => this.#started(at + 1));
    await Promise.all(others);
    return {
      origin: this.#origin,
      metricsUrl: this.#metrics && `${this.#metrics.origin}/metrics`,
      chaos: undefined,
      ended: undefined,
      close: () => this.close(),
    };
  }

  /** Starts a process at a place, for the first time. @throws ToldError when it ends before it is ready */
  async #started(place: number): Promise<void> {
    const forked = this.#start(place);
    const ended = await Promise.race([forked.ready, forked.ended]);
    if (ended !== undefined)
      throw new ToldError(`A process of the service ${ended.how}.`, ended.code ?? 1);
    void forked.ended.then((how) => this.#replace(place, forked, how));
  }

  #start(place: number): Forked {
    const { fork } = this.#options;
    const child = fork({ place, writers: this.#writers, origin: this.#origin });
    const forked = new Forked(child, {
      unsent: (arrival) => this.#place(arrival),
      leaving: () => {
        // What is under way in the other direction gets there before the answer to this.
        if (this.#isEnding) this.#left.resolve();
      },
    });
    this.#forked[place] = forked;
    this.#living.add(forked);
    void forked.ended.then(() => this.#living.delete(forked));
    void forked.ready.then(() => {
      for (const arrival of this.#unplaced.splice(0)) this.#place(arrival);
    });
    return forked;
  }

  /** Has another follow one that has ended. */
  #replace(place: number, { isLeaving }: Forked, { how }: Ended): void {
    if (this.#isEnding) return;
    if (!isLeaving) {
      const said = `Process ${place + 1} of ${this.#options.processes} ${how}, and is started again.`;
      this.#log.fault(said, { method: "START", path: "/", query: [], headers: {} });
    }
    this.#restarted += 1;
    const began = performance.now();
    const next = this.#start(place);
    void next.ended.then((end) => {
      const timer = setTimeout(
        () => {
          this.#restarts.delete(timer);
          this.#replace(place, next, end);
        },
        Math.max(0, began + restartMs - performance.now()),
      );
      this.#restarts.add(timer);
    });
  }

  #place(arrival: Arrival): void {
    const forked = this.#placeOf(arrival.organisation);
    if (forked !== undefined) forked.hand(arrival);
    else if (this.#isEnding) arrival.socket.destroy();
    else this.#unplaced.push(arrival);
  }

  /** Who reads is answered by a process that has no organisation, where there is one. */
  #placeOf(organisation: string | undefined): Forked | undefined {
    const open = this.#forked.filter(({ isOpen }) => isOpen);
    const awake = open.filter(({ isAwake }) => isAwake);
    const ready = awake.length > 0 ? awake : open;
    if (organisation !== undefined) {
      const owner = this.#forked[placeOf(organisation, this.#writers)];
      if (owner !== undefined && ready.includes(owner)) return owner;
      return ready[placeOf(organisation, ready.length)];
    }
    const others = ready.filter((each) => this.#forked.indexOf(each) >= this.#writers);
    const readers = others.length > 0 ? others : ready;
    this.#turn += 1;
    return readers[this.#turn % readers.length];
  }

  /** Puts the figures of all on a port. @throws PortError */
  async #tell(at: NonNullable<Operations["metrics"]>): Promise<MetricsPort> {
    const { serveMetrics, together } = await import("../http/metrics.ts");
    const own: readonly Figure[] = [
      {
        name: "acct_processes",
        help: "Processes that answer",
        kind: "gauge",
        read: () => [{ value: this.#forked.filter(({ isOpen }) => isOpen).length }],
      },
      {
        name: "acct_process_restarts_total",
        help: "Processes that were started because one had ended",
        kind: "counter",
        read: () => [{ value: this.#restarted }],
      },
    ];
    const collected = async () => {
      const asked = [...this.#living].map((each) => each.ask("figures").catch(() => undefined));
      const all = await Promise.all(asked);
      return all.filter((each) => each !== undefined) as Collected[];
    };
    return serveMetrics(together(own, collected), () => this.#reason(), at);
  }

  /** Why no requests should come here, if they should not. */
  async #reason(): Promise<string | undefined> {
    if (this.#isEnding) return "stopping";
    const reason = this.#placeOf(undefined)?.ask("readiness") ?? Promise.reject();
    return reason.catch(() => "no process answers") as Promise<string | undefined>;
  }

  /** Has all drain and end, and returns when they have. */
  async close(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    const drainMs = this.#options.operations.drainMs ?? 0;
    const ended = Promise.all([...this.#living].map((each) => each.ended));
    const late = setTimeout(this.#kill, drainMs + endingMs);
    for (const each of this.#living) each.end();
    // Each drains by itself; the first that is done with it is the sign that the time is over.
    await Promise.race([this.#left.promise, ended]);
    this.#front.close();
    for (const { socket } of this.#unplaced.splice(0)) socket.destroy();
    await ended;
    clearTimeout(late);
    process.off("exit", this.#kill);
    this.#metrics?.close();
    this.#log.flush();
  }
}
