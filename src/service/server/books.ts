/** The books served on a port: one organisation, or many. */

import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { type Directory, directoryIn } from "../../store/directory/directory.ts";
import { type Listing, listBooks } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import { refuse, type Service } from "../api/service.ts";
import { type Callers, callersFor, callersOf } from "../auth/callers.ts";
import type { NamesOf } from "../auth/sign-in/sign-in.ts";
import { type BookOptions, openBook, openDatabase, type Serving } from "../books/book.ts";
import { folderAt, openFolderDirectory, type Unusable } from "../books/book-folder.ts";
import {
  type BookSource,
  booksInDatabase,
  booksInFolder,
  type Tenants,
  tenantsOf,
} from "../books/tenants.ts";
import { everyInterval, startBackgroundJobs } from "../jobs/background-jobs.ts";
import { notCounted } from "../limits/counts.ts";
import type { Limits, RateLimits } from "../limits/limits.ts";
import { memoryLimits } from "../limits/memory-limits.ts";
import { sharedLimits } from "../limits/shared.ts";
import type { AnswerByBook } from "../online/online-routes.ts";
import type { DispatcherOptions } from "../webhooks/dispatcher.ts";

export interface ServedBooks {
  readonly service: Omit<Service, "close">;
  /**
   * Runs work on the book of an organisation without authentication.
   *
   * @throws NotFoundError where it does not exist
   */
  readonly byBook: AnswerByBook;
  readonly directory: Directory;
  readonly callers: Callers;
  readonly namesOf: NamesOf;
  /** The organisations of a folder or database; undefined for a single book. */
  readonly tenants?: Tenants | undefined;
  /** Returns the stores in use. */
  stores(): Iterable<Store>;
  /** Starts the background jobs of the books. */
  attend(): { stop(): Promise<void> };
  close(): Promise<void>;
}

export interface BooksOptions extends Omit<BookOptions, "serving"> {
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly serving: Pick<Serving, "origin" | "limitStatus" | "stopping">;
  /** Rate limits of apps; unlimited if omitted. */
  readonly limits: Limits | undefined;
  readonly webhooks: DispatcherOptions;
  readonly report: NonNullable<BookOptions["report"]>;
}

/**
 * Opens the book of an address, or all books of a folder or database that names none of them.
 *
 * @param place  as for `openBook`
 * @throws as `openBook`, NotFoundError `NoFolder`
 */
export async function openBooks(place: string, options: BooksOptions): Promise<ServedBooks> {
  const inFolder = folderAddress(place);
  if (inFolder !== undefined && inFolder.organisation === undefined) {
    return openFolder(inFolder.folder, options);
  }
  const address = databaseAddress(place);
  if (address === undefined || address.organisation !== undefined) return openOne(place, options);
  const store = await openDatabase(address.url);
  return openMany(store, options, sharedIn(store, options), (opening) =>
    booksInDatabase(store, opening, place),
  );
}

async function openFolder(folder: string, options: BooksOptions): Promise<ServedBooks> {
  const books = folderAt(folder);
  const store = await openFolderDirectory(folder, options);
  const unusableText = ({ path, reason }: Unusable) =>
    options.report(new Error(`The file ${path} is left out: ${reason}`), unasked);
  const bookOptions = { ...options, keyFolder: folder };
  return openMany(store, bookOptions, inMemory(options), (opening) =>
    booksInFolder(books, opening, unusableText),
  );
}

/** Returns rate-limit counts in memory, for the single process that serves book files. */
function inMemory({ limits, clock }: BooksOptions): RateLimits {
  return limits === undefined ? notCounted : memoryLimits(limits, clock);
}

/** Returns rate-limit counts in the database, shared by all processes that serve it. */
function sharedIn(store: Store, { limits, clock }: BooksOptions): RateLimits {
  const name = process.getBuiltinModule("node:crypto").randomUUID().slice(0, 8);
  return limits === undefined ? notCounted : sharedLimits(limits, { store, clock, process: name });
}

/** Placeholder request in reports of failures outside any request. */
const unasked = { method: "OPEN", path: "/", query: [], headers: {} };

