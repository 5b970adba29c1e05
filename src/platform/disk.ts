/**
 * What keeps a file or a database from being read or written, and what its owner can do about it.
 *
 * Nothing is wrong with the request or the program: the disk is full, or the file may not be
 * written. The store and whatever makes files tell it with the same sentences.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { UnavailableError } from "../resources/errors.ts";

/** By the code of the error: what is the matter, in a few words, and the remedy. */
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

/** For whoever need not know where it is. */
export function troubleText(trouble: Trouble): string {
  return troubles[trouble][0];
}

/** @param place  path of the file, or what else it is called */
export function diskError(place: string, trouble: Trouble, cause?: unknown): DiskError {
  const [why, remedy] = troubles[trouble];
  const cannot = trouble === "Damaged" ? "used" : "written";
  return new DiskError(trouble, `${place} cannot be ${cannot}: ${why}; ${remedy}.`, { cause });
}

/** By the code of an error of the file system. */
const bySystem: Readonly<Record<string, Trouble>> = {
  ENOSPC: "DiskFull",
  EDQUOT: "DiskFull",
  EROFS: "ReadOnly",
  EACCES: "NotPermitted",
  EPERM: "NotPermitted",
  EIO: "DiskFailing",
  EFBIG: "DiskFailing",
};

export function systemTrouble(error: unknown): Trouble | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? bySystem[code] : undefined;
}

/** What an error of the file system comes to for whoever wanted to write there; else the same error. */
export function explainedWriting(path: string, error: unknown): unknown {
  const trouble = systemTrouble(error);
  return trouble === undefined ? error : diskError(path, trouble, error);
}

/** So that the name of a file is on the disk too; Windows knows no such thing. */
export function flushFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
