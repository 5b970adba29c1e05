/**
 * A book: the accounts of one organisation in one file, with the service on top of it.
 *
 * Operations on a whole book (create, open, verify) are here; operations on its records go through
 * the service like every other request.
 */

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname, extname } from "node:path";
import {
  type DatabaseAddress,
  databaseAddress,
  type FolderAddress,
  folderAddress,
  withoutPassword,
} from "../../platform/book-address.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { makeFolder } from "../../platform/folder.ts";
import { type Mailer, noMailer, outboxMailer, smtpMailer } from "../../platform/mail.ts";
import { clearLeftovers } from "../../platform/part-file.ts";
import type { KindsIn } from "../../resources/audit-entry.ts";
import {
  AcctError,
  NotFoundError,
  RefusedError,
  UnavailableError,
  UsageError,
} from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { account, contact, invoice, item, payment, taxRate } from "../../resources/index.ts";
import type { Organisation, OrganisationSettings } from "../../resources/organisation.ts";
import type { Head } from "../../store/chain/links.ts";
import { organisationIn } from "../../store/dialects/book-file.ts";
import type { Verification } from "../../store/maintenance/verify.ts";
import { list } from "../../store/mapping/records.ts";
import { type Actor, type AuditChange, recordAct } from "../../store/operations/audit-log.ts";
import {
  type Listing,
  listBooks,
  organisationAmong,
  organisationNamed,
  organisationOf,
  refuseName,
} from "../../store/records/organisations.ts";
import { openStore, type Store, schemaStateOf } from "../../store/store.ts";
import type { StoreDialect } from "../../store/tx/dialect.ts";
import { serverKey, type Tx } from "../../store/tx/tx.ts";
import type { Transport } from "../../wire/http.ts";
import { createService, type Service, type ServiceOptions } from "../api/service.ts";
import type { Limiter } from "../limits/limits.ts";
import type { CisSettings } from "../lookups/cis.ts";
import { idsFrom } from "../lookups/ids.ts";
import { planKeyInDirectory, planKeyInFile, planKeyInMemory } from "../plans/plan-key.ts";
import {
  type PlanKey,
  type RateSource,
  type ServiceDependencies,
  systemUser,
} from "../request/context.ts";
import { type OpenFileOptions, openFile } from "./file/open-file.ts";
import type { NewBook } from "./new-book.ts";
import { operatorOf, ownerFrom } from "./operator.ts";

export { type NewBook, operatorOf };

/** Default origin of `acct serve`, with which URLs in answers begin. */
export const defaultOrigin = "http://127.0.0.1:9320";
export const apiRoot = "/api.xro/2.0";

/** Options of a book that is served on a port, instead of to its owner in the same process. */
export interface Serving {
  /** Origin of URLs in answers; a function, since the port may be chosen late. */
  readonly origin: () => string;
  readonly callers: (store: Store, owner: Listing) => ServiceOptions["authenticate"];
  /** Makes the rate limiter of apps; without it calls are unlimited. */
  readonly limiter?: ((store: Store, owner: Listing) => Limiter | undefined) | undefined;
  readonly limitStatus?: ServiceOptions["limitStatus"];
  /** Aborted when the server begins to shut down. */
  readonly stopping?: AbortSignal | undefined;
  /** Monotonic clock in milliseconds; by default the machine's. */
  readonly elapsed?: (() => number) | undefined;
}

/** Maximum milliseconds of a transaction in a served book while other requests wait. */
const workMaxMs = 5_000;

export interface BookOptions {
  /** Name or id of the organisation that the file must hold; any if omitted. */
  readonly holds?: string | undefined;
  readonly serving?: Serving | undefined;
  /** Opens the store of the server's directory, where that is not in the book. */
  readonly directory?: (() => Promise<Store>) | undefined;
  /** Folder of the key that signs plans of a book file; without it plans end with the process. */
  readonly keyFolder?: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock?: () => number;
  readonly newId?: () => string;
  /** Makes the ids of answers to apps; random by default. */
  readonly responseId?: (() => string) | undefined;
  readonly mailer?: Mailer;
  /** `smtp://…`: mail is sent there instead of being written to the outbox folder. */
  readonly smtpUrl?: string | undefined;
  /** Name of the user for history notes and sent mail. */
  readonly user?: string | undefined;
  readonly email?: string | undefined;
  /** Base URL of online documents for customers, of a book that is served elsewhere. */
  readonly publicUrl?: string | undefined;
  /** URL of an XML feed of daily exchange rates, in addition to the book's own table. */
  readonly ratesUrl?: string | undefined;
  /** Receives every failure that is a bug. */
  readonly report?: ServiceOptions["report"];
  readonly upgrading?: OpenFileOptions["upgrading"];
  /** Whether a document that names an unknown contact creates the contact. */
  readonly newContacts?: boolean | undefined;
  readonly strictDates?: ServiceOptions["strictDates"];
  /** Name of the file in messages, where not its path. */
  readonly called?: string | undefined;
}

