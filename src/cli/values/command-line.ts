/** Formats the typed command line with secrets removed. */
import { quoteFor } from "./quote.ts";

/** Flags whose values are secrets, or may contain some. */
const secretFlags: readonly string[] = ["--header", "--token", "--secret", "--password"];

/** Matches credentials between scheme and host in addresses of databases and services. */
const credentials = /(?<=^[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/**
 * Formats the command line.
 *
 * @param argv  the words after the program's name
 */
export function commandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const words = argv.map((word, at) => {
    const [flag = "", value] = word.split(/=(.*)/s, 2);
    if (value !== undefined && secretFlags.includes(flag)) return `${flag}=…`;
    if (secretFlags.includes(argv[at - 1] ?? "")) return "…";
    if (value !== undefined && flag.startsWith("--"))
      return `${flag}=${value.replace(credentials, "…@")}`;
    return word.replace(credentials, "…@");
  });
  return ["acct", ...words].map(quoteFor(env, process.platform)).join(" ");
}
