/**
 * Describes errors of reading and writing files and databases, with the remedy.
 *
 * Such errors are faults neither of the request nor of the program: the disk is full, or the file
 * is not writable. The store and all writers of files report them in the same sentences.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { UnavailableError } from "../resources/errors.ts";

/** Trouble by error code: its description in a few words, and the remedy. */
const troubles = {
  DiskFull: ["no space is left on its disk", "make room there, and try again"],
  ReadOnly: ["it or its disk is read-only", "have it made writable, or use another place"],
  NotPermitted: ["that is not permitted", "see whose it and its folder are, or use another place"],
  DiskFailing: [
    "its disk reports a fault",
    "see that the disk is sound and no quota of it is used up, and try again",
  ],
  Damaged: ["it is damaged", "restore a backup of it with acct book restore"],
} as const;

export type Trouble = keyof typeof troubles;

export class DiskError extends UnavailableError {}

export function isTrouble(code: string | undefined): code is Trouble {
  return code !== undefined && Object.hasOwn(troubles, code);
}

/** Description of a trouble without the path, for readers who need not know it. */
export function describeTrouble(trouble: Trouble): string {
  return troubles[trouble][0];
}

/** Creates the error of a trouble. @param path  path of the file, or another name of it */
export function diskError(path: string, trouble: Trouble, cause?: unknown): DiskError {
  const [why, remedy] = troubles[trouble];
  const cannot = trouble === "Damaged" ? "used" : "written";
  return new DiskError(trouble, `${path} cannot be ${cannot}: ${why}; ${remedy}.`, { cause });
}

/** Trouble by error code of the file system. */
const bySystem: Readonly<Record<string, Trouble>> = {
  ENOSPC: "DiskFull",
  EDQUOT: "DiskFull",
  EROFS: "ReadOnly",
  EACCES: "NotPermitted",
  EPERM: "NotPermitted",
  EIO: "DiskFailing",
  EFBIG: "DiskFailing",
};

export function diskTroubleOf(error: unknown): Trouble | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? bySystem[code] : undefined;
}

/**
 * Converts a file system error of a write to a DiskError with its remedy; other errors are returned
 * as they are.
 */
export function asDiskError(path: string, error: unknown): unknown {
  const trouble = diskTroubleOf(error);
  return trouble === undefined ? error : diskError(path, trouble, error);
}

/**
 * Flushes a folder, so that the name of a new file is on disk too; Windows has no such operation.
 */
export function flushFolder(path: string): void {
  if (process.platform === "win32") return;
  const folderDescriptor = openSync(dirname(path), "r");
  try {
    fsyncSync(folderDescriptor);
  } finally {
    closeSync(folderDescriptor);
  }
}