export interface Book extends Service {
  /** Answers requests of the book's own background jobs. */
  readonly ownTransport: Transport;
  readonly store: Store;
  readonly org: number;
  /** OrganisationID. */
  readonly tenant: string;
  readonly path: string;
  /** Opens the store of the server's directory: the book's own, or one shared by many books. */
  readonly directory: () => Promise<Store>;
  /** Dependencies of the book's service. */
  readonly dependencies: ServiceDependencies;
}

/**
 * Opens a book.
 *
 * @param place  path of its file; or the URL of a database, `postgres://host/database`, with name
 *   or id of the organisation behind a `#`; or a book in a folder, as `placeInFolder` writes it
 * @throws NotFoundError `NoBook` when there is no such file, `NoFolder`, `NoOrganisation`
 * @throws RefusedError `NoBook` when the file holds none; UsageError `WhichOrganisation`, or for
 *   a folder; UnavailableError
 */
export async function openBook(place: string, options: BookOptions = {}): Promise<Book> {
  const inFolder = folderAddress(place);
  if (inFolder !== undefined) return openFiled(inFolder, options);
  const address = databaseAddress(place);
  if (address === undefined && !existsSync(place)) {
    throw new NotFoundError("NoBook", `There is no book at ${place}.`);
  }
  const stats = address === undefined ? statSync(place) : undefined;
  if (stats?.isFile() === false) {
    const message = stats.isDirectory()
      ? `${place} is a folder; give one of books with --data, or name a file.`
      : `${place} is a device or a pipe, which can hold no book; name a file.`;
    throw new UsageError("BadValue", message);
  }
  if (address === undefined) clearLeftovers(place);
  const store = await openStoreAt(address, place, options);
  try {
    const owner = await ownerIn(store, address, place, options);
    return { ...openBookIn(store, owner, options, place), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a book in a folder of books that share a directory. */
async function openFiled(address: FolderAddress, options: BookOptions): Promise<Book> {
  const { fileOf, openFolderDirectory } = await import("./book-folder.ts");
  let opening: Promise<Store> | undefined;
  const directory = () => {
    opening ??= openFolderDirectory(address.folder, options);
    return opening;
  };
  const bookOptions = { ...options, directory, keyFolder: address.folder };
  const book = await openBook(fileOf(address), bookOptions);
  return {
    ...book,
    close: async () => {
      await (await opening)?.close();
      await book.close();
    },
  };
}

async function openStoreAt(
  address: DatabaseAddress | undefined,
  path: string,
  options: BookOptions = {},
): Promise<Store> {
  return address === undefined ? openFile(path, options) : openDatabase(address.url);
}

/**
 * Opens the database of many organisations.
 *
 * @param url  `postgres://user:password@host/database`
 * @throws UnavailableError, which says which database; UsageError `BadValue`
 */
export const openDatabase = (url: string): Promise<Store> => atDatabase(url, openStore);

/** Reads the schema state of a database, which stays as it is. @throws as `openDatabase` */
export const databaseState = (url: string) => atDatabase(url, schemaStateOf);

async function atDatabase<T>(url: string, work: (dialect: StoreDialect) => Promise<T>): Promise<T> {
  const { databaseDialect } = await import("../../store/dialects/databases.ts");
  try {
    return await work(await databaseDialect(url));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    // Later errors go to clients over a port, so they must not contain the path of the book.
    const databaseName = `The database ${withoutPassword(url)} `;
    const message = error.message.replace(/^The database /, databaseName);
    throw new UnavailableError(error.code, message, { cause: error });
  }
}

async function ownerIn(
  store: Store,
  address: DatabaseAddress | undefined,
  path: string,
  { holds }: Pick<BookOptions, "holds">,
): Promise<Listing> {
  if (address !== undefined) return organisationNamed(store, address.organisation);
  const [owner] = await listBooks(store);
  return ownerOf(path, owner, holds);
}

function ownerOf(path: string, owner: Listing | undefined, holds: string | undefined): Listing {
  if (owner !== undefined) return organisationAmong([owner], holds, `The file ${path}`);
  throw new RefusedError(
    "NoBook",
    `The file ${path} holds no book yet; where it is not needed, delete it, and acct init makes one.`,
  );
}

/**
 * Checks that a file holds the book of an organisation; the file is only read, whatever its
 * version.
 *
 * @param holds  name or id
 * @throws NotFoundError `NoOrganisation`, RefusedError `NoBook`, `NotABook`
 */
export function expectOwner(path: string, holds: string): void {
  ownerOf(path, organisationIn(path), holds);
}

/**
 * Opens the book of one organisation in a store, which stays open when the book is closed.
 *
 * @param address  address of the store, for messages; see `openBook`
 */
export function openBookIn(
  store: Store,
  owner: Listing,
  options: BookOptions = {},
  address = "",
): Book {
  const { clock, newId } = sourcesOf(options);
  const { org } = owner;
  const { origin, callers, limiter, limitStatus, stopping, elapsed }: Partial<Serving> =
    options.serving ?? {};
  const directory = options.directory ?? (async () => store);
  const limits = limiter?.(store, owner);
  const plainIds = idsFrom(clock, plainRandom);
  const serviceOptions: ServiceOptions = {
    store,
    server: {
      store: directory,
      isOfMany: options.directory !== undefined || databaseAddress(address) !== undefined,
    },
    clock,
    newId,
    responseId: options.responseId ?? plainIds,
    mailer: options.mailer ?? (options.smtpUrl ? smtpMailer(options.smtpUrl) : mailerAt(address)),
    rates: options.ratesUrl === undefined ? undefined : lazyRateFeed(options.ratesUrl, clock),
    get baseUrl() {
      return `${origin?.() ?? defaultOrigin}${apiRoot}`;
    },
    get publicUrl() {
      return origin?.() ?? options.publicUrl;
    },
    limiter: limits,
    limitStatus,
    stopping,
    planKey: planKeyOf(address, options, directory),
    admit:
      limits &&
      (async (app, callCount) => {
        const refusal = await limits.take(app, callCount);
        if (refusal !== undefined) throw refusal;
      }),
    bound: options.serving && { elapsed: elapsed ?? (() => performance.now()), maxMs: workMaxMs },
    report: options.report,
    strictDates: options.strictDates,
    makeContacts: options.newContacts === true ? makeContacts : undefined,
    authenticate:
      callers?.(store, owner) ??
      (() => ({ org, app: "acct", appName: "acct", ...userFrom(options) })),
  };
  const itself = { ...userFrom(options), user: systemUser };
  const internal: Transport = (request) =>
    createService({
      ...serviceOptions,
      responseId: plainIds,
      limiter: undefined,
      authenticate: () => ({ org, app: "acct", appName: "acct", ...itself }),
    }).transport(request);
  return {
    ...createService(serviceOptions),
    ownTransport: internal,
    dependencies: serviceOptions,
    directory,
    store,
    org,
    tenant: owner.OrganisationID,
    path: address,
    close: () => Promise.resolve(),
  };
}

const makeContacts: NonNullable<ServiceOptions["makeContacts"]> = async (writing, names) => {
  const { contacts } = await import("../records/masters/contact.ts");
  const { writeAll } = await import("../request/write.ts");
  const { enter } = await import("../request/history.ts");
  const inputs = names.map((Name) => ({ input: { Name } }));
  for (const { record, history } of await writeAll(writing, contacts, inputs)) {
    if (record === undefined) continue;
    await enter(writing.call, writing.tx, contacts.resource, record.ContactID, ...history);
  }
};

function planKeyOf(
  address: string,
  { keyFolder, clock = Date.now }: BookOptions,
  directory: () => Promise<Store>,
): PlanKey {
  if (databaseAddress(address) !== undefined) return planKeyInDirectory(directory, clock);
  return keyFolder === undefined ? planKeyInMemory() : planKeyInFile(keyFolder);
}

/** Returns the owner as a caller with permissions. */
export function userFrom(options: Pick<BookOptions, "user" | "email">) {
  const { name, email } = ownerFrom(options);
  return { user: name, email, reports: true, role: "FINANCIALADVISER", scopes: "all" } as const;
}

function sourcesOf(options: BookOptions): { clock: () => number; newId: () => string } {
  const clock = options.clock ?? Date.now;
  return { clock, newId: options.newId ?? idsFrom(clock, cryptoRandom) };
}

/** Exchange rates from a network feed, whose module is loaded at the first request. */
function lazyRateFeed(url: string, clock: () => number): RateSource {
  let source: Promise<RateSource> | undefined;
  return {
    async ratesOn(tx, baseCurrency, pairs) {
      source ??= import("../lookups/rate-feed.ts").then(({ feedRates }) =>
        feedRates(url, { clock }),
      );
      return (await source).ratesOn(tx, baseCurrency, pairs);
    },
  };
}

/** Fills bytes with cryptographic randomness; loaded at the first id, which takes 2.6 ms. */
function cryptoRandom(bytes: Uint8Array): void {
  process.getBuiltinModule("node:crypto").randomFillSync(bytes);
}

/** Fills bytes with plain randomness, enough to distinguish answers. */
function plainRandom(bytes: Uint8Array): void {
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.random() * 256;
}

function mailerAt(address: string): Mailer {
  const outbox = outboxOf(address);
  return outbox === undefined ? noMailer : outboxMailer(outbox);
}

/** Returns the outbox folder of mail beside a book file; undefined for a database. */
export function outboxOf(address: string): string | undefined {
  if (address === "" || databaseAddress(address) !== undefined) return undefined;
  return `${address.slice(0, address.length - extname(address).length)}.outbox`;
}

/**
 * Makes a book: the organisation, its country's chart of accounts and tax rates, and numbering.
 *
 * @param place  of the file, or the address of a database, which may hold others
 * @throws RefusedError `BookExists` when the file is there already, which is left as it is;
 *   `OrganisationExists` when the database has one of that name
 */
export async function createBook(
  place: string,
  made: NewBook,
  options: BookOptions = {},
): Promise<Book> {
  const store = await openNewStore(place);
  try {
    const book = await createBookIn(store, made, options, place, (tx) => refuseName(tx, made.name));
    return { ...book, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a store for a new book: a new file, or a database. @throws as `createBook` */
export async function openNewStore(place: string): Promise<Store> {
  const address = databaseAddress(place);
  if (address === undefined) {
    makeFolder(dirname(place), 0o700);
    createFile(place);
  }
  return openStoreAt(address, place);
}

/**
 * Creates a book beside others in a store, which stays open when the book is closed.
 *
 * @param check  as for `newBookIn`
 */
export async function createBookIn(
  store: Store,
  newBook: NewBook,
  options: BookOptions = {},
  address = "",
  check?: (tx: Tx) => Promise<void>,
): Promise<Book> {
  // Loaded here, since the charts of all countries would slow down every command.
  const { newBookIn } = await import("./new-book.ts");
  const creation = {
    ...sourcesOf(options),
    owner: ownerFrom(options),
    by: operatorOf(options),
  };
  const owner = await newBookIn(store, newBook, creation, check);
  return openBookIn(store, owner, options, address);
}

/** Creates the file with access for its owner only. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new RefusedError("BookExists", `There is a file at ${path} already.`);
  }
}

// --- inspection ------------------------------------------------------------------------------

export interface BookInfo {
  /** Path of the file, or URL of the database without its password. */
  readonly path: string;
  /** Size of the file; undefined for an organisation in a database. */
  readonly bytes: number | undefined;
  readonly organisation: Organisation;
  /** Number of records of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly schema: Awaited<ReturnType<Store["schema"]>>;
}

export async function bookInfo(book: Book): Promise<BookInfo> {
  const schema = await book.store.schema();
  return book.store.read(book.org, async (tx) => {
    const counts: Record<string, number> = {};
    const countedKinds: readonly Resource[] = [account, contact, item, taxRate, invoice, payment];
    for (const resource of countedKinds) {
      counts[resource.plural] = (await list(tx, resource, { limit: 0, count: true })).count ?? 0;
    }
    return {
      path: withoutPassword(book.path),
      bytes: existsSync(book.path) ? statSync(book.path).size : undefined,
      organisation: await organisationOf(tx),
      counts,
      schema,
    };
  });
}

/** Returns the names of a database's organisations, or of the one that its address names. */
export async function namesIn(place: string): Promise<readonly string[]> {
  const { url, organisation } = databaseAddress(place) ?? { url: place, organisation: undefined };
  await using store = closeAtBlockEnd(await openDatabase(url));
  const all = await listBooks(store);
  const isAny = organisation === undefined && all.length > 0;
  const listings = isAny ? all : [organisationAmong(all, organisation, "The database")];
  return listings.map(({ Name }) => Name);
}

/** Returns the name of the book's organisation. */
export async function nameOf(book: Book): Promise<string> {
  return (await book.store.read(book.org, organisationOf)).Name;
}

/** An operation on a whole book, for its audit log. */
export interface BookAct {
  readonly kind: Extract<KindsIn<"ORGANISATION">, `book.${string}`>;
  readonly by: Actor;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly changes?: readonly AuditChange[];
}

/** Enters an operation on a whole book in the audit log of the book. */
export async function recordOnBook(
  { store, org }: Pick<Book, "store" | "org">,
  auditAct: BookAct,
): Promise<void> {
  await store.write(org, async (tx) => {
    const { Name: subject, OrganisationID: subjectId } = await organisationOf(tx);
    await recordAct(tx, { ...auditAct, subject, subjectId });
  });
}

/** Returns the last link of the book's hash chain. */
export async function headOf(book: Book): Promise<Head> {
  const { headOf: read } = await import("../../store/chain/stored.ts");
  return book.store.read(book.org, read);
}

/** A link of a hash chain that was sealed earlier, and the book it belongs to. */
export interface SealedLink extends Head {
  /** OrganisationID and name of the book, where they are known. */
  readonly organisationId?: string | undefined;
  readonly organisation?: string | undefined;
}

/**
 * Verifies a book, and reports every fault.
 *
 * @param since  a link that must still be in the hash chain
 * @throws RefusedError `OtherBook` where it belongs to another book
 */
export async function verifyBook(book: Book, since?: SealedLink): Promise<Verification> {
  const { verifyAll } = await import("../verification/verification.ts");
  if (since?.organisationId !== undefined && since.organisationId !== book.tenant) {
    const bookName = since.organisation ?? since.organisationId;
    throw new RefusedError("OtherBook", `The seal is of another book, that of ${bookName}.`);
  }
  return book.store.read(book.org, (tx) => verifyAll(tx, since));
}

/**
 * Verifies a book that is not open here. The database checks the integrity of the file first.
 *
 * @throws as `openBook`; RefusedError `BookDamaged` for a file that is damaged or cannot be read
 */
export async function verifyAt(
  place: string,
  seal?: SealedLink,
  options: BookOptions = {},
): Promise<Verification> {
  const inFolder = folderAddress(place);
  if (inFolder !== undefined) {
    const { fileOf, hasFolderDirectory, openFolderDirectory } = await import("./book-folder.ts");
    const verification = await verifyAt(fileOf(inFolder), seal, options);
    if (!hasFolderDirectory(inFolder.folder)) return verification;
    const directory = await openFolderDirectory(inFolder.folder, options);
    return withServerLog(verification, directory).finally(() => directory.close());
  }
  if (databaseAddress(place) !== undefined) return verifiedAt(place, seal, options);
  const { damagedError, damageIn, versionIn } = await import("../../store/dialects/file-care.ts");
  versionIn(place);
  const faults = damageIn(place);
  if (faults.length > 0) throw damagedError(place, faults);
  try {
    return await verifiedAt(place, seal, options);
  } catch (error) {
    // An intact database file may still hold values that the program did not write.
    if (error instanceof AcctError) throw error;
    const message = `${place} holds what acct has not written, and cannot be read; restore a backup of it.`;
    const details = [{ message: `It cannot be read: ${(error as Error).message}` }];
    throw new RefusedError("DoesNotAddUp", message, details, { cause: error });
  }
}

async function verifiedAt(
  address: string,
  seal: SealedLink | undefined,
  options: BookOptions,
): Promise<Verification> {
  await using book = closeAtBlockEnd(await openBook(address, options));
  return await withServerLog(await verifyBook(book, seal), await book.directory());
}

/** Adds the verification of the server's audit log, in the store of the directory. */
async function withServerLog(
  { checks, faults }: Verification,
  directory: Store,
): Promise<Verification> {
  const { verifyServerLog } = await import("../../store/maintenance/chain-checks.ts");
  const server = await directory.read(serverKey, verifyServerLog);
  return { checks: [...checks, ...server.checks], faults: [...faults, ...server.faults] };
}

/** Settings of the organisation, and of the construction industry scheme of the United Kingdom. */
export type BookSettings = OrganisationSettings & { readonly cis?: CisSettings | undefined };

/** Changes settings that are read-only in the API: lock dates and details of the organisation. */
export async function changeBook(
  book: Book,
  { cis, ...settings }: BookSettings,
  options: BookOptions = {},
): Promise<Organisation> {
  const { clock, newId } = sourcesOf(options);
  const { user } = userFrom(options);
  const by = operatorOf(options);
  return book.store.write(book.org, async (tx) => {
    const { changeOrganisation } = await import("../lookups/organisation.ts");
    await changeOrganisation(tx, settings, { user, by, now: clock(), newId });
    if (cis !== undefined) {
      const { changeCis } = await import("../lookups/cis.ts");
      await changeCis(tx, cis, { now: clock(), newId, by });
    }
    return organisationOf(tx);
  });
}
