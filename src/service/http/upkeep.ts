/** What a served book does by itself: invoices that repeat are made when they are due. */
import type { Book } from "../book.ts";

const everyMs = 60_000;

export interface Upkeep {
  /** Begins nothing any more, and returns when what is under way is done. */
  stop(): Promise<void>;
}

/** At once and every minute; what fails is reported as of any request, and tried again. */
export function keepUp({ byItself }: Pick<Book, "byItself">): Upkeep {
  let underWay: Promise<unknown> | undefined;
  const run = () => {
    underWay ??= byItself({
      method: "POST",
      path: "/RepeatingInvoices/Run",
      query: [],
      headers: { accept: "application/json" },
    }).finally(() => {
      underWay = undefined;
    });
  };
  run();
  const timer = setInterval(run, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
