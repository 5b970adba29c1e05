/**
 * Administration of a book on this machine: made, copied, backed up, looked over.
 *
 * Everything behind it (the store, the ledger) is imported when it is asked for, so that a command that
 * only prints help loads none of it.
 */

import { existsSync, statSync } from "node:fs";
import type { Country } from "../ledger/regions/index.ts";
import { databaseAddress, type FolderAddress, withoutPassword } from "../platform/book-address.ts";
import { DiskError } from "../platform/disk.ts";
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import type { BackedUp, Examined, Restored, RestoreOptions } from "../service/books/backup.ts";
import type { FoundBackup, MadeBackup, SeriesOptions } from "../service/books/backup-series.ts";
import type {
  Book,
  BookAct,
  BookInfo,
  BookOptions,
  BookSettings,
  NewBook,
  Sealed,
} from "../service/books/book.ts";
import type { Copied } from "../service/books/copy-book.ts";
import type { UpgradedBook, Upgrading } from "../service/books/file/upgrade-book.ts";
import type { LogRecorder, RecorderOptions } from "../service/books/log-recorder.ts";

export type { BookInfo, BookSettings, LogRecorder, MadeBackup, NewBook, UpgradedBook, Upgrading };

/**
 * Looks whether a folder has no book of that name yet.
 *
 * @param name  that of the sample company when not given @throws RefusedError `OrganisationExists`
 */
export async function refuseNameIn(folder: string, name?: string): Promise<void> {
  const said = name ?? (await import("../service/books/demo.ts")).demoName;
  (await import("../service/books/book-folder.ts")).refuseNameIn(folder, said);
}

/** What a new book takes up with its log, and what the sample company does. */
const newBytes = 2 * 1024 * 1024;
const demoBytes = 24 * 1024 * 1024;

/** Makes a book and leaves it closed. @throws RefusedError `BookExists`, `OrganisationExists` */
export function makeBook(path: string, made: NewBook, options: BookOptions = {}): Promise<void> {
  return makeWhole(path, newBytes, async (part) => {
    const { createBook } = await import("../service/books/book.ts");
    await (await createBook(part, made, options)).close();
  });
}

/**
 * Makes the sample company, the same each time, and leaves it closed.
 *
 * @throws RefusedError `BookExists`, `OrganisationExists`
 */
export function makeDemo(path: string, country?: Country): Promise<void> {
  return makeWhole(path, demoBytes, async (part) => {
    const { createDemoBook } = await import("../service/books/demo.ts");
    await createDemoBook(part, {}, country);
  });
}

/** A book in a file is there wholly or not at all; one in a database is made in a transaction. */
async function makeWhole(
  path: string,
  bytes: number,
  fill: (place: string) => Promise<void>,
): Promise<void> {
  if (databaseAddress(path) !== undefined) return fill(path);
  if (existsSync(path)) throw bookExists(path);
  const { makeFile, makeFolderOf } = await import("../service/books/backup.ts");
  makeFolderOf(path);
  try {
    await makeFile(path, { bytes, fill });
  } catch (error) {
    if (error instanceof RefusedError && error.code === "FileExists") throw bookExists(path);
    throw error;
  }
}

function bookExists(path: string): RefusedError {
  return new RefusedError("BookExists", `There is a file at ${path} already.`);
}

/**
 * Copies a book to another place, and leaves both closed: there is a copy that is equal, or none.
 *
 * @throws NotFoundError, RefusedError `BookExists`, `OrganisationExists`, `DoesNotAddUp`
 */
export async function copy(
  from: string,
  to: string,
  desk: OperatorContext,
): Promise<Copied & Logged> {
  let copied: Copied | undefined;
  const changes = { From: withoutPassword(from), To: withoutPassword(to) };
  const act = await bookAct("book.copied", desk, changes);
  // It is written in one transaction, and so has a log as large as itself.
  const bytes = newBytes + 2 * (statSync(from, { throwIfNoEntry: false })?.size ?? 0);
  await makeWhole(to, bytes, async (part) => {
    const { copyBook } = await import("../service/books/copy-book.ts");
    copied = await copyBook(from, part, act);
  });
  return { ...(copied as Copied), unlogged: await enter(from, act) };
}

