/**
 * The organisations of a server, each with its own service.
 *
 * A request goes to the service of its organisation, whose store is a file of its own, or one key
 * in a database. Books are opened on demand and closed when idle, so that there may be many more of
 * them than a process can hold open.
 */

import { statSync } from "node:fs";
import { hasWebhooks } from "../../store/outbox/webhooks.ts";
import { type Listing, listBooks, loadSubscribed } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import { isChunks } from "../../wire/body.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type Book, type BookOptions, openBook, openBookIn } from "./book.ts";
import type { Folder, Unusable } from "./book-folder.ts";
import {
  authFailure,
  BookPool,
  type Lease,
  type Openable,
  type OpenBooksOptions,
} from "./book-pool.ts";

/** Lists the organisations of a folder or a database, and opens their books. */
export interface BookSource extends Openable {
  /** Lists the organisations again. */
  look(): Promise<void>;
  /** Listings by OrganisationID, as of the last `look`. */
  readonly listingById: ReadonlyMap<string, Listing>;
  /** Returns a text that changes with the book; undefined if only the open book can tell. */
  version(listing: Listing): string | undefined;
}

export interface TenantsOptions extends Omit<OpenBooksOptions, "source"> {
  readonly source: BookSource;
}

export interface Tenants {
  /**
   * Runs work on the book of an organisation, which stays open meanwhile.
   *
   * @throws AuthError 403 where there is no such organisation
   */
  use<T>(tenant: string, action: (book: Book) => Promise<T>): Promise<T>;
  /** Like `use`, for an answer whose body may be read after the work. */
  answer(tenant: string, work: (book: Book) => Promise<ServiceResponse>): Promise<ServiceResponse>;
  /** Returns names by OrganisationID, of the given organisations that exist. */
  names(tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Opens, one after the other, each book that may have jobs due, for as long as they take. A book
   * with webhook subscribers stays open, unless half of the pool is used so.
   *
   * @param stopping  stops the round when aborted
   */
  visit(stopping?: AbortSignal): Promise<void>;
  /**
   * Lists the organisations again, closes books that no longer exist, and runs the due jobs of all
   * others at once.
   */
  runJobs(): Promise<void>;
  /** Iterates over the open stores. */
  stores(): Iterable<Store>;
  close(): Promise<void>;
}

/** Minimum time between two listings, which a request for an unknown organisation triggers. */
const lookEveryMs = 1_000;
/** Interval for opening an unchanged book to look for due jobs. */
const visitEveryMs = 15 * 60_000;
/** Maximum time of a visit whose webhook receivers are slow, while other books wait. */
const visitMaxMs = 10_000;

export function tenantsOf(options: TenantsOptions): Tenants {
  return new PooledTenants(options);
}

class PooledTenants implements Tenants {
  readonly #options: TenantsOptions;
  readonly #books: BookPool;
  readonly #visited = new Map<
    string,
    { readonly at: number; readonly version: string | undefined }
  >();
  /** Leases of books with subscribers, kept open to deliver other programs' writes at once. */
  readonly #awaited = new Map<string, Lease>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: TenantsOptions) {
    this.#options = options;
    this.#books = new BookPool(options);
  }

  async use<T>(tenant: string, action: (book: Book) => Promise<T>): Promise<T> {
    const { book, release } = await this.#hold(tenant);
    try {
      return await action(book);
    } finally {
      release();
    }
  }

  async answer(
    tenant: string,
    action: (book: Book) => Promise<ServiceResponse>,
  ): Promise<ServiceResponse> {
    const { book, release } = await this.#hold(tenant);
    let answer: ServiceResponse;
    try {
      answer = await action(book);
    } catch (error) {
      release();
      throw error;
    }
    if (isChunks(answer.body)) return { ...answer, body: releaseAtEnd(answer.body, release) };
    release();
    return answer;
  }

