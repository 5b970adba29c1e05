/** Books on a port. */
import type { LimitStatus } from "../../wire/errors.ts";
import { identityOf } from "../auth/identity.ts";
import type { BookOptions } from "../book.ts";
import { allowedBy } from "../events/addresses.ts";
import type { DispatcherOptions } from "../events/dispatcher.ts";
import { readLimits, usualLimits } from "../limits/limits.ts";
import { openBooks, type ServedBooks } from "./books.ts";
import { listen, type Port } from "./listen.ts";
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
  const ending = new AbortController();
  let stores: ServedBooks["stores"] = () => [];
  const deliveries = operations.metrics && (await deliveryFigures(clock));
  const running = await operate(operations, {
    databases: () => stores(),
    ...(deliveries === undefined ? {} : { figures: deliveries.figures }),
    clock,
  });
  const report = options.report ?? running.report;
  const closers = [async () => running.close()];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const books = await openBooks(path, {
      ...options,
      clock,
      report,
      serving: { origin, limitStatus, stopping: ending.signal },
      limits: rateLimit === false ? undefined : limits,
      webhooks: { ...deliveringWith(webhookAllow, running.report), onlooker: deliveries },
    });
    closers.push(() => books.close());
    stores = books.stores;
    const { directory, callers, namesOf } = books;
    const identity = identityOf({
      directory,
      callers,
      clock,
      namesOf,
      issuer: origin,
      proxied: publicUrl !== undefined,
      report: running.report,
    });
    const listening = await listen({
      service: running.around(books.service),
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
    const upkeep = books.attend();
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
