import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAcct } from "../../src/kit/start.ts";
import { kitSuite } from "./suite.ts";

kitSuite("process");

it("a start removes the folders of processes that are gone, and none of those that live", async () => {
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const [left, kept] = [gone, process.ppid].map((pid) => join(tmpdir(), `acct-kit-${pid}-test`));
  for (const folder of [left, kept]) mkdirSync(folder as string);
  await using _ = await startAcct();
  expect([left, kept].map((folder) => existsSync(folder as string))).toEqual([false, true]);
});

it("ten starts and stops leave as many handles and timers as there were", async () => {
  const count = () => process.getActiveResourcesInfo().filter((each) => each !== "PipeWrap").length;
  await (await startAcct()).stop();
  const before = count();
  for (let round = 0; round < 10; round += 1) await (await startAcct()).stop();
  await expect.poll(count, { timeout: 5000 }).toBeLessThanOrEqual(before);
});
