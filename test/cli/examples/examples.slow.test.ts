/** Every example of help, as a shell runs it with the built program on a fresh sample company. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin } from "../built.ts";
import { allExamples, countryOf, files, linesBefore, whyNot } from "./table.ts";

const root = mkdtempSync(join(tmpdir(), "acct-examples-"));
const bins = join(root, "bin");
const samples = join(root, "samples");
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }));

const env = (home: string) => ({
  HOME: home,
  XDG_CACHE_HOME: join(root, "cache"),
  PATH: `${bins}:${dirname(process.execPath)}:${process.env.PATH}`,
  ACCT_BOOK: join(home, "books.acct"),
  SHELL: "/bin/bash",
  USER: "ann",
  TZ: "UTC",
});

beforeAll(() => {
  mkdirSync(bins);
  mkdirSync(samples);
  symlinkSync(bin, join(bins, "acct"));
  // A password manager.
  writeFileSync(join(bins, "pass"), "#!/bin/sh\necho kiln-and-clay-and-glaze\n", { mode: 0o755 });
  for (const country of new Set(run.map(countryOf))) {
    const made = spawnSync("acct", ["init", "--demo", "--country", country], {
      env: { ...env(root), ACCT_BOOK: join(samples, `${country}.acct`) },
      encoding: "utf8",
    });
    expect([made.status, made.stderr]).toEqual([0, expect.stringContaining("Made")]);
  }
});

const lines = await allExamples();
const run = lines.filter((line) => whyNot(line) === undefined);

test("at least nine tenths of the example lines in the help are run", () => {
  expect(lines.length - run.length).toBeLessThan(lines.length / 10);
});

/** A home with the sample company, two other books of it, and the files that lines name. */
function freshHome(country: string): string {
  const home = mkdtempSync(join(root, "home-"));
  for (const book of ["books", "quay", "shop"]) {
    cpSync(join(samples, `${country}.acct`), join(home, `${book}.acct`));
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  return home;
}

describe("examples in the help", () => {
  test.concurrent.each(run)("the example line of the help succeeds: %s", async (line) => {
    const home = freshHome(countryOf(line));
    const steps = ["set -e", ...linesBefore(line).map((step) => `( ${step} ) >&2`), line];
    const child = spawn("bash", ["-c", steps.join("\n")], {
      env: env(home),
      cwd: home,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = new Promise((done) => child.on("close", done));
    const [stderr, status] = await Promise.all([text(child.stderr), ended]);
    // Of what is certain some lines are left, which is no fault of the example.
    const isDone = status === 0 || (status === 7 && line.includes(" --auto"));
    expect({ isDone, stderr: isDone ? "" : stderr }).toEqual({ isDone: true, stderr: "" });
    rmSync(home, { recursive: true, force: true });
  });
});
