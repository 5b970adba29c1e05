/** Creates and checks folders that users name. */
import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../resources/errors.ts";

/**
 * Creates a folder with its parents. The recursive mode of Node never ends where the system refuses
 * to create a folder, as below `/proc`.
 *
 * @throws UsageError `BadFile`; errors of the file system
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && isFolder(path)) return;
    if (code !== "ENOENT") throw error;
    throw new UsageError("BadFile", `No folder can be made at ${path}; name another place.`);
  }
}

/** Checks that a folder exists or could be created. @throws as `makeFolder` does */
export function checkFolder(path: string): void {
  if (isFolder(path)) accessSync(path, constants.W_OK);
  else checkFolder(dirname(path));
}

function isFolder(path: string): boolean {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
  if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  throw new UsageError("BadFile", `${path} is a file, not a folder.`);
}
