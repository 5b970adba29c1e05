/**
 * The one configuration file, and the directories of the person who runs the program.
 *
 * The file is kept by `conf`, which writes it whole or not at all and for its owner alone. Loading
 * `conf` costs more than most commands take, so a command that only reads parses the same file
 * itself.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../resources/errors.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** Where a person works: a book in a file, or a service with an organisation on it. */
export interface Profile {
  readonly book?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The organisation, on a service that has several: what the tenant header names. */
  readonly tenant?: string | undefined;
  /** What that organisation is called. */
  readonly organisation?: string | undefined;
  /** Nothing may be changed there. */
  readonly readOnly?: boolean | undefined;
  /** The app that signs in to the service. */
  readonly clientId?: string | undefined;
  /** The id of the sign-in, while there is one; several profiles may share it. */
  readonly signIn?: string | undefined;
}

export interface Config {
  readonly defaultProfile?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const fileName = "config";

/** `ACCT_CONFIG_DIR`, or `acct` where the person's programs keep their settings. */
function configDir(env: Env): string {
  return (
    nonEmpty(env.ACCT_CONFIG_DIR) ??
    join(base(env, "XDG_CONFIG_HOME", "APPDATA", ".config"), "acct")
  );
}

/** Where the default book is. */
export function dataDir(env: Env): string {
  return join(base(env, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share"), "acct");
}

/** What may be deleted at any time. */
export function cacheDir(env: Env): string {
  return join(base(env, "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"), "acct");
}

/** What is remembered from one command to the next, and missed by nobody when it is lost. */
export function stateDir(env: Env): string {
  return join(base(env, "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"), "acct");
}

/** The default profile's book, when nothing else is said: `acct/book.acct` in the data directory. */
export function defaultBook(env: Env): string {
  return join(dataDir(env), "book.acct");
}

/** The folder of what keeps people signed in, a file each. */
export function signInsDir(env: Env): string {
  return join(configDir(env), "sign-ins");
}

export function configPath(env: Env): string {
  return join(configDir(env), `${fileName}.json`);
}

/** @throws UsageError `BadConfig` when the file is there and cannot be understood */
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
 * Replaces the configuration by what `edit` makes of it, one process after the other: what another
 * one changed meanwhile is not undone.
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

/** A configuration is written in milliseconds. */
const lockWaitMaxMs = 10_000;

/** @throws UsageError `NoProfile` */
export function profileNamed(config: Config, name: string): Profile {
  const profile = Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(config.profiles);
  throw new UsageError(
    "NoProfile",
    `There is no profile ${name}${known.length === 0 ? "" : `; there are ${known.join(", ")}`}.`,
  );
}

function base(env: Env, xdg: string, windows: string, underHome: string): string {
  const named =
    nonEmpty(env[xdg]) ?? (process.platform === "win32" ? nonEmpty(env[windows]) : undefined);
  return named ?? join(nonEmpty(env.HOME) ?? homeDir(), underHome);
}

/** Asked of the system only where the environment does not say: `node:os` takes a while to load. */
function homeDir(): string {
  return process.getBuiltinModule("node:os").homedir();
}

/** An empty variable of the environment counts as none. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
