/**
 * The organisations that a server has, each with a service of its own.
 *
 * A request is for one of them, and is handed to the service of that one, which knows no other:
 * its store is a file of its own, or its key in a database. Books are opened when they are first
 * asked for and closed when nobody has asked for a while, so that there may be many more of them
 * than a process can have open.
 */
import { AuthError, NotFoundError, RefusedError, UnavailableError } from "../resources/errors.ts";
import type { Listing } from "../store/organisations.ts";
import type { Store } from "../store/store.ts";
import { hasWebhooks } from "../store/webhooks.ts";
import { isChunks } from "../wire/body.ts";
import type { ServiceResponse } from "../wire/http.ts";
import type { Book } from "./book.ts";

/** Where organisations are, and how the book of one is opened. */
export interface Held {
  /** Looks again which there are. */
  look(): Promise<void>;
  /** By OrganisationID, as far as it has looked. */
  readonly listings: ReadonlyMap<string, Listing>;
  /** @throws as opening a book does */
  open(listing: Listing): Promise<Book>;
  /** Changes when the book does, where that can be told without opening it. */
  mark(listing: Listing): string | undefined;
  /** How many may be open at a time. */
  readonly openMax: number;
}

/** What a book does by itself. */
export interface Attending {
  /** Returns when everything that was due at first has been done or tried. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface TenantsOptions {
  readonly held: Held;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Begins what a book does by itself for as long as it is open. */
  readonly attend?: ((book: Book) => Attending | undefined) | undefined;
  /** Told of a book that cannot be opened to see what it has to do. */
  readonly report?: ((error: unknown) => void) | undefined;
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
   * Opens each that may have something to do, one after the other, for as long as that takes.
   *
   * @param stopping  when it is aborted, no other is opened
   */
  visit(stopping?: AbortSignal): Promise<void>;
  /** The stores that are open. */
  stores(): Iterable<Store>;
  close(): Promise<void>;
}

/** How long a book stays open that nobody asks for. */
const idleMs = 300_000;
/** How often it is looked which organisations there are, when one is asked for that is not known. */
const lookEveryMs = 1_000;
/** How often a book is opened to see whether it has something to do, though it did not change. */
const visitEveryMs = 15 * 60_000;
/** How long the others wait while one is visited whose receivers are slow. */
const visitMaxMs = 10_000;

/** A book that is open, or is being opened or closed. */
interface Opened {
  readonly book: Promise<Book>;
  readonly attending: Promise<Attending | undefined>;
  store: Store | undefined;
  uses: number;
  usedAt: number;
}

