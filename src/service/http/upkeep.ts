/**
 * What a served book does by itself: invoices that repeat are made when they are due, and events are
 * delivered to those who are subscribed to them.
 */
import type { Book } from "../book.ts";
import type { DispatcherOptions } from "../events/dispatcher.ts";

const everyMs = 60_000;

export interface Upkeep {
  /** Returns when everything that was due at first has been done or tried. */
  settled(): Promise<void>;
  /** Begins nothing any more, and returns when what is under way is done. */
  stop(): Promise<void>;
}

/** At once and every minute; what fails is reported as of any request, and tried again. */
export function keepUp(book: Omit<Book, "close">, webhooks: DispatcherOptions): Upkeep {
  let underWay: Promise<unknown> | undefined;
  const run = () => {
    underWay ??= book
      .byItself({
        method: "POST",
        path: "/RepeatingInvoices/Run",
        query: [],
        headers: { accept: "application/json" },
      })
      .finally(() => {
        underWay = undefined;
      });
  };
  run();
  const timer = setInterval(run, everyMs).unref();
  const dispatching = import("../events/dispatcher.ts").then(({ dispatch }) =>
    dispatch(book, webhooks),
  );
  return {
    async settled() {
      await underWay;
      await (await dispatching).settled();
    },
    async stop() {
      clearInterval(timer);
      await (await dispatching).stop();
      await underWay;
    },
  };
}
