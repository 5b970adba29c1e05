/** A build of the program while it is in use: in a copy of the project, with other commands running. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "acct-build-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));
for (const each of [".ci", "bin", "fonts", "src", "package.json", "rolldown.config.js"]) {
  cpSync(join(root, each), join(copy, each), { recursive: true });
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

const run = promisify(execFile);
const env = { ...process.env, HOME: join(copy, "home"), NO_COLOR: "1" };
const build = (...words: string[]) =>
  run(process.execPath, [join(copy, ".ci/build.ts"), ...words], { env });
const program = join(copy, "bin/acct.js");
const changed = join(copy, "src/cli/help.ts");
const original = readFileSync(changed, "utf8");

/** Changes a text of the program, so that the next build makes other files. */
const change = (text: string) =>
  writeFileSync(changed, `${original}\nconsole.assert(true, ${text});\n`);

const stamp = () => JSON.parse(readFileSync(join(copy, "dist/build.json"), "utf8"));

test("commands run on while the program is built ten times, one of them with an error", async () => {
  await build();
  execFileSync(process.execPath, [program, "--demo", "invoice", "list"], { env });
  let isBuilding = true;
  const faults: unknown[] = [];
  let count = 0;
  const commands = [
    ["--demo", "invoice", "list", "--limit", "1"],
    ["--demo", "report", "pl"],
    ["help", "invoice"],
  ];
  const use = async (first: number) => {
    for (let at = first; isBuilding || count < 60; at++) {
      await run(process.execPath, [program, ...(commands[at % 3] as string[])], { env }).catch(
        (error) => faults.push(error),
      );
      count += 1;
    }
  };
  const users = [use(0), use(1)];
  for (let at = 0; at < 10; at++) {
    change(at === 5 ? '"the sources end here' : `"build ${at}"`);
    const built = build();
    await (at === 5 ? expect(built).rejects.toThrow("help.ts") : built);
  }
  isBuilding = false;
  await Promise.all(users);
  expect(faults).toEqual([]);
});

test("a build that is not needed changes nothing", async () => {
  change('"once more"');
  await build("--if-needed");
  const built = stamp();
  const before = statsOf(built.files);
  await build("--if-needed");
  expect(stamp()).toEqual(built);
  expect(statsOf(built.files)).toEqual(before);
});

test("a build is needed where a file of the last one is gone", async () => {
  await build("--if-needed");
  const { files } = stamp();
  rmSync(join(copy, "dist", files.at(-1)));
  await build("--if-needed");
  expect(statsOf([files.at(-1)])).toHaveLength(1);
});

function statsOf(files: readonly string[]): string[] {
  const paths = files.map((file) => join(copy, "dist", file));
  const { stdout } = spawnSync("stat", ["--format=%n %i %Y", ...paths], { encoding: "utf8" });
  return stdout.trim().split("\n");
}
