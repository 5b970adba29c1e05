/** Starts the program once more, with other options of Node. */

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

/** The options of Node that this process has, and one more. @param option  `--use-largepages=silent` */
export function nodeOptionsWith(option: string): readonly string[] {
  return isSet(option) ? process.execArgv : [option, ...process.execArgv];
}

function isSet(option: string): boolean {
  const [name = ""] = option.split("=");
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ""].some((each) => each.includes(name));
}
