/** The unit for systemd in the documentation, by the programs of systemd. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const analyze = (...words: string[]) =>
  spawnSync("systemd-analyze", words, { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
const isInstalled = analyze("--version").status === 0;
if (!isInstalled) console.log("left out, because systemd is not installed: its unit in the docs");

describe.skipIf(!isInstalled)("the systemd unit of the documentation", () => {
  test("is valid, and exposes the machine by at most 2 of 10", () => {
    const page = readFileSync(new URL("../../docs/serving.md", import.meta.url), "utf8");
    const [, unit = ""] = /```ini\n(.*?)```/s.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "acct-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "acct.service");
    writeFileSync(path, unit);
    const verified = analyze("verify", path);
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, "", ""]);
    const judged = analyze("security", "--offline=true", "--threshold=20", path);
    expect([judged.status, judged.stdout]).toEqual([0, expect.stringContaining("exposure level")]);
  });
});
