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
import { nearest } from "../../resources/scalar.ts";

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
  const bad = (problem: string, cause?: unknown) =>
    new UsageError(
      "BadConfig",
      `The configuration file ${path} ${problem}; mend it or delete it.`,
      [],
      { cause },
    );
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw bad("is no JSON", cause);
  }
  const check = (value: unknown, place: string, kinds: Kinds): object => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw bad(`holds no object${place}`);
    for (const [key, each] of Object.entries(value)) {
      const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
      const near = kind === undefined ? nearest(key, Object.keys(kinds)) : undefined;
      // A key that is near to none may be of a later version.
      if (near !== undefined) throw bad(`says "${key}"${place}, where it means ${near}`);
      if (kind !== undefined && typeof each !== kind)
        throw bad(`says no ${kind} for "${key}"${place}`);
    }
    return value;
  };
  const config = check(content ?? {}, "", configKinds) as Partial<Config>;
  for (const [name, profile] of Object.entries(check(config.profiles ?? {}, " for profiles", {})))
    check(profile, ` in the profile ${name}`, profileKinds);
  return { ...config, profiles: config.profiles ?? {} };
}

type Kinds = Readonly<Record<string, "string" | "boolean" | "object">>;
const profileKinds: Kinds = {
  book: "string",
  baseUrl: "string",
  tenant: "string",
  organisation: "string",
  readOnly: "boolean",
  clientId: "string",
  signIn: "string",
} satisfies Record<keyof Profile, Kinds[string]>;
const configKinds: Kinds = {
  defaultProfile: "string",
  profiles: "object",
} satisfies Record<keyof Config, Kinds[string]>;

/** Names of the variables that the program reads, without `ACCT_`. */
const variableNames = [
  "AGENT",
  "BASE_URL",
  "BOOK",
  "CLIENT_SECRET",
  "CONFIG_DIR",
  "DATA",
  "DATABASE",
  "DEBUG",
  "EMAIL",
  "FONTS",
  "MAX_WAIT",
  "OUTPUT",
  "PROFILE",
  "PUBLIC_URL",
  "RATES_URL",
  "READ_ONLY",
  "SMTP_URL",
  "TENANT",
  "TOKEN",
  "USER",
  "WEBHOOK_KEY",
];

/**
 * Checks that no variable differs by a slip from one that the program reads; other names may be of
 * other programs.
 *
 * @throws UsageError `BadVariable`
 */
export function checkVariables(env: Env): void {
  for (const [name, value] of Object.entries(env)) {
    if (!value || !name.startsWith("ACCT_")) continue;
    const own = name.slice("ACCT_".length).replace(/_FILE$/, "");
    const near = variableNames.includes(own) ? undefined : nearest(own, variableNames);
    if (near === undefined || Math.abs(near.length - own.length) > 2) continue;
    throw new UsageError(
      "BadVariable",
      `${name} is no variable of acct. Did you mean ACCT_${near}?`,
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
