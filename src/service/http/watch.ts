/**
 * What became of each request over a port, for the log and the figures.
 *
 * Nothing here is done for a port that nobody watches.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { apiRoot } from "../book.ts";
import { nowhere, routeName } from "../request/routing.ts";
import { targetBelow } from "./incoming.ts";
import type { SeenOnPort } from "./seen.ts";

/** A request that is over. */
export interface Exchanged {
  readonly seen: SeenOnPort;
  readonly method: string;
  /** The address below the API root, or beside it, with braces for what differs; never an id. */
  readonly route: string;
  /** Undefined when the connection was gone before the answer was. */
  readonly status: number | undefined;
  /** From the head of the request to the end of the answer. */
  readonly ms: number;
  /** On the wire, heads included. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

export interface Watcher {
  begun?(): void;
  done(exchanged: Exchanged): void;
}

export function watch(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  seen: SeenOnPort,
  watchers: readonly Watcher[],
): void {
  const began = performance.now();
  const { socket, method = "GET", url = "/" } = incoming;
  for (const each of watchers) each.begun?.();
  outgoing.once("close", () => {
    const exchanged = {
      seen,
      method,
      route: seen.route ?? routeOf(method, url),
      status: outgoing.writableFinished ? outgoing.statusCode : undefined,
      ms: performance.now() - began,
      ...bytesSince(socket),
    };
    for (const each of watchers) each.done(exchanged);
  });
}

/** What a connection had read and written when its last request was over. */
const counted = new WeakMap<Socket, readonly [read: number, written: number]>();

/** Has bytes count that another process read of a connection before it came here. */
export function countRead(socket: Socket, bytes: number): void {
  counted.set(socket, [-bytes, 0]);
}

function bytesSince(socket: Socket): Pick<Exchanged, "bytesIn" | "bytesOut"> {
  const { bytesRead, bytesWritten } = socket;
  const [read, written] = counted.get(socket) ?? [0, 0];
  counted.set(socket, [bytesRead, bytesWritten]);
  return { bytesIn: bytesRead - read, bytesOut: bytesWritten - written };
}

/** Addresses beside the API. */
const beside: readonly (readonly [RegExp, string])[] = [
  [/^\/(openapi\.json|connections)\/?$/i, "$&"],
  [/^\/connections\/[^/]+$/i, "/connections/{id}"],
  [/^\/connect\/(token|revocation)$/i, "$&"],
  [/^\/\.well-known\/openid-configuration(\/jwks)?$/i, "$&"],
  [/^\/identity\/connect\/authorize$/i, "$&"],
  [/^\/identity\/.*$/i, "/identity/*"],
  // What follows would let any reader of the log see the document.
  [/^\/view\/.*$/i, "/view/*"],
];
/** The route of a request that was refused before it came to one. */
function routeOf(method: string, url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  const found = beside.find(([pattern]) => pattern.test(path));
  if (found !== undefined) return path.replace(found[0], found[1]).toLowerCase();
  const target = targetBelow(url, apiRoot);
  return target === undefined ? nowhere : routeName(method, target.path);
}
