/**
 * One process that works on organisations of a database: its clients create invoices until told time
 * is up. Started by `postgres.ts`, which tells it what to do by messages.
 *
 *   node bench/postgres-client.ts URL
 */
import { type Book, openBookIn } from "../src/service/books/book.ts";
import { postgresStore } from "../src/store/dialects/postgres/postgres.ts";
import { listBooks } from "../src/store/records/organisations.ts";
import { invoice, put } from "./postgres-invoices.ts";

/** What to do for `ms`: that many clients, each one request after the other. */
export interface Task {
  readonly clients: number;
  /** Invoices in a request. */
  readonly batch: number;
  /** How many of the organisations are worked on. */
  readonly organisations: number;
  readonly ms: number;
}

const [, , url = ""] = process.argv;
const store = await postgresStore(url);
const books = (await listBooks(store)).map((owner) => openBookIn(store, owner));
let sent = 0;

async function work({ clients, batch, organisations: used, ms }: Task): Promise<number> {
  const own = books.slice(0, used);
  const end = performance.now() + ms;
  let made = 0;
  const client = async () => {
    while (performance.now() < end) {
      sent += batch;
      const Invoices = Array.from({ length: batch }, (_, each) => invoice(sent + each));
      // Any of them, since clients do not agree on whose turn it is.
      await put(own[Math.floor(Math.random() * own.length)] as Book, "/Invoices", { Invoices });
      made += batch;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return made;
}

process.on("message", async (task: Task) => {
  const began = performance.now();
  const made = await work(task);
  process.send?.({ made, ms: performance.now() - began });
});
process.send?.("ready");
process.on("disconnect", () => void store.close());
