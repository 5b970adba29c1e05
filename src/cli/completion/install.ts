/** Installs a completion script where its shell looks for it. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../../resources/errors.ts";
import { dataDir, type Env, nonEmpty } from "../context/config.ts";
import { posixQuote, powershellQuote } from "../values/quote.ts";
import { type Shell, scriptNames, shells } from "./shells.ts";

export interface InstallResult {
  readonly path: string;
  /** Whether a file was written; false where the same script was already installed. */
  readonly changed: boolean;
  /** What the user has to do, where the shell does not find the script by itself. */
  readonly remark?: string | undefined;
}

/**
 * Reads the script of a shell, which ships with the program.
 *
 * @throws Error where it is missing
 */
export function readScript(shell: Shell): string {
  const name = scriptNames[shell];
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const path = join(dir, "completions", name);
    if (existsSync(path)) return readFileSync(path, "utf8");
    if (dir === dirname(dir)) throw new Error(`The file completions/${name} is missing.`);
  }
}

/**
 * Returns the shell of the environment.
 *
 * @throws UsageError `NoShell`
 */
export function shellOf(env: Env, platform: NodeJS.Platform = process.platform): Shell {
  const name = basename(env.SHELL ?? "").replace(/\.exe$/, "");
  const knownShell = name === "pwsh" ? "powershell" : shells.find((shell) => shell === name);
  if (knownShell !== undefined) return knownShell;
  if (name === "" && platform === "win32") return "powershell";
  throw new UsageError(
    "NoShell",
    `${name === "" ? "$SHELL does not say which shell this is" : `There are no completions for ${name}`}` +
      `; name one: acct completion install ${shells.join("|")}.`,
  );
}

/**
 * Installs the script of a shell.
 *
 * @throws Error of the file system
 */
export function install(shell: Shell, env: Env): InstallResult {
  const script = readScript(shell);
  const path = installedPath(shell, env);
  const oldScript = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (oldScript !== script) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script);
  }
  return { path, changed: oldScript !== script, remark: remarks[shell](path, env) };
}

/** Returns the path at which the script of a shell is installed. */
export function installedPath(shell: Shell, env: Env): string {
  return join(folders[shell](env), scriptNames[shell].replace("acct.bash", "acct"));
}

const home = (env: Env) => env.HOME ?? process.getBuiltinModule("node:os").homedir();
const xdgData = (env: Env) => nonEmpty(env.XDG_DATA_HOME) ?? join(home(env), ".local/share");
const xdgConfig = (env: Env) => nonEmpty(env.XDG_CONFIG_HOME) ?? join(home(env), ".config");

const folders = {
  bash: (env) =>
    join(
      nonEmpty(env.BASH_COMPLETION_USER_DIR) ?? join(xdgData(env), "bash-completion"),
      "completions",
    ),
  zsh: (env) => join(xdgData(env), "zsh", "site-functions"),
  fish: (env) => join(xdgConfig(env), "fish", "completions"),
  powershell: dataDir,
} as const satisfies Record<Shell, (env: Env) => string>;

/** Paths of the bash-completion package, which loads completions on first use. */
const bashCompletion = [
  "/usr/share/bash-completion/bash_completion",
  "/usr/local/share/bash-completion/bash_completion",
  "/opt/homebrew/etc/profile.d/bash_completion.sh",
  "/usr/local/etc/profile.d/bash_completion.sh",
  "/etc/bash_completion",
];

const remarks = {
  bash: (path, env) =>
    bashCompletion.some(existsSync)
      ? undefined
      : startUpHint(join(home(env), ".bashrc"), path, `source ${posixQuote(path)}`),
  zsh: (path, env) =>
    startUpHint(
      join(nonEmpty(env.ZDOTDIR) ?? home(env), ".zshrc"),
      dirname(path),
      `fpath=(${posixQuote(dirname(path))} $fpath); autoload -U compinit; compinit`,
    ),
  fish: () => undefined,
  powershell: (path) =>
    `Add this line to the file that $PROFILE names:\n  . ${powershellQuote(path)}`,
} as const satisfies Record<Shell, (path: string, env: Env) => string | undefined>;

/** Returns a hint to add a line to a start-up file, unless the file contains `sign`. */
function startUpHint(file: string, sign: string, line: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.includes(sign) ? undefined : `Add this line to ${file}:\n  ${line}`;
}
