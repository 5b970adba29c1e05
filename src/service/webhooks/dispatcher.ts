/**
 * Delivers for as long as a book is served: at once after a write of this process, and every second
 * what other processes have written.
 */
import { forgetDeliveries } from "../../store/outbox/deliveries.ts";
import { hasWebhooks, removeExpired, type Webhook } from "../../store/outbox/webhooks.ts";
import type { Store } from "../../store/store.ts";
import type { Book } from "../books/book.ts";
import type { Allowed } from "../webhooks/addresses.ts";
import {
  type DeliveriesInProgress,
  type DeliveryOutcome,
  deliverDue,
} from "../webhooks/deliver.ts";
import type { Post, Poster } from "./post.ts";

/** How often it is asked what others wrote: where somebody is subscribed, and where nobody is. */
const everyMs = 1000;
const idleMs = 5000;
/** How often old deliveries and listeners that went away are removed, and what is old. */
const tidyMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

/** A book whose subscribers are delivered to. */
export type DispatchedBook = Pick<Book, "store" | "org" | "tenant">;

/** Looks on, for figures. */
export interface DeliveryObserver {
  /** Told of each try. */
  tried(outcome: DeliveryOutcome): void;
  /** Told of a book that is attended to. @returns what is called before that ends */
  attended(book: DispatchedBook): () => Promise<void>;
}

export interface DispatcherOptions {
  readonly allowed: Allowed;
  /** Told when a subscription is not delivered to any more. */
  readonly disabled?: ((webhook: Webhook, reason: string) => void) | undefined;
  /** Told of every failure that is a bug, or of the database. */
  readonly report?: ((error: unknown) => void) | undefined;
  readonly onlooker?: DeliveryObserver | undefined;
  /** For tests; connections of its own when not given. */
  readonly poster?: Promise<Poster> | undefined;
}

export interface Dispatcher {
  /** Returns when everything that was due has been tried. */
  settled(): Promise<void>;
  /** Begins nothing any more, and returns when what is under way is done. */
  stop(): Promise<void>;
}

/** @param book  which stays open until it has stopped */
export function dispatch(
  { store, org, tenant, dependencies: surroundings }: DispatchedBook & Pick<Book, "dependencies">,
  { allowed, disabled, report, onlooker, poster: given }: DispatcherOptions,
): Dispatcher {
  const { clock, newId } = surroundings;
  let poster: Promise<Poster> | undefined;
  /** Loaded with the first delivery: most books have no subscribers. */
  const post: Post = async (...delivery) => {
    poster ??= given ?? import("./post.ts").then(({ createPoster }) => createPoster({ allowed }));
    return (await poster).post(...delivery);
  };
  let isStopping = false;
  const delivering = {
    store,
    org,
    clock,
    newId,
    baseUrl: () => surroundings.baseUrl,
    post,
    holder: process.getBuiltinModule("node:crypto").randomUUID(),
    isStopping: () => isStopping,
    tried: onlooker?.tried,
    ...(disabled === undefined ? {} : { disabled }),
  };
  const tidy = tidying(store, org, clock);
  const busy: DeliveriesInProgress = new Map();
  const rounds = repeated(async () => {
    try {
      await tidy();
      if (!(await store.read(org, hasWebhooks))) return idleMs;
      const next = await deliverDue(delivering, busy, freed);
      return next === undefined ? everyMs : Math.min(Math.max(next - clock(), 0), everyMs);
    } catch (error) {
      report?.(error);
      return everyMs;
    }
  });
  function freed(error?: unknown): void {
    if (error === undefined) {
      rounds.now();
    } else {
      // A failure of the database, say, would come again at once.
      report?.(error);
      rounds.in(everyMs);
    }
  }
  const stopFollowing = store.onEvents((changed) => {
    if (changed === org) rounds.now();
  });
  const attendedNoMore = onlooker?.attended({ store, org, tenant });
  rounds.now();
  return {
    async settled() {
      while (!isStopping && (rounds.isUnderWay() || busy.size > 0)) {
        await rounds.settled();
        await Promise.all(busy.values());
      }
    },
    async stop() {
      isStopping = true;
      stopFollowing();
      await rounds.stop();
      await Promise.all(busy.values());
      await (await poster)?.close();
      await attendedNoMore?.();
    },
  };
}

/** Removes listeners that went away and old deliveries, once an hour at most. */
function tidying(store: Store, org: number, clock: () => number): () => Promise<void> {
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock();
    if (now - tidiedAt < tidyMs) return;
    tidiedAt = now;
    await store.write(org, async (tx) => {
      await removeExpired(tx, now);
      await forgetDeliveries(tx, now - keptMs);
    });
  };
}

/**
 * Does something again and again, never twice at a time.
 *
 * @param work  answers after how many milliseconds it is to be done again; it never fails
 */
function repeated(work: () => Promise<number>) {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;
  const after = (waitMs: number) => {
    clearTimeout(timer);
    if (!isStopping) timer = setTimeout(now, waitMs).unref();
  };
  function now(): void {
    clearTimeout(timer);
    if (isStopping) return;
    isAskedAgain = underWay !== undefined;
    underWay ??= work().then((waitMs) => {
      underWay = undefined;
      after(isAskedAgain ? 0 : waitMs);
      isAskedAgain = false;
    });
  }
  return {
    isUnderWay: () => underWay !== undefined,
    /** Returns when what is under way is done. */
    settled: () => underWay ?? Promise.resolve(),
    /** At once, or when what is under way is done. */
    now,
    in: after,
    /** Returns when what is under way is done. */
    async stop(): Promise<void> {
      isStopping = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
