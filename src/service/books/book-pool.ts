/**
 * The open books of a server.
 *
 * A book is opened when it is first asked for, stays open while it is in use, and is closed when
 * nobody has asked for a while, or when another needs its place.
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

/** How the book of an organisation is opened. */
export interface Openable {
  /** @throws as opening a book does */
  open(listing: Listing): Promise<Book>;
  /** How many may be open at a time. */
  readonly openMax: number;
}

/** What a book does by itself for as long as it is open. */
export interface BackgroundJobs {
  /** Returns when everything that was due at the start has been done or tried. */
  settled(): Promise<void>;
  /** Starts no more jobs, and returns when those under way are done. */
  stop(): Promise<void>;
}

export interface OpenBooksOptions {
  readonly source: Openable;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Begins what a book does by itself for as long as it is open. */
  readonly startJobs?: ((book: Book) => BackgroundJobs | undefined) | undefined;
  /** Told of a book that cannot be opened. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** A book that stays open until it is released. */
export interface Lease {
  readonly book: Book;
  release(): void;
}

/** How long a book stays open that nobody asks for. */
const idleMs = 300_000;

/** A book that is open, or is being opened or closed. */
interface PooledBook {
  readonly book: Promise<Book>;
  readonly attending: Promise<BackgroundJobs | undefined>;
  store: Store | undefined;
  uses: number;
  usedAt: number;
}

export class BookPool {
  readonly #options: OpenBooksOptions;
  /** By OrganisationID. */
  readonly #open = new Map<string, PooledBook>();
  /** Books that are being closed; requests for one wait, so that none is open twice. */
  readonly #closing = new Map<string, Promise<void>>();

  constructor(options: OpenBooksOptions) {
    this.#options = options;
  }

  /** Whether it is open, or is being opened or closed. */
  has(tenant: string): boolean {
    return this.#open.has(tenant) || this.#closing.has(tenant);
  }

  /** @throws AuthError where there is no book any more, UnavailableError where it cannot be opened */
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
    const made: PooledBook = {
      book,
      attending: book.then((each) => attend?.(each)),
      store: undefined,
      uses: 0,
      usedAt: clock(),
    };
    this.#open.set(tenant, made);
    book.then(
      ({ store }) => {
        made.store = store;
      },
      // A book that cannot be opened may open another time.
      () => this.#open.get(tenant) === made && this.#open.delete(tenant),
    );
    made.attending.catch(() => undefined);
    return made;
  }

  async #book(listing: Listing): Promise<Book> {
    const { source, report } = this.#options;
    try {
      return await source.open(listing);
    } catch (error) {
      // It was there a moment ago.
      if (error instanceof NotFoundError) throw authFailure();
      if (!(error instanceof RefusedError || error instanceof SchemaError)) throw error;
      // Its path and its fault are for the operator.
      report?.(error);
      throw new UnavailableError("Unavailable", "The book of this organisation cannot be opened");
    }
  }

  /** Closes the one that nobody has asked for the longest, where one more would be too many. */
  #makeRoom(tenant: string): void {
    if (this.#open.has(tenant) || this.#open.size < this.#options.source.openMax) return;
    let oldest: string | undefined;
    for (const [each, { uses, usedAt }] of this.#open) {
      if (uses > 0) continue;
      if (oldest === undefined || usedAt < (this.#open.get(oldest)?.usedAt ?? 0)) oldest = each;
    }
    if (oldest !== undefined) void this.#close(oldest);
  }

  /** Background jobs of an open book. */
  async attending(tenant: string): Promise<BackgroundJobs | undefined> {
    return this.#open.get(tenant)?.attending;
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
      await (await opened.attending.catch(() => undefined))?.stop();
      await (await opened.book.catch(() => undefined))?.close();
    })().finally(() => this.#closing.delete(tenant));
    this.#closing.set(tenant, closed);
    return closed;
  }
}

/** As for an organisation that is not connected. */
export function authFailure(): AuthError {
  return new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful", 403);
}
