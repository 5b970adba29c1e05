/** Books on a port. */
import type { Server } from "node:http";
import type { Directory } from "../../store/directory.ts";
import { databaseAddress } from "../../wire/database-address.ts";
import type { LimitStatus } from "../../wire/errors.ts";
import { identityOf } from "../auth/identity.ts";
import type { BookOptions } from "../book.ts";
import { allowedBy } from "../events/addresses.ts";
import type { DispatcherOptions } from "../events/dispatcher.ts";
import { readLimits, usualLimits } from "../limits/limits.ts";
import { handoverFigures } from "../peers/figures.ts";
import type { Joined } from "../peers/join.ts";
import { type BooksOptions, openBooks, type ServedBooks } from "./books.ts";
import { type ListenOptions, listen, type Port } from "./listen.ts";
import { type Operations, operate, type Running } from "./operations.ts";

export interface ServeOptions extends Omit<BookOptions, "serving"> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How often apps may call: as usual where true, as said where text, `minute=600,day=100000`. */
  readonly rateLimit: boolean | string;
  readonly limitStatus?: LimitStatus | undefined;
  /** Begins the addresses that others see, where a proxy stands before the port; no slash at the end. */
  readonly publicUrl?: string | undefined;
  /** Whether connections are handed over among the processes of a database; they are when not given. */
  readonly handover?: boolean | undefined;
  /** Where deliveries may go beyond https to public addresses: `http`, `private`. */
  readonly webhookAllow?: readonly string[] | undefined;
  /** Log, figures and the end; faults alone are told, on stderr, when not given. */
  readonly operations?: Operations | undefined;
}

export interface ServedBook {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /** Where the figures are read, if anywhere. */
  readonly metricsUrl: string | undefined;
  /** Which faults are made on purpose, as one line. */
  readonly chaos: string | undefined;
  /** Takes no more requests once it has drained, answers those under way, and closes the book. */
  close(): Promise<void>;
}

/**
 * Opens the book at a place, or all that are in a folder or a database, and a port over which apps
 * work on them.
 *
 * @throws NotFoundError, RefusedError as `openBooks` does, PortError
 */
export async function serveBook(path: string, options: ServeOptions): Promise<ServedBook> {
  const { operations = silent, publicUrl, clock = Date.now } = options;
  let port: Port | undefined;
  let books: ServedBooks | undefined;
  const isShared = handsOver(path, options);
  let joined: Joined | undefined;
  const deliveries = operations.metrics && (await deliveryFigures(clock));
  const running = await operate(operations, {
    databases: () => books?.stores() ?? [],
    figures: [...(deliveries?.figures ?? []), ...(isShared ? handoverFigures(() => joined) : [])],
    clock,
  });
  const serving: Serving = {
    clock,
    running,
    deliveries,
    origin: () => publicUrl ?? port?.origin ?? "",
    ending: new AbortController(),
  };
  const closers = [async () => running.close()];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const open = await openBooks(path, opening(options, serving));
    closers.push(() => open.close());
    books = open;
    const front = async (server: Server) => {
      joined = await joining(server, open.directory, options, serving);
      if (joined !== undefined) closers.push(joined.close);
      return joined?.handover;
    };
    const listening = await listenFor(open, options, serving, isShared ? front : undefined);
    port = listening;
    const upkeep = open.attend();
    closers.push(() => upkeep.stop());
    closers.push(() => listening.close());
    const { metricsUrl, chaos } = running;
    return { origin: listening.origin, metricsUrl, chaos, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the parts of a server share. */
interface Serving {
  readonly clock: () => number;
  readonly running: Running;
  readonly deliveries: Awaited<ReturnType<typeof deliveryFigures>> | undefined;
  /** Begins the addresses that others see, once there is a port. */
  readonly origin: () => string;
  /** Aborted when the port begins to stop. */
  readonly ending: AbortController;
}

/**
 * Whether connections are handed over: among processes that are one server to whoever calls. Without a
 * public address each has another name, and does not accept the tokens of the others.
 */
function handsOver(path: string, { handover = true, publicUrl }: ServeOptions): boolean {
  const address = databaseAddress(path);
  const isWhole = address !== undefined && address.organisation === undefined;
  return handover && isWhole && publicUrl !== undefined;
}

/** A process that cannot listen to others does everything itself, and says why. */
async function joining(
  server: Server,
  directory: Directory,
  options: ServeOptions,
  { running }: Serving,
): Promise<Joined | undefined> {
  try {
    const { joinPeers } = await import("../peers/join.ts");
    return await joinPeers(server, directory, answeringAs(options));
  } catch (error) {
    running.report(error, { method: "OPEN", path: "/", query: [], headers: {} });
    return undefined;
  }
}

/** The same for processes that answer a request in the same way. */
function answeringAs({
  publicUrl,
  rateLimit,
  limitStatus,
  smtpUrl,
  ratesUrl,
}: ServeOptions): string {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const settings = JSON.stringify([publicUrl, rateLimit, limitStatus, smtpUrl, ratesUrl]);
  return createHash("sha256").update(settings).digest("hex").slice(0, 16);
}

/** How the books are opened. */
function opening(
  {
    host: _host,
    port: _port,
    rateLimit,
    limitStatus,
    publicUrl: _url,
    webhookAllow = [],
    operations: _operations,
    handover: _handover,
    ...options
  }: ServeOptions,
  { clock, running, deliveries, origin, ending }: Serving,
): BooksOptions {
  const limits = typeof rateLimit === "string" ? readLimits(rateLimit) : usualLimits;
  return {
    ...options,
    clock,
    report: options.report ?? running.report,
    serving: { origin, limitStatus, stopping: ending.signal },
    limits: rateLimit === false ? undefined : limits,
    webhooks: { ...deliveringWith(webhookAllow, running.report), onlooker: deliveries },
  };
}

/** Opens the port on which they are asked, and beside them who may ask. @throws PortError */
function listenFor(
  { service, directory, callers, namesOf }: ServedBooks,
  { host, port, publicUrl }: ServeOptions,
  { clock, running, origin, ending }: Serving,
  front: ListenOptions["front"],
): Promise<Port> {
  const identity = identityOf({
    directory,
    callers,
    clock,
    namesOf,
    issuer: origin,
    proxied: publicUrl !== undefined,
    report: running.report,
  });
  return listen({
    service: running.around(service),
    host,
    port,
    front,
    beside: identity,
    ...running.listening,
    stopping: () => {
      running.listening.stopping();
      ending.abort();
    },
  });
}

/** Loaded where somebody reads them. */
async function deliveryFigures(clock: () => number) {
  return (await import("./delivery-figures.ts")).deliveryFigures(clock);
}

/** How events are delivered; a subscription that is given up is told as a fault is. */
function deliveringWith(allow: readonly string[], report: Running["report"]): DispatcherOptions {
  const request = { method: "POST", path: "/webhook", query: [], headers: {} };
  return {
    allowed: allowedBy(allow),
    report: (error) => report(error, request),
    disabled: ({ name }, reason) =>
      report(`The subscription ${name} is disabled. ${reason}`, request),
  };
}

const silent: Operations = { write: () => undefined };
