/** The fixtures of docs/testing.md, written to files as they stand, and run where their program is here. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/testing.md"), "utf8");
const fixtures = [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
  ([, name = "", text = ""]) => [name, text] as const,
);
const folder = mkdtempSync(join(tmpdir(), "acct-testing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "node_modules"));
mkdirSync(join(folder, "bin"));
symlinkSync(root, join(folder, "node_modules/acct-books"));
symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"));
symlinkSync(join(root, "bin/acct.js"), join(folder, "bin/acct"));

/** How each fixture is run, and a call that shows whether its program is here. */
const runners: Readonly<Record<string, readonly [words: string[], probe: string[]]>> = {
  "shop.test.mjs": [
    ["node", "--test"],
    ["node", "--version"],
  ],
  "shop.vitest.test.mjs": [
    ["node", join(root, "node_modules/vitest/vitest.mjs"), "run"],
    ["node", "--version"],
  ],
  "shop_test.py": [
    ["python3", "-m", "pytest", "-q"],
    ["python3", "-m", "pytest", "--version"],
  ],
  "ShopTest.php": [["phpunit"], ["phpunit", "--version"]],
};

const env = {
  ...process.env,
  PATH: `${join(folder, "bin")}:${join(root, "node_modules/.bin")}:${process.env.PATH}`,
};
const run = ([program = "", ...words]: readonly string[]) =>
  spawnSync(program, words, { cwd: folder, env, encoding: "utf8" });

const notRun = fixtures.map(([name]) => name).filter((name) => !Object.hasOwn(runners, name));
if (notRun.length > 0) console.log(`not run, for want of their programs: ${notRun.join(", ")}`);

describe("the fixtures of docs/testing.md", () => {
  test("are at most 25 lines each, without those of imports", () => {
    const long = fixtures.filter(([, text]) => text.split("\n").length > 32);
    expect(long.map(([name]) => name)).toEqual([]);
  });

  for (const [name, [words, probe]] of Object.entries(runners)) {
    test.skipIf(run(probe).status !== 0)(`${name} passes as it stands`, () => {
      const [, text] = fixtures.find(([each]) => each === name) ?? [];
      writeFileSync(join(folder, name), text ?? "");
      const { status, stdout, stderr } = run([...words, name]);
      expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringMatching(/pass|OK/)]);
    });
  }
});
