/** The built program: a server of many begins anew with what makes it faster, in the same process. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bin, builtDesk, type Serving, serveBuilt } from "./built.ts";

const { home, env, ok } = builtDesk();
const book = join(home, "alone.acct");
const ofMany = ["--port", "0", "--data", join(home, "books")];

beforeAll(() => {
  ok(["init", "--name", "One Ltd", "--country", "NZ", "--data", join(home, "books")]);
  ok(["init", "--name", "Alone Ltd", "--country", "NZ", "--book", book]);
});

const onLinux = test.runIf(process.platform === "linux");

/** With which options of Node it runs. */
function optionsOf({ process: { pid } }: Serving): string[] {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return words.slice(1, words.indexOf(bin));
}

onLinux("a server of many has its code on large pages, and ends as it did before", async () => {
  const served = await serveBuilt(ofMany, env);
  expect(optionsOf(served)).toEqual(["--use-largepages=silent"]);
  expect((await fetch(new URL("/ready", served.baseUrl))).status).toBe(200);
  served.process.kill("SIGTERM");
  expect(await served.ended).toBe(0);
  expect(served.said()).toBe(`${served.baseUrl}\n`);
});

onLinux("it goes by NODE_OPTIONS where they say otherwise", async () => {
  const served = await serveBuilt(ofMany, { ...env, NODE_OPTIONS: "--use-largepages=off" });
  expect(optionsOf(served)).toEqual([]);
  expect((await fetch(new URL("/ready", served.baseUrl))).status).toBe(200);
});

onLinux("a book by itself is served at once", async () => {
  const served = await serveBuilt(["--port", "0", "--book", book], env);
  expect(optionsOf(served)).toEqual([]);
  expect((await fetch(new URL("/ready", served.baseUrl))).status).toBe(200);
});
