/**
 * Organisations beside each other in one store, each of which writes a mark of its own into what it
 * keeps, so that whatever of it comes to light elsewhere is recognised.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import type { Message } from "../../../src/platform/mail.ts";
import { routeFor } from "../../../src/service/api/routing.ts";
import { createBookIn } from "../../../src/service/books/book.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { type Contents, tableContents } from "../../../src/store/maintenance/copy-organisation.ts";
import { openStore, type Store } from "../../../src/store/store.ts";
import { asking, isOnPostgres, isOverPort, type Json, publicUrl, type World } from "../fixture.ts";

/** A write as it was sent. */
export interface Sent {
  /** Of its route: `PUT /Invoices/{InvoiceID}/History`. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Neighbour {
  readonly given: World;
  /** A text that nobody else has: `kiwi-7`. */
  mark(): string;
  /** The writes that were accepted, in their order. */
  readonly sent: Sent[];
}

export interface Described {
  readonly country: Country;
  /** What its texts are marked with. */
  readonly word: string;
  /** Eight hexadecimal digits, with which its ids begin. */
  readonly ids: string;
  /** With which its OrganisationID begins, where that must be another. */
  readonly tenant?: string;
}

const start = Date.UTC(2026, 1, 28, 23);

function countingFrom({ ids, tenant = ids }: Described): () => string {
  let last = 0;
  return () => {
    last += 1;
    // The first is that of the organisation.
    return `${last === 1 ? tenant : ids}-0000-7000-8000-${String(last).padStart(12, "0")}`;
  };
}

/** Fields in which people write what they like, and which name nothing. */
const free = new Set(["Description", "Narration", "Reference"]);

/** The key of the server on which all of them are, so that plans do not tell them apart. */
const keyFolder = mkdtempSync(join(tmpdir(), "acct-neighbours-"));

/** Adds an organisation to a store. */
export async function neighbourIn(store: Store, described: Described): Promise<Neighbour> {
  const { country, word } = described;
  const who = { user: `${word} Tester`, email: `tester@${word}.example` };
  const mail: Message[] = [];
  const bugs: unknown[] = [];
  const made = { now: start, mail, bugs, book: undefined as unknown as World["book"] };
  const clock = () => made.now;
  const port = isOverPort ? await import("../over-port.ts") : undefined;
  const book = await createBookIn(
    store,
    { name: `${word} Ltd`, country, demo: true },
    {
      clock,
      newId: countingFrom(described),
      mailer: async (message) => void mail.push(message),
      report: (error) => void bugs.push(error),
      publicUrl,
      keyFolder,
      ...who,
      serving: port?.servingWith(clock),
    },
  );
  const app = {
    name: `${word} app`,
    id: `${described.tenant ?? described.ids}-0000-7000-8000-00000000acc7`,
  };
  made.book =
    port === undefined ? book : { ...book, transport: await port.overPort(book, clock, who, app) };
  const { ask: askPlainly, refused } = asking(made);
  let marks = 0;
  const mark = () => {
    marks += 1;
    return `${word}-${marks}`;
  };
  const sent: Sent[] = [];
  const marked = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => marked(each, path));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => {
      const isFree = free.has(name) || (name === "Name" && path === "/Contacts");
      if (!isFree || typeof each !== "string") return [name, marked(each, path)];
      // A name that counts up across tests would differ between two that do the same.
      return [name, each.includes(word) ? each : `${name} ${mark()}`];
    });
    return Object.fromEntries(entries);
  };
  const ask: World["ask"] = async (method, path, body, options = {}) => {
    const own = marked(body, path);
    const writes = method !== "GET";
    const headers = { ...options.headers, ...(writes ? { "idempotency-key": mark() } : {}) };
    const answer = await askPlainly(method, path, own, { ...options, headers });
    if (writes && answer.status === 200) {
      const { route } = routeFor(method, path);
      sent.push({ route: `${method} ${route.path}`, method, path, body: own, headers });
    }
    return answer;
  };
  const ok: World["ok"] = async (method, path, body, options) => {
    const answer = await ask(method, path, body, options);
    if (answer.status === 200 || answer.status === 204) return answer.json as Json;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  };
  return { given: Object.assign(made, { ask, ok, refused }), mark, sent };
}

/** What the tables hold of it, each by a digest of its rows. */
export function rowsOf({ given: { book } }: Neighbour): Promise<Contents[]> {
  return book.store.read(book.org, tableContents);
}

/** A store for several organisations that nobody else uses. */
export async function ownStore(): Promise<Store> {
  if (isOnPostgres) return (await ownDatabase()).store;
  const folder = mkdtempSync(join(tmpdir(), "acct-test-"));
  const store = await openStore(sqliteDialect(join(folder, "test.acct")));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

let databases = 0;

/** A database that nobody else uses, and its address. */
export async function ownDatabase(): Promise<{ readonly store: Store; readonly url: string }> {
  const { databaseOn, onServer } = await import("../../postgres/setup.ts");
  const { postgresStore } = await import("../../../src/store/dialects/postgres/postgres.ts");
  const { server, template } = inject("postgres");
  databases += 1;
  const name = `acct_test_${process.pid}_across_${databases}`;
  await onServer(server, `create database ${name} template ${template}`);
  const url = databaseOn(server, name);
  const store = await postgresStore(url);
  onTestFinished(async () => {
    await store.close();
    await onServer(server, `drop database ${name} with (force)`);
  });
  return { store, url };
}
