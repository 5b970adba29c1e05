/** The file that a browser is started with: for its owner alone, and soon gone. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { startBrowser } from "../../../src/cli/connection/open-browser.ts";
import { fileMade } from "../../support/file-made.ts";
import { openedPage } from "../../support/signs-in.ts";

/** A browser that keeps what it is started with, and its environment. */
function keeper() {
  const home = mkdtempSync(join(tmpdir(), "acct-browser-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [program, seen] = [join(home, "browser"), join(home, "seen")];
  const script = `#!/bin/sh\nenv >'${home}/env'; printf %s "$1" >'${seen}.part'; mv '${seen}.part' '${seen}'\n`;
  writeFileSync(program, script, { mode: 0o755 });
  const file = async () => {
    await fileMade(seen);
    return readFileSync(seen, "utf8");
  };
  return { BROWSER: program, file, env: () => readFileSync(join(home, "env"), "utf8") };
}

test("the sign-in address is passed to the browser in a redirecting file, and in no argument", async () => {
  const { BROWSER, file } = keeper();
  const url = `http://127.0.0.1:1/?key=k&next="x"`;
  await startBrowser({ env: { BROWSER } }, url);
  const opened = await file();
  expect(opened).toMatch(/^file:.*\/open\.html$/);
  expect(openedPage(opened)).toBe(new URL(url).href);
});

test("the redirecting file for the browser is removed after a while by another process", async () => {
  const { BROWSER, file } = keeper();
  await startBrowser({ env: { BROWSER } }, "http://127.0.0.1:1/", { deleteAfterMs: 1 });
  const path = fileURLToPath(await file());
  await vi.waitUntil(() => !existsSync(path), { timeout: 600_000 });
});

test("tokens in the environment of the command are not passed to the browser", async () => {
  const { BROWSER, file, env } = keeper();
  vi.stubEnv("ACCT_TOKEN", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  await startBrowser({ env: { BROWSER } }, "http://127.0.0.1:1/");
  await file();
  expect(env()).not.toContain("secret");
});
