/**
 * Health for supervisors and load balancers: whether the process is alive, and whether requests are
 * to be sent to it.
 */
import type { ServerResponse } from "node:http";

/** Why no requests should come here, in a few words; undefined when they should. */
export type Readiness = () => Promise<string | undefined>;

/** A database as far as it is looked at here. */
export interface HealthSource {
  /** How far its tables are, and how far this program wants them. @throws when it does not answer */
  version(): Promise<{
    readonly found: number;
    readonly wanted: number;
    readonly state?: string | undefined;
    /** Reason why it cannot be written, in a few words. */
    readonly trouble?: string | undefined;
  }>;
}

/** How long a database may take over the question. */
const answerMs = 2_000;
/** How long its answer counts: however often strangers ask, it is asked only so often. */
const believedMs = 1_000;

/** @param databases  those in use, asked for each time */
export function readinessOf(databases: () => Iterable<HealthSource>): Readiness {
  let asked: Promise<string | undefined> | undefined;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (asked === undefined || now - askedAt >= believedMs) {
      askedAt = now;
      asked = firstReason([...databases()]);
    }
    return asked;
  };
}

async function firstReason(databases: readonly HealthSource[]): Promise<string | undefined> {
  const reasons = await Promise.all(databases.map(reasonOf));
  return reasons.find((reason) => reason !== undefined);
}

async function reasonOf(database: HealthSource): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the database does not answer"), answerMs);
  });
  const state = database.version().then(
    // A later version is that of a replacing process; its additions do no harm.
    ({ found, wanted, state, trouble }) => {
      if (found < wanted) return "the tables of the database are too old";
      if (state === "foreign") return "the database holds what acct has not made";
      if (state === "older") return "the tables of the database lack something";
      return trouble && `the database cannot be written: ${trouble}`;
    },
    () => "the database does not answer",
  );
  return Promise.race([state, late]).finally(() => clearTimeout(timer));
}

const healthPath = "/health";
const readyPath = "/ready";

/**
 * @param ready    why not, if not
 * @param headers  what the answer says besides
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

/** The two addresses, by method GET or HEAD; undefined for every other. */
export function healthAsked(method: string | undefined, url: string): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  return url === healthPath || url === readyPath ? url : undefined;
}
