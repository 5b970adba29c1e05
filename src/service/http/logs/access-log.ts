/** Observes the outcome of each request on a port, for access log and metrics. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { nowhere, routeName } from "../../api/routing.ts";
import { apiRoot } from "../../books/book.ts";
import { targetBelow } from "../incoming.ts";
import type { PortRequestInfo } from "../request-info.ts";

/** A finished request. */
export interface Access {
  readonly info: PortRequestInfo;
  readonly method: string;
  /** Route name with braces for ids: `/Invoices/{InvoiceID}`. */
  readonly route: string;
  /** Status; undefined when the connection was closed before the answer was complete. */
  readonly status: number | undefined;
  /** Duration from the head of the request to the end of the answer. */
  readonly ms: number;
  /** Bytes on the wire, heads included. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface AccessObserver {
  begun?(): void;
  done(access: Access): void;
}

/** Notifies observers of the begin and end of a request. */
export function observe(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  info: PortRequestInfo,
  observers: readonly AccessObserver[],
): void {
  const startedAt = performance.now();
  const { socket, method = "GET", url = "/" } = incoming;
  for (const observer of observers) observer.begun?.();
  outgoing.once("close", () => {
    const access = {
      info,
      method,
      route: info.route ?? routeOf(method, url),
      status: outgoing.writableFinished ? outgoing.statusCode : undefined,
      ms: performance.now() - startedAt,
      ...bytesSince(socket),
    };
    for (const observer of observers) observer.done(access);
  });
}

/** Bytes that a connection had read and written at the end of its last request. */
const countedBytes = new WeakMap<Socket, readonly [read: number, written: number]>();

function bytesSince(socket: Socket): Pick<Access, "bytesIn" | "bytesOut"> {
  const { bytesRead, bytesWritten } = socket;
  const [read, written] = countedBytes.get(socket) ?? [0, 0];
  countedBytes.set(socket, [bytesRead, bytesWritten]);
  return { bytesIn: bytesRead - read, bytesOut: bytesWritten - written };
}

/** Route names of paths outside the API. */
const otherRoutes: readonly (readonly [RegExp, string])[] = [
  [/^\/(openapi\.json|connections)\/?$/i, "$&"],
  [/^\/connections\/[^/]+$/i, "/connections/{id}"],
  [/^\/connect\/(token|revocation)$/i, "$&"],
  [/^\/\.well-known\/openid-configuration(\/jwks)?$/i, "$&"],
  [/^\/identity\/connect\/authorize$/i, "$&"],
  [/^\/identity\/.*$/i, "/identity/*"],
  [/^\/(books|me|admin)(\/.*)?$/i, "/$1/*"],
  [/^\/sign-(in|out)$/i, "$&"],
  // The token must not be logged: it gives access to the document.
  [/^\/view\/.*$/i, "/view/*"],
];
/** Returns the route name of a request that was refused before routing. */
function routeOf(method: string, url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  const match = otherRoutes.find(([pattern]) => pattern.test(path));
  if (match !== undefined) return path.replace(match[0], match[1]).toLowerCase();
  const requestTarget = targetBelow(url, apiRoot);
  return requestTarget === undefined ? nowhere : routeName(method, requestTarget.path);
}
