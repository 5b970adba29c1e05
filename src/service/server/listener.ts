/** A listening port of the service, closed without aborting the requests under way. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { nobody, type Trusts } from "../../platform/proxies.ts";
import { apiRoot } from "../books/book.ts";
import { placeOf } from "../http/browser.ts";
import { CanonicalResponse } from "../http/header-names.ts";
import { answerHealth, healthAsked, type Readiness } from "../http/health.ts";
import { headFault } from "../http/incoming.ts";
import { type AccessObserver, observe } from "../http/logs/access-log.ts";
import { openPort, type PortOptions } from "../http/open-port.ts";
import {
  headersOf,
  noteRequestId,
  type PortRequestInfo,
  requestInfoOf,
} from "../http/request-info.ts";
import { answerApi, answerOther, type Served } from "./app.ts";

export interface Port {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /**
   * Takes requests for as long as it drains, and then no more; returns when those under way are
   * answered.
   */
  close(): Promise<void>;
}

export interface ListenOptions extends Pick<Served, "service" | "online">, PortOptions {
  /** Answers what lies beside the API, as signing in does; undefined for what it does not know. */
  readonly beside?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void> | undefined;
  /** Whether clients see it over TLS; browsers then get Strict-Transport-Security. */
  readonly isSecure?: () => boolean;
  /** Proxies whose word counts from where it was asked. */
  readonly trusts?: Trusts;
  /** Told of each request. */
  readonly observers?: readonly AccessObserver[];
  /** Why no requests should come here; they always may when not given. */
  readonly readiness?: Readiness;
  /** How long requests are still taken after the end was asked for. */
  readonly drainMs?: number;
  /** Called when the end is asked for. */
  readonly stopping?: () => void;
  /** How long the clients are then waited for, before their connections are cut. */
  readonly closingMs?: number;
}

/** How long a client may take over the head of a request. */
const headersTimeoutMs = 20_000;
/** Lists of ids travel in addresses. */
const headBytesMax = 64 * 1024;
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
  const { service, online } = options;
  let isClosing = false;
  let origin = "";
  const answer = answering(options, {
    service,
    online,
    baseUrl: () => `${origin}${apiRoot}`,
    isLast: () => isClosing,
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
  origin = await openPort(server, options);
  return {
    origin,
    close: async () => {
      options.stopping?.();
      if (options.drainMs) await new Promise((resolve) => setTimeout(resolve, options.drainMs));
      isClosing = true;
      await closed(server, options.closingMs ?? usualClosingMs);
      await Promise.allSettled(underWay);
    },
  };
}

type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>;

/** Health is asked first, then the service, what lies beside it, and the pages. */
function answering(
  { beside, observers = [], readiness = always, isSecure, trusts = nobody }: ListenOptions,
  served: Served,
): NodeHandler {
  const answerBeside = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    info: PortRequestInfo,
  ) => {
    noteRequestId(incoming, info.id);
    const answered = beside?.(incoming, outgoing);
    if (answered === undefined) return undefined;
    setIdHeaders(outgoing, info);
    if (served.isLast()) outgoing.setHeader("connection", "close");
    return answered;
  };
  return (incoming, outgoing) => {
    const fault = headFault(incoming);
    if (fault !== undefined) return refuseHead(outgoing, fault);
    const info = requestInfoOf(incoming.headers, placeOf(incoming, trusts));
    const health = healthAsked(incoming.method, incoming.url ?? "");
    // Health checks of every second would be most of a log.
    if (health !== undefined) return answerHealth(health, readiness, outgoing, headersOf(info));
    if (isSecure?.()) outgoing.setHeader("Strict-Transport-Security", `max-age=${insistS}`);
    if (observers.length > 0) observe(incoming, outgoing, info, observers);
    const exchange = { incoming, outgoing, info };
    const answered = answerApi(served, exchange) ?? answerBeside(incoming, outgoing, info);
    if (answered !== undefined) return answered;
    setIdHeaders(outgoing, info);
    return answerOther(served, exchange);
  };
}

/** Nobody can tell what else of such a connection is meant. */
async function refuseHead(outgoing: ServerResponse, fault: string): Promise<void> {
  outgoing.writeHead(400, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  outgoing.end(`${fault}\n`);
}

function setIdHeaders(outgoing: ServerResponse, info: PortRequestInfo): void {
  for (const [name, value] of Object.entries(headersOf(info))) outgoing.setHeader(name, value);
}

async function closed(server: Server, closingMs: number): Promise<void> {
  // A connection that is kept for a next request becomes idle when its answer has gone out.
  const idle = setInterval(() => server.closeIdleConnections(), closingStepMs);
  const last = setTimeout(() => server.closeAllConnections(), closingMs);
  const closing = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closing;
  clearInterval(idle);
  clearTimeout(last);
}
