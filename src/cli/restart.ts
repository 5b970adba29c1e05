/** Starts the program once more: in the place of this process, or beside it. */
import type { ChildProcess } from "node:child_process";

/**
 * Puts the same command line into the place of this process: same number, same terminal, and nothing
 * of what was in memory. Returns where that is not to be had, or the option is set already, by
 * `NODE_OPTIONS` for example.
 *
 * @param option  `--use-largepages=silent`
 */
export function restartWith(option: string): void {
  const { platform, execve, execPath, execArgv, argv, env, channel } = process;
  // A parent that talks with this process by messages would be cut off.
  if (isSet(option) || platform !== "linux" || execve === undefined || channel !== undefined)
    return;
  execve(execPath, [execPath, option, ...execArgv, ...argv.slice(1)], env);
}

/**
 * Starts the same command line in a process beside this one, and exchanges messages with it.
 *
 * @param option  of Node, `--use-largepages=silent`
 * @param more    what it finds in its environment besides
 */
export function fork(option: string, more: Readonly<Record<string, string>>): ChildProcess {
  const { execArgv, argv, env } = process;
  const [program = "", ...words] = argv.slice(1);
  return process.getBuiltinModule("node:child_process").fork(program, words, {
    env: { ...env, ...more },
    execArgv: isSet(option) ? execArgv : [option, ...execArgv],
    // What is read of a connection is bytes.
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function isSet(option: string): boolean {
  const [name = ""] = option.split("=");
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ""].some((each) => each.includes(name));
}
