/** Checks of the program, and of its files for the user on this machine. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { tryKeychain } from "../../client/session/keychain.ts";
import { version } from "../../platform/version.ts";
import { UsageError } from "../../resources/errors.ts";
import { installedPath, readScript, shellOf } from "../completion/install.ts";
import { type Config, configPath, type Env, readConfig } from "../context/config.ts";
import { posixQuote } from "../values/quote.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

export function programFinding(): Finding {
  return ok(
    "program",
    `acct ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  );
}

export function configFindings(env: Env): Finding[] {
  const path = configPath(env);
  const subject = "configuration";
  let config: Config;
  try {
    if (!existsSync(path)) return [ok(subject, `none is needed, and there is none at ${path}`)];
    config = readConfig(env);
    checkProfiles(config, path);
  } catch (error) {
    return [problem(subject, error)];
  }
  const { profiles, defaultProfile } = config;
  const names = Object.keys(profiles);
  const text = names.length === 0 ? "no profiles" : `profiles ${names.join(", ")}`;
  const findings = [openToOthers(path) ?? ok(subject, `${path}: ${text}`)].map((finding) => ({
    ...finding,
    what: subject,
  }));
  if (defaultProfile === undefined || Object.hasOwn(profiles, defaultProfile)) return findings;
  const error = new UsageError("NoProfile", `The default profile ${defaultProfile} is not there.`);
  return [...findings, problem("default profile", error, "Name another: acct profile use NAME.")];
}

/**
 * Checks that profiles are valid.
 *
 * @throws UsageError `BadConfig`
 */
function checkProfiles({ profiles }: Config, path: string): void {
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject(profiles) && Object.values(profiles).every(isObject)) return;
  const message = `The profiles in the configuration file ${path} are none; mend it or delete it.`;
  throw new UsageError("BadConfig", message);
}

/** Returns a finding where other users of the machine can read a private file. */
export function openToOthers(path: string): Finding | undefined {
  const { mode } = statSync(path);
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  const detail = `Others on this machine may use ${path} (mode ${(mode & 0o777).toString(8)}).`;
  return warning("mode", detail, `Run chmod 600 ${posixQuote(path)}.`);
}

export async function keychainFinding(): Promise<Finding> {
  try {
    await tryKeychain();
    return ok("keychain", "opens; acct auth login --keychain keeps tokens there");
  } catch (error) {
    return ok("keychain", `tokens are kept in files for you alone. ${(error as Error).message}`);
  }
}

export function completionFinding(env: Env): Finding {
  const subject = "completions";
  try {
    const shell = shellOf(env);
    const path = installedPath(shell, env);
    const install = "acct completion install";
    if (!existsSync(path)) return ok(subject, `not installed for ${shell}; ${install} does it`);
    if (readFileSync(path, "utf8") === readScript(shell)) return ok(subject, `${shell}: ${path}`);
    return warning(subject, `${path} is of another version of acct.`, `Run ${install}.`);
  } catch (error) {
    return ok(subject, (error as Error).message);
  }
}
