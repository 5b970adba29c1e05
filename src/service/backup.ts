/**
 * The file of a book copied to a backup, and a backup put in the place of a book.
 *
 * Nothing is there under its name before it is whole: what is made lies beside its place until it was
 * looked over and is on the disk.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DiskError, explainedWriting } from "../resources/disk.ts";
import { RefusedError, UsageError } from "../resources/errors.ts";
import { latestVersion } from "../store/migrate.ts";
import {
  checkpoint,
  copyPages,
  damaged,
  damageIn,
  type Examined,
  examine,
  isDatabase,
  refuseInUse,
  replacePages,
  versionIn,
} from "../store/sqlite-file.ts";
import { nameOf, openBook, verifyBook } from "./book.ts";

export type { Examined };
export { examine, versionIn };

/** A file that was made, and what is in it. */
export interface BackedUp {
  readonly path: string;
  readonly bytes: number;
  /** Of the organisation. */
  readonly name: string;
  /** Of its tables. */
  readonly version: number;
  /** What does not add up in it, a sentence each. */
  readonly faults: readonly string[];
}

export interface Restored extends BackedUp {
  /** Where the book is that was there before; undefined where none was. */
  readonly kept: string | undefined;
}

/**
 * Copies the file of a book, which others may work on meanwhile, as it is at one moment.
 *
 * @param options.force  writes over a file that is there
 * @throws as `versionIn`; RefusedError `FileExists`, `BookDamaged`; UsageError `CannotWrite`
 */
export async function backUp(
  path: string,
  to: string,
  { force = false }: { readonly force?: boolean | undefined } = {},
): Promise<BackedUp> {
  const version = versionIn(path);
  refuseSame(path, to);
  const isThere = isFile(to);
  if (isThere && !force) throw fileExists(to);
  if (isThere && isDatabase(to)) refuseInUse(to);
  return withPart(to, async (part) => {
    await copyPages(path, part);
    const looked = await lookOver(part, path);
    flush(part);
    if (force) renameSync(part, to);
    else put(part, to);
    flushFolder(to);
    return { path: to, bytes: statSync(to).size, version, ...looked };
  });
}

/**
 * Puts a backup in the place of a book. The one that was there is kept beside it.
 *
 * @param options.kept   the name that it is kept under, or one like it that is free
 * @param options.force  takes a backup that does not add up
 * @throws as `versionIn` of the backup; RefusedError `BookDamaged`, `DoesNotAddUp`, `NotABook` when
 *   something else is there; UnavailableError `Busy`
 */
export async function restore(
  path: string,
  from: string,
  options: { readonly kept: string; readonly force?: boolean | undefined },
): Promise<Restored> {
  const version = versionIn(from);
  refuseSame(path, from);
  const there = whatIsAt(path);
  makeFolder(path);
  return withPart(path, async (part) => {
    await copyPages(from, part);
    const looked = await lookOver(part, from);
    if (looked.faults.length > 0 && options.force !== true) throw doesNotAddUp(from, looked.faults);
    flush(part);
    const kept = there === "nothing" ? undefined : freeName(options.kept);
    if (kept === undefined) put(part, path);
    else if (there === "book") await replacePages(path, part, () => keep(path, kept));
    else swap(path, part, kept);
    flush(path);
    flushFolder(path);
    return { path, bytes: statSync(path).size, version, ...looked, kept };
  });
}

/** What a backup would take the place of. @throws RefusedError `NotABook`, UsageError for a folder */
export function whatIsAt(path: string): "nothing" | "book" | "ruin" {
  if (!isFile(path)) return "nothing";
  if (!isDatabase(path)) return "ruin";
  try {
    versionIn(path);
  } catch (error) {
    if (!(error instanceof RefusedError && error.code === "BookTooNew")) throw error;
  }
  return "book";
}

async function keep(path: string, kept: string): Promise<void> {
  await withPart(kept, async (part) => {
    await copyPages(path, part);
    flush(part);
    put(part, kept);
    flushFolder(kept);
  });
}

