/**
 * Background jobs of a served book: make due repeating invoices, and deliver events to webhook
 * subscribers.
 */
import type { Book } from "../books/book.ts";
import type { BackgroundJobs } from "../books/book-pool.ts";
import type { DispatcherOptions } from "../webhooks/dispatcher.ts";

const everyMs = 60_000;

/** Runs the jobs at once and then every minute; failures are reported and tried again. */
export function startBackgroundJobs(
  book: Omit<Book, "close">,
  webhooks: DispatcherOptions,
): BackgroundJobs {
  const repeating = everyInterval(everyMs, () =>
    book.ownTransport({
      method: "POST",
      path: "/RepeatingInvoices/Run",
      query: [],
      headers: { accept: "application/json" },
    }),
  );
  const dispatching = import("../webhooks/dispatcher.ts").then(({ dispatch }) =>
    dispatch(book, webhooks),
  );
  return {
    async settled() {
      await repeating.settled();
      await (await dispatching).settled();
    },
    async now() {
      await repeating.now();
      await (await dispatching).now();
    },
    async stop() {
      const repeated = repeating.stop();
      await (await dispatching).stop();
      await repeated;
    },
  };
}

/** Runs a job at once and then at intervals, one run at a time. */
export function everyInterval(ms: number, job: () => Promise<unknown>): BackgroundJobs {
  let underWay: Promise<unknown> | undefined;
  const run = () => {
    underWay ??= job().finally(() => {
      underWay = undefined;
    });
  };
  run();
  const timer = setInterval(run, ms).unref();
  return {
    async settled() {
      await underWay;
    },
    async now() {
      await underWay;
      run();
      await underWay;
    },
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