/** Copies the file of a book that may be in use. @throws as `backUp` of the service does */
export async function backUp(
  path: string,
  to: string,
  options: OperatorContext & { readonly force?: boolean | undefined },
): Promise<BackedUp & Logged> {
  const { backUp, latestVersion } = await import("../service/books/backup.ts");
  const made = await backUp(path, to, options);
  return { ...made, unlogged: await enterBackup(path, made, latestVersion, options) };
}

async function enterBackup(
  path: string,
  made: BackedUp,
  latestVersion: number,
  desk: OperatorContext,
): Promise<string | undefined> {
  // To open a book of an older version would bring it up to date.
  if (made.version !== latestVersion) {
    return "The book is of an older version, which has no audit log.";
  }
  const changes = { To: made.path, Bytes: String(made.bytes) };
  return enter(path, await bookAct("book.backed-up", desk, changes));
}

/** Backs up into a folder, and thins out what is there. @throws as `backUpInto` of the service does */
export async function backUpInto(
  folder: string,
  path: string,
  options: OperatorContext & SeriesOptions,
): Promise<MadeBackup & Logged> {
  const { backUpInto } = await series();
  const made = await backUpInto(folder, path, options);
  const { latestVersion } = await import("../service/books/backup.ts");
  return { ...made, unlogged: await enterBackup(path, made, latestVersion, options) };
}

/** Keeps the log of a book between the backups of a series. */
export async function recordLog(path: string, options: RecorderOptions): Promise<LogRecorder> {
  const { LogRecorder } = await import("../service/books/log-recorder.ts");
  return new LogRecorder(path, options);
}

/** Makes the folder of a series. @throws as `makeSeries` of the service does */
export async function makeSeries(folder: string): Promise<void> {
  (await series()).makeSeries(folder);
}

/** What that would remove. */
export async function spareAfter(
  folder: string,
  path: string,
  options: SeriesOptions,
): Promise<readonly string[]> {
  return (await series()).spareAfter(folder, path, options);
}

/** What of a folder leads nearest to a moment. @throws as `newestBackup` of the service does */
export async function newestBackup(
  folder: string,
  by: number,
  acceptLoss?: boolean,
): Promise<FoundBackup> {
  return (await series()).newestBackup(folder, by, acceptLoss);
}

/** Writes down how far logs lead. @throws as `expectLogs` of the service does */
export async function expectLogs(
  folder: string,
  moments: ReadonlyMap<string, number>,
): Promise<void> {
  (await series()).expectLogs(folder, moments);
}

const series = () => import("../service/books/backup-series.ts");

/** Puts a backup in the place of a book. @throws as `restore` of the service does */
export async function restore(
  path: string,
  from: string,
  options: OperatorContext & RestoreOptions,
): Promise<Restored & Logged> {
  const { restore } = await import("../service/books/backup.ts");
  const made = await restore(path, from, options);
  const until = options.log?.at;
  const moment = until === undefined ? undefined : new Date(until).toISOString();
  const changes = { From: from, Moment: moment, Kept: made.kept };
  const act = await bookAct("book.restored", options, changes);
  return { ...made, unlogged: await enter(path, act) };
}

/** What a backup would take the place of. @throws RefusedError `NotABook`, UsageError */
export async function whatIsAt(path: string): Promise<"nothing" | "book" | "ruin"> {
  return (await import("../service/books/backup.ts")).whatIsAt(path);
}

/** The version of the tables in the file of a book. @throws as `versionIn` of the store does */
export async function versionIn(path: string): Promise<number> {
  return (await import("../service/books/backup.ts")).versionIn(path);
}

/** What a look at the file of a book tells, which stays as it is. @throws as `versionIn` */
export async function examine(path: string): Promise<Examined> {
  return (await import("../service/books/backup.ts")).examine(path);
}

