/**
 * The file of a book made whole: nothing is there under its name before it was looked over and is on
 * the disk.
 */
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
import { DiskError, diskError, explainedWriting, flushFolder } from "../../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { RefusedError, UsageError } from "../../../resources/errors.ts";
import { checkpoint, damaged, damageIn } from "../../../store/dialects/file-care.ts";

/** The file of a book that is to be made. */
export interface NewFile<T> {
  /** About what it and its log take up on the disk. */
  readonly bytes: number;
  /** Makes it, closed, under a name that is free. */
  readonly fill: (part: string) => Promise<unknown>;
  /** Of what it is a copy, which is then at fault where it is damaged. */
  readonly original?: string;
  /** The copy is kept whatever is wrong with it. */
  readonly isAsItIs?: true;
  /** Looks it over once it is found whole. */
  readonly look?: (part: string) => Promise<T>;
  /** Gives it its name for good; else it gets it where nothing has that name yet. */
  readonly name?: ((part: string) => Promise<void> | void) | undefined;
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
  return withPart(path, async (part) => {
    await fill(part);
    if (making.isAsItIs !== true) {
      // A copy has no log: its pages are written into the file itself.
      if (original === undefined) checkpoint(part);
      const damage = damageIn(part);
      if (damage.length > 0) throw damaged(original ?? path, damage);
    }
    const looked = (await look?.(part)) as T;
    flush(part);
    if (name !== undefined) await name(part);
    else put(part, path);
    return looked;
  });
}

/** Some file systems do not report it; the write will. */
function refuseWithoutRoom(path: string, bytes: number): void {
  let free = Number.POSITIVE_INFINITY;
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path));
    if (blocks > 0) free = bavail * bsize;
  } catch {
    return;
  }
  if (free < bytes) throw diskError(path, "DiskFull");
}

/** A name beside `path` for a temporary file. */
export async function withPart<T>(path: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = partName(path);
  try {
    return await work(part);
  } catch (error) {
    throw explainedMaking(path, part, error);
  } finally {
    removePart(part);
  }
}

/** Trouble with a part file, reported with the path of the book. */
function explainedMaking(path: string, part: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return explainedWriting(path, error);
  return new DiskError(error.code, error.message.replace(part, path), { cause: error });
}

/** Makes the file, for its owner alone. */
export function claim(part: string, path: string): void {
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
    (sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** `kept`, or with a number behind it. */
export function freeName(kept: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? kept : `${kept}-${count}`;
    if (!existsSync(name)) return name;
  }
}

export function flush(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
