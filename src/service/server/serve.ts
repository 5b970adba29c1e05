/** Serves books on a port. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import { smtpMailer } from "../../platform/mail.ts";
import { nobody, type Trusts } from "../../platform/proxies.ts";
import type { Transport } from "../../wire/http.ts";
import { identityOf } from "../auth/identity.ts";
import type { Post } from "../auth/password-links.ts";
import type { SecondFactorRule } from "../auth/second-factor.ts";
import type { BookOptions } from "../books/book.ts";
import { placeOf } from "../http/browser.ts";
import { requestInfoOf } from "../http/request-info.ts";
import { type Limits, readLimits, usualLimits } from "../limits/limits.ts";
import { type Allowances, allowedBy } from "../webhooks/addresses.ts";
import type { DispatcherOptions } from "../webhooks/dispatcher.ts";
import { type BooksOptions, openBooks, type ServedBooks } from "./books.ts";
import { listen, type Port } from "./listener.ts";
import {
  type Operations,
  operate,
  type Reloadable,
  type RunningOperations,
  type ServedBook,
} from "./monitoring.ts";

/** Dependencies of the pages beside the API. */
export interface PagesHost extends Pick<ServedBooks, "directory" | "byBook" | "namesOf"> {
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Public origin of the server, without a slash at the end. */
  readonly origin: () => string;
  /** Whether to trust the proxy headers that state the client's address. */
  readonly trusts: Trusts;
  /** How mail goes to people; undefined for a server without mail. */
  readonly post: Post | undefined;
  /** Who must have a second factor; nobody if undefined. */
  readonly secondFactor: SecondFactorRule | undefined;
  /** Addresses to which webhooks may be delivered. */
  readonly webhookAllowed: Allowances;
  /** Receives every failure that is a bug. */
  readonly report: RunningOperations["report"];
}

/** Answers a request for a page; undefined for other paths. */
export type AnswerPages = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<void> | undefined;

/** What answers beside the API may use: the service for the port, and its public origin. */
export interface BesideHost {
  readonly transport: Transport;
  readonly origin: () => string;
}

export interface ServeOptions extends Omit<BookOptions, "serving">, Omit<Reloadable, "log"> {
  readonly host: string;
  /** Port number; 0 for any free port. */
  readonly port: number;
  /** Public origin where a proxy is in front of the port, without a slash at the end. */
  readonly publicUrl?: string | undefined;
  /** Port whose requests are sent on to https. */
  readonly redirectPort?: number | undefined;
  /** Whether this is a worker of `serveByWorkers`. */
  readonly isWorker?: boolean | undefined;
  /** Whether web apps, which have a secret, may sign people in without PKCE, as older ones do. */
  readonly pkceOptional?: boolean | undefined;
  /** Who must have a second factor; nobody if omitted. */
  readonly secondFactor?: SecondFactorRule | undefined;
  /** Webhook addresses allowed in addition to https on public addresses: `http`, `private`. */
  readonly webhookAllow?: readonly string[] | undefined;
  /** Makes the pages for signed-in people; undefined for a server without them. */
  readonly pages?: ((host: PagesHost) => AnswerPages) | undefined;
  /** Makes further answers outside the API, before sign-in and pages. */
  readonly beside?: ((host: BesideHost) => AnswerPages) | undefined;
  /** What a test puts around the service and beside the pages. */
  readonly test?: TestHooks | undefined;
  /** Options for log, metrics and shutdown; by default only faults are logged, on stderr. */
  readonly operations?: Operations | undefined;
}

export interface TestHooks {
  /** Wraps the service for the port. */
  readonly around: (transport: Transport) => Transport;
  /** Answers paths outside the API before sign-in and pages do. */
  readonly beside?: AnswerPages | undefined;
}

/** A service on a port, with the organisations that it serves. */
export interface ServedTenants extends ServedBook, Pick<ServedBooks, "directory" | "tenants"> {}

/**
 * Opens the book of an address, or all books of a folder or database, and a port on which apps use
 * them.
 *
 * @throws NotFoundError, RefusedError as `openBooks`, PortError
 */
