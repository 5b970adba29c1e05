/**
 * Transport to a local book: calls the service in the same process.
 *
 * The store and the ledger are imported when a book is opened, so that commands for a remote
 * service, or for help, do not load them.
 */
import type { BookOptions } from "../service/books/book.ts";
import type { Transport } from "../wire/http.ts";
import type { PlanHeader, TrialRoom } from "./planning.ts";

export interface EmbeddedConnection {
  readonly transport: Transport;
  /** Opens the trial in which the requests of a plan are tried. */
  trialRoom(header: PlanHeader): Promise<TrialRoom>;
  close(): Promise<void>;
}

/**
 * Opens a book file.
 *
 * @throws NotFoundError `NoBook` when there is no file, RefusedError when it is not a book
 */
export async function openEmbedded(
  path: string,
  options: BookOptions = {},
): Promise<EmbeddedConnection> {
  const { openBook } = await import("../service/books/book.ts");
  const book = await openBook(path, options);
  return {
    transport: book.transport,
    async trialRoom(header) {
      const { openTrial, requestOf } = await import("../service/books/open-trial.ts");
      const { transport: handle, plan, close } = await openTrial(book, header);
      return {
        answer: (planned, _before, isDryRun) => {
          const request = requestOf(planned);
          const headers = isDryRun ? { ...request.headers, "x-dry-run": "true" } : request.headers;
          return handle({ ...request, headers });
        },
        plan,
        close,
      };
    },
    close: () => book.close(),
  };
}
