/**
 * Dispatches deliveries while a book is served: at once after a write of this process, and every
 * second for writes of other processes.
 */
import { forgetDeliveries } from "../../store/outbox/deliveries.ts";
import { hasWebhooks, removeExpired, type Webhook } from "../../store/outbox/webhooks.ts";
import type { Store } from "../../store/store.ts";
import type { Book } from "../books/book.ts";
import type { Allowances } from "../webhooks/addresses.ts";
import {
  type DeliveriesInProgress,
  type DeliveryOutcome,
  deliverDue,
} from "../webhooks/deliver.ts";
import type { Post, Poster } from "./post.ts";

/** Polling intervals for writes of other processes: with subscribers, and without. */
const everyMs = 1000;
const idleMs = 5000;
/** Interval of removing old deliveries and expired listeners, and their maximum age. */
const tidyMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

/** A book whose webhook events are delivered. */
export type DispatchedBook = Pick<Book, "store" | "org" | "tenant">;

/** Observes deliveries, for metrics. */
export interface DeliveryObserver {
  /** Called after each attempt. */
  tried(outcome: DeliveryOutcome): void;
  /** Called when the dispatcher of a book starts. @returns the function to call before it ends */
  attended(book: DispatchedBook): () => Promise<void>;
}

export interface DispatcherOptions {
  readonly allowed: Allowances;
  /** Called when a subscription is disabled after failed deliveries. */
  readonly disabled?: ((webhook: Webhook, reason: string) => void) | undefined;
  /** Receives every failure that is a bug or of the database. */
  readonly report?: ((error: unknown) => void) | undefined;
  readonly onlooker?: DeliveryObserver | undefined;
  /** Connections to receivers, for tests; new ones if omitted. */
  readonly poster?: Promise<Poster> | undefined;
}

export interface Dispatcher {
  /** Resolves when all due deliveries were attempted. */
  settled(): Promise<void>;
  /** Looks for due deliveries, and resolves when they were attempted. */
  now(): Promise<void>;
  /** Starts no more deliveries, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** @param book  must stay open until the dispatcher has stopped */
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
    disabled,
  };
  const tidy = createTidy(store, org, clock);
  const busyWebhooks: DeliveriesInProgress = new Map();
  const rounds = repeatWork(async () => {
    try {
      await tidy();
      if (!(await store.read(org, hasWebhooks))) return idleMs;
      const nextDue = await deliverDue(delivering, busyWebhooks, ignoreFreed);
      return nextDue === undefined ? everyMs : Math.min(Math.max(nextDue - clock(), 0), everyMs);
    } catch (error) {
      report?.(error);
      return everyMs;
    }
  });
  function ignoreFreed(error?: unknown): void {
    if (error === undefined) {
      rounds.now();
    } else {
      // A failure, of the database for example, would recur at once, so the retry waits.
      report?.(error);
      rounds.in(everyMs);
    }
  }
  const stopFollowing = store.onEvents((changedOrg) => {
    if (changedOrg === org) rounds.now();
  });
  const attendedNoMore = onlooker?.attended({ store, org, tenant });
  rounds.now();
  const untilIdle = async () => {
    while (!isStopping && (rounds.isUnderWay() || busyWebhooks.size > 0)) {
      await rounds.settled();
      await Promise.all(busyWebhooks.values());
    }
  };
  return {
    settled: untilIdle,
    async now() {
      await untilIdle();
      rounds.now();
      await untilIdle();
    },
    async stop() {
      isStopping = true;
      stopFollowing();
      await rounds.stop();
      await Promise.all(busyWebhooks.values());
      await (await poster)?.close();
      await attendedNoMore?.();
    },
  };
}

/** Returns a function that removes expired listeners and old deliveries, at most once an hour. */
function createTidy(store: Store, org: number, clock: () => number): () => Promise<void> {
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
 * Runs work repeatedly, one run at a time.
 *
 * @param action  returns the milliseconds until the next run; it never rejects
 */
function repeatWork(action: () => Promise<number>) {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;
  const schedule = (waitMs: number) => {
    clearTimeout(timer);
    if (!isStopping) timer = setTimeout(dispatchNow, waitMs).unref();
  };
  function dispatchNow(): void {
    clearTimeout(timer);
    if (isStopping) return;
    isAskedAgain = underWay !== undefined;
    underWay ??= action().then((waitMs) => {
      underWay = undefined;
      schedule(isAskedAgain ? 0 : waitMs);
      isAskedAgain = false;
    });
  }
  return {
    isUnderWay: () => underWay !== undefined,
    /** Resolves when the current run has ended. */
    settled: () => underWay ?? Promise.resolve(),
    /** Runs at once, or after the current run. */
    now: dispatchNow,
    in: schedule,
    /** Stops, and resolves when the current run has ended. */
    async stop(): Promise<void> {
      isStopping = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
