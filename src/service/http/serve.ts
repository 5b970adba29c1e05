/** A book on a port. */
import { directoryIn } from "../../store/directory.ts";
import { type Listing, organisations } from "../../store/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { LimitStatus } from "../../wire/errors.ts";
import { type Callers, callersFor, callersOf } from "../auth/callers.ts";
import { identityOf } from "../auth/identity.ts";
import { type BookOptions, openBook } from "../book.ts";
import { allowedBy } from "../events/addresses.ts";
import type { DispatcherOptions } from "../events/dispatcher.ts";
import { readLimits, usualLimits } from "../limits/limits.ts";
import { memoryLimits } from "../limits/memory.ts";
import { listen, type Port } from "./listen.ts";
import { type Operations, operate, type Running } from "./operations.ts";
import { keepUp } from "./upkeep.ts";

export interface ServeOptions extends Omit<BookOptions, "serving"> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How often apps may call: as usual where true, as said where text, `minute=600,day=100000`. */
  readonly rateLimit: boolean | string;
  readonly limitStatus?: LimitStatus | undefined;
  /** Begins the addresses that others see, where a proxy stands before the port; no slash at the end. */
  readonly publicUrl?: string | undefined;
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
 * Opens the book in the file `path`, and a port over which apps work on it.
 *
 * @throws NotFoundError, RefusedError as `openBook` does, PortError
 */
export async function serveBook(
  path: string,
  {
    host,
    port,
    rateLimit,
    limitStatus,
    publicUrl,
    webhookAllow = [],
    operations = silent,
    ...options
  }: ServeOptions,
): Promise<ServedBook> {
  const clock = options.clock ?? Date.now;
  const limits = typeof rateLimit === "string" ? readLimits(rateLimit) : usualLimits;
  let opened: Port | undefined;
  const origin = () => publicUrl ?? opened?.origin ?? "";
  let callers: Callers | undefined;
  const ending = new AbortController();
  const stores: Store[] = [];
  const running = await operate(operations, { databases: () => stores, clock });
  const closers = [async () => running.close()];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const book = await openBook(path, {
      report: running.report,
      ...options,
      serving: {
        origin,
        callers: (store, owner) => {
          callers = callersOf(directoryIn(store), clock);
          return callersFor(callers, owner);
        },
        limits: rateLimit === false ? undefined : memoryLimits(limits, clock),
        limitStatus,
        stopping: ending.signal,
      },
    });
    closers.push(() => book.close());
    stores.push(book.store);
    const directory = directoryIn(book.store);
    const identity = identityOf({
      directory,
      callers: callers ?? callersOf(directory, clock),
      clock,
      namesOf: async (tenants) => namesAmong(tenants, await organisations(book.store)),
      issuer: origin,
      proxied: publicUrl !== undefined,
      report: running.report,
    });
    const listening = await listen({
      service: running.around(book),
      host,
      port,
      beside: identity,
      ...running.listening,
      stopping: () => {
        running.listening.stopping();
        ending.abort();
      },
    });
    opened = listening;
    const upkeep = keepUp(book, deliveringWith(webhookAllow, running.report));
    closers.push(() => upkeep.stop());
    closers.push(() => listening.close());
    return {
      origin: listening.origin,
      metricsUrl: running.metricsUrl,
      chaos: running.chaos,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Names by OrganisationID, of those among the organisations of a store. */
function namesAmong(
  tenants: readonly string[],
  known: readonly Listing[],
): ReadonlyMap<string, string> {
  const wanted = new Set(tenants);
  const found = known.filter(({ OrganisationID }) => wanted.has(OrganisationID));
  return new Map(found.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
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
