/** Many processes that start at the same moment on a database that has no tables yet. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { databaseOn, onServer } from "../../postgres/setup.ts";

const count = 6;
const isOnServer = process.env.STORE_WORLD === "postgres";
const opener = fileURLToPath(new URL("opener.ts", import.meta.url));

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** The path of a file that is not there, or the address of an empty database. */
async function nothingYet(): Promise<string> {
  if (!isOnServer) {
    const folder = mkdtempSync(join(tmpdir(), "acct-opening-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return join(folder, "new.acct");
  }
  const { server } = inject("postgres");
  const name = `acct_opening_${process.pid}`;
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  onTestFinished(() => onServer(server, `drop database ${name} with (force)`));
  return databaseOn(server, name);
}

test(`${count} processes that open an empty database at the same time create its tables once`, {
  timeout: 600_000,
}, async () => {
  const place = await nothingYet();
  const processes = await Promise.all(
    Array.from({ length: count }, async () => {
      const child = spawn(process.execPath, [opener, place], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.push(child);
      const lines: string[] = [];
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        lines.push(...text.split("\n").filter((line) => line !== ""));
      });
      await once(child.stdout, "data");
      return { child, lines, ended: once(child, "close") };
    }),
  );
  for (const { child } of processes) child.stdin.write("now\n");
  for (const { ended } of processes) expect(await ended).toEqual([0, null]);
  const told = processes.map(({ lines }) => lines[1]).sort();
  expect(told).toEqual([...Array(count - 1).fill("0 true"), "1 true"]);
});
