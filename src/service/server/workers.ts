/**
 * Several worker processes that answer at one port, by `node:cluster`.
 *
 * The primary process starts the workers, which are this program with the same arguments, restarts a
 * worker that has died, and serves the metrics of all. It answers no request itself.
 *
 * The workers accept connections from the shared socket (`SCHED_NONE`). By round robin the primary
 * would accept them, which spreads few connections more evenly; but a connection that it has sent to
 * a worker which then dies, or closes, is never answered and never closed.
 */
import cluster, { type Address, type Worker } from "node:cluster";
import { once } from "node:events";
import { get } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ToldError } from "../../resources/errors.ts";
import { createLog } from "../http/logs/service-log.ts";
import type { Metric, MetricsPort } from "../http/metrics.ts";
import { originOf, type PortOptions } from "../http/open-port.ts";
import type { Operations, ServedBook } from "./monitoring.ts";

export interface WorkersOptions extends Pick<PortOptions, "host" | "port"> {
  /** How many workers there are. */
  readonly processes: number;
  /** The file that a worker runs; that of this process when not given. */
  readonly program?: string | undefined;
  /** Arguments of a worker; those of this process when not given. */
  readonly args?: readonly string[] | undefined;
  readonly operations: Operations;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** A slot whose workers die again and again gets a new one at most this often. */
const restartMs = 1_000;
/** How long the workers may take to end once they have drained. */
const endingMs = 20_000;
/** How long a worker may take to say whether it is ready. */
const readyMs = 3_000;
/** The message that asks a worker to drain and end. */
const endMessage = "acct:end";

/**
 * Starts the workers: one, and the others when that listens, so that a fault that stops all of them
 * is reported once.
 *
 * @throws ToldError when a worker ends before it listens, PortError for the port of the metrics
 */
export async function serveByWorkers(options: WorkersOptions): Promise<ServedBook> {
  const primary = new Primary(options);
  try {
    return await primary.open();
  } catch (error) {
    await primary.close();
    throw error;
  }
}

/**
 * Resolves when the primary process asks this worker to end. To be called before anything else listens
 * to messages, since Node keeps them until the first listener is there.
 */
export function endAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message) => {
      if (message === endMessage) resolve();
    });
  });
}

/** Leaves the cluster in good order, after which nothing keeps this worker alive. */
export function leaveCluster(): void {
  cluster.worker?.disconnect();
}

/** Number of a worker among those that run at a time, from 0; its successor has the same. */
type WorkerSlot = number;

/** How a worker has ended. */
interface WorkerExit {
  /** Undefined when a signal has ended it. */
  readonly code: number | undefined;
  /** `ended with 1`, `was ended by SIGKILL`. */
  readonly how: string;
}

