/**
 * Sessions at a terminal as documents show them, and a shell in which they are run again.
 *
 * In a block marked `console` each line after `$ ` is a command, and what follows is what it printed.
 * `…` stands for whatever differs from day to day or from machine to machine: in a line for any text,
 * alone on a line for any number of lines. A block that begins `cat > receiver.mjs <<'END'` makes that
 * file, pasted whole.
 */

import { spawn } from "node:child_process";
import { once as event } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { literalPattern } from "../../src/platform/literal-pattern.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Step {
  readonly command: string;
  /** What it is to print, a line each. */
  readonly promised: readonly string[];
}

export interface Session {
  /** The heading that it stands below. */
  readonly heading: string;
  readonly steps: readonly Step[];
}

/** The sessions of a document in Markdown. */
export function sessionsOf(document: string): Session[] {
  const found: Session[] = [];
  let heading = "";
  let block: string[] | undefined;
  for (const line of document.split("\n")) {
    if (block === undefined) {
      if (line.startsWith("#")) heading = line.replace(/^#+ /, "");
      if (line === "```console") block = [];
    } else if (line === "```") {
      found.push({ heading, steps: stepsOf(block) });
      block = undefined;
    } else {
      block.push(line);
    }
  }
  return found;
}

/** The blocks that make files. */
export function filesOf(document: string): Step[] {
  const blocks = document.matchAll(/^```sh\n(cat > \S+ <<'END'\n.*?^END\n)```$/gms);
  return [...blocks].map(([, command = ""]) => ({ command, promised: [] }));
}

/** A command goes on in the next line where its own ends in a backslash. */
function stepsOf(lines: readonly string[]): Step[] {
  const steps: { command: string; promised: string[] }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), promised: [] });
    else if (last?.command.endsWith("\\") && last.promised.length === 0) {
      last.command = `${last.command.slice(0, -1)}${line.trim()}`;
    } else last?.promised.push(line.trimEnd());
  }
  return steps;
}

/** Whether printed lines are the lines that were promised. */
export function reads(printed: readonly string[], promised: readonly string[]): boolean {
  const [first, ...rest] = promised;
  if (first === undefined) return printed.length === 0;
  if (first.trim() === "…") {
    return printed.some((_, at) => reads(printed.slice(at), rest)) || reads([], rest);
  }
  const [line, ...more] = printed;
  if (line === undefined) return false;
  return isAs(line, first) && reads(more, rest);
}

function isAs(line: string, promised: string): boolean {
  const parts = promised.split("…").map((part) => literalPattern(part));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(line);
}

/** What a document says, and what stands for it where it is run. */
export interface Swap {
  readonly said: string;
  readonly real: string;
}

/** Free ports for those that a document names, on this machine alone. */
export async function freePorts(...said: readonly number[]): Promise<Swap[]> {
  const swaps: Swap[] = [];
  for (const port of said) {
    let real = await freePort();
    while (swaps.some((swap) => swap.real.endsWith(`${real}`))) real = await freePort();
    swaps.push({ said: `127.0.0.1:${port}`, real: `127.0.0.1:${real}` });
    swaps.push({ said: `-port ${port}`, real: `-port ${real}` });
  }
  return swaps;
}

/** Of four digits, as those that documents name: the columns of tables are as wide as theirs. */
export async function freePort(): Promise<number> {
  const port = 4000 + Math.floor(Math.random() * 5300);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** How long a program in the background may take to print what is promised. */
const patienceMs = 300_000;
/** How long what still runs may take to end. */
const endMs = 10_000;

export interface Shell {
  /** @returns the lines that were printed, as the document would show them */
  run(step: Step): Promise<readonly string[]>;
  /** Ends the shell, and what still runs in it. */
  close(): Promise<void>;
}

/**
 * One shell for a whole document, in a folder of its own with nobody's settings: what a command
 * exports or starts in the background is there for those after it.
 *
 * @param swaps  `acct serve` that names no port is given the one that stands for 9320
 */
export function openShell(
  folder: string,
  swaps: readonly Swap[],
  env: Readonly<Record<string, string>> = {},
): Shell {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const door = join(bin, "acct");
  writeFileSync(
    door,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/acct.js")}" "$@"\n`,
  );
  chmodSync(door, 0o755);
  const bash = spawn("bash", ["--norc", "--noprofile"], {
    cwd: folder,
    env: {
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
      HOME: folder,
      TZ: "UTC",
      LANG: "C.UTF-8",
      USER: "reader",
      ...env,
    },
  });
  const ended = event(bash, "close");
  let text = "";
  let heard: () => void = () => undefined;
  bash.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more;
    heard();
  });
  // Jobs have numbers, and are groups of processes of their own.
  bash.stdin.write("exec 2>&1; set -m; trap 'kill $(jobs -p) 2>/dev/null; wait; exit' TERM\n");

  const real = (command: string) =>
    swaps.reduce((line, swap) => line.replaceAll(swap.said, swap.real), withPort(command));
  const shown = (printed: string) =>
    swaps.reduce((line, swap) => line.replaceAll(swap.real, swap.said), printed);
  const linesOf = (printed: string) => {
    const plain = shown(stripVTControlCharacters(printed)).replace(/\n$/, "");
    return plain === "" ? [] : plain.split("\n").map((line) => line.trimEnd());
  };

  async function until(isEnough: () => boolean): Promise<boolean> {
    const late = performance.now() + patienceMs;
    while (!isEnough()) {
      const left = late - performance.now();
      if (left <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        heard = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }

  let count = 0;
  async function once({ command, promised }: Step): Promise<readonly string[]> {
    count += 1;
    const done = `-- done ${count} --\n`;
    text = "";
    // A command that reads must not be given those after it.
    bash.stdin.write(`{ ${real(command)}\n} </dev/null\nprintf '%s' '${done}'\n`);
    if (!(await until(() => text.includes(done)))) return [...linesOf(text), "(not done)"];
    const printed = () => linesOf(text.replace(done, ""));
    if (command.endsWith("&")) await until(() => reads(printed(), promised));
    return printed();
  }
  return {
    async run(step) {
      const late = performance.now() + patienceMs;
      let printed = await once(step);
      // A file that something in the background writes to is looked at again, as a person would.
      while (isLook.test(step.command) && !reads(printed, step.promised)) {
        if (performance.now() > late) break;
        await sleep(100);
        printed = await once(step);
      }
      return printed;
    },
    async close() {
      bash.kill("SIGTERM");
      bash.stdin.end(":\n"); // one that waits for a command looks at signals after it
      const timer = setTimeout(() => {
        bash.kill("SIGKILL");
        bash.stdout.destroy(); // what is left may hold it
      }, endMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** What changes nothing. */
const isLook = /^(cat|grep) |deliveries/;

/** `acct serve` on a port that is said. */
function withPort(command: string): string {
  if (/ --port /.test(command)) return command;
  return command.replace(/^(acct (?:.* )?serve)(?= |$)/, "$1 --port 9320");
}
