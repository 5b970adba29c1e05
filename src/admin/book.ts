/**
 * Administration of a book on this machine: creates, copies, backs up, restores and verifies it.
 *
 * Modules behind it (store, ledger) are imported on first use, so that a command that only prints
 * help loads none of them.
 */

import { existsSync, statSync } from "node:fs";
import type { Country } from "../ledger/regions/index.ts";
import { databaseAddress, withoutPassword } from "../platform/book-address.ts";
import { DiskError } from "../platform/disk.ts";
import { closeAtBlockEnd } from "../platform/disposal.ts";
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import type { BackedUp, RestoreOptions, RestoreResult } from "../service/books/backup.ts";
import type { MadeBackup, SeriesOptions } from "../service/books/backup-series.ts";
import type {
  Book,
  BookAct,
  BookInfo,
  BookOptions,
  BookSettings,
  NewBook,
} from "../service/books/book.ts";
import type { Copied } from "../service/books/copy-book.ts";
import type { UpgradedBook, Upgrading } from "../service/books/file/upgrade-book.ts";
import type { LogRecorder, RecorderOptions } from "../service/books/log-recorder.ts";

export type { BookInfo, BookSettings, LogRecorder, MadeBackup, NewBook, UpgradedBook, Upgrading };

const books = () => import("../service/books/book.ts");
const backups = () => import("../service/books/backup.ts");
const series = () => import("../service/books/backup-series.ts");

/**
 * Refuses a name that an organisation in the folder has already.
 *
 * @param name  name of the sample company when not given
 * @throws RefusedError `OrganisationExists`
 */
export async function refuseNameIn(folder: string, name?: string): Promise<void> {
  const newName = name ?? (await import("../service/books/demo.ts")).demoName;
  (await import("../service/books/book-folder.ts")).refuseNameIn(folder, newName);
}

/** Disk space of a new book and its log, in bytes. */
const newBytes = 2 * 1024 * 1024;
/** Disk space of the sample company's book and its log, in bytes. */
const demoBytes = 24 * 1024 * 1024;

/**
 * Creates a book and closes it again.
 *
 * @param fill  makes what the book begins with; a failure leaves no file
 * @throws RefusedError `BookExists`, `OrganisationExists`
 */
export function makeBook(
  path: string,
  newBook: NewBook,
  options: BookOptions = {},
  fill: (book: Book) => Promise<void> = async () => undefined,
): Promise<void> {
  return makeWhole(path, newBytes, async (partPath) => {
    const { createBook } = await books();
    await using book = closeAtBlockEnd(await createBook(partPath, newBook, options));
    await fill(book);
  });
}

/**
 * Creates the sample company, identical each time, and closes it again.
 *
 * @throws RefusedError `BookExists`, `OrganisationExists`
 */
export function makeDemo(path: string, country?: Country): Promise<void> {
  return makeWhole(path, demoBytes, async (partPath) => {
    const { createDemoBook } = await import("../service/books/demo.ts");
    await createDemoBook(partPath, {}, country);
  });
}

/**
 * Creates a book atomically: its file appears complete or not at all; a database uses a
 * transaction.
 */
