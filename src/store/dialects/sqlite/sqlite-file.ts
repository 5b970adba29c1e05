/**
 * The file of a book as a whole: copied page by page while others use it, and replaced by another.
 *
 * SQLite's backup copies it under the locks and with the journal of an ordinary change. So a copy
 * is a snapshot, and readers see a replaced book either old or new, even after a kill midway.
 * Renaming a file over an open book would leave its readers with the old one, and apply its
 * write-ahead log to the new one.
 */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { diskError } from "../../../platform/disk.ts";
import {
  NotFoundError,
  RefusedError,
  UnavailableError,
  UsageError,
} from "../../../resources/errors.ts";
import {
  creationStatements,
  foreignObjectsError,
  latestVersion,
  mismatchOf,
  refusalOf,
  type SchemaState,
  stateFrom,
  tooNewError,
} from "../../upgrade/state.ts";
import { type ShapeRow, selectShape, shapeOf } from "./shape.ts";
import {
  applicationId,
  codeOf,
  notABookError,
  notADatabase,
  plainError,
  sqliteDialect,
  troubleOf,
  unknownName,
} from "./sqlite.ts";

/** Timeout for the lock of another program. */
const lockWaitMs = 5000;

/** Timeout for the check whether another process has the file open. */
const lookWaitMs = 250;

/** Pages copied in one step; other connections may use the file between steps. */
export const pagesMax = 1000;

/** Cache in KiB for an integrity check, which looks up every row in every index of its table. */
const checkCacheKiB = 32_768;

/** Maximum faults of a damaged file that a message names. */
const damageMax = 20;

const busyCode = 5;
const corruptCode = 11;
/** SQLite reports a damaged schema as a plain error, and a truncated file as a read error. */
const unreadableCodes: ReadonlySet<number> = new Set([1, 10, corruptCode]);

/**
 * The version of the tables in the file of a book.
 *
 * @throws NotFoundError `NoBook`, UsageError for a folder, RefusedError `NotABook`,
 *   `BookDamaged`, `BookTooNew`
 */
export function versionIn(path: string): number {
  if (!existsSync(path)) throw new NotFoundError("NoBook", `There is no book at ${path}.`);
  if (statSync(path).isDirectory()) {
    throw new UsageError("BadValue", `${path} is a folder; name a file.`);
  }
  const version = withFile(path, (db) => {
    // The application id and version are in the file header, readable whatever else is damaged.
    const id = db.prepare("pragma application_id").get()?.application_id;
    const version = db.prepare("pragma user_version").get()?.user_version;
    return id === applicationId ? Number(version) : undefined;
  });
  if (version === undefined || version === 0) throw notABookError(path);
  if (version <= latestVersion) return version;
  throw tooNewError({ place: path });
}

export interface ExaminedFile {
  /** Version of the book's tables, and the version that this program knows. */
  readonly version: number;
  readonly wanted: number;
  /** Name of the organisation. */
  readonly name: string;
  /** The sum of all balances, in cents: zero in consistent books. */
  readonly outBy: number;
  /** The damage of the file; a large file is not checked. */
  readonly damage: string | undefined;
}

/** Maximum size of a file that is checked, which takes less than half a second. */
const examinedBytesMax = 64 * 1024 * 1024;

/**
 * The schema state of a file.
 * @throws as `versionIn`
 */
function schemaIn(path: string): SchemaState {
  const version = versionIn(path);
  const expectedShape = creationStatements(sqliteDialect(path));
  return withFile(path, (db) => {
    const rows = db.prepare(selectShape).all() as unknown as ShapeRow[];
    return stateFrom(version, expectedShape, shapeOf(rows, expectedShape));
  });
}

/**
 * Checks that the tables are those of the program.
 * @throws SchemaError `SchemaForeign` for others; as `versionIn`
 */
export function refuseForeign(path: string): void {
  const state = schemaIn(path);
  if (state.state === "foreign") throw foreignObjectsError({ place: path }, state);
}

