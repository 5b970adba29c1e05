/** The built program, in processes of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished } from "vitest";

type Env = Readonly<Record<string, string>>;

export const bin = join(import.meta.dirname, "..", "..", "bin", "acct.js");

/** Runs one command line. */
export function runBuilt(words: readonly string[], env: Env, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    encoding: "utf8",
    env,
    input,
  });
  return { status, stdout, stderr };
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line beside the test, and beside others. */
export async function startBuilt(words: readonly string[], env: Env): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { status: child.exitCode, stdout, stderr };
}

export interface Serving {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  /** All of stderr so far. */
  readonly said: () => string;
  /** Returns when stderr fits. */
  readonly until: (pattern: RegExp) => Promise<void>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Runs `acct serve` until the test ends; returns when it has said where it is. */
export async function serveBuilt(words: readonly string[], env: Env): Promise<Serving> {
  const child = spawn(process.execPath, [bin, "serve", ...words], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const stderr = child.stderr as NonNullable<typeof child.stderr>;
  stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  const until = async (pattern: RegExp) => {
    while (!pattern.test(said)) {
      await Promise.race([once(stderr, "data"), ended]);
      if ((child.exitCode ?? child.signalCode) !== null)
        throw new Error(`acct serve ended: ${said}`);
    }
  };
  await until(/\n/);
  const baseUrl = /https?:[^\s"]+/.exec(said)?.[0] ?? "";
  return { process: child, baseUrl, said: () => said, until, ended };
}

/** The numbers of the processes that one has started and that are still there. */
export function startedBy({ pid }: Pick<ChildProcess, "pid">): number[] {
  const said =
    process.platform === "linux"
      ? readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1")
      : spawnSync("pgrep", ["-P", String(pid)], { encoding: "latin1" }).stdout;
  return said.split(/\s+/).filter(Boolean).map(Number);
}

/** Runs everything with a home of its own, which is gone after the tests of the file. */
export function builtDesk() {
  const home = mkdtempSync(join(tmpdir(), "acct-built-"));
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }));
  const env = { HOME: home, PATH: process.env.PATH ?? "", USER: "ann", TZ: "UTC" };
  const acct = (words: readonly string[], more: Env = {}, input = ""): Ended =>
    runBuilt(words, { ...env, ...more }, input);
  return {
    home,
    env,
    acct,
    /** What it writes to stdout; it must succeed. */
    ok(words: readonly string[], more: Env = {}): string {
      const { status, stdout, stderr } = acct(words, more);
      expect({ words, status, stderr: status === 0 ? "" : stderr }).toEqual({
        words,
        status: 0,
        stderr: "",
      });
      return stdout;
    },
    running: (words: readonly string[], more: Env = {}) => startBuilt(words, { ...env, ...more }),
    serving: (...flags: string[]) => serveBuilt(["--port", "0", ...flags], env),
  };
}
