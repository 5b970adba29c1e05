/** Settles the settings of a server: flags before variables before the configuration file. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "../../platform/version.ts";
import { UsageError } from "../../resources/errors.ts";
import { targetOf } from "../connection/choose-target.ts";
import { type Env, nonEmpty } from "../context/config.ts";
import type { Context, ParseContext } from "../context/context.ts";
import { credentialPath, readSecret } from "../context/secret-files.ts";
import type { Target } from "../context/target.ts";
import { toCamel } from "../framework/command.ts";
import { machineDayOf } from "../values/date-flags.ts";
import { didYouMean } from "../values/suggest.ts";
import { saidByCloud } from "./as-cloud.ts";
import { type ConfigEntry, lineFault, readEntries } from "./config-file.ts";
import { rivals, type ServeFlags, type StatedSetting, settings } from "./server-settings.ts";

export interface ServerSettings {
  /** Values by the keys of the settings. */
  readonly options: ServeFlags;
  /** The environment, with what the configuration file says in place of variables. */
  readonly env: Env;
  readonly said: readonly StatedSetting[];
  /** Target; undefined where the file names none. */
  readonly target: Target | undefined;
}

/**
 * Reads the configuration file and the secrets, and settles every setting.
 *
 * @param flags  values of the flags
 * @throws UsageError `BadConfig`, `BadSecret`, `NoFile`
 */
export function settleSettings(ctx: Context, flags: ServeFlags): ServerSettings {
  const said: StatedSetting[] = [];
  for (const layer of [saidByFlags(ctx), saidByEnvironment(ctx), saidInFile(flags.config)]) {
    const isNew = ({ setting: { key } }: StatedSetting) =>
      !said.some(({ setting }) => rivalsOf(key).includes(setting.key));
    said.push(...layer.filter(isNew));
  }
  if (said.some(({ setting: { key }, text }) => key === "asCloud" && text === "true")) {
    said.push(...saidByCloud(ctx.env, said));
  }
  const options: Record<string, unknown> = {};
  const env: Record<string, string | undefined> = { ...ctx.env };
  for (const stated of said) {
    const { setting, text, from } = stated;
    if (from.startsWith("--")) continue;
    options[setting.key] = readSaid(stated, { today: () => machineDayOf(ctx.clock()) });
    if (setting.variable !== undefined) env[setting.variable] = text;
  }
  const { profile, baseUrl, demo } = ctx.flags;
  const isElsewhere = demo || (profile ?? baseUrl ?? env.ACCT_PROFILE ?? env.ACCT_BASE_URL);
  const hasTarget = said.some(({ setting, line }) => line !== undefined && setting.isTarget);
  return {
    options: { ...options, ...flags },
    env,
    said,
    target: hasTarget && !isElsewhere ? targetOf(ctx.flags, env, build) : undefined,
  };
}

/** Returns the keys of which only one is said, among them the given one. */
export const rivalsOf = (key: string) => rivals.find((group) => group.includes(key)) ?? [key];

function saidByFlags({ argv }: Context): StatedSetting[] {
  return settings.flatMap((setting) => {
    const flag = `--${setting.name}`;
    const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
    if (at < 0) return [];
    const [, text = argv[at + 1] ?? ""] = argv[at]?.split(/=(.*)/s) ?? [];
    return { setting, text: setting.placeholder === undefined ? "true" : text, from: flag };
  });
}

/** Returns what variables and credentials say. @throws UsageError */
function saidByEnvironment({ env }: Context): StatedSetting[] {
  return settings.flatMap((setting) => {
    const { name, variable = "" } = setting;
    const secret = setting.isSecret === true ? env[`${variable}_FILE`] : undefined;
    if (secret) return { setting, text: readSecret(secret), from: secret };
    const text = nonEmpty(env[variable]);
    if (text !== undefined) return { setting, text, from: variable };
    const file = setting.isCredential === true ? credentialPath(env, name) : undefined;
    return file === undefined ? [] : { setting, text: file, from: file };
  });
}

/** Reads what the configuration file says. @throws UsageError */
function saidInFile(path: string | undefined): readonly StatedSetting[] {
  const saidSettings: StatedSetting[] = [];
  for (const entry of path === undefined ? [] : readEntries(path)) {
    const stated = saidBy(path as string, entry);
    const { key } = stated.setting;
    const saidBefore = saidSettings.find(({ setting }) => rivalsOf(key).includes(setting.key));
    if (saidBefore !== undefined) {
      const problem =
        saidBefore.setting.key === key
          ? `${key} is said twice`
          : `${key} contradicts ${saidBefore.setting.key}`;
      throw lineFault(path as string, entry.line, `${problem}; see line ${saidBefore.line}.`);
    }
    saidSettings.push(stated);
  }
  return saidSettings;
}

/** Returns the setting of an entry, with its secret read. @throws UsageError */
function saidBy(path: string, { key, text, line }: ConfigEntry): StatedSetting {
  const fault = (problem: string) => lineFault(path, line, problem);
  const keyName = toCamel(key);
  const setting = settings.find(
    (setting) => keyName === setting.key || (setting.isSecret && keyName === `${setting.key}File`),
  );
  if (setting === undefined) {
    const keys = settings.flatMap((setting) =>
      setting.isSecret ? [setting.key, `${setting.key}File`] : setting.key,
    );
    throw fault(`there is no setting ${key}.${didYouMean(keyName, keys)}`);
  }
  if (text === "" || /^(null|~)$/i.test(text)) throw fault(`${key} has no value.`);
  if (setting.placeholder === undefined && text !== "true" && text !== "false") {
    throw fault(`${key} takes true or false, not "${text}".`);
  }
  const isPath = setting.live === "file" || keyName !== setting.key;
  const resolvedText = isPath ? resolve(dirname(path), text) : text;
  const from = `${path}, line ${line}`;
  if (keyName !== setting.key) {
    const secret = withPlace(`${from}: ${key}`, () => readSecret(resolvedText));
    return { setting, text: secret, from: resolvedText, line };
  }
  if (setting.isSecret && isOpenToOthers(path)) {
    throw fault(
      `${key} is secret, and others may read this file: put it into a file of its own, named by ${key}File, or chmod 600 ${path}.`,
    );
  }
  return { setting, text: resolvedText, from, line };
}

/** Whether other users of the machine may read a file. */
function isOpenToOthers(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o007) !== 0;
}

/** Parses the value of a setting. @throws UsageError with the place that says it */
function readSaid({ setting, text, from }: StatedSetting, parseContext: ParseContext): unknown {
  if (setting.placeholder === undefined) return text === "true";
  return withPlace(`${from}: ${setting.key}`, () => setting.read(text, parseContext));
}

/** Runs work. @throws UsageError with the place in front of its message */
function withPlace<T>(placeText: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.code, `${placeText}: ${error.message.replace(/^--[\w-]+ /, "")}`);
  }
}
