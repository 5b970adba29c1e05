/** Requests to a book that a browser shows, past the browser. */
import type { Book } from "../../src/service/books/book.ts";

export async function ask(book: Book, method: string, path: string, body?: object) {
  const answer = await book.transport({
    method,
    path,
    query: [],
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  return JSON.parse(String(answer.body));
}

/** Removes the waiting lines of the sample company's business account: a test brings its own. */
export async function removeWaitingLines(book: Book): Promise<void> {
  const { BankStatements } = await ask(book, "GET", "/Extensions/BankStatements");
  for (const { BankStatementID, BankAccount, LinesAdded } of BankStatements) {
    if (BankAccount.Code !== "090" || LinesAdded < 2) continue;
    await ask(book, "DELETE", `/Extensions/BankStatements/${BankStatementID}`);
  }
}
