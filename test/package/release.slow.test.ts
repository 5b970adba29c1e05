/** A release, made in a clone to throw away, and the executable that it makes. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { useProgram } from "./in-use.ts";

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "acct-release-test-"));
const clone = join(place, "acct");
afterAll(() => rmSync(place, { recursive: true, force: true }));

const hasRegistry = spawnSync("npm", ["ping", "--fetch-retries=0"], { cwd: place }).status === 0;
if (!hasRegistry) console.log("left out, because no npm registry can be reached: a release");
const canExecute = `${process.platform} ${process.arch}` === "linux x64";

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: clone, encoding: "utf8" }).trim();
const release = (...words: string[]) =>
  spawnSync(process.execPath, [join(clone, ".ci/release.ts"), ...words], {
    cwd: clone,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Changes the `package.json` of the clone. */
function setAbout(change: Readonly<Record<string, unknown>>): void {
  const path = join(clone, "package.json");
  const about = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, `${JSON.stringify({ ...about, ...change }, null, 2)}\n`);
}
const { scripts, version: last } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const address = "https://acct.example";
const addresses = { repository: address, homepage: address, bugs: address };
/** What the release runs, less the tests of the whole project. */
const passing = { ...scripts, check: "node --version", "test:all": "node --version" };
const commit = () => git("commit", "--quiet", "--all", "--message", "a change");

beforeEach(() => {
  rmSync(clone, { recursive: true, force: true });
  execFileSync("git", ["clone", "--quiet", root, clone]);
  git("checkout", "--quiet", "-B", "main");
  git("config", "user.name", "Ann Reid");
  git("config", "user.email", "ann@quay.example");
  cpSync(join(root, ".ci"), join(clone, ".ci"), { recursive: true });
  setAbout({ ...addresses, scripts: passing });
  appendFileSync(join(clone, "CHANGELOG.md"), "\nAs it was.\n");
  git("add", "--all");
  commit();
});

/** All by which somebody could see that a release was begun. */
const seen = () => [git("status", "--porcelain"), git("log", "-1", "--format=%s"), git("tag")];

describe.skipIf(!hasRegistry)("a release", () => {
  const withoutChanges = () => {
    const path = join(clone, "CHANGELOG.md");
    writeFileSync(path, "# Changelog\n\n## Unreleased\n\n## 0.0.1\n\nThe first.\n");
    commit();
  };
  const withoutAddresses = () => {
    setAbout({ repository: undefined });
    commit();
  };
  const withFailingTests = () => {
    setAbout({ scripts: { ...passing, "test:all": "exit 1" } });
    commit();
  };
  test.each([
    ["the version is not higher", [last], seen, "the version is higher than"],
    ["there are changes in the tree", ["minor"], () => setAbout({ keywords: [] }), "not committed"],
    ["it is no release of main", ["minor"], () => git("checkout", "-qb", "x"), "and this is x"],
    ["the version has a tag", ["7.0.0"], () => git("tag", "v7.0.0"), "a tag v7.0.0 already"],
    ["the changelog tells of no change", ["patch"], withoutChanges, "nothing under"],
    [
      "nobody knows where the project lives",
      ["patch"],
      withoutAddresses,
      "nothing can be published",
    ],
    ["a test fails", ["patch"], withFailingTests, "Command failed: npm run test:all"],
  ])("is refused and leaves nothing behind where %s", (_, words, prepare, reason) => {
    prepare();
    const before = seen();
    const { status, stderr } = release(...words);
    expect(stderr).toMatch(/^No release was made, and nothing was changed: /m);
    expect(stderr).toContain(reason);
    expect(status).toBe(1);
    expect(seen()).toEqual(before);
  });

  test("is tried out whole with --dry-run, also while nobody knows where the project lives", () => {
    withoutAddresses();
    const before = seen();
    const { status, stdout, stderr } = release("minor", "--dry-run");
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("nothing can be published");
    expect(stdout).toContain("No commit and no tag were made, because of --dry-run.");
    expect(seen()).toEqual(before);
  });

  test("makes package, executable, bill of materials and sums, and tags its commit", async () => {
    const { status, stdout, stderr } = release("7.1.0");
    expect(status, stderr).toBe(0);
    expect(stdout).toContain("npm publish ");
    expect(seen()).toEqual(["", "release: acct 7.1.0", "v7.1.0"]);
    expect(git("cat-file", "-t", "v7.1.0")).toBe("tag");
    expect(readFileSync(join(clone, "CHANGELOG.md"), "utf8")).toMatch(
      /## Unreleased\n\n## 7\.1\.0 \(\d{4}-\d\d-\d\d\)\n/,
    );
    const folder = join(clone, "dist/release/7.1.0");
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder });
    const bill = JSON.parse(readFileSync(join(folder, "acct-7.1.0.cdx.json"), "utf8"));
    expect(bill).toMatchObject({
      bomFormat: "CycloneDX",
      metadata: { component: { name: "acct-books", version: "7.1.0" } },
    });
    const names = bill.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["pdfkit", "fontkit", "kysely", "undici"]));
    if (canExecute) await useExecutable(join(folder, "acct-7.1.0-linux-x64.tar.gz"));
  });
});

/** Uses the executable where there is no other program. */
async function useExecutable(archive: string): Promise<void> {
  execFileSync("tar", ["-xzf", archive, "-C", place]);
  const folder = join(place, "acct-7.1.0-linux-x64");
  const program = join(folder, "acct");
  expect(statSync(program).size).toBeLessThanOrEqual(150_000_000);
  const licenses = readFileSync(join(folder, "LICENSES.txt"), "utf8");
  for (const name of ["kysely \\d", "fontkit \\d", "png-js \\d", "Node\\.js 26"]) {
    expect(licenses).toMatch(new RegExp(`^${name}`, "m"));
  }
  const home = join(place, "home");
  mkdirSync(home);
  const env = { PATH: "/nothing", HOME: home, NO_COLOR: "1", LC_ALL: "C.UTF-8" };
  await useProgram(program, { cwd: home, env, encoding: "utf8" });
}
