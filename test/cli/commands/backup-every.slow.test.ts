/** The built program makes backups until a signal ends it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("../../../bin/acct.js", import.meta.url));

test.each([
  ["SIGTERM", 0],
  ["SIGINT", 130],
] as const)("%s ends a program that waits for the next hour", async (signal, code) => {
  const home = mkdtempSync(join(tmpdir(), "acct-every-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const started = (...words: string[]) =>
    spawn(process.execPath, [program, ...words, "--book", "quay.acct"], {
      cwd: home,
      env: { ...process.env, HOME: home },
      stdio: ["ignore", "ignore", "pipe"],
    });
  await once(started("init", "--name", "Quay", "--country", "NZ"), "exit");
  const backing = started("book", "backup", "backups", "--every", "1h", "--keep", "7d");
  const ended = once(backing, "exit");
  let said = "";
  for await (const chunk of backing.stderr) {
    said += String(chunk);
    if (said.includes("\n")) break;
  }
  expect(said).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}Backed up Quay, .*\.backup\.\n$/);
  backing.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(
    readdirSync(join(home, "backups")).filter((each) => each.endsWith(".backup")),
  ).toHaveLength(1);
});