async function openOne(address: string, options: BooksOptions): Promise<ServedBooks> {
  const { clock, serving, webhooks, ...rest } = options;
  let counts: RateLimits | undefined;
  let callers: Callers | undefined;
  const recognised = (owner: Listing) => {
    let recognise: Recognise | undefined;
    return (request: ServiceRequest) => {
      // The directory may be in another store, which is opened in advance.
      recognise ??= callersFor(callers as Callers, owner);
      return recognise(request);
    };
  };
  const book = await openBook(address, {
    ...rest,
    clock,
    serving: {
      ...serving,
      callers: (_store, owner) => recognised(owner),
      limiter: (store, owner) => {
        counts =
          databaseAddress(address) === undefined ? inMemory(options) : sharedIn(store, options);
        return counts?.of(owner);
      },
    },
  });
  const store = await book.directory();
  const directory = directoryIn(store);
  callers = callersOf(directory, clock, serving.origin);
  return {
    service: book,
    byBook: async (tenant, useBook) => {
      if (tenant !== book.tenant) throw noSuchOrganisation();
      return useBook(book);
    },
    directory,
    callers,
    namesOf: async (tenants) => namesAmong(tenants, await listBooks(book.store)),
    stores: () => new Set([book.store, store]),
    attend: () => startBackgroundJobs(book, webhooks),
    close: async () => {
      await counts?.close();
      await book.close();
    },
  };
}

function noSuchOrganisation(): NotFoundError {
  return new NotFoundError("NotFound", "This server has no such organisation.");
}

type Recognise = ReturnType<typeof callersFor>;

/** Returns names by OrganisationID, of the given organisations that are in a store. */
function namesAmong(
  tenants: readonly string[],
  listed: readonly Listing[],
): ReadonlyMap<string, string> {
  const wantedIds = new Set(tenants);
  const listings = listed.filter(({ OrganisationID }) => wantedIds.has(OrganisationID));
  return new Map(listings.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
}

/** Interval for listing organisations and running their due jobs, in milliseconds. */
const visitEveryMs = 10_000;

/** @param store  store of the directory; also of the books, for a database */
async function openMany(
  store: Store,
  options: BooksOptions,
  counts: RateLimits | undefined,
  heldBy: (opening: BookOptions) => BookSource,
): Promise<ServedBooks> {
  const { clock, serving, webhooks, report, limits: _, ...rest } = options;
  const directory = directoryIn(store);
  const callers = callersOf(directory, clock, serving.origin);
  const source = heldBy({
    ...rest,
    directory: async () => store,
    clock,
    report,
    serving: {
      ...serving,
      callers: (_store, owner) => callersFor(callers, owner),
      limiter: (_store, owner) => counts?.of(owner),
    },
  });
  let isAttending = false;
  const tenants = tenantsOf({
    source,
    clock,
    startJobs: (book) => (isAttending ? startBackgroundJobs(book, webhooks) : undefined),
    report: (error) => report(error, unasked),
  });
  return {
    service: serviceOf(tenants, callers, { report, limitStatus: serving.limitStatus }),
    byBook: async (tenant, useBook) => {
      if (!(await tenants.names([tenant])).has(tenant)) throw noSuchOrganisation();
      return tenants.answer(tenant, useBook);
    },
    directory,
    callers,
    tenants,
    namesOf: (tenantIds) => tenants.names(tenantIds),
    stores: () => new Set([store, ...tenants.stores()]),
    attend: () => {
      isAttending = true;
      const failed = (error: unknown) => report(error, unasked);
      return everyInterval(visitEveryMs, () => tenants.visit(serving.stopping).catch(failed));
    },
    close: async () => {
      await tenants.close();
      await counts?.close();
      await store.close();
    },
  };
}

/** Routes a request to the service of its organisation. */
function serviceOf(
  tenants: Tenants,
  callers: Callers,
  options: Parameters<typeof refuse>[0],
): ServedBooks["service"] {
  const newId = () => process.getBuiltinModule("node:crypto").randomUUID();
  const failureFor = (request: ServiceRequest, error: unknown) =>
    refuse(options, request, error, newId());
  return {
    transport: async (request) => {
      try {
        const { tenant } = await callers.caller(request);
        return await tenants.answer(tenant, (book) => book.transport(request));
      } catch (error) {
        return failureFor(request, error);
      }
    },
    authenticate: async (request) => {
      const { tenant } = await callers.caller(request);
      return tenants.use(tenant, async (book) => book.authenticate(request));
    },
    refuse: failureFor,
  };
}
