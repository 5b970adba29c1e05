/** A book on a port. */
import { directoryIn } from "../../store/directory.ts";
import type { LimitStatus } from "../../wire/errors.ts";
import { callersFor, callersOf } from "../auth/callers.ts";
import { type BookOptions, openBook } from "../book.ts";
import { readLimits, usualLimits } from "../limits/limits.ts";
import { memoryLimits } from "../limits/memory.ts";
import { listen } from "./listen.ts";
import { keepUp } from "./upkeep.ts";

export interface ServeOptions extends Omit<BookOptions, "serving"> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How often apps may call: as usual where true, as said where text, `minute=600,day=100000`. */
  readonly rateLimit: boolean | string;
  readonly limitStatus?: LimitStatus | undefined;
}

export interface ServedBook {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /** Takes no more requests, answers those under way, and closes the book. */
  close(): Promise<void>;
}

/**
 * Opens the book in the file `path`, and a port over which apps work on it.
 *
 * @throws NotFoundError, RefusedError as `openBook` does, PortError
 */
export async function serveBook(
  path: string,
  { host, port, rateLimit, limitStatus, ...options }: ServeOptions,
): Promise<ServedBook> {
  const clock = options.clock ?? Date.now;
  const limits = typeof rateLimit === "string" ? readLimits(rateLimit) : usualLimits;
  let origin = "";
  const book = await openBook(path, {
    ...options,
    serving: {
      origin: () => origin,
      callers: (store, owner) => callersFor(callersOf(directoryIn(store), clock), owner),
      limits: rateLimit === false ? undefined : memoryLimits(limits, clock),
      limitStatus,
    },
  });
  try {
    const opened = await listen({ service: book, host, port });
    origin = opened.origin;
    const upkeep = keepUp(book);
    return {
      origin,
      close: async () => {
        await opened.close();
        await upkeep.stop();
        await book.close();
      },
    };
  } catch (error) {
    await book.close();
    throw error;
  }
}
