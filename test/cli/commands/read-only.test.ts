/** Read-only work: whatever would change anything is refused, and nothing is changed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct, home } = newDesk();
const env = { ACCT_CONFIG_DIR: join(home, "config") };

beforeAll(async () => {
  await acct("init --name Heron --country NZ --no-input");
  await acct("contact create --name Kowhai");
});

test.each([
  "contact create --name Tui",
  "contact archive Kowhai --yes",
  "organisation update --tax-number 1",
  "init --name Other --country NZ --no-input --book other.acct",
  "book set --period-lock-date 2026-01-31",
  "user add ann@heron.example --role standard",
])("acct %s is refused in read-only mode", async (line) => {
  for (const [flags, own, word] of [
    [" --read-only", {}, "--read-only"],
    ["", { ACCT_READ_ONLY: "1" }, "ACCT_READ_ONLY"],
  ] as const) {
    const { code, stderr } = await acct(`${line}${flags}`, { env: own });
    expect([code, stderr]).toEqual([5, `acct: Nothing may be changed: ${word} says so.\n`]);
  }
  expect((await acct("contact list -o id")).stdout.trim().split("\n")).toHaveLength(1);
  expect(existsSync("other.acct")).toBe(false);
});

test("reading commands and dry runs are accepted in read-only mode", async () => {
  expect((await acct("contact list --read-only")).stdout).toContain("Kowhai");
  expect((await acct("report pl --read-only")).code).toBe(0);
  const tried = await acct("contact create --name Tui --dry-run --read-only");
  expect([tried.code, tried.stderr]).toEqual([0, "Dry run: nothing was changed.\n"]);
  expect(
    (await acct("contact create --name Tui --dry-run", { env: { ACCT_READ_ONLY: "0" } })).code,
  ).toBe(0);
});

test("a profile added with --read-only refuses commands that write", async () => {
  const book = join(home, "a.acct");
  const kept = { env: { ...env, ACCT_BOOK: "" } };
  expect((await acct(`profile add audit --book ${book} --read-only`, kept)).code).toBe(0);
  expect((await acct("profile show audit -o json", kept)).stdout).toContain('"ReadOnly":true');
  expect((await acct("contact list --profile audit", kept)).stdout).toContain("Kowhai");
  const { code, stderr } = await acct("contact create --name Tui --profile audit", kept);
  expect([code, stderr]).toEqual([
    5,
    "acct: Nothing may be changed: the profile audit is read-only.\n",
  ]);
});
