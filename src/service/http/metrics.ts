/**
 * Metrics of a served service, in the Prometheus text format.
 *
 * They are on a port of their own, by default on this machine only: business volumes are
 * confidential. Values kept elsewhere (queues, databases) are a `Metric`, read at each scrape.
 */
import type { Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:http";
import {
  type Aggregator,
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import { limitByCode } from "../../wire/errors.ts";
import { CanonicalResponse } from "./header-names.ts";
import { answerHealth, healthIn, type Readiness } from "./health.ts";
import type { Access, AccessObserver } from "./logs/access-log.ts";
import { openPort } from "./open-port.ts";

/** One value of a metric, with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric whose value is kept elsewhere. */
export interface Metric {
  /** Metric name, such as `acct_events_waiting`; the name of a counter ends in `_total`. */
  readonly name: string;
  /** Help text in one line. */
  readonly help: string;
  /** A counter only grows while the process runs. */
  readonly kind: "gauge" | "counter";
  readonly labels?: readonly string[];
  /** Aggregation over several processes; the sum if omitted. */
  readonly together?: "max";
  /** Reads the values; a metric that throws is left out of the scrape. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** Histogram buckets in seconds; reading a record takes less than the first. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics extends MetricsText {
  readonly observer: AccessObserver;
}

/** Metrics that can be read as text. */
interface MetricsText {
  /** Returns the text in the format that `contentType` names. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Message type by which the primary process requests a worker's metrics. */
const metricsMessage = "acct:metrics";
/** Timeout for a worker's metrics in milliseconds. */
const answerMs = 3_000;

type Collected = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/**
 * @param isWorker  whether the primary process collects them, to serve all workers' metrics
 *   together
 */
export function createMetrics(figures: readonly Metric[], isWorker = false): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const figure of figures) addFigure(registry, figure);
  if (isWorker) {
    process.on("message", async (message) => {
      if (message !== metricsMessage) return;
      const collected = await registry.getMetricsAsJSON();
      // The primary process may have ended meanwhile.
      if (process.connected) process.send?.(collected, () => undefined);
    });
  }
  return {
    observer: observerOn(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/**
 * Aggregates the metrics of the primary process and its workers.
 *
 * @param workers  returns the workers at each scrape; one that does not answer is left out
 */
export function withWorkers(own: readonly Metric[], workers: () => Iterable<Worker>): MetricsText {
  const registry = new Registry();
  for (const figure of own) addFigure(registry, figure);
  return {
    text: async () => {
      const answers = [...workers()].map((worker) => collect(worker).catch(() => []));
      const allMetrics = [await registry.getMetricsAsJSON(), ...(await Promise.all(answers))];
      return AggregatorRegistry.aggregate(allMetrics).metrics();
    },
    contentType: registry.contentType,
  };
}

/** Requests the metrics of a worker. @throws Error on timeout */
async function collect(worker: Worker): Promise<Collected> {
  const answer = once(worker, "message", { signal: AbortSignal.timeout(answerMs) });
  worker.process.send(metricsMessage, () => undefined);
  const [collected] = await answer;
  return collected;
}

function observerOn(registry: Registry): AccessObserver {
  const commonOptions = { registers: [registry] };
  const byRoute = ["method", "route"] as const;
  const requests = new Counter({
    ...commonOptions,
    name: "acct_http_requests_total",
    help: "Requests answered, by status; those whose connection was gone before: aborted",
    labelNames: [...byRoute, "status"],
  });
  const durations = new Histogram({
    ...commonOptions,
    name: "acct_http_request_duration_seconds",
    help: "From the head of a request to the end of its answer",
    labelNames: byRoute,
    buckets,
  });
  const [bytesIn, bytesOut] = ["request", "response"].map(
    (direction) =>
      new Counter({
        ...commonOptions,
        name: `acct_http_${direction}_bytes_total`,
        help: `Bytes of ${direction}s on the wire, heads included`,
        labelNames: byRoute,
      }),
  ) as [Counter<"method" | "route">, Counter<"method" | "route">];
  const inFlight = new Gauge({
    ...commonOptions,
    name: "acct_http_requests_in_flight",
    help: "Requests under way",
  });
  const countReasons = reasonsOn(registry);
  return {
    begun: () => inFlight.inc(),
    done: ({ info, method, route, status, ms, ...bytes }) => {
      inFlight.dec();
      const labels = { method, route };
      requests.inc({ method, route, status: status ?? "aborted" });
      durations.observe(labels, ms / 1000);
      bytesIn.inc(labels, bytes.bytesIn);
      bytesOut.inc(labels, bytes.bytesOut);
      countReasons(info);
    },
  };
}

/** Counts refusals and failures by reason. */
function reasonsOn(registry: Registry): (info: Access["info"]) => void {
  const commonOptions = { registers: [registry] };
  const refusals = new Counter({
    ...commonOptions,
    name: "acct_rate_limit_refusals_total",
    help: "Requests refused because an app called too often, by the limit that it ran into",
    labelNames: ["limit"],
  });
  const faults = new Counter({
    ...commonOptions,
    name: "acct_chaos_faults_total",
    help: "Faults made on purpose, by kind",
    labelNames: ["kind"],
  });
  return ({ code, chaos }) => {
    const limit = limitByCode.get(code ?? "");
    if (limit !== undefined) refusals.inc({ limit });
    if (chaos !== undefined) faults.inc({ kind: chaos });
  };
}

function addFigure(registry: Registry, figure: Metric): void {
  const { name, help, kind, labels = [], together: asOne = "sum", read } = figure;
  const aggregator: Aggregator = asOne;
  const metricOptions = { name, help, labelNames: labels, registers: [registry], aggregator };
  const samples = async () => {
    try {
      return await read();
    } catch {
      return [];
    }
  };
  if (kind === "gauge") {
    new Gauge({
      ...metricOptions,
      async collect() {
        this.reset();
        for (const { labels: of = {}, value } of await samples()) this.set(of, value);
      },
    });
    return;
  }
  new Counter({
    ...metricOptions,
    async collect() {
      this.reset();
      for (const { labels: of = {}, value } of await samples()) this.inc(of, value);
    },
  });
}

export interface MetricsPort {
  /** Origin of the port, such as `http://127.0.0.1:9321`. */
  readonly origin: string;
  close(): void;
}

const metricsPath = "/metrics";

/** Serves metrics and health on a port. @throws PortError */
export async function serveMetrics(
  metrics: MetricsText,
  ready: Readiness,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsPort> {
  const server = createServer({ ServerResponse: CanonicalResponse }, (incoming, outgoing) => {
    const { method, url = "/" } = incoming;
    const health = healthIn(method, url);
    const answering =
      health !== undefined
        ? answerHealth(health, ready, outgoing)
        : (method === "GET" || method === "HEAD") && url.split("?", 1)[0] === metricsPath
          ? metrics.text().then((text) => {
              outgoing.writeHead(200, { "content-type": metrics.contentType }).end(text);
            })
          : Promise.resolve(void outgoing.writeHead(404).end());
    answering.catch(() => void outgoing.destroy());
  });
  const origin = await openPort(server, {
    host,
    port,
    flags: { port: "--metrics-port", host: "--metrics-host" },
  });
  server.unref();
  return {
    origin,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