/**
 * Names of the organisations of a database; of one alone where the address names it.
 *
 * @throws as `openBook` of the service does
 */
export async function namesIn(place: string): Promise<readonly string[]> {
  const { namesIn: read } = await import("../service/books/book.ts");
  return read(place);
}

/** Looks whether a file holds the book of an organisation. @throws as `expectOwner` does */
export async function expectOwner(path: string, holds: string): Promise<void> {
  (await import("../service/books/book.ts")).expectOwner(path, holds);
}

/** The file of a book in a folder of them. @throws NotFoundError, UsageError */
export async function fileInFolder(address: FolderAddress): Promise<string> {
  return (await import("../service/books/book-folder.ts")).fileOf(address);
}

/** The folder in which mail is kept that is not sent; undefined for a database. */
export async function outboxOf(path: string): Promise<string | undefined> {
  return (await import("../service/books/book.ts")).outboxOf(path);
}

/** What is in a book. */
export function lookAt(path: string): Promise<BookInfo> {
  return withBook(path, async (book) => (await import("../service/books/book.ts")).bookInfo(book));
}

/** Checks that a book is whole, and that everything in it adds up. @throws as `verifyAt` does */
export async function verify(path: string, since?: Sealed, options: BookOptions = {}) {
  return (await import("../service/books/book.ts")).verifyAt(path, since, options);
}

/**
 * Brings a book, or all of a database, up to the tables of this program.
 *
 * @throws as `upgradeFile` and `upgradeDatabase` of the service do
 */
export async function upgrade(
  path: string,
  { operator, clock }: OperatorContext,
  upgrading: Upgrading,
): Promise<UpgradedBook> {
  const { upgradeDatabase, upgradeFile } = await import("../service/books/file/upgrade-book.ts");
  const upgrader = { by: await actorAt(operator), at: clock() };
  return databaseAddress(path) === undefined
    ? upgradeFile(path, upgrader, upgrading)
    : upgradeDatabase(path, upgrader, upgrading);
}

/** Changes what the API only reads. */
export function change(
  path: string,
  settings: BookSettings,
  options: BookOptions = {},
): Promise<BookInfo["organisation"]> {
  return withBook(path, async (book) =>
    (await import("../service/books/book.ts")).changeBook(book, settings, options),
  );
}

/** The person at the terminal, as the actor of audit entries. */
export type Operator = Pick<BookOptions, "user" | "email">;

/** The same, and what time it is, in milliseconds since 1970 UTC. */
export interface OperatorContext {
  readonly operator: Operator;
  readonly clock: () => number;
}

/** What was done all the same where the audit log could not be written. */
export interface Logged {
  /** Why it could not; undefined where it was. */
  readonly unlogged: string | undefined;
}

/** An act on a book as a whole. */
export async function bookAct(
  kind: BookAct["kind"],
  { operator, clock }: OperatorContext,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<BookAct> {
  return {
    kind,
    by: await actorAt(operator),
    at: clock(),
    changes: Object.entries(changes).map(([name, after]) => ({ name, after })),
  };
}

/**
 * Enters in the audit log of a book what was done with it.
 *
 * @returns why it could not be, where the book cannot be written
 */
export async function enter(path: string, act: BookAct): Promise<string | undefined> {
  const { recordOnBook } = await import("../service/books/book.ts");
  try {
    await withBook(path, (book) => recordOnBook(book, act));
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof DiskError) return error.message;
    throw error;
  }
}

/** The same for the audit log. */
export async function actorAt(operator: Operator) {
  return (await import("../service/books/book.ts")).operatorOf(operator);
}

/** Opens a book for one piece of work, and closes it again. */
export async function withBook<T>(path: string, work: (book: Book) => Promise<T>): Promise<T> {
  const { openBook } = await import("../service/books/book.ts");
  const book = await openBook(path);
  try {
    return await work(book);
  } finally {
    await book.close();
  }
}