async function makeWhole(
  path: string,
  bytes: number,
  fill: (partPath: string) => Promise<void>,
): Promise<void> {
  if (databaseAddress(path) !== undefined) return fill(path);
  if (existsSync(path)) throw bookExists(path);
  const { makeFile, makeFolderOf } = await backups();
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
 * Copies a book to another place and closes both; a copy that differs from the original is not
 * kept.
 *
 * @throws NotFoundError, RefusedError `BookExists`, `OrganisationExists`, `DoesNotAddUp`
 */
export async function copy(
  from: string,
  to: string,
  desk: OperatorContext,
): Promise<Copied & ActLogged> {
  let copyResult: Copied | undefined;
  const changes = { From: withoutPassword(from), To: withoutPassword(to) };
  const auditAct = await bookAct("book.copied", desk, changes);
  // The copy is written in one transaction, so its log grows as large as the copy itself.
  const bytes = newBytes + 2 * (statSync(from, { throwIfNoEntry: false })?.size ?? 0);
  await makeWhole(to, bytes, async (partPath) => {
    const { copyBook } = await import("../service/books/copy-book.ts");
    copyResult = await copyBook(from, partPath, auditAct);
  });
  return { ...(copyResult as Copied), unlogged: await enterAct(from, auditAct) };
}

/**
 * Backs up the file of a book, which may be in use meanwhile.
 *
 * @throws as `backUp` of the service does
 */
export async function backUp(
  path: string,
  to: string,
  options: OperatorContext & { readonly force?: boolean | undefined },
): Promise<BackedUp & ActLogged> {
  const { backUp, latestVersion } = await backups();
  const backup = await backUp(path, to, options);
  return { ...backup, unlogged: await enterBackup(path, backup, latestVersion, options) };
}

async function enterBackup(
  path: string,
  backup: BackedUp,
  latestVersion: number,
  desk: OperatorContext,
): Promise<string | undefined> {
  // Opening a book of an older version would upgrade it.
  if (backup.version !== latestVersion) {
    return "The book is of an older version, which has no audit log.";
  }
  const changes = { To: backup.path, Bytes: String(backup.bytes) };
  return enterAct(path, await bookAct("book.backed-up", desk, changes));
}

/**
 * Backs up a book into a folder and removes the backups that the retention rule no longer keeps.
 *
 * @throws as `backUpInto` of the service does
 */
export async function backUpInto(
  folder: string,
  path: string,
  options: OperatorContext & SeriesOptions,
): Promise<MadeBackup & ActLogged> {
  const { backUpInto } = await series();
  const backup = await backUpInto(folder, path, options);
  const { latestVersion } = await backups();
  return { ...backup, unlogged: await enterBackup(path, backup, latestVersion, options) };
}

/** Records the log of a book between the backups of a series. */
export async function recordLog(path: string, options: RecorderOptions): Promise<LogRecorder> {
  const { LogRecorder } = await import("../service/books/log-recorder.ts");
  return new LogRecorder(path, options);
}

/** Creates the folder of a series of backups. @throws as `makeSeries` of the service does */
export const makeSeries = deferFunction(async () => (await series()).makeSeries);

/** Lists the backups that a backup into the folder would remove. */
export const spareAfter = deferFunction(async () => (await series()).spareAfter);

/**
 * Finds the backup and logs in a folder that lead nearest to a moment.
 *
 * @throws as `newestBackup` of the service does
 */
export const newestBackup = deferFunction(async () => (await series()).newestBackup);

/**
 * Records the moment up to which each log is expected to lead.
 *
 * @throws as `expectLogs` of the service does
 */
export const expectLogs = deferFunction(async () => (await series()).expectLogs);

/** Replaces a book by a backup. @throws as `restore` of the service does */
export async function restore(
  path: string,
  from: string,
  options: OperatorContext & RestoreOptions,
): Promise<RestoreResult & ActLogged> {
  const { restore } = await backups();
  const restored = await restore(path, from, options);
  const untilMs = options.log?.at;
  const moment = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
  const changes = { From: from, Moment: moment, Kept: restored.kept };
  const auditAct = await bookAct("book.restored", options, changes);
  return { ...restored, unlogged: await enterAct(path, auditAct) };
}

/**
 * Tells what a restored backup would replace at a path.
 *
 * @throws RefusedError `NotABook`, UsageError
 */
export const occupantOf = deferFunction(async () => (await backups()).contentAt);

/**
 * Reads the version of the table schema in the file of a book.
 *
 * @throws as `versionIn` of the store does
 */
export const versionIn = deferFunction(async () => (await backups()).versionIn);

/** Examines the file of a book without changing it. @throws as `versionIn` */
export const examine = deferFunction(async () => (await backups()).examine);

/**
 * Names of the organisations in a database; only the one that the address names, if it names one.
 *
 * @throws as `openBook` of the service does
 */
export const namesIn = deferFunction(async () => (await books()).namesIn);

/** Checks that a file holds the book of a given organisation. @throws as `expectOwner` does */
export const expectOwner = deferFunction(async () => (await books()).expectOwner);

/** Finds the file of a book in a folder of books. @throws NotFoundError, UsageError */
export const fileInFolder = deferFunction(
  async () => (await import("../service/books/book-folder.ts")).fileOf,
);

/**
 * The outbox folder of a book, where mail is kept instead of being sent; undefined for a database.
 */
export const outboxOf = deferFunction(async () => (await books()).outboxOf);

/** Reads the facts of a book: its organisation, version and counts. */
export function bookInfo(path: string): Promise<BookInfo> {
  return withBook(path, async (book) => (await books()).bookInfo(book));
}

/**
 * Verifies that a book is complete and that its balances agree with its postings.
 *
 * @throws as `verifyAt` does
 */
export const verify = deferFunction(async () => (await books()).verifyAt);

/**
 * Upgrades a book, or all books of a database, to the table schema of this program.
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

/** Changes settings of the organisation that are read-only in the API. */
export function change(
  path: string,
  settings: BookSettings,
  options: BookOptions = {},
): Promise<BookInfo["organisation"]> {
  return withBook(path, async (book) => (await books()).changeBook(book, settings, options));
}

/** The person at the terminal, as the actor of audit entries. */
export type Operator = Pick<BookOptions, "user" | "email">;

/** The operator with a clock, in milliseconds since 1970 UTC. */
export interface OperatorContext {
  readonly operator: Operator;
  readonly clock: () => number;
}

/** Result of an act that was carried out although the audit log could not be written. */
export interface ActLogged {
  /** Why the audit log could not be written; undefined where it was. */
  readonly unlogged: string | undefined;
}

/** Describes an act on a whole book for the audit log. */
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
 * Writes an act on a book to its audit log.
 *
 * @returns why the entry could not be written; undefined where it was
 */
export async function enterAct(path: string, auditAct: BookAct): Promise<string | undefined> {
  const { recordOnBook } = await books();
  try {
    await withBook(path, (book) => recordOnBook(book, auditAct));
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof DiskError) return error.message;
    throw error;
  }
}

/** The operator in the form of an actor of audit entries. */
export const actorAt = deferFunction(async () => (await books()).operatorOf);

/** Opens a book, runs work on it, and closes it again. */
export async function withBook<T>(path: string, action: (book: Book) => Promise<T>): Promise<T> {
  const { openBook } = await books();
  await using book = closeAtBlockEnd(await openBook(path));
  return await action(book);
}

/** A function of the service, whose module is loaded when it is first called. */
export function deferFunction<A extends unknown[], R>(load: () => Promise<(...args: A) => R>) {
  return async (...args: A): Promise<Awaited<R>> => await (await load())(...args);
}
