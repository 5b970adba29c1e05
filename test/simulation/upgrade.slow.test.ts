/** A book of an earlier version, brought up on a disk and beside programs that stand in the way. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { latestVersion } from "../../src/store/upgrade/state.ts";
import { keptFile } from "../books/kept.ts";
import { runBuilt, startBuilt } from "../cli/built.ts";
import { buildLibrary, Disk, errno, lacking } from "./disk.ts";

const home = mkdtempSync(join(tmpdir(), "acct-upgrade-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = { HOME: home, PATH: process.env.PATH ?? "", USER: "ann", TZ: "UTC" };
const books = join(home, "books");
const path = join(books, "kept.acct");
const copy = join(books, `kept.before-${latestVersion}.acct`);
const older = keptFile("v25");

beforeEach(() => {
  rmSync(books, { recursive: true, force: true });
  mkdirSync(books);
  writeFileSync(path, older, { mode: 0o600 });
});

function versionOf(file: string): number {
  const db = new DatabaseSync(file);
  const found = Number(db.prepare("pragma user_version").get()?.user_version);
  const whole = db.prepare("pragma integrity_check").get()?.integrity_check;
  db.close();
  expect(whole).toBe("ok");
  return found;
}

const isAsItWas = () => Buffer.compare(readFileSync(path), older) === 0;

test("of two simultaneous upgrades, one migrates the book and the other finds it migrated", async () => {
  const line = ["book", "upgrade", path];
  const ends = await Promise.all([startBuilt(line, env), startBuilt(line, env)]);
  expect(ends.map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, expect.any(String)],
    [0, expect.any(String)],
  ]);
  expect(ends.filter(({ stdout }) => stdout.includes("there is nothing to do"))).toHaveLength(1);
  expect(versionOf(path)).toBe(latestVersion);
  expect(readdirSync(books).filter((name) => name.includes(".before-"))).toHaveLength(1);
});

test("an upgrade with --read-only is refused with exit code 5, and the book is unchanged", () => {
  const { status, stderr } = runBuilt(["contact", "list", "--read-only", "--book", path], env);
  expect([status, stderr]).toEqual([5, expect.stringContaining("Nothing was changed.")]);
  expect([isAsItWas(), existsSync(copy)]).toEqual([true, false]);
});

describe.skipIf(lacking !== undefined)("upgrades on a failing disk", () => {
  let disk: Disk;
  beforeAll(() => {
    disk = new Disk(buildLibrary(home), books, join(home, "control"));
  });
  const upgrade = () => runBuilt(["book", "upgrade", path], { ...env, ...disk.env });

  test.each([
    ["that is full", errno.ENOSPC],
    ["that is read-only", errno.EROFS],
  ])(
    "an upgrade on a disk %s is refused with exit code 5, and the book is unchanged",
    (_, error) => {
      disk.set({ callFrom: 1, error });
      const { status, stderr } = upgrade();
      disk.set({});
      expect([status, stderr]).toEqual([5, expect.stringContaining("Nothing was changed.")]);
      expect([versionOf(path), existsSync(copy)]).toEqual([25, false]);
    },
  );

  test("an upgrade killed at any moment leaves the old or the upgraded book, and the next command works", () => {
    const before = disk.counted().calls;
    expect(upgrade().status).toBe(0);
    const calls = disk.counted().calls - before;
    const versions = new Set<number>();
    for (let step = 1; step <= 12; step += 1) {
      rmSync(books, { recursive: true });
      mkdirSync(books);
      writeFileSync(path, older, { mode: 0o600 });
      disk.set({ killAt: disk.counted().calls + Math.ceil((calls * step) / 12) });
      expect(upgrade().status).not.toBe(0);
      disk.set({});
      versions.add(versionOf(path));
      const { status, stderr } = runBuilt(["book", "verify", "--book", path], env);
      expect([step, status, stderr.includes("damaged")]).toEqual([step, 0, false]);
      expect(versionOf(path)).toBe(latestVersion);
    }
    expect([...versions].sort()).toEqual([25, latestVersion]);
  });
});
