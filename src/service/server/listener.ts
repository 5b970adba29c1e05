/** A listening port of the service, which closes gracefully: running requests are answered. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ServerOptions as SecureOptions } from "node:https";
import type { Certificate } from "../../platform/certificate.ts";
import { nobody, type Trusts } from "../../platform/proxies.ts";
import { apiRoot } from "../books/book.ts";
import { placeOf } from "../http/browser.ts";
import { CanonicalResponse } from "../http/header-names.ts";
import { answerHealth, healthIn, type Readiness } from "../http/health.ts";
import { headFault } from "../http/incoming.ts";
import { type AccessObserver, observe } from "../http/logs/access-log.ts";
import { openPort, type PortOptions } from "../http/open-port.ts";
import {
  headersOf,
  noteRequestId,
  type PortRequestInfo,
  requestInfoOf,
} from "../http/request-info.ts";
import { answerApi, answerPath, type ServedApp } from "./app.ts";

export interface Port {
  /** Origin such as `http://127.0.0.1:9320`. */
  readonly origin: string;
  /** Takes another certificate for new connections. */
  useCertificate(newCertificate: Certificate): void;
  /** Accepts requests while it drains; resolves when all running requests are answered. */
  close(): Promise<void>;
}

export interface ListenOptions
  extends Pick<ServedApp, "service" | "online">,
    Omit<PortOptions, "isSecure"> {
  /** Certificate of a port that answers by TLS. */
  readonly tls?: Certificate | undefined;
  /** Answers paths outside the API, such as sign-in; undefined for paths it does not know. */
  readonly beside?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => Promise<void> | undefined;
  /** Whether clients use TLS; browsers then get Strict-Transport-Security. */
  readonly isSecure?: () => boolean;
  /** Proxies whose headers on the client's address are trusted. */
  readonly trusts?: Trusts;
  /** Observers that are notified of each request. */
  readonly observers?: readonly AccessObserver[];
  /** Returns why the server is not ready; always ready if omitted. */
  readonly readiness?: Readiness;
  /** Drain time after the shutdown request, during which requests are accepted, in milliseconds. */
  readonly drainMs?: number;
  /** Called when the shutdown is requested. */
  readonly stopping?: () => void;
  /** Time after draining until connections are cut, in milliseconds. */
  readonly closingMs?: number;
}

/** Timeout for the head of a request in milliseconds. */
const headersTimeoutMs = 20_000;
/** Maximum size of a request head in bytes: URLs may contain lists of ids. */
const headBytesMax = 64 * 1024;
/** Timeout for a whole request in milliseconds. */
const requestTimeoutMs = 120_000;
/** Idle timeout of a connection in milliseconds, also during an answer. */
const socketTimeoutMs = 120_000;
/** Max-age of Strict-Transport-Security: a year, in seconds. */
const insistS = 365 * 86_400;
const keepAliveTimeoutMs = 30_000;
/** Default wait of a closing port for its clients; running requests are always awaited. */
const usualClosingMs = 10_000;
const closingStepMs = 25;

const settings = {
  ServerResponse: CanonicalResponse,
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  maxHeaderSize: headBytesMax,
};

/** Maximum time for the handshake of TLS, in milliseconds. */
const handshakeTimeout = 20_000;
const minVersion = "TLSv1.2";

const alwaysReady: Readiness = async () => undefined;

/** Opens the port. @throws PortError */
export async function listen(options: ListenOptions): Promise<Port> {
  const { service, online, tls } = options;
  let isClosing = false;
  let origin = "";
  const answer = dispatchRequest(options, {
    service,
    online,
    baseUrl: () => `${origin}${apiRoot}`,
    isLast: () => isClosing,
  });
  const exchangesUnderWay = new Set<Promise<unknown>>();
  const handler = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const exchange = answer(incoming, outgoing).finally(() => exchangesUnderWay.delete(exchange));
    exchangesUnderWay.add(exchange);
  };
  const secured: SecureOptions = { ...settings, ...tls, minVersion, handshakeTimeout };
  const secure = tls && (await import("node:https")).createServer(secured, handler);
  const server = secure ?? createServer(settings, handler);
  server.timeout = socketTimeoutMs;
  // Node must not send `100 Continue`: the service does when it wants the body.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    server.emit("request", incoming, outgoing);
  });
  origin = await openPort(server, { ...options, isSecure: tls !== undefined });
  return {
    origin,
    useCertificate: (newCertificate) => secure?.setSecureContext({ ...newCertificate, minVersion }),
    close: async () => {
      options.stopping?.();
      if (options.drainMs) await new Promise((resolve) => setTimeout(resolve, options.drainMs));
      isClosing = true;
      await closeServer(server, options.closingMs ?? usualClosingMs);
      await Promise.allSettled(exchangesUnderWay);
    },
  };
}

type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>;

/** Dispatches a request: first health, then the API, then `beside`, then pages. */
function dispatchRequest(
  { beside, observers = [], readiness = alwaysReady, isSecure, trusts = nobody }: ListenOptions,
  served: ServedApp,
): NodeHandler {
  const answerBeside = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    info: PortRequestInfo,
  ) => {
    noteRequestId(incoming, info.id);
    const besideAnswer = beside?.(incoming, outgoing);
    if (besideAnswer === undefined) return undefined;
    setIdHeaders(outgoing, info);
    if (served.isLast()) outgoing.setHeader("connection", "close");
    return besideAnswer;
  };
  return (incoming, outgoing) => {
    const fault = headFault(incoming);
    if (fault !== undefined) return refuseHead(outgoing, fault);
    const info = requestInfoOf(incoming.headers, placeOf(incoming, trusts));
    const health = healthIn(incoming.method, incoming.url ?? "");
    // Health checks are not logged, since at one per second they would fill the log.
    if (health !== undefined) return answerHealth(health, readiness, outgoing, headersOf(info));
    if (isSecure?.()) outgoing.setHeader("Strict-Transport-Security", `max-age=${insistS}`);
    if (observers.length > 0) observe(incoming, outgoing, info, observers);
    const exchange = { incoming, outgoing, info };
    const apiAnswer = answerApi(served, exchange) ?? answerBeside(incoming, outgoing, info);
    if (apiAnswer !== undefined) return apiAnswer;
    setIdHeaders(outgoing, info);
    return answerPath(served, exchange);
  };
}

/** Answers an invalid head and closes the connection, whose further bytes are ambiguous. */
async function refuseHead(outgoing: ServerResponse, fault: string): Promise<void> {
  outgoing.writeHead(400, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  outgoing.end(`${fault}\n`);
}

function setIdHeaders(outgoing: ServerResponse, info: PortRequestInfo): void {
  for (const [name, value] of Object.entries(headersOf(info))) outgoing.setHeader(name, value);
}

async function closeServer(server: Server, closingMs: number): Promise<void> {
  // A keep-alive connection becomes idle only after its answer was sent.
  const idle = setInterval(() => server.closeIdleConnections(), closingStepMs);
  const closeTimer = setTimeout(() => server.closeAllConnections(), closingMs);
  const closing = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closing;
  clearInterval(idle);
  clearTimeout(closeTimer);
}
