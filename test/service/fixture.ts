/** A book for a test: its own file, a clock that stands where it is put, ids that count up. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, inject, onTestFinished } from "vitest";
import type { Country } from "../../src/ledger/regions/index.ts";
import type { Message } from "../../src/platform/mail.ts";
import {
  type Book,
  type BookOptions,
  createBook,
  createBookIn,
  openBook,
  openBookIn,
  verifyBook,
} from "../../src/service/books/book.ts";
import { faultsOfChain } from "../store/chain/faults.ts";

export interface World {
  readonly book: Book;
  readonly mail: Message[];
  /** What was reported as a bug. */
  readonly bugs: unknown[];
  /** A test has changed its book behind the program's back. */
  isTampered?: boolean;
  /** Milliseconds since 1970 UTC; a test may move it. */
  now: number;
  /** Sends a JSON request; refuses nothing by itself. */
  ask(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Answer>;
  /** Sends a JSON request that must be answered with 200. */
  ok(method: string, path: string, body?: unknown, options?: AskOptions): Promise<Json>;
  /** The sentences with which a request is refused, which it must be. */
  refused(method: string, path: string, body?: unknown, options?: AskOptions): Promise<string[]>;
}

export interface AskOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a stranger's program would.
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Json;
}

/** Whether the books of this run are asked over a port, as they are by other programs. */
export const isOverPort = process.env.SERVICE_WORLD === "port";
/** Whether they are organisations of one database on a server, instead of files. */
export const isOnPostgres = process.env.SERVICE_WORLD === "postgres";

/** Noon of the first of March 2026 in Auckland. */
const start = Date.UTC(2026, 1, 28, 23);

/** Where customers would see the documents of a test's book. */
export const publicUrl = "https://books.heron.example";

const who = { user: "Tess Tester", email: "tess@heron.example" };

/** Ids that count up, from after `last`. */
function counting(last: number) {
  const ids = {
    last,
    next: () => {
      ids.last += 1;
      return `00000000-0000-7000-8000-${String(ids.last).padStart(12, "0")}`;
    },
  };
  return ids;
}

/** A new book of each country, made once in a process: a test gets a copy of it. */
const newBooks = new Map<Country, Promise<{ readonly path: string; readonly lastId: number }>>();

const described = (country: Country) => ({ name: "Heron Lane Ltd", country, demo: true });

async function newBook(country: Country) {
  const folder = mkdtempSync(join(tmpdir(), "acct-test-new-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "new.acct");
  const ids = counting(0);
  const options = { clock: () => start, newId: ids.next, ...who };
  const book = await createBook(path, described(country), options);
  await book.close();
  return { path, lastId: ids.last };
}

/** Ids of a new book, by which those of a test are told from those it began with. */
const newBookIds = 1000;

/** A copy of a new book in a file of its own. */
async function bookInFile(country: Country, options: BookOptions): Promise<Book> {
  const folder = mkdtempSync(join(tmpdir(), "acct-test-"));
  const fresh = newBooks.get(country) ?? newBook(country);
  newBooks.set(country, fresh);
  const { path, lastId } = await fresh;
  const file = join(folder, "test.acct");
  copyFileSync(path, file);
  const book = await openBook(file, { ...options, newId: counting(lastId).next });
  const close = async () => {
    await book.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...book, close };
}

/** A copy of a new book beside others in a database. */
async function bookInDatabase(country: Country, options: BookOptions): Promise<Book> {
  const { newOrganisation, sharedStore } = await import("../postgres/organisations.ts");
  const ids = counting(0);
  const owner = await newOrganisation(described(country), {
    clock: () => start,
    newId: ids.next,
    ...who,
  });
  const place = `${inject("postgres").shared}#${owner.OrganisationID}`;
  const newId = counting(newBookIds).next;
  return openBookIn(await sharedStore(), owner, { ...options, newId }, place);
}

/** The one book of a database of its own, for statements that name no organisation. */
async function bookAlone(country: Country, options: BookOptions): Promise<Book> {
  const { databaseOn, onServer } = await import("../postgres/setup.ts");
  const { postgresStore } = await import("../../src/store/dialects/postgres/postgres.ts");
  const { server, template } = inject("postgres");
  databases += 1;
  const name = `acct_alone_${process.pid}_${databases}`;
  await onServer(server, `create database ${name} encoding 'UTF8' template ${template}`);
  const place = databaseOn(server, name);
  const store = await postgresStore(place);
  const around = { ...options, newId: counting(0).next };
  const book = await createBookIn(store, described(country), around, place);
  const close = async () => {
    await store.close();
    await onServer(server, `drop database ${name} with (force)`);
  };
  return { ...book, close };
}

let databases = 0;

export async function world(
  country: Country = "NZ",
  options: Pick<BookOptions, "mailer" | "publicUrl" | "newContacts" | "strictDates"> = {},
  place: "alone" | "shared" = "shared",
): Promise<World> {
  const made = await openedWorld(country, options, place);
  let isOpen = true;
  const { store, org, close } = made.book;
  made.book.close = () => {
    isOpen = false;
    return close();
  };
  onTestFinished(async () => {
    // In the long run every test ends with it: whatever it has done is in the chain.
    if (process.env.TEST_RUNS === "all" && isOpen && made.isTampered !== true) {
      expect(await store.read(org, faultsOfChain)).toEqual([]);
    }
    await made.book.close();
  });
  return made;
}

/** One book for all tests of the block or file in which this is called; none of them changes it. */
export function sharedWorld(prepare?: (given: World) => Promise<unknown>): () => Promise<World> {
  let made: Promise<World> | undefined;
  const make = async () => {
    const given = await openedWorld("NZ", {});
    await prepare?.(given);
    return given;
  };
  afterAll(async () => (await made)?.book.close());
  return () => {
    made ??= make();
    return made;
  };
}

/** @param place  whether its database holds this book alone, or may hold others */
export async function openedWorld(
  country: Country,
  options: Pick<BookOptions, "mailer" | "publicUrl" | "newContacts" | "strictDates">,
  place: "alone" | "shared" = "shared",
): Promise<World> {
  const mail: Message[] = [];
  const bugs: unknown[] = [];
  const made = {
    now: start,
    mail,
    bugs,
    book: undefined as unknown as Book,
  };
  const clock = () => made.now;
  const port = isOverPort ? await import("./over-port.ts") : undefined;
  const inDatabase = place === "alone" ? bookAlone : bookInDatabase;
  const book = await (isOnPostgres ? inDatabase : bookInFile)(country, {
    clock,
    mailer: async (message) => void mail.push(message),
    report: (error) => void bugs.push(error),
    ...who,
    serving: port?.servingWith(clock),
    publicUrl,
    ...options,
  });
  made.book =
    port === undefined ? book : { ...book, transport: await port.overPort(book, clock, who) };
  return asking(made);
}

/** A world of a book that is there. */
export function asking(made: Omit<World, "ask" | "ok" | "refused">): World {
  const ask: World["ask"] = async (method, path, body, options = {}) => {
    made.now += 1;
    const response = await made.book.transport({
      method,
      path,
      query: Object.entries(options.query ?? {}),
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
          }),
    });
    const text = String(response.body);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined,
    };
  };
  return Object.assign(made, {
    ask,
    ok: async (method: string, path: string, body?: unknown, options?: AskOptions) => {
      const answer = await ask(method, path, body, options);
      if (answer.status !== 200 && answer.status !== 204) {
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
      }
      return answer.json;
    },
    refused: async (method: string, path: string, body?: unknown, options?: AskOptions) => {
      const answer = await ask(method, path, body, options);
      if (answer.status !== 400) {
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
      }
      const elements: Json[] = answer.json.Elements ?? [];
      const sentences = elements.flatMap((each) =>
        (each.ValidationErrors ?? []).map((error: Json) => error.Message),
      );
      return sentences.length > 0 ? sentences : [answer.json.Message];
    },
  });
}

