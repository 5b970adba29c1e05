/** Configuration file and variables: what is mistyped is refused, what may be of a later version is not. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkVariables, configPath, readConfig } from "../../../src/cli/context/config.ts";

let env: Record<string, string>;
beforeEach(() => {
  env = { HOME: mkdtempSync(join(tmpdir(), "acct-")) };
});
afterEach(() => rmSync(env.HOME as string, { recursive: true }));

function configOf(text: string) {
  mkdirSync(dirname(configPath(env)), { recursive: true });
  writeFileSync(configPath(env), text);
  return readConfig(env);
}

test.each([
  ["{", "is no JSON"],
  ["[]", "holds no object"],
  ['{"profils": {}}', 'says "profils", where it means profiles'],
  ['{"profiles": []}', "holds no object for profiles"],
  ['{"profiles": {"x": "shop.acct"}}', "holds no object in the profile x"],
  ['{"profiles": {"x": {"bok": "a"}}}', 'says "bok" in the profile x, where it means book'],
  ['{"profiles": {"x": {"readOnly": "true"}}}', 'says no boolean for "readOnly" in the profile x'],
])("the configuration file %s is refused", (text, problem) => {
  expect(() => configOf(text)).toThrow(
    `The configuration file ${configPath(env)} ${problem}; mend it or delete it.`,
  );
});

test("keys of the configuration file that are near to none are left to later versions", () => {
  const profiles = { x: { book: "shop.acct", laterKey: 1 } };
  expect(configOf(JSON.stringify({ profiles, anotherKey: true }))).toEqual({
    profiles,
    anotherKey: true,
  });
});

test.each([
  ["ACCT_BOK", "ACCT_BOOK"],
  ["ACCT_READONLY", "ACCT_READ_ONLY"],
  ["ACCT_DATABSE_FILE", "ACCT_DATABASE"],
])("the variable %s is refused for %s", (name, near) => {
  expect(() => checkVariables({ [name]: "x" })).toThrow(
    `${name} is no variable of acct. Did you mean ${near}?`,
  );
});

test("variables of other programs, and every variable that the program reads, are taken", () => {
  const folder = new URL("../../../src/", import.meta.url);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => readFileSync(new URL(path, folder), "utf8").match(/\bACCT_[A-Z_]+/g) ?? []);
  expect(new Set(names).size).toBeGreaterThan(20);
  checkVariables(Object.fromEntries(names.map((name) => [name, "x"])));
  checkVariables({ ACCT_BUILD_NUMBER: "7", ACCT_BOK: "", BOK: "x" });
});
