/**
 * The README's commands, run as they stand, with the output it shows.
 *
 * A block marked `console` is a session: each line after `$ ` is run in a shell, in one folder with
 * nobody's settings, and what follows is what it printed. `…` stands for whatever differs from day
 * to day or from machine to machine: at the end of a line for its rest, alone on a line for any
 * number of lines.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = readFileSync(join(root, "README.md"), "utf8");

interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/** The sessions of the README, each under the heading it stands below. */
function sessions(): { heading: string; steps: Step[] }[] {
  const found: { heading: string; steps: Step[] }[] = [];
  let heading = "";
  let block: string[] | undefined;
  for (const line of readme.split("\n")) {
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

function stepsOf(lines: readonly string[]): Step[] {
  const steps: { command: string; output: string[] }[] = [];
  for (const line of lines) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) steps.push({ command: line.slice(2), output: [] });
    else if (last?.command.endsWith("\\") && last.output.length === 0) {
      last.command = `${last.command.slice(0, -1)}${line.trim()}`;
    } else last?.output.push(line);
  }
  return steps;
}

/** Whether printed lines are the lines that were promised. */
function reads(printed: readonly string[], promised: readonly string[]): boolean {
  const [first, ...rest] = promised;
  if (first === undefined) return printed.length === 0;
  if (first.trim() === "…") {
    return printed.some((_, at) => reads(printed.slice(at), rest)) || reads([], rest);
  }
  const [line, ...more] = printed;
  if (line === undefined) return false;
  const matches = first.endsWith("…") ? line.startsWith(first.slice(0, -1)) : line === first;
  return matches && reads(more, rest);
}

const folder = mkdtempSync(join(tmpdir(), "acct-readme-"));
const bin = join(folder, "bin");

beforeAll(() => {
  mkdirSync(bin);
  const door = join(bin, "acct");
  writeFileSync(
    door,
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin/acct.js")}" "$@"\n`,
  );
  chmodSync(door, 0o755);
});
// The service that a session has ended may still be putting its files away.
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

/** What `export` lines of the sessions so far have set. */
let exported = "";

function run(command: string): { lines: string[]; text: string } {
  if (command.startsWith("export ")) exported += `${command}\n`;
  const { stdout } = spawnSync("bash", ["-c", `${exported}{ ${command}\n} 2>&1`], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
      HOME: folder,
      TZ: "UTC",
      LANG: "C.UTF-8",
      USER: "reader",
    },
  });
  const text = stdout.replace(/\n$/, "");
  return { text, lines: text === "" ? [] : text.split("\n").map((line) => line.trimEnd()) };
}

const found = sessions();

test("the README has sessions", () => {
  expect(found.length).toBeGreaterThan(3);
});

describe.each(found)("$heading", ({ steps }) => {
  test.each(steps)("$command", { timeout: 60_000 }, ({ command, output }) => {
    const { lines, text } = run(command);
    const promised = output.join("\n").trimEnd().split("\n");
    const wanted = promised.length === 1 && promised[0] === "" ? [] : promised;
    expect(reads(lines, wanted), `printed:\n${text}\n\npromised:\n${wanted.join("\n")}`).toBe(true);
  });
});
