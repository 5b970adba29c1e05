/** Opens a port, and closes it again without breaking off what is under way. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { apiRoot } from "../book.ts";
import { answerPlainly, createApp, type Served } from "./app.ts";
import { headBytesMax, headersTimeoutMs } from "./bounds.ts";
import type { Door } from "./door.ts";
import { CanonicalResponse } from "./header-names.ts";
import { answerHealth, healthAsked, type Readiness } from "./health.ts";
import { headersOf, keepSeen, type SeenOnPort, seenOf } from "./seen.ts";
import { type Watcher, watch } from "./watch.ts";

export interface Port {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /**
   * Takes requests for as long as it drains, and then no more; returns when those under way are
   * answered.
   */
  close(): Promise<void>;
}

export interface ListenOptions extends Pick<Served, "service" | "online"> {
  readonly door: Door;
  /** Answers what lies beside the API, as signing in does; undefined for what it does not know. */
  readonly beside?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void> | undefined;
  /** Whether others see it over TLS, which browsers are then told to insist on. */
  readonly isSecure?: () => boolean;
  /** Told of each request. */
  readonly watchers?: readonly Watcher[];
  /** Why no requests should come here; they always may when not given. */
  readonly readiness?: Readiness;
  /** How long requests are still taken after the end was asked for. */
  readonly drainMs?: number;
  /** Called when the end is asked for. */
  readonly stopping?: () => void;
  /** How long the clients are then waited for, before their connections are cut. */
  readonly closingMs?: number;
}

/** How long a client may take over all of a request. */
const requestTimeoutMs = 120_000;
/** How long a connection may stand still, also while an answer is on its way. */
const socketTimeoutMs = 120_000;
/** How long browsers then ask over TLS alone: a year, in seconds. */
const insistS = 365 * 86_400;
const keepAliveTimeoutMs = 30_000;
/** How long a closing port waits for its clients; the service itself is always waited for. */
const usualClosingMs = 10_000;
const closingStepMs = 25;

const settings = {
  ServerResponse: CanonicalResponse,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  maxHeaderSize: headBytesMax,
};

const always: Readiness = async () => undefined;

/** @throws PortError */
export async function listen(options: ListenOptions): Promise<Port> {
  const { door, service, online } = options;
  let isClosing = false;
  let origin = "";
  const answer = answering(options, {
    service,
    online,
    baseUrl: () => `${origin}${apiRoot}`,
    isLast: (incoming) => isClosing || door.isMisplaced?.(incoming) === true,
  });
  const underWay = new Set<Promise<unknown>>();
  const server = createServer(settings, (incoming, outgoing) => {
    const answered = answer(incoming, outgoing).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  server.timeout = socketTimeoutMs;
  // Not answered by itself: the service says when it wants the body.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    server.emit("request", incoming, outgoing);
  });
  origin = await door.open(server);
  return {
    origin,
    close: async () => {
      options.stopping?.();
      if (options.drainMs) await new Promise((resolve) => setTimeout(resolve, options.drainMs));
      isClosing = true;
      await closed(server, door, options.closingMs ?? usualClosingMs);
      await Promise.allSettled(underWay);
    },
  };
}

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>;

/** Whoever knows the answer to a request: health, the service, what lies beside it, the app. */
function answering(
  { beside, watchers = [], readiness = always, isSecure }: ListenOptions,
  served: Served,
): Answer {
  const byApp = getRequestListener(createApp(served).fetch, {
    hostname: "localhost",
    // A request that is none: a broken address, no host.
    errorHandler: () => new Response(null, { status: 400 }),
  });
  const answerBeside = (incoming: IncomingMessage, outgoing: ServerResponse, seen: SeenOnPort) => {
    const answered = beside?.(incoming, outgoing);
    if (answered === undefined) return undefined;
    mark(outgoing, seen);
    if (served.isLast(incoming)) outgoing.setHeader("connection", "close");
    return answered;
  };
  return (incoming, outgoing) => {
    const seen = seenOf(incoming.headers);
    const health = healthAsked(incoming.method, incoming.url ?? "");
    // What a load balancer asks every second would be most of a log.
    if (health !== undefined) return answerHealth(health, readiness, outgoing, headersOf(seen));
    if (isSecure?.()) outgoing.setHeader("Strict-Transport-Security", `max-age=${insistS}`);
    if (watchers.length > 0) watch(incoming, outgoing, seen, watchers);
    const answered =
      answerPlainly(served, { incoming, outgoing, seen }) ?? answerBeside(incoming, outgoing, seen);
    if (answered !== undefined) return answered;
    keepSeen(incoming, seen);
    mark(outgoing, seen);
    return Promise.resolve(byApp(incoming, outgoing));
  };
}

function mark(outgoing: ServerResponse, seen: SeenOnPort): void {
  for (const [name, value] of Object.entries(headersOf(seen))) outgoing.setHeader(name, value);
}

async function closed(server: Server, door: Door, closingMs: number): Promise<void> {
  // A connection that is kept for a next request becomes idle when its answer has gone out.
  const idle = setInterval(() => server.closeIdleConnections(), closingStepMs);
  const last = setTimeout(() => server.closeAllConnections(), closingMs);
  const closing = door.close();
  server.closeIdleConnections();
  await closing;
  clearInterval(idle);
  clearTimeout(last);
}
