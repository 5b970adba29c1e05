/** The tests of the shop in other languages: what is not installed is named. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bin } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-control-"));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync(join(import.meta.dirname, "control"), folder, { recursive: true });
copyFileSync(join(import.meta.dirname, "shop/shop.yaml"), join(folder, "shop.yaml"));
symlinkSync(bin, join(folder, "acct"));
const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, HOME: folder };
const run = (...[program = "", ...words]: readonly string[]) =>
  spawnSync(program, words, { cwd: folder, env, encoding: "utf8" });

test.each([
  ["Python", "python3", "shop_test.py", /Ran 7 tests.*OK/s],
  ["PHP", "phpunit", "ShopTest.php", /OK \(7 tests/],
] as const)(
  "the seven tests of an app in %s pass by plain HTTP requests",
  (_, program, file, passed) => {
    if (run(program, "--version").status !== 0) return console.log(`left out: no ${program} here`);
    const { status, stdout, stderr } = run(program, file);
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringMatching(passed)]);
  },
);