/** Everything that `acct book verify` would find wrong with the books of a test. */
export async function faultsIn({ book }: World): Promise<readonly string[]> {
  return (await verifyBook(book)).faults;
}

let sequence = 0;

/** A contact to sell to and to buy from. */
export async function contact(given: World, fields: object = {}): Promise<Json> {
  sequence += 1;
  const answer = await given.ok("PUT", "/Contacts", { Name: `Contact ${sequence}`, ...fields });
  return answer.Contacts[0];
}

/** A sales invoice of one line of 100.00 and tax, unless told otherwise. */
export function sale(contact: Json, fields: object = {}): object {
  return {
    Type: "ACCREC",
    Contact: { ContactID: contact.ContactID },
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...fields,
  };
}

export async function invoiced(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/Invoices", sale(await contact(given), fields));
  return answer.Invoices[0];
}

export async function paid(given: World, invoice: Json, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: invoice.InvoiceID },
    Account: { Code: "090" },
    Date: "2026-03-10",
    Amount: invoice.AmountDue,
    ...fields,
  });
  return answer.Payments[0];
}

/** Rows of a report as text: name and figures, by the name of the row. */
export async function reportRows(
  given: World,
  name: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Record<string, string[]>> {
  const answer = await given.ok("GET", `/Reports/${name}`, undefined, { query });
  const found: Record<string, string[]> = {};
  const walk = (rows: Json[]) => {
    for (const row of rows) {
      if (row.Rows !== undefined) walk(row.Rows);
      if (row.Cells === undefined || row.RowType === "Header") continue;
      const [first, ...rest] = row.Cells.map((cell: Json) => cell.Value ?? "");
      found[first] = rest;
    }
  };
  walk(answer.Reports[0].Rows);
  return found;
}

/** What each account of the trial balance moved by up to a day of its month, debit positive. */
export async function movements(
  given: World,
  date = "2026-03-31",
): Promise<Record<string, number>> {
  const rows = await reportRows(given, "TrialBalance", { date });
  const moved = Object.entries(rows).map(([name, [debit, credit]]) => [
    name,
    Number(debit || 0) - Number(credit || 0),
  ]);
  return Object.fromEntries(moved);
}

/** A tracked item, of which some are bought. */
export async function stocked(
  given: World,
  Code: string,
  Quantity: number,
  UnitAmount: number,
): Promise<void> {
  await given.ok("PUT", "/Items", {
    Code,
    InventoryAssetAccountCode: "630",
    PurchaseDetails: { COGSAccountCode: "310" },
    SalesDetails: { UnitPrice: 9, AccountCode: "200" },
  });
  await invoiced(given, {
    Type: "ACCPAY",
    InvoiceNumber: `Stock ${Code}`,
    Status: "AUTHORISED",
    LineItems: [{ ItemCode: Code, Description: Code, Quantity, UnitAmount }],
  });
}
