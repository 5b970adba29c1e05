/**
 * Checks what the other tools do not see: names at the top level that are not expected, and tests whose
 * verdict hangs on a short time limit.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Everything that stands at the top level. */
const expected = new Set([
  ".ci",
  ".dependency-cruiser.cjs",
  ".editorconfig",
  ".gitignore",
  ".node-version",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "bench",
  "bin",
  "biome.json",
  "completions",
  "docs",
  "fonts",
  "house.json",
  "package-lock.json",
  "package.json",
  "rolldown.config.js",
  "src",
  "test",
  "tsconfig.json",
  "vitest.config.ts",
]);

/** Least time, in milliseconds, that a test may give what is to answer: machines are busy. */
const timeoutMsMin = 1000;

const { stdout, status, stderr } = spawnSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  { encoding: "utf8" },
);
if (status !== 0) throw new Error(stderr);
const files = stdout.split("\0").filter((file) => file !== "");

const faults: string[] = [];
for (const name of new Set(files.map((file) => file.split("/", 1)[0] ?? ""))) {
  if (!expected.has(name)) faults.push(`${name} is not expected at the top level.`);
}
for (const file of files) {
  if (!/^test\/.*\.ts$/.test(file)) continue;
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [at, line] of lines.entries()) {
    const limit = /timeoutMs: ([\d_]+)/i.exec(line)?.[1]?.replaceAll("_", "");
    if (limit !== undefined && Number(limit) < timeoutMsMin) {
      faults.push(
        `${file}:${at + 1}: a limit of ${limit} ms; at least ${timeoutMsMin}, or a clock.`,
      );
    }
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
