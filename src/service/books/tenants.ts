/**
 * The organisations that a server has, each with a service of its own.
 *
 * A request is for one of them, and is handed to the service of that one, which knows no other:
 * its store is a file of its own, or its key in a database. Books are opened when they are first
 * asked for and closed when nobody has asked for a while, so that there may be many more of them
 * than a process can have open.
 */

import { statSync } from "node:fs";
import { hasWebhooks } from "../../store/outbox/webhooks.ts";
import { type Listing, organisations, subscribed } from "../../store/records/organisations.ts";
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

/** Where organisations are, and how the book of one is opened. */
export interface BookSource extends Openable {
  /** Looks again which there are. */
  look(): Promise<void>;
  /** By OrganisationID, as far as it has looked. */
  readonly listings: ReadonlyMap<string, Listing>;
  /** A version that changes with the book, where it is known without opening it. */
  version(listing: Listing): string | undefined;
}

export interface TenantsOptions extends Omit<OpenBooksOptions, "source"> {
  readonly source: BookSource;
}

export interface Tenants {
  /**
   * Works on the book of an organisation, which stays open meanwhile.
   *
   * @throws AuthError 403 where there is no such organisation
   */
  use<T>(tenant: string, work: (book: Book) => Promise<T>): Promise<T>;
  /** As `use`, of work whose answer may be read when the work is over. */
  answer(tenant: string, work: (book: Book) => Promise<ServiceResponse>): Promise<ServiceResponse>;
  /** By OrganisationID, of those among them that there are. */
  names(tenants: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Opens each that may have something to do, one after the other, for as long as that takes. One
   * that has subscribers stays open, unless half of all that may be open do.
   *
   * @param stopping  when it is aborted, no other is opened
   */
  visit(stopping?: AbortSignal): Promise<void>;
  /** The stores that are open. */
  stores(): Iterable<Store>;
  close(): Promise<void>;
}

/** How often it is looked which organisations there are, when one is asked for that is not known. */
const lookEveryMs = 1_000;
/** How often a book is opened to see whether it has something to do, though it did not change. */
const visitEveryMs = 15 * 60_000;
/** How long the others wait while one is visited whose receivers are slow. */
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
  /** Books with subscribers stay open, to deliver the writes of other programs at once. */
  readonly #awaited = new Map<string, Lease>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: TenantsOptions) {
    this.#options = options;
    this.#books = new BookPool(options);
  }

  async use<T>(tenant: string, work: (book: Book) => Promise<T>): Promise<T> {
    const { book, release } = await this.#hold(tenant);
    try {
      return await work(book);
    } finally {
      release();
    }
  }

  async answer(
    tenant: string,
    work: (book: Book) => Promise<ServiceResponse>,
  ): Promise<ServiceResponse> {
    const { book, release } = await this.#hold(tenant);
    let answer: ServiceResponse;
    try {
      answer = await work(book);
    } catch (error) {
      release();
      throw error;
    }
    if (isChunks(answer.body)) return { ...answer, body: released(answer.body, release) };
    release();
    return answer;
  }

  async #hold(tenant: string): Promise<Lease> {
    return this.#books.hold(tenant, await this.#listingOf(tenant));
  }

  async #listingOf(tenant: string): Promise<Listing> {
    const { source } = this.#options;
    if (!source.listings.has(tenant)) await this.#look();
    const listing = source.listings.get(tenant);
    // Somebody may be connected to what was taken away since.
    if (listing !== undefined && !this.#isClosed) return listing;
    throw authFailure();
  }

  /** Unless that was done a moment ago; requests meanwhile wait for it. */
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
    if (tenants.some((tenant) => !source.listings.has(tenant))) await source.look();
    const known = tenants.flatMap((tenant) => source.listings.get(tenant) ?? []);
    return new Map(known.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
  }

  async visit(stopping?: AbortSignal): Promise<void> {
    const { source, clock } = this.#options;
    await source.look();
    await this.#reconsider();
    await this.#books.closeIdle();
    for (const [tenant, listing] of [...source.listings]) {
      if (this.#isClosed || stopping?.aborted === true) return;
      // Open books have jobs of their own.
      if (this.#books.has(tenant)) continue;
      const last = this.#visited.get(tenant);
      const version = source.version(listing);
      const isDue = last === undefined || Math.abs(clock() - last.at) >= visitEveryMs;
      if (!isDue && version === last.version) continue;
      const isAwaited = await this.#visitOne(tenant);
      this.#visited.set(tenant, { at: isAwaited ? 0 : clock(), version: source.version(listing) });
    }
  }

  /** @returns whether somebody waits for what may be due at any moment */
  async #visitOne(tenant: string): Promise<boolean> {
    let isAwaited = false;
    try {
      isAwaited = await this.use(tenant, async ({ store, org }) => {
        const attending = await this.#books.attending(tenant);
        let timer: NodeJS.Timeout | undefined;
        const long = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, visitMaxMs);
        });
        await Promise.race([attending?.settled(), long]).finally(() => clearTimeout(timer));
        return store.read(org, hasWebhooks);
      });
    } catch (error) {
      this.#options.report?.(error);
    }
    const isRoom = this.#awaited.size < this.#options.source.openMax / 2;
    if (isAwaited && isRoom) this.#awaited.set(tenant, await this.#hold(tenant));
    await this.#books.closeUnused(tenant);
    return isAwaited;
  }

  /** Lets those go that have no subscribers any more, or are there no more themselves. */
  async #reconsider(): Promise<void> {
    const { listings } = this.#options.source;
    for (const [tenant, { book, release }] of this.#awaited) {
      // A book that cannot be read now may be readable another time.
      const isAwaited = () => book.store.read(book.org, hasWebhooks).catch(() => true);
      if (listings.has(tenant) && (await isAwaited())) continue;
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

async function* released(
  chunks: AsyncIterable<Uint8Array>,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

/** Files are opened several times each, and a process has so many. */
const filesMax = 32;
/** In a database a book costs hardly anything while nobody asks for it. */
const inDatabaseMax = 1_000;

/**
 * The books of a folder.
 *
 * @param unusable  called once for each unusable file
 */
export function booksInFolder(
  folder: Folder,
  options: BookOptions,
  unusable: (file: Unusable) => void = () => undefined,
): BookSource {
  const reported = new Set<string>();
  return {
    async look() {
      for (const file of folder.look()) {
        const key = `${file.path}\n${file.reason}`;
        if (!reported.has(key)) unusable(file);
        reported.add(key);
      }
    },
    listings: folder.books,
    open: ({ OrganisationID }) => openBook(folder.books.get(OrganisationID)?.path ?? "", options),
    version: ({ OrganisationID }) => versionOf(folder.books.get(OrganisationID)?.path ?? ""),
    openMax: filesMax,
  };
}

/** When the file of a book, or its log, was last written to. */
function versionOf(path: string): string {
  return ["", "-wal"]
    .map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(" ");
}

/** The books of a database, which stays its owner's to close. */
export function booksInDatabase(store: Store, options: BookOptions, place: string): BookSource {
  const listings = new Map<string, Listing>();
  let subscriptions: ReadonlyMap<number, string> = new Map();
  return {
    async look() {
      // What came into its tables since stops the next write.
      await store.version();
      const found = await organisations(store);
      subscriptions = await subscribed(store);
      listings.clear();
      for (const each of found) listings.set(each.OrganisationID, each);
    },
    listings,
    open: async (listing) => openBookIn(store, listing, options, place),
    // Subscribers may be added by another program, and are to be looked after from then on.
    version: ({ org }) => subscriptions.get(org),
    openMax: inDatabaseMax,
  };
}
