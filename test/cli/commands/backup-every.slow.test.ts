/** The built program makes backups, and keeps the log between them, until a signal ends it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("../../../bin/acct.js", import.meta.url));
let home = "";

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "acct-every-"));
  const own = home;
  await acct("init", "--name", "Quay", "--country", "NZ");
  return () => rmSync(own, { recursive: true });
});

const started = (...words: string[]) =>
  spawn(process.execPath, [program, ...words, "--book", "quay.acct"], {
    cwd: home,
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** What a command that ends well says. */
async function acct(...words: string[]): Promise<string> {
  const child = started(...words);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const [code] = await once(child, "close");
  expect([code, said]).toEqual([0, said]);
  return said;
}

/** A program that has made its first backup, and what it says. */
async function backing(...flags: string[]) {
  const child = started("book", "backup", "backups", "--every", "1h", ...flags);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stderr.on("data", (text) => lines.push(...String(text).trimEnd().split("\n")));
  await expect.poll(() => lines.length, { timeout: 600_000 }).toBeGreaterThan(0);
  return { child, lines };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  const exit = once(child, "exit");
  child.kill(signal);
  return exit;
}

const inBackups = (end: string) =>
  readdirSync(join(home, "backups")).filter((each) => each.endsWith(end));
const logBytes = () =>
  inBackups(".log").reduce((sum, each) => sum + statSync(join(home, "backups", each)).size, 0);
const people = async () =>
  (await acct("contact", "list", "--columns", "Name", "-o", "csv")).trim().split("\n").slice(1);

test.each([
  ["SIGTERM", 0],
  ["SIGINT", 130],
] as const)("%s ends a scheduled backup that waits for its next run", async (signal, code) => {
  const { child, lines } = await backing("--keep", "7d");
  expect(lines).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}Backed up Quay, .*\.backup\.$/),
  ]);
  expect(await ended(child, signal)).toEqual([code, null]);
  expect(inBackups(".backup")).toHaveLength(1);
});

test("a restore after a killed scheduled backup includes its log of changes; with --no-log only the backup", async () => {
  const { child } = await backing();
  const begun = logBytes();
  await acct("contact", "create", "--name", "Ana");
  await expect.poll(logBytes, { timeout: 600_000 }).toBeGreaterThan(begun);
  await ended(child, "SIGKILL");
  await acct("contact", "create", "--name", "Bo");
  const said = await acct("book", "restore", "backups", "--yes");
  expect(said).toMatch(/Takes the backup of \S+Z and its log up to \S+Z: what was written/);
  expect(await people()).toEqual(["Ana"]);
  expect(await acct("book", "verify")).toContain("Everything adds up.");
  rmSync(join(home, "backups"), { recursive: true });
  const { child: plain } = await backing("--no-log");
  await acct("contact", "create", "--name", "Cy");
  expect(await ended(plain, "SIGTERM")).toEqual([0, null]);
  expect(inBackups(".log")).toEqual([]);
  await acct("book", "restore", "backups", "--yes");
  expect(await people()).toEqual(["Ana"]);
});

test("a gap in the log of changes after a backup is reported, and a full backup follows at once", async () => {
  const { child, lines } = await backing();
  copyFileSync(join(home, "quay.acct"), join(home, "other"));
  for (const log of ["-wal", "-shm"]) rmSync(join(home, `quay.acct${log}`), { force: true });
  renameSync(join(home, "other"), join(home, "quay.acct"));
  await acct("contact", "create", "--name", "Ana");
  await expect.poll(() => lines.length, { timeout: 600_000 }).toBe(3);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(
      / The log is kept no longer: .* without a gap: .* A whole backup follows\.$/,
    ),
    expect.stringMatching(/ Backed up Quay, /),
  ]);
  expect(await ended(child, "SIGTERM")).toEqual([0, null]);
  await acct("book", "restore", "backups", "--yes");
  expect(await people()).toEqual(["Ana"]);
});
