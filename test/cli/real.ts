/** Runs command lines in this process on a real book of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { asDeclared, noon } from "./line.ts";

export interface Desk {
  /** The folder of the book, gone after the tests of the file. */
  readonly home: string;
  /** Runs a command line; words with spaces stand in single quotes. */
  acct(
    line: string,
    options?: LineOptions,
  ): Promise<{ code: number; stdout: string; stderr: string }>;
}

interface LineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** How many days later it is. */
  readonly daysLater?: number;
  /** Width of a terminal on which the answer is shown; none when not given. */
  readonly width?: number | undefined;
}

/** No book is made yet: `acct init` does that. */
export function newDesk(): Desk {
  const home = mkdtempSync(join(tmpdir(), "acct-"));
  afterAll(() => rmSync(home, { recursive: true }));
  let seconds = 0;
  const clock = () => noon + 1000 * seconds++;
  const env = {
    HOME: home,
    ACCT_BOOK: join(home, "a.acct"),
    ACCT_USER: "Ana Reid",
    ACCT_EMAIL: "ana@heron.example",
  };
  return {
    home,
    async acct(line, { env: more = {}, daysLater = 0, width } = {}) {
      const words = (line.match(/(?:[^\s']|'[^']*')+/g) ?? []).map((word) =>
        word.replaceAll("'", ""),
      );
      const stdout = memorySink();
      const stderr = memorySink();
      const code = await run(words, {
        env: { ...env, ...more },
        stdout,
        stderr,
        clock: () => clock() + daysLater * 86_400_000,
        open,
        writes: asDeclared(line),
        ...(width && { screen: { width, pager: "" } }),
      });
      return { code, stdout: stdout.text, stderr: stderr.text };
    },
  };
}