  async #hold(tenant: string): Promise<Lease> {
    return this.#books.hold(tenant, await this.#listingOf(tenant));
  }

  async #listingOf(tenant: string): Promise<Listing> {
    const { source } = this.#options;
    if (!source.listingById.has(tenant)) await this.#look();
    const listing = source.listingById.get(tenant);
    // The list may be old: an app can be connected to an organisation that was removed since.
    if (listing !== undefined && !this.#isClosed) return listing;
    throw authFailure();
  }

  /** Lists the organisations, unless just done; concurrent requests wait for the same listing. */
  async #look(): Promise<void> {
    const { source, clock } = this.#options;
    if (this.#looking === undefined && Math.abs(clock() - this.#lookedAt) < lookEveryMs) return;
    this.#looking ??= source.look().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
    this.#lookedAt = clock();
  }

  async names(tenants: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { source } = this.#options;
    if (tenants.some((tenant) => !source.listingById.has(tenant))) await source.look();
    const listings = tenants.flatMap((tenant) => source.listingById.get(tenant) ?? []);
    return new Map(listings.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
  }

  async visit(stopping?: AbortSignal): Promise<void> {
    const { source, clock, report } = this.#options;
    // A node of the database that is away does not keep the books on others waiting.
    await source.look().catch((error) => report?.(error));
    await this.#reconsider();
    await this.#books.closeIdle();
    for (const [tenant, listing] of [...source.listingById]) {
      if (this.#isClosed || stopping?.aborted === true) return;
      // Open books run their own jobs.
      if (this.#books.has(tenant)) continue;
      const lastVisit = this.#visited.get(tenant);
      const version = source.version(listing);
      const isDue = lastVisit === undefined || Math.abs(clock() - lastVisit.at) >= visitEveryMs;
      if (!isDue && version === lastVisit.version) continue;
      const isWanted = await this.#visitOne(tenant);
      this.#visited.set(tenant, { at: isWanted ? 0 : clock(), version: source.version(listing) });
    }
  }

  async runJobs(): Promise<void> {
    const { source } = this.#options;
    await source.look();
    await this.#reconsider();
    for (const tenant of this.#books.tenants()) {
      if (!source.listingById.has(tenant)) await this.#books.closeUnused(tenant);
    }
    for (const tenant of [...source.listingById.keys()]) {
      await this.use(tenant, async () => (await this.#books.jobsOf(tenant))?.now());
    }
  }

  /** @returns whether the book has subscribers, to whom writes may become due at any time */
  async #visitOne(tenant: string): Promise<boolean> {
    let isExpected = false;
    try {
      isExpected = await this.use(tenant, async ({ store, org }) => {
        const attending = await this.#books.jobsOf(tenant);
        let visitTimer: NodeJS.Timeout | undefined;
        const long = new Promise<void>((resolve) => {
          visitTimer = setTimeout(resolve, visitMaxMs);
        });
        await Promise.race([attending?.settled(), long]).finally(() => clearTimeout(visitTimer));
        return store.read(org, hasWebhooks);
      });
    } catch (error) {
      this.#options.report?.(error);
    }
    const isRoom = this.#awaited.size < this.#options.source.openMax / 2;
    if (isExpected && isRoom) this.#awaited.set(tenant, await this.#hold(tenant));
    await this.#books.closeUnused(tenant);
    return isExpected;
  }

  /** Releases books that have no subscribers any more, or that no longer exist. */
  async #reconsider(): Promise<void> {
    const { listingById } = this.#options.source;
    for (const [tenant, { book, release }] of this.#awaited) {
      // A failed read keeps the lease, since a later read may succeed.
      const isExpected = () => book.store.read(book.org, hasWebhooks).catch(() => true);
      if (listingById.has(tenant) && (await isExpected())) continue;
      this.#awaited.delete(tenant);
      release();
    }
  }

  stores(): Iterable<Store> {
    return this.#books.stores();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#books.close();
  }
}

async function* releaseAtEnd(
  chunks: AsyncIterable<Uint8Array>,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

/** Maximum number of open book files: each takes several of the process's file descriptors. */
const filesMax = 32;
/** Maximum number of open books of a database, where an idle book costs almost nothing. */
const inDatabaseMax = 1_000;

/**
 * Returns the book source of a folder.
 *
 * @param unusable  called once for each unusable file
 */
export function booksInFolder(
  folder: Folder,
  options: BookOptions,
  unusable: (file: Unusable) => void = () => undefined,
): BookSource {
  const reportedKeys = new Set<string>();
  return {
    async look() {
      for (const file of folder.look()) {
        const key = `${file.path}\n${file.reason}`;
        if (!reportedKeys.has(key)) unusable(file);
        reportedKeys.add(key);
      }
    },
    listingById: folder.books,
    open: ({ OrganisationID }) => openBook(folder.books.get(OrganisationID)?.path ?? "", options),
    version: ({ OrganisationID }) => versionOf(folder.books.get(OrganisationID)?.path ?? ""),
    openMax: filesMax,
  };
}

/** Returns the modification times of a book file and its write-ahead log. */
function versionOf(path: string): string {
  return ["", "-wal"]
    .map((suffix) => statSync(`${path}${suffix}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(" ");
}

/** Returns the book source of a database, which its owner closes. */
export function booksInDatabase(store: Store, options: BookOptions, address: string): BookSource {
  const listingById = new Map<string, Listing>();
  let categoriesByOrg: ReadonlyMap<number, string> = new Map();
  return {
    async look() {
      // Notices a migration by another program, which stops the next write.
      await store.version();
      const organisationList = await listBooks(store);
      categoriesByOrg = await loadSubscribed(store);
      listingById.clear();
      for (const listing of organisationList) listingById.set(listing.OrganisationID, listing);
    },
    listingById,
    open: async (listing) => openBookIn(store, listing, options, address),
    // Another program may add subscribers, which must be noticed here.
    version: ({ org }) => categoriesByOrg.get(org),
    openMax: inDatabaseMax,
  };
}