/** For what is no database any more, and so nobody has open as one. */
function swap(path: string, part: string, kept: string): void {
  linkSync(path, kept);
  for (const log of ["-wal", "-shm"]) {
    if (existsSync(path + log)) renameSync(path + log, kept + log);
  }
  renameSync(part, path);
}

/**
 * Gives a book that was made beside its place its name, once it is whole and on the disk.
 *
 * @throws UnavailableError `NotWritten`, RefusedError `BookDamaged`; as `linkSync` does
 */
export function publish(part: string, path: string): void {
  checkpoint(part);
  const damage = damageIn(part);
  if (damage.length > 0) throw damaged(path, damage);
  flush(part);
  linkSync(part, path);
  flushFolder(path);
}

/** @throws RefusedError `BookDamaged` */
async function lookOver(part: string, original: string) {
  const damage = damageIn(part);
  if (damage.length > 0) throw damaged(original, damage);
  if (versionIn(part) === latestVersion) return verified(part);
  // What is looked over is brought up to date, which the copy is not to be.
  return withPart(`${part}.newer`, async (newer) => {
    copyFileSync(part, newer);
    return verified(newer);
  });
}

async function verified(path: string): Promise<Pick<BackedUp, "name" | "faults">> {
  const book = await openBook(path);
  try {
    return { name: await nameOf(book), faults: (await verifyBook(book)).faults };
  } finally {
    await book.close();
  }
}

/** Makes a file beside its place, for its owner alone, which is gone afterwards. */
async function withPart<T>(path: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = `${path}.${process.pid}.part`;
  removeAll(part); // Of a process that had this number and was killed.
  try {
    claim(part, path);
    return await work(part);
  } catch (error) {
    throw explainedMaking(path, part, error);
  } finally {
    removeAll(part);
  }
}

/** Trouble with a file that is made beside its place, told of the place. */
export function explainedMaking(path: string, part: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return explainedWriting(path, error);
  return new DiskError(error.code, error.message.replace(part, path), { cause: error });
}

/** The folder that a book is to be in, for its owner alone. @throws DiskError */
export function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw explainedWriting(path, reasonOf(error, dirname(path)));
  }
}

/** Of a read-only disk Node says that there is no such folder, unless it is asked for one alone. */
function reasonOf(error: unknown, folder: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") return error;
  if (!existsSync(dirname(folder))) return reasonOf(error, dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (reason) {
    return reason;
  }
  return error;
}

function claim(part: string, path: string): void {
  try {
    closeSync(openSync(part, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw explainedWriting(path, error);
    throw new UsageError("CannotWrite", `${path} cannot be written: there is no such folder.`);
  }
}

/** Gives it its name, unless something came there in the meantime. */
function put(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw isThere ? fileExists(path) : explainedWriting(path, error);
  }
}

function fileExists(path: string): RefusedError {
  return new RefusedError("FileExists", `There is a file at ${path} already; --force replaces it.`);
}

function doesNotAddUp(path: string, faults: readonly string[]): RefusedError {
  const details = faults.map((message) => ({ message }));
  return new RefusedError("DoesNotAddUp", `The book in ${path} does not add up.`, details);
}

function refuseSame(path: string, other: string): void {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  if (one === undefined || two === undefined || one.ino !== two.ino || one.dev !== two.dev) return;
  throw new UsageError("BadValue", `${other} is the book itself.`);
}

function isFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isFile()) return true;
  throw new UsageError("BadValue", `${path} is no file.`);
}

/** `kept`, or with a number behind it. */
function freeName(kept: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? kept : `${kept}-${count}`;
    if (!existsSync(name)) return name;
  }
}

function flush(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** So that the name is on the disk too; Windows knows no such thing. */
function flushFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes a file of a database with its logs. */
export function removeAll(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(path + end, { force: true });
}