/**
 * Reads the summary of a book without changing it.
 * @throws as `versionIn`
 */
export function examine(path: string): ExaminedFile {
  const schemaState = schemaIn(path);
  const { version, state } = schemaState;
  // A book of an earlier version is migrated by the next command.
  const refusal =
    state === "older" && version < latestVersion
      ? undefined
      : refusalOf(schemaState, sqliteDialect(path));
  if (refusal !== undefined) throw refusal;
  return withFile(path, (db) => {
    const firstName = db.prepare("select name from organisation order by org").get();
    if (firstName === undefined) {
      throw new RefusedError("NoBook", `The file ${path} holds no book yet.`);
    }
    const sums = db.prepare("select total(debit - credit) as out_by from balance").get();
    const isSmall = statSync(path).size <= examinedBytesMax;
    const result = isSmall ? db.prepare("pragma quick_check(1)").get()?.quick_check : "ok";
    const damage = result === "ok" ? undefined : String(result).split("\n").join(" ");
    return {
      version,
      wanted: latestVersion,
      name: String(firstName.name),
      outBy: Number(sums?.out_by),
      damage,
    };
  });
}

/** Whether SQLite can open the file, even if it is damaged. */
export function isDatabase(path: string): boolean {
  if (statSync(path).size === 0) return false;
  try {
    withFile(path, (db) => db.prepare("pragma user_version").get());
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

/**
 * Checkpoints the write-ahead log of a book into its file, so that the file alone is the book.
 *
 * Closing the last connection does the same, but reports no failure: on a full disk, or while
 * another program reads.
 *
 * @throws DiskError, UnavailableError `NotWritten`
 */
export function checkpointLog(path: string): void {
  const db = new DatabaseSync(path, { timeout: lookWaitMs });
  let fault: unknown;
  try {
    if (db.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 0) return;
  } catch (error) {
    fault = explainDiskError(path, error);
    if (fault !== error) throw fault;
  } finally {
    db.close();
  }
  const [why, remedy] =
    fault instanceof Error
      ? [fault.message, "see that there is room and that it may be written to"]
      : ["another program reads it", "end that program"];
  const message = `The book could not be written in ${dirname(path)}: ${why}; ${remedy}, and try again.`;
  throw new UnavailableError("NotWritten", message, { cause: fault });
}

/**
 * Sets a book to WAL mode before it is used, since a backup copy is not in WAL mode: without it
 * readers and writers block each other, and a commit may be lost in a power cut. On return the file
 * alone is the book.
 *
 * @throws as `checkpoint`
 */
export function beginLog(path: string): void {
  setJournalMode(path, "wal");
  checkpointLog(path);
}

/**
 * Ends WAL mode until a program uses the book again: a reader then creates no files beside it and
 * needs no disk space.
 *
 * @throws DiskError
 */
export function endLog(path: string): void {
  setJournalMode(path, "delete");
}

function setJournalMode(path: string, mode: "wal" | "delete"): void {
  using db = new DatabaseSync(path, { timeout: lookWaitMs });
  try {
    db.exec(`pragma journal_mode = ${mode}`);
  } catch (error) {
    throw explainDiskError(path, error);
  }
}

/** Runs SQLite's integrity check on the file; returns the faults, none for an intact file. */
export function damageIn(path: string): readonly string[] {
  try {
    const rows = withFile(path, (db) => {
      db.exec(`pragma cache_size = -${checkCacheKiB}`);
      return db.prepare(`pragma integrity_check(${damageMax})`).all();
    });
    return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
  } catch (error) {
    if (error instanceof RefusedError && error.code === "BookDamaged") return [error.message];
    throw error;
  }
}

export function damagedError(
  path: string,
  faults: readonly string[] = [],
  cause?: unknown,
): RefusedError {
  const details = faults.map((message) => ({ message }));
  const message = `The file ${path} is damaged; restore a backup of it with acct book restore.`;
  return new RefusedError("BookDamaged", message, details, { cause });
}

/**
 * Copies the current state of a book to a file, which is empty or holds another book.
 * @param between  called midway, with the target locked; an exception undoes the copy
 */
export async function copyPages(from: string, to: string, between?: () => void): Promise<void> {
  using db = new DatabaseSync(from, { timeout: lockWaitMs });
  try {
    // A read transaction sees one snapshot for as long as it lasts.
    db.exec("begin");
    db.prepare("pragma user_version").get();
    if (between === undefined) return void (await backup(db, to, { rate: pagesMax }));
    // Copies fewer pages than there are in the first step, so that `between` runs before the end.
    const pageCount = Number(db.prepare("pragma page_count").get()?.page_count);
    const rate = Math.max(1, Math.min(pagesMax, pageCount - 1));
    await backup(db, to, { rate, progress: between });
  } catch (error) {
    throw explainDiskError(to, error);
  }
}

/**
 * Replaces a book by another, after copying it to a backup.
 * @param partPath  the new book, which nobody else uses
 * @param keepFormer  copies the old book
 * @throws UnavailableError `Busy` when somebody has the book open or changes it meanwhile; it is
 *   left unchanged
 */
export async function replacePages(
  path: string,
  partPath: string,
  keepFormer: () => Promise<void>,
): Promise<void> {
  refuseInUse(path);
  using watch = new DatabaseSync(path, { timeout: lockWaitMs });
  keepLog(watch);
  const version = () => watch.prepare("pragma data_version").get()?.data_version;
  const versionBefore = version();
  await keepFormer();
  await copyPages(partPath, path, () => {
    if (version() !== versionBefore) throw inUseError(path);
  });
}

/** Sets WAL mode; without it nobody could read a book while it is written. */
function keepLog(db: DatabaseSync): void {
  try {
    db.exec("pragma journal_mode = wal");
  } catch (error) {
    // A file too damaged for the switch already is a book in WAL mode.
    if ((codeOf(error) & 0xff) !== corruptCode) throw error;
  }
}

/**
 * Refuses a book in use.
 * @throws UnavailableError `Busy` when anybody has the book open
 */
export function refuseInUse(path: string): void {
  using db = new DatabaseSync(path, { timeout: lookWaitMs });
  try {
    // Every connection holds a shared lock, so an exclusive lock means that nobody has the book
    // open.
    db.exec("pragma locking_mode = exclusive; begin immediate; rollback;");
  } catch (error) {
    throw isBusy(error) ? inUseError(path) : explainDiskError(path, error);
  }
}

/** Whether SQLite failed because another connection holds the lock. */
export const isBusy = (error: unknown) => (codeOf(error) & 0xff) === busyCode;

/** Turns a disk error into a sentence with its remedy; returns other errors unchanged. */
export function explainDiskError(path: string, error: unknown): unknown {
  const trouble = troubleOf(error, path);
  return trouble === undefined ? error : diskError(path, trouble, error);
}

function inUseError(path: string): UnavailableError {
  const message = `${path} is in use by another program; end that first, and nothing was changed.`;
  return new UnavailableError("Busy", message);
}

function withFile<T>(path: string, look: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    return look(db);
  } catch (error) {
    const code = codeOf(error) & 0xff;
    if (code === notADatabase) throw notABookError(path);
    if (code === plainError && unknownName.test((error as Error).message)) {
      throw mismatchOf({ place: path, upgrading: `acct book upgrade ${path}` }, undefined, error);
    }
    // Readers need disk space beside the file too, so a full disk tells nothing of the file itself.
    if (troubleOf(error, path) === "DiskFull") throw explainDiskError(path, error);
    throw unreadableCodes.has(code)
      ? damagedError(path, [(error as Error).message], error)
      : explainDiskError(path, error);
  }
}
