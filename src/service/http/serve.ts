/** A book on a port. */
import { callersOf } from "../auth/callers.ts";
import { type BookOptions, openBook } from "../book.ts";
import { createLimiter, usualLimits } from "../limits.ts";
import { listen } from "./listen.ts";
import { keepUp } from "./upkeep.ts";

export interface ServeOptions extends Omit<BookOptions, "serving"> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Whether apps may only call so often. */
  readonly rateLimit: boolean;
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
  { host, port, rateLimit, ...options }: ServeOptions,
): Promise<ServedBook> {
  const clock = options.clock ?? Date.now;
  let origin = "";
  const book = await openBook(path, {
    ...options,
    serving: {
      origin: () => origin,
      callers: (store, owner) => callersOf(store, owner, clock),
      limiter: rateLimit ? createLimiter(usualLimits, clock) : undefined,
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
