/** Begins the program anew with options that Node takes at its start alone. */

/**
 * Puts the same command line into the place of this process: same number, same terminal, and nothing
 * of what was in memory. Returns where that is not to be had, or the option is set already, by
 * `NODE_OPTIONS` for example.
 *
 * @param option  `--use-largepages=silent`
 */
export function restartWith(option: string): void {
  const { platform, execve, execPath, execArgv, argv, env, channel } = process;
  const [name = ""] = option.split("=");
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ""].some((each) => each.includes(name));
  // A parent that talks with this process by messages would be cut off.
  if (isSet || platform !== "linux" || execve === undefined || channel !== undefined) return;
  execve(execPath, [execPath, option, ...execArgv, ...argv.slice(1)], env);
}
