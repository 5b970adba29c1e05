/**
 * Health endpoints for supervisors and load balancers: liveness of the process, and readiness for
 * requests.
 */
import type { ServerResponse } from "node:http";

/** Returns the reason not to send requests, in a few words; undefined when ready. */
export type Readiness = () => Promise<string | undefined>;

/** A database as the readiness check uses it. */
export interface HealthSource {
  /** Returns schema version and expected version. @throws when the database does not answer */
  version(): Promise<{
    readonly found: number;
    readonly wanted: number;
    readonly state?: string | undefined;
    /** Reason why writes are impossible, in a few words. */
    readonly trouble?: string | undefined;
  }>;
}

/** Timeout of the database check in milliseconds. */
const answerMs = 2_000;
/** Cache time of the check in milliseconds, so that many requests cause few queries. */
const believedMs = 1_000;

/** @param databases  returns those in use, at each check */
export function readinessOf(databases: () => Iterable<HealthSource>): Readiness {
  let query: Promise<string | undefined> | undefined;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (query === undefined || now - askedAt >= believedMs) {
      askedAt = now;
      query = firstFailureReason([...databases()]);
    }
    return query;
  };
}

async function firstFailureReason(databases: readonly HealthSource[]): Promise<string | undefined> {
  const reasons = await Promise.all(databases.map(reasonOf));
  return reasons.find((reason) => reason !== undefined);
}

async function reasonOf(database: HealthSource): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the database does not answer"), answerMs);
  });
  const state = database.version().then(
    // A newer schema version comes from a replacing process; its additions are compatible.
    ({ found, wanted, state, trouble }) => {
      if (found < wanted) return "the tables of the database are too old";
      if (state === "foreign") return "the database holds what acct has not made";
      if (state === "older") return "the tables of the database lack something";
      return trouble && `the database cannot be written: ${trouble}`;
    },
    () => "the database does not answer",
  );
  return Promise.race([state, timeout]).finally(() => clearTimeout(timer));
}

const healthPath = "/health";
const readyPath = "/ready";

/**
 * Answers a health request.
 *
 * @param ready  readiness check
 * @param headers  additional headers of the answer
 */
export async function answerHealth(
  path: string,
  ready: Readiness,
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const reason = path === healthPath ? undefined : await ready();
  const status = path === healthPath ? "alive" : reason === undefined ? "ready" : "not ready";
  const body = `${JSON.stringify({ status, reason })}\n`;
  outgoing
    .writeHead(reason === undefined ? 200 : 503, {
      ...headers,
      "cache-control": "no-store",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    })
    .end(body); // Node leaves the body out of an answer to HEAD.
}

/** Returns which of the two health paths a GET or HEAD requests; undefined for other requests. */
export function healthIn(method: string | undefined, url: string): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  return url === healthPath || url === readyPath ? url : undefined;
}
