/** Books of earlier versions, in files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { latestVersion } from "../../src/store/upgrade/state.ts";
import { acctIn, keptBooks, keptFile, worksOn } from "./kept.ts";

function bookOf(name: string) {
  const home = mkdtempSync(join(tmpdir(), "acct-kept-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "kept.acct");
  writeFileSync(path, keptFile(name), { mode: 0o600 });
  return { home, path, acct: acctIn({ HOME: home, ACCT_BOOK: path }) };
}

const asItWas = `kept.before-${latestVersion}.acct`;

test("the newest section of the changelog names the current schema version", () => {
  const text = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  const [, newest = ""] = text.split(/^## /m);
  expect(newest).toContain(`schema version ${latestVersion}`);
});

describe.each(keptBooks)("a kept book of version %s", (name) => {
  test("a book of an earlier version is copied and then migrated by the first command, and verifies", async () => {
    const { home, acct } = bookOf(name);
    const { code, stderr } = await acct("contact", "list");
    expect([code, stderr]).toEqual([
      0,
      name.endsWith(`v${latestVersion}`)
        ? ""
        : expect.stringContaining(`to ${latestVersion}; the book before is`),
    ]);
    const isOlder = readdirSync(home).includes(asItWas);
    expect(isOlder).toBe(!name.endsWith(`v${latestVersion}`));
    await worksOn(name, acct);
    if (isOlder) expect(readFileSync(join(home, asItWas)).length).toBe(keptFile(name).length);
  });

  test("a backup of an earlier version is restored and migrated, and the backup file stays unchanged", async () => {
    const { home, path, acct } = bookOf(name);
    const restored = join(home, "restored.acct");
    const line = ["book", "restore", path, "--book", restored];
    expect(await acct(...line)).toMatchObject({ code: 0 });
    expect(Buffer.compare(readFileSync(path), keptFile(name))).toBe(0);
    await worksOn(name, acctIn({ HOME: home, ACCT_BOOK: restored }));
  });
});
