/**
 * Delivers for as long as a book is served: at once after a write of this process, and every second
 * what other processes have written.
 */
import { forgetDeliveries } from "../../store/deliveries.ts";
import { hasWebhooks, removeExpired, type Webhook } from "../../store/webhooks.ts";
import type { Book } from "../book.ts";
import type { Allowed } from "./addresses.ts";
import { type Busy, deliverDue } from "./deliver.ts";
import type { Post, Poster } from "./post.ts";

/** How often it is asked what others wrote: where somebody is subscribed, and where nobody is. */
const everyMs = 1000;
const idleMs = 5000;
/** How often old deliveries and listeners that went away are removed, and what is old. */
const tidyMs = 3_600_000;
const keptMs = 30 * 24 * 3_600_000;

export interface DispatcherOptions {
  readonly allowed: Allowed;
  /** Told when a subscription is not delivered to any more. */
  readonly disabled?: ((webhook: Webhook, reason: string) => void) | undefined;
  /** Told of every failure that is a bug, or of the database. */
  readonly report?: ((error: unknown) => void) | undefined;
  /** For tests; connections of its own when not given. */
  readonly poster?: Promise<Poster> | undefined;
}

export interface Dispatcher {
  /** Begins nothing any more, and returns when what is under way is done. */
  stop(): Promise<void>;
}

/** @param book  which stays open until it has stopped */
export function dispatch(
  { store, org, surroundings }: Pick<Book, "store" | "org" | "surroundings">,
  { allowed, disabled, report, poster: given }: DispatcherOptions,
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
    ...(disabled === undefined ? {} : { disabled }),
  };
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const tidy = async () => {
    const now = clock();
    if (now - tidiedAt < tidyMs) return;
    tidiedAt = now;
    await store.write(org, async (tx) => {
      await removeExpired(tx, now);
      await forgetDeliveries(tx, now - keptMs);
    });
  };
  const busy: Busy = new Map();
  let timer: NodeJS.Timeout | undefined;
  const again = (waitMs: number) => {
    clearTimeout(timer);
    if (!isStopping) timer = setTimeout(run, waitMs).unref();
  };
  const freed = (error?: unknown) => {
    if (error === undefined) return run();
    report?.(error);
    again(everyMs);
  };
  /** @returns how long to wait for the next */
  const round = async (): Promise<number> => {
    await tidy();
    if (!(await store.read(org, hasWebhooks))) return idleMs;
    const next = await deliverDue(delivering, busy, freed);
    return next === undefined ? everyMs : Math.min(Math.max(next - clock(), 0), everyMs);
  };
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;
  function run(): void {
    clearTimeout(timer);
    if (isStopping) return;
    isAskedAgain = underWay !== undefined;
    underWay ??= round()
      .catch((error: unknown) => {
        report?.(error);
        return everyMs;
      })
      .then((waitMs) => {
        underWay = undefined;
        again(isAskedAgain ? 0 : waitMs);
        isAskedAgain = false;
      });
  }
  const stopFollowing = store.onEvents((changed) => {
    if (changed === org) run();
  });
  run();
  return {
    async stop() {
      isStopping = true;
      stopFollowing();
      clearTimeout(timer);
      await underWay;
      await Promise.all(busy.values());
      await (await poster)?.close();
    },
  };
}
