/**
 * Configuration file and directories of the user.
 *
 * The library `conf` writes the file atomically, with access for the owner alone. Loading `conf`
 * takes longer than most commands, so commands that only read parse the file directly.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { baseFolder, type Env, nonEmpty } from "../../platform/user-folders.ts";
import { UsageError } from "../../resources/errors.ts";

export { cacheDir, type Env, nonEmpty } from "../../platform/user-folders.ts";

/** A named place of work: a book file, or a service with one of its organisations. */
export interface Profile {
  readonly book?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** Tenant id of the organisation, on a service that has several. */
  readonly tenant?: string | undefined;
  /** Name of that organisation. */
  readonly organisation?: string | undefined;
  /** Whether changes are refused. */
  readonly readOnly?: boolean | undefined;
  /** Client id of the app that signs in to the service. */
  readonly clientId?: string | undefined;
  /** Id of the sign-in, if any; profiles may share one. */
  readonly signIn?: string | undefined;
}

export interface Config {
  readonly defaultProfile?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const fileName = "config";

/**
 * Returns the configuration directory: `ACCT_CONFIG_DIR`, or `acct` in the usual place of the
 * system.
 */
function configDir(env: Env): string {
  return (
    nonEmpty(env.ACCT_CONFIG_DIR) ??
    join(baseFolder(env, "XDG_CONFIG_HOME", "APPDATA", ".config"), "acct")
  );
}

/** Returns the data directory, which holds the default book. */
export function dataDir(env: Env): string {
  return join(baseFolder(env, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share"), "acct");
}

/** Returns the state directory: files kept between commands that can be lost without harm. */
export function stateDir(env: Env): string {
  return join(baseFolder(env, "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"), "acct");
}

/** Returns the path of the default book: `acct/book.acct` in the data directory. */
export function defaultBook(env: Env): string {
  return join(dataDir(env), "book.acct");
}

/** Returns the folder of sign-ins, one file each. */
export function signInsDir(env: Env): string {
  return join(configDir(env), "sign-ins");
}

export function configPath(env: Env): string {
  return join(configDir(env), `${fileName}.json`);
}

/**
 * Reads the configuration.
 *
 * @throws UsageError `BadConfig` when the file is invalid
 */
export function readConfig(env: Env): Config {
  const path = configPath(env);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { profiles: {} };
    throw error;
  }
  try {
    const config = JSON.parse(text) as Partial<Config> | null;
    return { ...config, profiles: config?.profiles ?? {} };
  } catch (cause) {
    throw new UsageError(
      "BadConfig",
      `The configuration file ${path} is no JSON; mend it or delete it.`,
      [],
      { cause },
    );
  }
}

/**
 * Updates the configuration by `edit` under a lock, so that changes of other processes are kept.
 */
export async function writeConfig(env: Env, edit: (config: Config) => Config): Promise<void> {
  const { default: Conf } = await import("conf");
  const { whileLocked } = await import("../../client/session/lock.ts");
  await whileLocked(`${configPath(env)}.lock`, { waitMaxMs: lockWaitMaxMs }, async () => {
    const conf = new Conf<Record<string, unknown>>({
      cwd: configDir(env),
      configName: fileName,
      configFileMode: 0o600,
      projectName: "acct",
    });
    conf.store = { ...edit(readConfig(env)) };
  });
}

/** Maximum wait for the lock; writing takes milliseconds. */
const lockWaitMaxMs = 10_000;

/**
 * Returns a profile.
 *
 * @throws UsageError `NoProfile`
 */
export function profileNamed(config: Config, name: string): Profile {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(config.profiles);
  throw new UsageError(
    "NoProfile",
    `There is no profile ${name}${known.length === 0 ? "" : `; there are ${known.join(", ")}`}.`,
  );
}
