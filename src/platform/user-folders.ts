/** Folders of the user on this machine, by the variables of the environment that name them. */
import { join } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

/** Returns the cache directory, which may be deleted at any time. */
export function cacheDir(env: Env): string {
  return join(baseFolder(env, "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"), "acct");
}

/**
 * Returns the folder that a variable names, or the usual one below the home directory.
 *
 * @param xdg      variable of the XDG base directories
 * @param windows  variable of Windows
 */
export function baseFolder(env: Env, xdg: string, windows: string, underHome: string): string {
  const variable =
    nonEmpty(env[xdg]) ?? (process.platform === "win32" ? nonEmpty(env[windows]) : undefined);
  return variable ?? join(nonEmpty(env.HOME) ?? homeDir(), underHome);
}

/**
 * Returns the home directory; `node:os` is asked only where the environment lacks it, as it loads
 * slowly.
 */
function homeDir(): string {
  return process.getBuiltinModule("node:os").homedir();
}

/** Returns undefined for an empty variable of the environment. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
