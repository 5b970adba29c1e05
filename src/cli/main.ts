// The command line's way in. What is heavy is imported where it is used, never here.
import { writeSync } from "node:fs";

const usage = "Usage: acct [global flags] NOUN VERB [ARG] [flags]\n";

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const asksForHelp = argv.includes("--help") || argv.includes("-h");
  writeSync(asksForHelp ? 1 : 2, usage);
  return asksForHelp ? 0 : 2;
}
