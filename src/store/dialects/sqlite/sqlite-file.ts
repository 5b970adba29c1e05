/**
 * The file of a book as a whole: copied page by page while others work on it, and put in the place
 * of another.
 *
 * SQLite's backup copies it under the locks and with the journal of an ordinary change. So a copy
 * is a snapshot, and a replaced book is either the old or the new one for every reader, also after
 * a kill in the middle. A file renamed over an open book would leave its readers with the old one,
 * and its write-ahead log would be applied to the new one.
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
  foreign,
  foundIn,
  latestVersion,
  mismatch,
  refusalOf,
  type SchemaState,
  statements,
  tooNew,
} from "../../upgrade/state.ts";
import { type Shaped, selectShape, shapeOf } from "./shape.ts";
import {
  applicationId,
  codeOf,
  notABook,
  notADatabase,
  plainError,
  sqliteDialect,
  troubleOf,
  unknownName,
} from "./sqlite.ts";

/** How long to wait for a lock of another program. */
const lockWaitMs = 5000;

/** Whether any process has it open. */
const lookWaitMs = 250;

/** Pages that are copied at a time; between them others may come in. */
export const pagesMax = 1000;

/** Memory of a check of the whole file, which looks up every row in every index of its table, in KiB. */
const checkCacheKiB = 32_768;

/** Faults of a damaged file that a message names. */
const damageMax = 20;

const busy = 5;
const corrupt = 11;
/** SQLite reports a damaged schema as a plain error, and a truncated file as a read error. */
const unreadable: ReadonlySet<number> = new Set([1, 10, corrupt]);

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
  const version = opened(path, (db) => {
    // These two are read from the head of the file, whatever else of it is damaged.
    const id = db.prepare("pragma application_id").get()?.application_id;
    const found = db.prepare("pragma user_version").get()?.user_version;
    return id === applicationId ? Number(found) : undefined;
  });
  if (version === undefined || version === 0) throw notABook(path);
  if (version <= latestVersion) return version;
  throw tooNew({ place: path });
}

export interface Examined {
  /** Of its tables, and the one that this program knows. */
  readonly version: number;
  readonly wanted: number;
  /** Of the organisation. */
  readonly name: string;
  /** The sum of all balances, in cents: zero in consistent books. */
  readonly outBy: number;
  /** What is wrong with the file; not looked for in a large one. */
  readonly damage: string | undefined;
}

/** Files that are looked through in less than half a second. */
const examinedBytesMax = 64 * 1024 * 1024;

/** How far its tables are. @throws as `versionIn` */
function schemaIn(path: string): SchemaState {
  const version = versionIn(path);
  const made = statements(sqliteDialect(path));
  return opened(path, (db) => {
    const rows = db.prepare(selectShape).all() as unknown as Shaped[];
    return foundIn(version, made, shapeOf(rows, made));
  });
}

/** @throws SchemaError `SchemaForeign` for what is not the program's; as `versionIn` */
export function refuseForeign(path: string): void {
  const state = schemaIn(path);
  if (state.state === "foreign") throw foreign({ place: path }, state);
}

/** A cheap look at a book, which changes nothing. @throws as `versionIn` */
export function examine(path: string): Examined {
  const schemaState = schemaIn(path);
  const { version, state } = schemaState;
  // An earlier version is brought up by the next command.
  const refusal =
    state === "older" && version < latestVersion
      ? undefined
      : refusalOf(schemaState, sqliteDialect(path));
  if (refusal !== undefined) throw refusal;
  return opened(path, (db) => {
    const own = db.prepare("select name from organisation order by org").get();
    if (own === undefined) {
      throw new RefusedError("NoBook", `The file ${path} holds no book yet.`);
    }
    const sums = db.prepare("select total(debit - credit) as out_by from balance").get();
    const isSmall = statSync(path).size <= examinedBytesMax;
    const said = isSmall ? db.prepare("pragma quick_check(1)").get()?.quick_check : "ok";
    const damage = said === "ok" ? undefined : String(said).split("\n").join(" ");
    return {
      version,
      wanted: latestVersion,
      name: String(own.name),
      outBy: Number(sums?.out_by),
      damage,
    };
  });
}

