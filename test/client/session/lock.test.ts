import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whileLocked } from "../../../src/client/session/lock.ts";
import { UnavailableError } from "../../../src/resources/errors.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-lock-"));
  path = join(folder, "below", "a.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const patient = { waitMaxMs: 20_000 };

/** A process that takes the lock, says so, and keeps it. */
async function holder() {
  const module = join(import.meta.dirname, "../../../src/client/session/lock.ts");
  const script = `
    const { whileLocked } = await import(${JSON.stringify(module)});
    await whileLocked(${JSON.stringify(path)}, { waitMaxMs: 0 }, () => {
      console.log("held");
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const words = ["--input-type=module", "--eval", script];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("the lock has one holder at a time, and every waiting process gets it in the end", async () => {
  let inside = 0;
  const order: number[] = [];
  const turns = [1, 2, 3, 4, 5].map((turn) =>
    whileLocked(path, patient, async () => {
      expect(++inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      order.push(turn);
      return turn;
    }),
  );
  expect(await Promise.all(turns)).toEqual([1, 2, 3, 4, 5]);
  expect(order.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(readdirSync(join(folder, "below"))).toEqual(["a.lock"]);
});

test("the lock is released when its holder fails with an error", async () => {
  const failing = whileLocked(path, patient, () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  expect(await whileLocked(path, { waitMaxMs: 0 }, async () => "taken")).toBe("taken");
});

test("the lock is released at once when its holder is killed", async () => {
  const child = await holder();
  await expect(whileLocked(path, { waitMaxMs: 0 }, async () => "taken")).rejects.toThrow(
    UnavailableError,
  );
  const waiting = whileLocked(path, patient, async () => "taken");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await waiting).toBe("taken");
});

test("a wait for the lock ends when it is interrupted, or when another process has done the work", async () => {
  const child = await holder();
  const work = async () => "done";
  let isSettled = false;
  const settled = whileLocked(path, { ...patient, isSettled: () => isSettled }, work);
  isSettled = true;
  expect(await settled).toBeUndefined();
  const interruption = new AbortController();
  const given = whileLocked(path, { ...patient, signal: interruption.signal }, work);
  interruption.abort(new Error("Ctrl-C"));
  await expect(given).rejects.toThrow();
  child.kill("SIGKILL");
});
