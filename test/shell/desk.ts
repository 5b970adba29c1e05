/** A person's machine in small: the built program on the path, a home of its own, a book. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { makeSample } from "./sample.ts";

const root = join(import.meta.dirname, "..", "..");

/** The scripts as they are published. */
export const completions = join(root, "completions");

export interface Desk {
  /** Where everything of it is, and where commands run. */
  readonly folder: string;
  readonly book: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a program to its end. */
  run(command: string, ...words: readonly string[]): Ran;
  /** Runs `acct` and reads the JSON that it prints. */
  json(...words: readonly string[]): unknown;
  clear(): void;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Sets up a desk whose book, a small sample, is the one that is worked on. */
export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), "acct-desk-"));
  const book = join(folder, "book.acct");
  await makeSample(book);
  return deskIn(folder, book);
}

/** A desk in a folder, on which a book is worked on that is there. */
export function deskIn(folder: string, book: string): Desk {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const door = join(bin, "acct");
  writeFileSync(door, `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/acct.js" "$@"\n`);
  chmodSync(door, 0o755);
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: folder,
    SHELL: "/bin/sh",
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    NO_COLOR: "1",
    ACCT_BOOK: book,
  };
  const run = (command: string, ...words: readonly string[]): Ran => {
    const options = { cwd: folder, env, encoding: "utf8" } as const;
    const { status, stdout, stderr, error } = spawnSync(command, words, options);
    if (error !== undefined) throw error;
    return { code: status, stdout, stderr };
  };
  return {
    folder,
    book,
    env,
    run,
    json: (...words) => {
      const { code, stdout, stderr } = run("acct", ...words, "-o", "json");
      if (code !== 0) throw new Error(`acct ${words.join(" ")} failed: ${stderr}`);
      return JSON.parse(stdout);
    },
    clear: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }),
  };
}

/** Where a program is; it is looked for and not started, since some stay when they are. */
export function pathOf(program: string): string | undefined {
  const words = ["-c", 'command -v "$1"', "sh", program];
  return spawnSync("sh", words, { encoding: "utf8" }).stdout.trim() || undefined;
}

/**
 * Whether a program is there. What cannot be tested without it is said, so that nobody takes its
 * absence for a pass.
 */
export function isInstalled(program: string, leftOut: string): boolean {
  const isThere = pathOf(program) !== undefined;
  if (!isThere) console.log(`left out, because ${program} is not installed: ${leftOut}`);
  return isThere;
}