class Primary {
  readonly #options: WorkersOptions;
  readonly #log: ReturnType<typeof createLog>;
  readonly #living = new Set<Worker>();
  readonly #listening = new Set<Worker>();
  readonly #ending = new AbortController();
  /**
   * The workers ask for this port. It is open as long as any of them listens on it; with `--port 0` it
   * becomes the one that was opened first when none is left, so that the workers to come open the same.
   */
  #port: number;
  #opened: number | undefined;
  #metrics: MetricsPort | undefined;
  #restarts = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#port = options.port;
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const { log: format = "text", write, isFull } = options.operations;
    this.#log = createLog({ format, requests: false, write, isFull, clock: options.clock });
  }

  async open(): Promise<ServedBook> {
    const { processes, operations, host } = this.#options;
    if (operations.metrics !== undefined) await this.#serveMetrics(operations.metrics);
    await this.#start(0);
    const others = Array.from({ length: processes - 1 }, (_, at) => this.#start(at + 1));
    await Promise.all(others);
    return {
      origin: originOf(host, this.#opened ?? this.#port),
      metricsUrl: this.#metrics && `${this.#metrics.origin}/metrics`,
      chaos: undefined,
      ended: undefined,
      close: () => this.close(),
    };
  }

  /** Fills a slot for the first time. @throws ToldError when the worker ends before it listens */
  async #start(slot: WorkerSlot): Promise<void> {
    const worker = this.#fork();
    const exit = exitOf(worker);
    const ended = await Promise.race([once(worker, "listening").then(() => undefined), exit]);
    if (ended !== undefined) {
      throw new ToldError(`A process of the service ${ended.how}.`, ended.code ?? 1);
    }
    void this.#supervise(slot, worker);
  }

  #fork(): Worker {
    const { program, args = process.argv.slice(2) } = this.#options;
    if (this.#listening.size === 0) this.#port = this.#opened ?? this.#port;
    cluster.setupPrimary({
      ...(program === undefined ? {} : { exec: program }),
      args: atPort(args, this.#port),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const worker = cluster.fork();
    this.#living.add(worker);
    worker.once("listening", (address: Address) => {
      this.#opened ??= address.port;
      if (address.port === this.#opened) {
        this.#listening.add(worker);
        return;
      }
      // The last worker at the port died between the fork of this one and now.
      this.#port = this.#opened;
      worker.process.kill("SIGKILL");
    });
    worker.once("disconnect", () => this.#listening.delete(worker));
    void exitOf(worker).then(() => {
      this.#listening.delete(worker);
      this.#living.delete(worker);
    });
    return worker;
  }

  /** Restarts the workers of a slot until the end. */
  async #supervise(slot: WorkerSlot, first: Worker): Promise<void> {
    const { signal } = this.#ending;
    let worker = first;
    let startedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const { how } = await exitOf(worker);
      if (signal.aborted) return;
      if (!worker.exitedAfterDisconnect) {
        const said = `Process ${slot + 1} of ${this.#options.processes} ${how}, and is started again.`;
        this.#log.fault(said, { method: "START", path: "/", query: [], headers: {} });
      }
      const waitMs = Math.max(0, startedAt + restartMs - performance.now());
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#restarts += 1;
      startedAt = performance.now();
      worker = this.#fork();
    }
  }

  /** Serves the metrics of all workers together. @throws PortError */
  async #serveMetrics(at: NonNullable<Operations["metrics"]>): Promise<void> {
    const { serveMetrics, withWorkers } = await import("../http/metrics.ts");
    const own: readonly Metric[] = [
      {
        name: "acct_processes",
        help: "Processes that answer",
        kind: "gauge",
        read: () => [{ value: this.#listening.size }],
      },
      {
        name: "acct_process_restarts_total",
        help: "Processes that were started because one had ended",
        kind: "counter",
        read: () => [{ value: this.#restarts }],
      },
    ];
    this.#metrics = await serveMetrics(
      withWorkers(own, () => this.#listening),
      () => this.#notReady(),
      at,
    );
  }

  /** Why no requests should come here, if they should not: as a worker says at the port. */
  async #notReady(): Promise<string | undefined> {
    if (this.#ending.signal.aborted) return "stopping";
    if (this.#opened === undefined) return "starting";
    const { host } = this.#options;
    // An address that stands for all of the machine's is none to connect to everywhere.
    const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
    try {
      const url = `${originOf(reached, this.#opened)}/ready`;
      const request = get(url, { agent: false, signal: AbortSignal.timeout(readyMs) });
      const [answer] = await once(request, "response");
      return ((await json(answer)) as { readonly reason?: string }).reason;
    } catch {
      return "no process answers";
    }
  }

  /** Has all workers drain and end, and returns when they have. */
  async close(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    const living = [...this.#living];
    const kill = () => {
      for (const each of this.#living) each.process.kill("SIGKILL");
    };
    const late = setTimeout(kill, (this.#options.operations.drainMs ?? 0) + endingMs);
    const exits = living.map(exitOf);
    for (const worker of living) {
      // An ended worker needs no message.
      if (worker.isConnected()) worker.process.send(endMessage, () => undefined);
    }
    await Promise.all(exits);
    clearTimeout(late);
    this.#metrics?.close();
    this.#log.flush();
  }
}

function exitOf(worker: Worker): Promise<WorkerExit> {
  const { exitCode, signalCode } = worker.process;
  const exit = (code: number | null, signal: string | null): WorkerExit => ({
    code: code ?? undefined,
    how: code === null ? `was ended by ${signal}` : `ended with ${code}`,
  });
  if (exitCode !== null || signalCode !== null) return Promise.resolve(exit(exitCode, signalCode));
  return new Promise((resolve) => {
    worker.once("exit", (code: number | null, signal: string | null) =>
      resolve(exit(code, signal)),
    );
    worker.once("error", ({ message }: Error) => {
      if (worker.process.pid === undefined) {
        resolve({ code: 1, how: `cannot be started: ${message}` });
      }
    });
  });
}

/** The words of a program that serves, at the port of all its workers instead of the one given. */
function atPort(args: readonly string[], port: number): string[] {
  const others = args.filter((word, at) => !/^--port(=|$)/.test(word) && args[at - 1] !== "--port");
  return [...others, "--port", String(port)];
}
