/** The door: compiled code is kept for the next run, and never that of another text. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";

let folder: string;
let caches: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-door-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  caches = join(folder, "caches");
  cpSync(fileURLToPath(new URL("../../bin", import.meta.url)), join(folder, "bin"), {
    recursive: true,
  });
  mkdirSync(join(folder, "dist"));
  // A program of two files that need each other, and of two functions.
  writeFileSync(
    join(folder, "dist", "main.cjs"),
    `const chunk = require("./chunk.cjs");
    exports.main = async ([word], done) => {
      require("node:fs").writeSync(1, "one " + chunk.two());
      done(word);
      return 0;
    };`,
  );
  writeChunk("two");
});

function writeChunk(word: string): void {
  const text = `require("./main.cjs"); exports.two = () => "${word}";`;
  writeFileSync(join(folder, "dist", "chunk.cjs"), text);
}

function run(command: string, env: Record<string, string> = { XDG_CACHE_HOME: caches }): string {
  const args = [join(folder, "bin", "acct.js"), command];
  return execFileSync(process.execPath, args, { env, encoding: "utf8" });
}

/** Where the code of the main file is kept. */
function place(): string {
  const [found] = globSync(`${caches}/acct/**/main.cjs`);
  if (found === undefined) throw new Error("no code was kept");
  return found;
}

function commands(): string[] {
  const [about = ""] = readFileSync(place(), "latin1").split("\n", 1);
  return JSON.parse(about).commands;
}

test("code is kept once for each command that was run", () => {
  expect(run("list")).toBe("one two");
  const { ino, mode } = statSync(place());
  expect(mode & 0o777).toBe(0o600);
  expect(run("list")).toBe("one two");
  expect(statSync(place()).ino).toBe(ino);
  expect(run("show")).toBe("one two");
  expect(commands()).toEqual(["list", "show"]);
});

test("code of a file that has changed since is left alone, also at the same size", () => {
  run("list");
  const chunk = join(folder, "dist", "chunk.cjs");
  const { ctimeMs } = statSync(chunk);
  // File systems tell times apart by some milliseconds.
  do writeChunk("six");
  while (statSync(chunk).ctimeMs === ctimeMs);
  expect(run("list")).toBe("one six");
  expect(run("list")).toBe("one six");
});

test.each([
  ["no line", Buffer.from("what is this")],
  ["nothing", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(4096)],
])("what is kept may be damaged: %s", (_, damage) => {
  run("list");
  writeFileSync(place(), damage);
  expect(run("list")).toBe("one two");
  expect(commands()).toEqual(["list"]);
});

test("code that V8 does not take is made again", () => {
  run("list");
  const bytes = readFileSync(place());
  writeFileSync(place(), bytes.fill(0, bytes.indexOf("\n") + 1));
  expect(run("show")).toBe("one two");
  expect(commands()).toEqual(["show"]);
});

test.each([
  ["no home", () => ({})],
  ["a folder that cannot be made", () => ({ XDG_CACHE_HOME: join(folder, "bin", "acct.js") })],
])("it runs also where no code can be kept: %s", (_, env) => {
  expect(run("list", env())).toBe("one two");
});

test("the code that reads loads none of the code that writes", () => {
  const chunk = (name: string) =>
    readFileSync(new URL(`../../dist/chunks/${name}.cjs`, import.meta.url), "utf8");
  // What is loaded with a file stands at its beginning; the rest is loaded when it is needed.
  const first = (text: string) => text.slice(0, text.indexOf(";"));
  expect(first(chunk("service"))).toContain("main.cjs");
  expect(first(chunk("service"))).not.toContain("service-writing");
});