export async function serveBook(path: string, options: ServeOptions): Promise<ServedTenants> {
  const { operations = silent, publicUrl, clock = Date.now, isWorker = false } = options;
  const liveSettings: Live = { ...options, limits: { ...limitsOf(options) } };
  const workers = isWorker ? await import("./workers.ts") : undefined;
  const whenEnded = workers?.endRequest();
  let port: Port | undefined;
  let books: ServedBooks | undefined;
  const deliveries = operations.metrics && (await deliveryFigures(clock));
  const running = await operate(operations, {
    databases: () => books?.stores() ?? [],
    figures: deliveries?.figures,
    isWorker,
    clock,
  });
  const serving: ServingState = {
    clock,
    running,
    deliveries,
    origin: () => publicUrl ?? port?.origin ?? "",
    trusts: (address) => (liveSettings.trusts ?? nobody)(address),
    liveSettings,
    pkceOptional: options.pkceOptional ?? false,
    post: postOf(options, liveSettings),
    ending: new AbortController(),
  };
  const closers = [async () => running.close(), async () => workers?.leaveCluster()];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const openedBooks = await openBooks(path, openOptions(options, serving));
    closers.push(() => openedBooks.close());
    books = openedBooks;
    const listening = await listenFor(openedBooks, serving, options);
    port = listening;
    if (options.redirectPort !== undefined) {
      const { openRedirectPort } = await import("../http/redirect-port.ts");
      const ownPort = URL.parse(listening.origin)?.port;
      const at = { host: options.host, port: options.redirectPort };
      const redirecting = await openRedirectPort(
        at,
        (name) => publicUrl ?? `https://${name}:${ownPort}`,
      );
      closers.push(async () => redirecting.close());
    }
    const jobs = openedBooks.attend();
    closers.push(() => jobs.stop());
    closers.push(() => listening.close());
    const { metricsUrl, chaos } = running;
    const reload = (newSettings: Reloadable) => {
      Object.assign(liveSettings.limits, limitsOf(newSettings));
      Object.assign(liveSettings, newSettings);
      running.log.use(newSettings.log);
      if (newSettings.tls !== undefined) listening.useCertificate(newSettings.tls);
    };
    const { note } = running.log;
    const { origin } = listening;
    const { directory, tenants } = openedBooks;
    return { origin, metricsUrl, chaos, ended: whenEnded, reload, note, directory, tenants, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Current settings, which a reload replaces; each use reads them anew. */
type Live = { -readonly [P in keyof Reloadable]: Reloadable[P] } & { readonly limits: Limits };

const limitsOf = ({ rateLimit }: Pick<Reloadable, "rateLimit">) =>
  typeof rateLimit === "string" ? readLimits(rateLimit) : usualLimits;

/** State that the parts of a server share. */
interface ServingState {
  readonly clock: () => number;
  readonly running: RunningOperations;
  readonly deliveries: Awaited<ReturnType<typeof deliveryFigures>> | undefined;
  /** Returns the public origin, once the port is open. */
  readonly origin: () => string;
  readonly trusts: Trusts;
  readonly liveSettings: Live;
  readonly pkceOptional: boolean;
  readonly post: Post | undefined;
  /** Aborted when the port begins to shut down. */
  readonly ending: AbortController;
}

/** Returns the options for opening the books. */
function openOptions(
  {
    host: _host,
    port: _port,
    rateLimit,
    limitStatus: _status,
    tls: _tls,
    redirectPort: _redirect,
    publicUrl: _url,
    webhookAllow = [],
    pkceOptional: _pkce,
    secondFactor: _second,
    operations: _operations,
    pages: _pages,
    beside: _beside,
    test: _test,
    isWorker: _isWorker,
    ...options
  }: ServeOptions,
  { clock, running, deliveries, origin, liveSettings: live, post, ending }: ServingState,
): BooksOptions {
  return {
    ...options,
    clock,
    report: options.report ?? running.report,
    mailer: post?.mailer,
    serving: { origin, limitStatus: () => live.limitStatus, stopping: ending.signal },
    limits: rateLimit === false ? undefined : live.limits,
    webhooks: { ...deliveringWith(webhookAllow, running.report), onlooker: deliveries },
  };
}

/** Opens the port for the API, and for sign-in beside it. @throws PortError */
function listenFor(
  { service, byBook, directory, callers, namesOf }: ServedBooks,
  { clock, running, origin, trusts, pkceOptional, post, ending }: ServingState,
  {
    host,
    port,
    tls,
    pages,
    beside,
    webhookAllow = [],
    secondFactor,
    test,
  }: Pick<
    ServeOptions,
    "host" | "port" | "tls" | "pages" | "beside" | "webhookAllow" | "secondFactor" | "test"
  >,
): Promise<Port> {
  const identity = identityOf({
    directory,
    callers,
    clock,
    namesOf,
    issuer: origin,
    trusts,
    pkceOptional,
    post,
    secondFactor,
    hasPages: pages !== undefined,
    report: running.report,
  });
  const { report } = running;
  const answerPages = pages?.({
    directory,
    byBook,
    namesOf,
    clock,
    origin,
    trusts,
    post,
    secondFactor,
    webhookAllowed: allowedBy(webhookAllow),
    report,
  });
  const onPort = running.wrapService(
    test ? { ...service, transport: test.around(service.transport) } : service,
  );
  // Address of the client of the request in hand: answers beside the API call the service without
  // it.
  const addresses = new AsyncLocalStorage<string>();
  // An answer beside the API sends requests of a caller, and never those of the owner.
  const further = beside?.({
    transport: (request) => {
      const info = requestInfoOf({}, addresses.getStore() ?? "");
      return onPort.transport({ ...request, info: { ...info, through: "MCP" } });
    },
    origin,
  });
  return listen({
    service: onPort,
    online: { byBook, report: running.report },
    host,
    port,
    tls,
    beside: (incoming, outgoing) =>
      test?.beside?.(incoming, outgoing) ??
      addresses.run(placeOf(incoming, trusts), () => further?.(incoming, outgoing)) ??
      identity(incoming, outgoing) ??
      answerPages?.(incoming, outgoing),
    trusts,
    isSecure: () => origin().startsWith("https:"),
    ...running.listening,
    stopping: () => {
      running.listening.stopping();
      ending.abort();
    },
  });
}

/** Returns how mail goes to people: not into an outbox, where it would wait for somebody to look. */
function postOf({ mailer, smtpUrl, email: sender }: ServeOptions, current: Live): Post | undefined {
  const usedMailer = mailer ?? (smtpUrl ? smtpMailer(() => current.smtpUrl || smtpUrl) : undefined);
  return usedMailer && { mailer: usedMailer, sender };
}

/** Loads the webhook metrics on demand. */
async function deliveryFigures(clock: () => number) {
  return (await import("./webhook-figures.ts")).deliveryFigures(clock);
}

/** Returns the webhook delivery options; a disabled subscription is logged as a fault. */
function deliveringWith(
  allow: readonly string[],
  report: RunningOperations["report"],
): DispatcherOptions {
  const request = { method: "POST", path: "/webhook", query: [], headers: {} };
  return {
    allowed: allowedBy(allow),
    report: (error) => report(error, request),
    disabled: ({ name }, reason) =>
      report(`The subscription ${name} is disabled. ${reason}`, request),
  };
}

const silent: Operations = { write: () => undefined };
