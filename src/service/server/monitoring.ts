/**
 * Operation of a service: its log, its metrics, and whether it is ready.
 *
 * The metrics and their package are loaded when they are asked for.
 */
import type { Transport } from "../../wire/http.ts";
import type { ServiceOptions } from "../api/service.ts";
import { type HealthSource, type Readiness, readinessOf } from "../http/health.ts";
import type { AccessObserver } from "../http/logs/access-log.ts";
import { createLog, type LogFormat } from "../http/logs/service-log.ts";
import type { Metric, MetricsPort } from "../http/metrics.ts";

export interface Operations {
  /** Without it faults are logged as text, and requests are not. */
  readonly log?: LogFormat | undefined;
  /** Takes whole lines of the log, without a line break at the end. */
  readonly write: (lines: string) => void;
  /** Whether lines have to be dropped because nobody reads them. */
  readonly isFull?: () => boolean;
  /** Where the figures are to be read; nowhere when not given. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined;
  /** `SEED[:KINDS]`: which requests are to meet faults on purpose; none when not given. */
  readonly chaos?: string | undefined;
  /** How long requests are still taken after the end was asked for, while `/ready` says so. */
  readonly drainMs?: number | undefined;
}

/** A service on a port. */
export interface ServedBook {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /** Where the figures are read, if anywhere. */
  readonly metricsUrl: string | undefined;
  /** Which faults are made on purpose, as one line. */
  readonly chaos: string | undefined;
  /** Resolves when the primary process asks this worker to end; undefined outside of a worker. */
  readonly ended: Promise<void> | undefined;
  /** Takes no more requests once it has drained, answers those under way, and closes the book. */
  close(): Promise<void>;
}

/** How busy a database is. */
export interface DatabaseFigures {
  /** Writes and openings that were begun again because another transaction stood in the way. */
  readonly retries: number;
  /** Open connections, idle ones among them, and transactions waiting for one. */
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Database extends HealthSource {
  figures(): DatabaseFigures;
}

export interface OperationsInputs {
  /** The databases in use, asked for each time. */
  readonly databases: () => Iterable<Database>;
  /** Further figures beside those of requests. */
  readonly figures?: readonly Metric[];
  /** Whether this is a worker, whose metrics the primary process serves. */
  readonly isWorker: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

export interface RunningOperations {
  /** Options of the port. */
  readonly listening: {
    readonly observers: readonly AccessObserver[];
    readonly readiness: Readiness;
    readonly drainMs: number;
    /** Told when the port begins to stop. */
    readonly stopping: () => void;
  };
  /** The service as it is to stand on the port. */
  readonly around: <S extends { readonly handle: Transport }>(service: S) => S;
  /** Which faults are made on purpose, as one line. */
  readonly chaos: string | undefined;
  /** Told of every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
  /** `http://127.0.0.1:9321/metrics` */
  readonly metricsUrl: string | undefined;
  close(): void;
}

/**
 * @throws PortError when the port of the figures cannot be opened
 * @throws UsageError `BadValue` when the plan of faults cannot be understood
 */
export async function operate(
  { log: format, write, isFull, metrics: at, drainMs = 0, chaos }: Operations,
  { databases, figures = [], isWorker, clock }: OperationsInputs,
): Promise<RunningOperations> {
  const injected = chaos === undefined ? undefined : await injecting(chaos, clock);
  let isStopping = false;
  const probe = readinessOf(databases);
  const readiness: Readiness = async () => (isStopping ? "stopping" : probe());
  const log = createLog({
    format: format ?? "text",
    requests: format !== undefined,
    write,
    isFull,
    clock,
  });
  const observers = log.observer === undefined ? [] : [log.observer];
  let port: MetricsPort | undefined;
  if (at !== undefined) {
    const { createMetrics, serveMetrics } = await import("../http/metrics.ts");
    const metrics = createMetrics([...figuresOf(databases), ...figures], isWorker);
    observers.push(metrics.observer);
    if (!isWorker) port = await serveMetrics(metrics, readiness, at);
  }
  return {
    listening: {
      observers,
      readiness,
      drainMs,
      stopping: () => {
        isStopping = true;
      },
    },
    around: (service) =>
      injected === undefined ? service : { ...service, handle: injected.around(service.handle) },
    chaos: injected?.described,
    report: log.fault,
    metricsUrl: port === undefined ? undefined : `${port.origin}/metrics`,
    close: () => {
      log.flush();
      port?.close();
    },
  };
}

/** Faults on purpose, which are loaded when somebody wants them. */
async function injecting(text: string, clock: () => number) {
  const { describePlan, readPlan } = await import("../fault-injection/plan.ts");
  const { withFaults } = await import("../fault-injection/inject.ts");
  const { setTimeout: sleep } = await import("node:timers/promises");
  const plan = readPlan(text);
  return {
    described: describePlan(plan),
    around: (handle: Transport) => withFaults(handle, plan, { sleep, clock }),
  };
}

function figuresOf(databases: OperationsInputs["databases"]): readonly Metric[] {
  const sum = (of: (figures: DatabaseFigures) => number) =>
    [...databases()].reduce((total, each) => total + of(each.figures()), 0);
  return [
    {
      name: "acct_database_connections",
      help: "Connections to the databases, by what they do",
      kind: "gauge",
      labels: ["state"],
      read: () => [
        { labels: { state: "busy" }, value: sum(({ open, idle }) => open - idle) },
        { labels: { state: "idle" }, value: sum(({ idle }) => idle) },
      ],
    },
    {
      name: "acct_database_waiting",
      help: "Works that wait for a connection to a database",
      kind: "gauge",
      read: () => [{ value: sum(({ waiting }) => waiting) }],
    },
    {
      name: "acct_database_retries_total",
      help: "Transactions begun again because another stood in the way",
      kind: "counter",
      read: () => [{ value: sum(({ retries }) => retries) }],
    },
  ];
}
