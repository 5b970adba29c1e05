/** `acct view` of the built program, on a day of the test's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin } from "../cli/built.ts";

export interface BuiltView {
  readonly origin: string;
  /** With the key, which is good once. */
  readonly url: string;
  /** All of stderr: what went wrong with a page is told there. */
  readonly said: () => string;
  close(): Promise<void>;
}

/**
 * @param folder  of the test's own, where the book lies
 * @param now     milliseconds since 1970 UTC, at which the clock of the program stands
 * @param more    further words of the command line
 */
export async function viewBuilt(
  folder: string,
  book: string,
  now: number,
  more: readonly string[] = [],
): Promise<BuiltView> {
  const clock = join(folder, "clock.cjs");
  writeFileSync(clock, `Date.now = () => ${now};\n`);
  const words = ["--require", clock, bin, "view", "--no-open", "--book", book, ...more];
  const child = spawn(process.execPath, words, {
    env: { HOME: folder, PATH: process.env.PATH ?? "", TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [printed, said] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const ended = once(child, "exit");
  while (!printed.includes("\n")) {
    await Promise.race([once(child.stdout, "data"), ended]);
    if ((child.exitCode ?? child.signalCode) !== null) throw new Error(`acct view ended: ${said}`);
  }
  const url = printed.trim();
  return {
    origin: new URL(url).origin,
    url,
    said: () => said,
    close: async () => {
      child.kill("SIGINT");
      await ended;
    },
  };
}