export function tenantsOf({ held, clock, attend, report }: TenantsOptions): Tenants {
  const open = new Map<string, Opened>();
  /** Those that are being closed; who asks for one waits, so that none is open twice. */
  const closing = new Map<string, Promise<void>>();
  const visited = new Map<string, { readonly at: number; readonly mark: string | undefined }>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function listingOf(tenant: string): Promise<Listing> {
    if (!held.listings.has(tenant) && Math.abs(clock() - lookedAt) >= lookEveryMs) {
      lookedAt = clock();
      await held.look();
    }
    const listing = held.listings.get(tenant);
    // Somebody may be connected to what was taken away since.
    if (listing !== undefined && !isClosed) return listing;
    throw unsuccessful();
  }

  function opening(tenant: string, listing: Listing): Opened {
    const known = open.get(tenant);
    if (known !== undefined) return known;
    const book = held.open(listing).catch((error: unknown) => {
      // It was there a moment ago.
      if (error instanceof NotFoundError) throw unsuccessful();
      if (!(error instanceof RefusedError)) throw error;
      // Where it lies and what is wrong with it is for who serves it.
      report?.(error);
      throw new UnavailableError("Unavailable", "The book of this organisation cannot be opened");
    });
    const made: Opened = {
      book,
      attending: book.then((each) => attend?.(each)),
      store: undefined,
      uses: 0,
      usedAt: clock(),
    };
    open.set(tenant, made);
    book.then(
      ({ store }) => {
        made.store = store;
      },
      // What cannot be opened may be another time.
      () => open.get(tenant) === made && open.delete(tenant),
    );
    made.attending.catch(() => undefined);
    return made;
  }

  async function use<T>(tenant: string, work: (book: Book) => Promise<T>): Promise<T> {
    const { book, release } = await hold(tenant);
    try {
      return await work(book);
    } finally {
      release();
    }
  }

  async function hold(tenant: string): Promise<{ book: Book; release: () => void }> {
    const listing = await listingOf(tenant);
    await closing.get(tenant);
    makeRoom(tenant);
    const opened = opening(tenant, listing);
    opened.uses += 1;
    opened.usedAt = clock();
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

  /** Closes the one that nobody has asked for the longest, where one more would be too many. */
  function makeRoom(tenant: string): void {
    if (open.has(tenant) || open.size < held.openMax) return;
    let oldest: string | undefined;
    for (const [each, { uses, usedAt }] of open) {
      if (uses > 0) continue;
      if (oldest === undefined || usedAt < (open.get(oldest)?.usedAt ?? 0)) oldest = each;
    }
    if (oldest !== undefined) void closeOne(oldest);
  }

  function closeOne(tenant: string): Promise<void> {
    const opened = open.get(tenant);
    if (opened === undefined) return Promise.resolve();
    open.delete(tenant);
    const closed = (async () => {
      await (await opened.attending.catch(() => undefined))?.stop();
      await (await opened.book.catch(() => undefined))?.close();
    })().finally(() => closing.delete(tenant));
    closing.set(tenant, closed);
    return closed;
  }

  /** @returns whether somebody waits for what may be due at any moment */
  async function look(tenant: string): Promise<boolean> {
    let isAwaited = false;
    try {
      isAwaited = await use(tenant, async ({ store, org }) => {
        const attending = await open.get(tenant)?.attending;
        let timer: NodeJS.Timeout | undefined;
        const long = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, visitMaxMs);
        });
        await Promise.race([attending?.settled(), long]).finally(() => clearTimeout(timer));
        return store.read(org, hasWebhooks);
      });
    } catch (error) {
      report?.(error);
    }
    if (open.get(tenant)?.uses === 0) await closeOne(tenant);
    return isAwaited;
  }

  function closeIdle(): Promise<unknown> {
    const now = clock();
    const idle = [...open].filter(([, { uses, usedAt }]) => uses === 0 && now - usedAt >= idleMs);
    return Promise.all(idle.map(([tenant]) => closeOne(tenant)));
  }

  return {
    use,
    async answer(tenant, work) {
      const { book, release } = await hold(tenant);
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
    },
    async names(tenants) {
      if (tenants.some((tenant) => !held.listings.has(tenant))) await held.look();
      const known = tenants.flatMap((tenant) => held.listings.get(tenant) ?? []);
      return new Map(known.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
    },
    async visit(stopping) {
      await held.look();
      await closeIdle();
      for (const [tenant, listing] of [...held.listings]) {
        if (isClosed || stopping?.aborted === true) return;
        // What is open looks after itself.
        if (open.has(tenant) || closing.has(tenant)) continue;
        const last = visited.get(tenant);
        const mark = held.mark(listing);
        const isDue = last === undefined || Math.abs(clock() - last.at) >= visitEveryMs;
        if (!isDue && mark === last.mark) continue;
        const isAwaited = await look(tenant);
        visited.set(tenant, { at: isAwaited ? 0 : clock(), mark: held.mark(listing) });
      }
    },
    *stores() {
      for (const { store } of open.values()) if (store !== undefined) yield store;
    },
    async close() {
      isClosed = true;
      await Promise.all([...open.keys()].map(closeOne));
      await Promise.all(closing.values());
    },
  };
}

/** As for an organisation that is not connected. */
function unsuccessful(): AuthError {
  return new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful", 403);
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