/** Whether a file is one that SQLite opens, be it damaged further on. */
export function isDatabase(path: string): boolean {
  if (statSync(path).size === 0) return false;
  try {
    opened(path, (db) => db.prepare("pragma user_version").get());
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

/**
 * Moves the write-ahead log of a book into its file, so that the file alone is the book.
 *
 * Closing the last connection does the same, but says nothing where it fails: on a full disk, or
 * while another program reads.
 *
 * @throws DiskError, UnavailableError `NotWritten`
 */
export function checkpoint(path: string): void {
  const db = new DatabaseSync(path, { timeout: lookWaitMs });
  let fault: unknown;
  try {
    if (db.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 0) return;
  } catch (error) {
    fault = explained(path, error);
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
 * Has a book that is to be worked on keep a write-ahead log, which a backup does without: otherwise
 * readers and writers stop each other, and a commit may be lost with the power. The file alone is the
 * book when it returns.
 *
 * @throws as `checkpoint`
 */
export function beginLog(path: string): void {
  const db = new DatabaseSync(path, { timeout: lookWaitMs });
  try {
    db.exec("pragma journal_mode = wal");
  } catch (error) {
    throw explained(path, error);
  } finally {
    db.close();
  }
  checkpoint(path);
}

/**
 * Has the file of a book do without a write-ahead log until a program works on it again: a reader of
 * it makes no files beside it, and needs no room.
 *
 * @throws DiskError
 */
export function endLog(path: string): void {
  const db = new DatabaseSync(path, { timeout: lookWaitMs });
  try {
    db.exec("pragma journal_mode = delete");
  } catch (error) {
    throw explained(path, error);
  } finally {
    db.close();
  }
}

/** What SQLite finds wrong with the file itself; nothing where it is whole. */
export function damageIn(path: string): readonly string[] {
  try {
    const found = opened(path, (db) => {
      db.exec(`pragma cache_size = -${checkCacheKiB}`);
      return db.prepare(`pragma integrity_check(${damageMax})`).all();
    });
    return found.map((row) => String(row.integrity_check)).filter((said) => said !== "ok");
  } catch (error) {
    if (error instanceof RefusedError && error.code === "BookDamaged") return [error.message];
    throw error;
  }
}

export function damaged(
  path: string,
  found: readonly string[] = [],
  cause?: unknown,
): RefusedError {
  const details = found.map((message) => ({ message }));
  const message = `The file ${path} is damaged; restore a backup of it with acct book restore.`;
  return new RefusedError("BookDamaged", message, details, { cause });
}

/**
 * Copies the book of this moment to a file, which holds nothing or another book.
 *
 * @param between  called while it is copied, with the other book locked; what it throws undoes all
 */
export async function copyPages(from: string, to: string, between?: () => void): Promise<void> {
  const db = new DatabaseSync(from, { timeout: lockWaitMs });
  try {
    // A reader sees one moment for as long as its transaction lasts.
    db.exec("begin");
    db.prepare("pragma user_version").get();
    if (between === undefined) return void (await backup(db, to, { rate: pagesMax }));
    // Less than all at once, so that there is a between.
    const pages = Number(db.prepare("pragma page_count").get()?.page_count);
    const rate = Math.max(1, Math.min(pagesMax, pages - 1));
    await backup(db, to, { rate, progress: between });
  } catch (error) {
    throw explained(to, error);
  } finally {
    db.close();
  }
}

/**
 * Puts one book in the place of another, which is copied to `kept` first.
 *
 * @param part   the new one, which nobody else knows of
 * @param keep   copies the old one
 * @throws UnavailableError `Busy` when somebody has it open or changes it meanwhile; it is left as it was
 */
export async function replacePages(
  path: string,
  part: string,
  keep: () => Promise<void>,
): Promise<void> {
  refuseInUse(path);
  const watch = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    keepLog(watch);
    const version = () => watch.prepare("pragma data_version").get()?.data_version;
    const before = version();
    await keep();
    await copyPages(part, path, () => {
      if (version() !== before) throw inUse(path);
    });
  } finally {
    watch.close();
  }
}

/** Without a log nobody could watch a book while it is written. */
function keepLog(db: DatabaseSync): void {
  try {
    db.exec("pragma journal_mode = wal");
  } catch (error) {
    // What is too damaged for that was a book once, and has a log.
    if ((codeOf(error) & 0xff) !== corrupt) throw error;
  }
}

/** @throws UnavailableError `Busy` when anybody has the book open */
export function refuseInUse(path: string): void {
  const db = new DatabaseSync(path, { timeout: lookWaitMs });
  try {
    // Whoever has it open holds a lock that many may share; alone means nobody has.
    db.exec("pragma locking_mode = exclusive; begin immediate; rollback;");
  } catch (error) {
    throw isBusy(error) ? inUse(path) : explained(path, error);
  } finally {
    db.close();
  }
}

/** Whether somebody else has the lock that was asked for. */
export const isBusy = (error: unknown) => (codeOf(error) & 0xff) === busy;

/** What the database tells of the disk, in a sentence with the remedy; else the same error. */
export function explained(path: string, error: unknown): unknown {
  const trouble = troubleOf(error, path);
  return trouble === undefined ? error : diskError(path, trouble, error);
}

function inUse(path: string): UnavailableError {
  const message = `${path} is in use by another program; end that first, and nothing was changed.`;
  return new UnavailableError("Busy", message);
}

function opened<T>(path: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path, { timeout: lockWaitMs });
  try {
    return look(db);
  } catch (error) {
    const code = codeOf(error) & 0xff;
    if (code === notADatabase) throw notABook(path);
    if (code === plainError && unknownName.test((error as Error).message)) {
      throw mismatch({ place: path, upgrading: `acct book upgrade ${path}` }, undefined, error);
    }
    // Readers need room beside the file too, and without it nothing can be said of the file.
    if (troubleOf(error, path) === "DiskFull") throw explained(path, error);
    throw unreadable.has(code)
      ? damaged(path, [(error as Error).message], error)
      : explained(path, error);
  } finally {
    db.close();
  }
}
