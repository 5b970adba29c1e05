/**
 * The transport to a book on this machine: the service itself, called in the same process.
 *
 * Everything behind it (the store, the ledger) is imported when a book is opened, so that a command
 * that talks to a remote service, or only prints help, loads none of it.
 */
import type { BookOptions } from "../service/books/book.ts";
import type { Transport } from "../wire/http.ts";

export interface Connection {
  readonly handle: Transport;
  close(): Promise<void>;
}

/**
 * Opens the book in a file.
 *
 * @throws NotFoundError `NoBook` when there is no such file, RefusedError when it holds no book
 */
export async function openEmbedded(path: string, options: BookOptions = {}): Promise<Connection> {
  const { openBook } = await import("../service/books/book.ts");
  return openBook(path, options);
}
