/**
 * Operation of a service: logging, metrics and readiness.
 *
 * Metrics and their package are loaded only if they are requested.
 */
import type { Certificate } from "../../platform/certificate.ts";
import type { Trusts } from "../../platform/proxies.ts";
import type { LimitStatus } from "../../wire/errors.ts";
import type { Transport } from "../../wire/http.ts";
import type { ServiceOptions } from "../api/service.ts";
import { type HealthSource, type Readiness, readinessOf } from "../http/health.ts";
import type { AccessObserver } from "../http/logs/access-log.ts";
import { createLog, type Log, type LogFormat } from "../http/logs/service-log.ts";
import type { Metric, MetricsPort } from "../http/metrics.ts";

export interface Operations {
  /** Log format with requests; without it only faults are logged, as text. */
  readonly log?: LogFormat | undefined;
  /** Writes whole log lines, without a trailing line break. */
  readonly write: (lines: string) => void;
  /** Whether the output is not being read, so that lines must be dropped. */
  readonly isFull?: () => boolean;
  /** Address of the metrics port; no metrics if omitted. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined;
  /** Fault-injection plan, `SEED[:KINDS]`; no faults if omitted. */
  readonly chaos?: string | undefined;
  /**
   * Drain time after the shutdown request, during which `/ready` reports not ready, in
   * milliseconds.
   */
  readonly drainMs?: number | undefined;
}

/** A service on a port. */
export interface ServedBook {
  /** Origin such as `http://127.0.0.1:9320`. */
  readonly origin: string;
  /** URL of the metrics; undefined without them. */
  readonly metricsUrl: string | undefined;
  /** Description of the injected faults, in one line. */
  readonly chaos: string | undefined;
  /** Resolves when the primary process asks this worker to end; undefined outside of a worker. */
  readonly ended: Promise<void> | undefined;
  /**
   * Takes over other settings.
   *
   * @throws UsageError for one that is invalid; then nothing is changed
   */
  reload(newSettings: Reloadable): void;
  /** Logs a sentence on the settings. */
  note(sentence: string, level?: "info" | "warn"): void;
  /** Drains, answers running requests, and closes the books. */
  close(): Promise<void>;
}

/** Settings that a running server takes over. */
export interface Reloadable {
  /** Rate limits of apps: the defaults where true, custom where text, `minute=600,day=100000`. */
  readonly rateLimit: boolean | string;
  readonly limitStatus?: LimitStatus | undefined;
  /** Proxies whose headers on the client's address are trusted; none if omitted. */
  readonly trusts?: Trusts | undefined;
  readonly smtpUrl?: string | undefined;
  /** Certificate of a port that answers by TLS. */
  readonly tls?: Certificate | undefined;
  readonly log?: LogFormat | undefined;
}

/** Load figures of a database. */
export interface DatabaseFigures {
  /** Number of transactions and openings that were retried after a conflict. */
  readonly retries: number;
  /** Number of open connections, idle ones included, and of transactions waiting for one. */
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  /** Number of organisations whose last transaction did not reach the database. */
  readonly unreached: number;
}

export interface Database extends HealthSource {
  figures(): DatabaseFigures;
}

export interface OperationsInputs {
  /** Returns the databases in use, at each reading. */
  readonly databases: () => Iterable<Database>;
  /** Metrics in addition to those of requests. */
  readonly figures?: readonly Metric[];
  /** Whether this is a worker process, whose metrics the primary process serves. */
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
    /** Called when the port begins to shut down. */
    readonly stopping: () => void;
  };
  /** Wraps the service for the port, with fault injection if requested. */
  readonly wrapService: <S extends { readonly transport: Transport }>(service: S) => S;
  /** Description of the injected faults, in one line. */
  readonly chaos: string | undefined;
  /** Receives every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
  readonly log: Pick<Log, "use" | "note">;
  /** URL such as `http://127.0.0.1:9321/metrics`. */
  readonly metricsUrl: string | undefined;
  close(): void;
}

/**
 * @throws PortError when the metrics port cannot be opened
 * @throws UsageError `BadValue` for an invalid fault-injection plan
 */
export async function operate(
  { log: format, write, isFull, metrics: at, drainMs = 0, chaos }: Operations,
  { databases, figures = [], isWorker, clock }: OperationsInputs,
): Promise<RunningOperations> {
  const injected = chaos === undefined ? undefined : await loadInjection(chaos, clock);
  let isStopping = false;
  const probe = readinessOf(databases);
  const readiness: Readiness = async () => (isStopping ? "stopping" : probe());
  const log = createLog({ format, write, isFull, clock });
  const observers = [log.observer];
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
    wrapService: (service) =>
      injected === undefined
        ? service
        : { ...service, transport: injected.around(service.transport) },
    chaos: injected?.described,
    report: log.fault,
    log,
    metricsUrl: port === undefined ? undefined : `${port.origin}/metrics`,
    close: () => {
      log.flush();
      port?.close();
    },
  };
}

/** Loads fault injection on demand. */
async function loadInjection(chaosPlan: string, clock: () => number) {
  const { describePlan, faultsFor, readPlan } = await import("../fault-injection/plan.ts");
  const { withFaults } = await import("../fault-injection/inject.ts");
  const { setTimeout: sleep } = await import("node:timers/promises");
  const faults = readPlan(chaosPlan);
  return {
    described: describePlan(faults),
    around: (transport: Transport) => withFaults(transport, faultsFor(faults), { sleep, clock }),
  };
}

function figuresOf(databases: OperationsInputs["databases"]): readonly Metric[] {
  const sum = (of: (figures: DatabaseFigures) => number) =>
    [...databases()].reduce((total, database) => total + of(database.figures()), 0);
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
    {
      name: "acct_unreached_organisations",
      help: "Organisations whose last request did not reach the database, or their node of it",
      kind: "gauge",
      together: "max",
      read: () => [{ value: sum(({ unreached }) => unreached) }],
    },
  ];
}
