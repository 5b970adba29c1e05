/** Creates the file of a book, which gets its name only when it is verified and on the disk. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { asDiskError, DiskError, diskError, flushFolder } from "../../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { RefusedError, UsageError } from "../../../resources/errors.ts";
import { checkpointLog, damagedError, damageIn } from "../../../store/dialects/file-care.ts";

/** Options for creating the file of a book. */
export interface NewFile<T> {
  /** Estimated disk space of the file and its write-ahead log. */
  readonly bytes: number;
  /** Creates the file under a temporary name, and closes it. */
  readonly fill: (partPath: string) => Promise<unknown>;
  /** Path of the original of a copy; a damaged copy then means a damaged original. */
  readonly original?: string;
  /** Keeps the copy even where it is damaged. */
  readonly isAsItIs?: true;
  /** Verifies the file after its integrity check. */
  readonly look?: (partPath: string) => Promise<T>;
  /** Renames the file into place; by default it is linked to its name if that is free. */
  readonly name?: ((partPath: string) => Promise<void> | void) | undefined;
}

/**
 * The one way to create the file of a book: as a part file beside its path; with its write-ahead
 * log merged, checked by the database, and flushed to the disk with its folder; and only then
 * linked to its name. On any failure no new file is left.
 *
 * Linking, unlike renaming, fails where another process has put one there in the meantime.
 *
 * @throws DiskError, UnavailableError `NotWritten`, RefusedError `BookDamaged`, `FileExists`
 */
export async function makeFile<T>(path: string, making: NewFile<T>): Promise<T> {
  const { bytes, fill, original, look, name } = making;
  clearLeftovers(path);
  refuseWithoutRoom(path, bytes);
  return withPart(path, async (partPath) => {
    await fill(partPath);
    if (making.isAsItIs !== true) {
      // A copy has no log: its pages are written into the file itself.
      if (original === undefined) checkpointLog(partPath);
      const damage = damageIn(partPath);
      if (damage.length > 0) throw damagedError(original ?? path, damage);
    }
    const looked = (await look?.(partPath)) as T;
    flush(partPath);
    if (name !== undefined) await name(partPath);
    else put(partPath, path);
    return looked;
  });
}

/**
 * Refuses early without enough disk space. Some file systems report none; there the write will
 * fail.
 */
function refuseWithoutRoom(path: string, bytes: number): void {
  let freeBytes = Number.POSITIVE_INFINITY;
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path));
    if (blocks > 0) freeBytes = bavail * bsize;
  } catch {
    return;
  }
  if (freeBytes < bytes) throw diskError(path, "DiskFull");
}

/** A name beside `path` for a temporary file. */
export async function withPart<T>(path: string, useFile: (part: string) => Promise<T>): Promise<T> {
  const partPath = partName(path);
  try {
    return await useFile(partPath);
  } catch (error) {
    throw explainError(path, partPath, error);
  } finally {
    removePart(partPath);
  }
}

/** Explains an error on a temporary file with the path of the book. */
function explainError(path: string, partPath: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return asDiskError(path, error);
  return new DiskError(error.code, error.message.replace(partPath, path), { cause: error });
}

/** Creates the file, with access for its owner only. */
export function createFile(partPath: string, path: string): void {
  try {
    closeSync(openSync(partPath, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw asDiskError(path, error);
    throw new UsageError("CannotWrite", `${path} cannot be written: there is no such folder.`);
  }
}

/** Links the file to its name, unless that was taken in the meantime. */
function put(partPath: string, path: string): void {
  try {
    linkSync(partPath, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? fileExists(path) : error;
  }
  try {
    flushFolder(path);
  } catch (error) {
    rmSync(path);
    throw error;
  }
}

export function fileExists(path: string): RefusedError {
  return new RefusedError("FileExists", `There is a file at ${path} already; --force replaces it.`);
}

export function bytesOf(path: string): number {
  return ["", "-wal"].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Returns `kept`, or with a number behind it if that is taken. */
export function freeName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}-${count}`;
    if (!existsSync(name)) return name;
  }
}

export function flush(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
