/**
 * The pool of open books of a server.
 *
 * A book is opened at its first request, stays open while it is leased, and is closed when it is
 * idle for a while or another book needs its place.
 */
import {
  AuthError,
  NotFoundError,
  RefusedError,
  SchemaError,
  UnavailableError,
} from "../../resources/errors.ts";
import type { Listing } from "../../store/records/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { Book } from "./book.ts";

/** Opens the books of the pool. */
export interface Openable {
  /** Opens a book. @throws as `openBook` */
  open(listing: Listing): Promise<Book>;
  /** Maximum number of open books. */
  readonly openMax: number;
}

/** The background jobs of an open book. */
export interface BackgroundJobs {
  /** Resolves when all jobs due at the start have been done or tried. */
  settled(): Promise<void>;
  /** Starts the jobs again, and resolves when all that are due have been done or tried. */
  now(): Promise<void>;
  /** Starts no more jobs, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface OpenBooksOptions {
  readonly source: Openable;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Starts the background jobs of an opened book. */
  readonly startJobs?: ((book: Book) => BackgroundJobs | undefined) | undefined;
  /** Receives the error of a book that cannot be opened. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** A lease: keeps a book open until it is released. */
export interface Lease {
  readonly book: Book;
  release(): void;
}

/** Idle time after which a book is closed, in milliseconds. */
const idleMs = 300_000;

/** A book that is open, being opened or being closed. */
interface PooledBook {
  readonly book: Promise<Book>;
  readonly jobsOf: Promise<BackgroundJobs | undefined>;
  store: Store | undefined;
  uses: number;
  usedAt: number;
}

export class BookPool {
  readonly #options: OpenBooksOptions;
  /** Pooled books by OrganisationID. */
  readonly #open = new Map<string, PooledBook>();
  /** Books that are being closed; a request for one waits, so that no book is open twice. */
  readonly #closing = new Map<string, Promise<void>>();

  constructor(options: OpenBooksOptions) {
    this.#options = options;
  }

  /** Whether the book is open, being opened or being closed. */
  has(tenant: string): boolean {
    return this.#open.has(tenant) || this.#closing.has(tenant);
  }

  /**
   * Leases a book.
   *
   * @throws AuthError where it no longer exists, UnavailableError where opening fails
   */
  async hold(tenant: string, listing: Listing): Promise<Lease> {
    await this.#closing.get(tenant);
    this.#makeRoom(tenant);
    const opened = this.#open.get(tenant) ?? this.#opening(tenant, listing);
    opened.uses += 1;
    opened.usedAt = this.#options.clock();
    let isHeld = true;
    const release = () => {
      if (isHeld) opened.uses -= 1;
      isHeld = false;
    };
    try {
      return { book: await opened.book, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #opening(tenant: string, listing: Listing): PooledBook {
    const { startJobs: attend, clock } = this.#options;
    const book = this.#book(listing);
    const pooledBook: PooledBook = {
      book,
      jobsOf: book.then((book) => attend?.(book)),
      store: undefined,
      uses: 0,
      usedAt: clock(),
    };
    this.#open.set(tenant, pooledBook);
    book.then(
      ({ store }) => {
        pooledBook.store = store;
      },
      // A book that failed to open is dropped from the pool, so that the next request tries again.
      () => this.#open.get(tenant) === pooledBook && this.#open.delete(tenant),
    );
    pooledBook.jobsOf.catch(() => undefined);
    return pooledBook;
  }

  async #book(listing: Listing): Promise<Book> {
    const { source, report } = this.#options;
    try {
      return await source.open(listing);
    } catch (error) {
      // The book was removed since it was listed.
      if (error instanceof NotFoundError) throw authFailure();
      if (!(error instanceof RefusedError || error instanceof SchemaError)) throw error;
      // Path and fault are reported to the operator only.
      report?.(error);
      throw new UnavailableError("Unavailable", "The book of this organisation cannot be opened");
    }
  }

  /** Closes the book that has been idle longest, where the pool is full. */
  #makeRoom(tenant: string): void {
    if (this.#open.has(tenant) || this.#open.size < this.#options.source.openMax) return;
    let oldest: string | undefined;
    for (const [each, { uses, usedAt }] of this.#open) {
      if (uses > 0) continue;
      if (oldest === undefined || usedAt < (this.#open.get(oldest)?.usedAt ?? 0)) oldest = each;
    }
    if (oldest !== undefined) void this.#close(oldest);
  }

  /** Returns the background jobs of an open book. */
  async jobsOf(tenant: string): Promise<BackgroundJobs | undefined> {
    return this.#open.get(tenant)?.jobsOf;
  }

  /** OrganisationIDs of the books that are open or being opened. */
  tenants(): readonly string[] {
    return [...this.#open.keys()];
  }

  *stores(): Iterable<Store> {
    for (const { store } of this.#open.values()) if (store !== undefined) yield store;
  }

  async closeUnused(tenant: string): Promise<void> {
    if (this.#open.get(tenant)?.uses === 0) await this.#close(tenant);
  }

  async closeIdle(): Promise<void> {
    const now = this.#options.clock();
    const idle = [...this.#open].filter(
      ([, { uses, usedAt }]) => uses === 0 && now - usedAt >= idleMs,
    );
    await Promise.all(idle.map(([tenant]) => this.#close(tenant)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((tenant) => this.#close(tenant)));
    await Promise.all(this.#closing.values());
  }

  #close(tenant: string): Promise<void> {
    const opened = this.#open.get(tenant);
    if (opened === undefined) return Promise.resolve();
    this.#open.delete(tenant);
    const closed = (async () => {
      await (await opened.jobsOf.catch(() => undefined))?.stop();
      await (await opened.book.catch(() => undefined))?.close();
    })().finally(() => this.#closing.delete(tenant));
    this.#closing.set(tenant, closed);
    return closed;
  }
}

/** Makes the error of an organisation to which the app is not connected. */
export function authFailure(): AuthError {
  return new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful", 403);
}
