/**
 * The transport to a book on this machine: the service itself, called in the same process.
 *
 * Everything behind it (the store, the ledger) is imported when a book is opened, so that a command
 * that talks to a remote service, or only prints help, loads none of it.
 */
import type { BookOptions } from "../service/books/book.ts";
import type { Transport } from "../wire/http.ts";
import type { PlanHeader, TrialRoom } from "./planning.ts";

export interface EmbeddedConnection {
  readonly handle: Transport;
  /** Where the requests of a plan are tried. */
  trialRoom(header: PlanHeader): Promise<TrialRoom>;
  close(): Promise<void>;
}

/**
 * Opens the book in a file.
 *
 * @throws NotFoundError `NoBook` when there is no such file, RefusedError when it holds no book
 */
export async function openEmbedded(
  path: string,
  options: BookOptions = {},
): Promise<EmbeddedConnection> {
  const { openBook } = await import("../service/books/book.ts");
  const book = await openBook(path, options);
  return {
    handle: book.handle,
    async trialRoom(header) {
      const { openTrial, requestOf } = await import("../service/books/open-trial.ts");
      const { handle, plan, close } = await openTrial(book, header);
      return {
        answer: (planned, _before, dryRun) => {
          const request = requestOf(planned);
          const headers = dryRun ? { ...request.headers, "x-dry-run": "true" } : request.headers;
          return handle({ ...request, headers });
        },
        plan,
        close,
      };
    },
    close: () => book.close(),
  };
}
