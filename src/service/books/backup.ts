/**
 * The file of a book copied to a backup, and a backup put in the place of a book.
 *
 * Nothing is there under its name before it is whole: what is made lies beside its place until it was
 * looked over and is on the disk.
 */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DiskError, explainedWriting, flushFolder } from "../../platform/disk.ts";
import { makeFolder } from "../../platform/folder.ts";
import { RefusedError, SchemaError, UsageError } from "../../resources/errors.ts";
import {
  beginLog,
  copyPages,
  type Examined,
  endLog,
  examine,
  isDatabase,
  refuseForeign,
  refuseInUse,
  replacePages,
  versionIn,
} from "../../store/dialects/file-care.ts";
import { latestVersion } from "../../store/upgrade/state.ts";
import { type LogExtent, replay } from "./backup-log.ts";
import { nameOf, openBook, verifyBook } from "./book.ts";
import { bytesOf, claim, fileExists, flush, freeName, makeFile, withPart } from "./file/make.ts";

export type { Examined };
export { examine, latestVersion, makeFile, versionIn };

/** A file that was made, and what is in it. */
export interface BackedUp {
  readonly path: string;
  readonly bytes: number;
  /** Of the organisation. */
  readonly name: string;
  /** Of its tables. */
  readonly version: number;
  /** Faults in it, a sentence each. */
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
 * @throws as `versionIn` and `makeFile`; RefusedError `FileExists`; UsageError `CannotWrite`
 */
export async function backUp(
  path: string,
  to: string,
  { force = false }: { readonly force?: boolean | undefined } = {},
): Promise<BackedUp> {
  const version = versionIn(path);
  refuseForeign(path);
  refuseSame(path, to);
  const isThere = isFile(to);
  if (isThere && !force) throw fileExists(to);
  if (isThere && isDatabase(to)) refuseInUse(to);
  const looked = await makeFile(to, {
    bytes: bytesToCopy(path, version),
    fill: (part) => copyInto(part, path, to),
    original: path,
    look: (part) => lookOverBackup(part, path),
    name: force
      ? (part) => {
          renameSync(part, to);
          flushFolder(to);
        }
      : undefined,
  });
  return { path: to, bytes: statSync(to).size, version, ...looked };
}

export interface RestoreOptions {
  /** The name that the book before is kept under, or one like it that is free. */
  readonly kept: string;
  /** Takes a backup that does not add up. */
  readonly force?: boolean | undefined;
  /** Leads from the backup to a later moment. */
  readonly log?: LogExtent | undefined;
}

/**
 * Puts a backup in the place of a book. The one that was there is kept beside it.
 *
 * @throws as `versionIn` of the backup, `makeFile` and `replay`; RefusedError `DoesNotAddUp`,
 *   `NotABook` when something else is there; UnavailableError `Busy`
 */
export async function restore(
  path: string,
  from: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { log } = options;
  const version = versionIn(from);
  refuseForeign(from);
  refuseSame(path, from);
  const there = whatIsAt(path);
  makeFolderOf(path);
  const kept = there === "nothing" ? undefined : freeName(options.kept);
  // The book that is there is kept in a copy, and replaced by way of its log.
  const extra = there === "book" ? bytesOf(path) + bytesOf(from) : 0;
  const looked = await makeFile(path, {
    bytes: bytesToCopy(from, version) + extra + bytesIn(log),
    async fill(part) {
      if (log === undefined) return copyInto(part, from, path);
      claim(part, path);
      replay(part, from, log);
    },
    original: from,
    look: async (part) => {
      const found = await verified(part, from);
      beginLog(part);
      if (found.faults.length > 0 && options.force !== true) throw doesNotAddUp(from, found.faults);
      return found;
    },
    name:
      kept === undefined || there === "nothing"
        ? undefined
        : (part) => replace(there, path, part, kept),
  });
  return { path, bytes: statSync(path).size, version: versionIn(path), ...looked, kept };
}

/** What the largest write-ahead log in it takes up beside the file, at most. */
const bytesIn = (log: LogExtent | undefined) =>
  log?.pieces.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;

async function replace(there: "book" | "ruin", path: string, part: string, kept: string) {
  if (there === "ruin") {
    swap(path, part, kept);
    return flushFolder(path);
  }
  let isKept = false;
  try {
    await replacePages(path, part, async () => {
      await makeFile(kept, {
        bytes: 0,
        fill: (copy) => copyInto(copy, path, kept),
        isAsItIs: true,
      });
      isKept = true;
    });
  } catch (error) {
    // The book is as it was, and needs no copy.
    if (isKept) rmSync(kept);
    throw error;
  }
  try {
    flush(path);
    flushFolder(path);
  } catch (error) {
    const trouble = explainedWriting(path, error);
    if (!(trouble instanceof DiskError)) throw error;
    const message = `${trouble.message} It holds the backup already; the book before is ${kept}.`;
    throw new DiskError(trouble.code, message, { cause: error });
  }
}

/** Pages of a database copied to a file that nobody else has. */
async function copyInto(part: string, from: string, path: string): Promise<void> {
  claim(part, path);
  await copyPages(from, part);
}

/** A book of an older version is copied once more, and the copy migrated to be verified. */
function bytesToCopy(path: string, version: number): number {
  return bytesOf(path) * (version === latestVersion ? 1 : 3);
}

/** Contents of the place of a backup. @throws RefusedError `NotABook`, UsageError for a folder */
export function whatIsAt(path: string): "nothing" | "book" | "ruin" {
  if (!isFile(path)) return "nothing";
  if (!isDatabase(path)) return "ruin";
  try {
    versionIn(path);
  } catch (error) {
    if (!(error instanceof SchemaError && error.code === "BookTooNew")) throw error;
  }
  return "book";
}

/** For what is no database any more, and so nobody has open as one. */
function swap(path: string, part: string, kept: string): void {
  linkSync(path, kept);
  for (const log of ["-wal", "-shm"]) {
    if (existsSync(path + log)) renameSync(path + log, kept + log);
  }
  renameSync(part, path);
}

async function lookOver(
  part: string,
  original: string,
): Promise<Pick<BackedUp, "name" | "faults">> {
  if (versionIn(part) === latestVersion) return verified(part, original);
  // Verification migrates a book, which the copy is not to be.
  return withPart(`${part}.newer`, async (newer) => {
    claim(newer, newer);
    copyFileSync(part, newer);
    return verified(newer, original);
  });
}

/** Looks over a backup, and leaves it as one file that is read without others beside it. */
export async function lookOverBackup(
  path: string,
  original = path,
): Promise<Pick<BackedUp, "name" | "faults">> {
  const found = await lookOver(path, original);
  endLog(path);
  return found;
}

/** A copy, which is brought up where it is of an earlier version. @param called  in messages */
async function verified(path: string, called: string): Promise<Pick<BackedUp, "name" | "faults">> {
  const book = await openBook(path, { called, upgrading: { isCopy: true } });
  try {
    return { name: await nameOf(book), faults: (await verifyBook(book)).faults };
  } finally {
    await book.close();
  }
}

/** The folder that a book is to be in, for its owner alone. @throws UsageError `BadFile`, DiskError */
export function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path), 0o700);
  } catch (error) {
    throw explainedWriting(path, error);
  }
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
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  throw new UsageError("BadValue", `${path} is no file.`);
}
