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

test("compiled code is cached in one private file, with an entry for each command that was run", () => {
  expect(run("list")).toBe("one two");
  const { ino, mode } = statSync(place());
  expect(mode & 0o777).toBe(0o600);
  expect(run("list")).toBe("one two");
  expect(statSync(place()).ino).toBe(ino);
  expect(run("show")).toBe("one two");
  expect(commands()).toEqual(["list", "show"]);
});

test("cached compiled code is not used once its source file has changed, also at the same size", () => {
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
  ["no heading line", Buffer.from("what is this")],
  ["an empty file", Buffer.alloc(0)],
  ["zeros", Buffer.alloc(4096)],
])("a compile cache that is damaged (%s) is ignored", (_, damage) => {
  run("list");
  writeFileSync(place(), damage);
  expect(run("list")).toBe("one two");
  expect(commands()).toEqual(["list"]);
});

test("cached code that V8 rejects is compiled again", () => {
  run("list");
  const bytes = readFileSync(place());
  writeFileSync(place(), bytes.fill(0, bytes.indexOf("\n") + 1));
  expect(run("show")).toBe("one two");
  expect(commands()).toEqual(["show"]);
});

test("the cached code of a chunk takes the place of that of former builds", () => {
  const chunk = (digest: string) => join(folder, "dist", `part-${digest}.cjs`);
  const kept = () => globSync(`${caches}/acct/**/part-*.cjs`).map((path) => path.slice(-12, -4));
  for (const digest of ["0a0a0a0a", "1b1b1b1b"]) {
    writeFileSync(chunk(digest), `exports.two = () => "${digest}";`);
    writeFileSync(
      join(folder, "dist", "main.cjs"),
      `exports.main = async ([word], done) => {
        require("node:fs").writeSync(1, require("./part-${digest}.cjs").two());
        done(word);
        return 0;
      };`,
    );
    expect(run("list")).toBe(digest);
    expect(kept()).toEqual([digest]);
  }
});

test.each([
  ["no home", () => ({})],
  ["a folder that cannot be made", () => ({ XDG_CACHE_HOME: join(folder, "bin", "acct.js") })],
])("the program runs where no compile cache can be written (%s)", (_, env) => {
  expect(run("list", env())).toBe("one two");
});
