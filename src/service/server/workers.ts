/**
 * Serves one port by several worker processes, with `node:cluster`.
 *
 * The primary process starts the workers, which run this program with the same arguments, restarts
 * those that die, and serves the metrics of all. It answers no API request itself.
 *
 * Workers accept connections from the shared socket (`SCHED_NONE`). With round robin the primary
 * would accept them, which distributes few connections more evenly; but a connection passed to a
 * worker that then dies or closes would never be answered nor closed.
 */
import cluster, { type Address, type Worker } from "node:cluster";
import { once } from "node:events";
import { isSea } from "node:sea";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ToldError } from "../../resources/errors.ts";
import { createLog } from "../http/logs/service-log.ts";
import type { Metric, MetricsPort } from "../http/metrics.ts";
import { originOf, type PortOptions } from "../http/open-port.ts";
import type { Operations, ServedBook } from "./monitoring.ts";

export interface WorkersOptions extends Pick<PortOptions, "host" | "port" | "isSecure"> {
  /** Number of workers. */
  readonly processes: number;
  /** Program file of a worker; by default the file of this process. */
  readonly program?: string | undefined;
  /** Arguments of a worker; by default those of this process. */
  readonly args?: readonly string[] | undefined;
  readonly operations: Operations;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** Minimum time between restarts in a slot, in milliseconds. */
const restartMs = 1_000;
/** Maximum time for workers to end after draining, in milliseconds. */
const endingMs = 20_000;
/** Timeout of a worker's readiness answer in milliseconds. */
const readyMs = 3_000;
/** Message that asks a worker to drain and end. */
const endMessage = "acct:end";

/**
 * Starts the workers: first one, and the others once it listens, so that a common fault is reported
 * only once.
 *
 * @throws ToldError when a worker ends before it listens, PortError for the metrics port
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
 * Resolves when the primary process asks this worker to end. Must be called before any other
 * listener to messages, since Node buffers them only until the first one.
 */
export function endRequest(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message) => {
      if (message === endMessage) resolve();
    });
  });
}

/** Disconnects from the cluster, so that this worker can exit. */
export function leaveCluster(): void {
  cluster.worker?.disconnect();
}

/** Number of a worker among those running, from 0; a restarted worker keeps it. */
type WorkerSlot = number;

/** The exit of a worker. */
interface WorkerExit {
  /** Exit code; undefined after a signal. */
  readonly code: number | undefined;
  /** Description such as `ended with 1` or `was ended by SIGKILL`. */
  readonly how: string;
}

class Primary {
  readonly #options: WorkersOptions;
  readonly #log: ReturnType<typeof createLog>;
  readonly #living = new Set<Worker>();
  readonly #listening = new Set<Worker>();
  readonly #ending = new AbortController();
  /**
   * Port that workers listen on, open while any of them does; with `--port 0`, the first opened
   * port is reused when none is left, so that later workers open the same one.
   */
  #port: number;
  #opened: number | undefined;
  #metrics: MetricsPort | undefined;
  #restarts = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#port = options.port;
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const { log: format, write, isFull } = options.operations;
    this.#log = createLog({ format, write, isFull, clock: options.clock });
  }

  async open(): Promise<ServedBook> {
    const { processes, operations, host, isSecure } = this.#options;
    if (operations.metrics !== undefined) await this.#serveMetrics(operations.metrics);
    await this.#start(0);
    const otherWorkers = Array.from({ length: processes - 1 }, (_, at) => this.#start(at + 1));
    await Promise.all(otherWorkers);
    return {
      origin: originOf(host, this.#opened ?? this.#port, isSecure),
      metricsUrl: this.#metrics && `${this.#metrics.origin}/metrics`,
      chaos: undefined,
      ended: undefined,
      // Each worker reads the settings again by itself.
      reload: () => {
        for (const worker of this.#living) worker.process.kill("SIGHUP");
      },
      note: this.#log.note,
      close: () => this.close(),
    };
  }

  /** Starts the first worker of a slot. @throws ToldError when it ends before it listens */
  async #start(slotIndex: WorkerSlot): Promise<void> {
    const worker = this.#fork();
    const exit = exitOf(worker);
    const exited = await Promise.race([once(worker, "listening").then(() => undefined), exit]);
    if (exited !== undefined) {
      throw new ToldError(`A process of the service ${exited.how}.`, exited.code ?? 1);
    }
    void this.#supervise(slotIndex, worker);
  }

  #fork(): Worker {
    const { program, args = process.argv.slice(2) } = this.#options;
    if (this.#listening.size === 0) this.#port = this.#opened ?? this.#port;
    const words = withSharedPort(args, this.#port);
    // A single executable has no file of the program before its arguments.
    const exec = isSea() ? words.shift() : program;
    cluster.setupPrimary({
      ...(exec === undefined ? {} : { exec }),
      args: words,
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
      // The last listening worker died after this one was forked, so the port is set explicitly.
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

  /** Restarts the worker of a slot until shutdown. */
  async #supervise(slot: WorkerSlot, firstWorker: Worker): Promise<void> {
    const { signal } = this.#ending;
    let worker = firstWorker;
    let startedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const { how } = await exitOf(worker);
      if (signal.aborted) return;
      if (!worker.exitedAfterDisconnect) {
        const message = `Process ${slot + 1} of ${this.#options.processes} ${how}, and is started again.`;
        this.#log.fault(message, { method: "START", path: "/", query: [], headers: {} });
      }
      const waitMs = Math.max(0, startedAt + restartMs - performance.now());
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#restarts += 1;
      startedAt = performance.now();
      worker = this.#fork();
    }
  }

  /** Serves the aggregated metrics of all workers. @throws PortError */
  async #serveMetrics(at: NonNullable<Operations["metrics"]>): Promise<void> {
    const { serveMetrics, withWorkers } = await import("../http/metrics.ts");
    const ownMetrics: readonly Metric[] = [
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
      withWorkers(ownMetrics, () => this.#listening),
      () => this.#notReady(),
      at,
    );
  }

  /** Returns why the server is not ready, as told by a worker's port; undefined if ready. */
  async #notReady(): Promise<string | undefined> {
    if (this.#ending.signal.aborted) return "stopping";
    if (this.#opened === undefined) return "starting";
    const { host, isSecure } = this.#options;
    // A wildcard address cannot be connected to on every system.
    const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
    try {
      const { get } = await (isSecure ? import("node:https") : import("node:http"));
      const request = get(`${originOf(reached, this.#opened, isSecure)}/ready`, {
        agent: false,
        // The name in the certificate is not that of this address.
        rejectUnauthorized: false,
        signal: AbortSignal.timeout(readyMs),
      });
      const [answer] = await once(request, "response");
      return ((await json(answer)) as { readonly reason?: string }).reason;
    } catch {
      return "no process answers";
    }
  }

  /** Asks all workers to drain and end, and resolves when they have. */
  async close(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    const living = [...this.#living];
    const kill = () => {
      for (const worker of this.#living) worker.process.kill("SIGKILL");
    };
    const killTimer = setTimeout(kill, (this.#options.operations.drainMs ?? 0) + endingMs);
    const exits = living.map(exitOf);
    for (const worker of living) {
      // An ended worker needs no message.
      if (worker.isConnected()) worker.process.send(endMessage, () => undefined);
    }
    await Promise.all(exits);
    clearTimeout(killTimer);
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

/** Returns the arguments with the shared port instead of the given one. */
function withSharedPort(args: readonly string[], port: number): string[] {
  const kept = args.filter((word, at) => !/^--port(=|$)/.test(word) && args[at - 1] !== "--port");
  return [...kept, "--port", String(port)];
}
