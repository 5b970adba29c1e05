/**
 * The log of a book that other processes write to all the time: followed without a gap, and killed at
 * any moment. Each commit adds rows with the next numbers, so that a hole would show.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readLog, replay } from "../../../src/service/books/backup-log.ts";
import { LogRecorder } from "../../../src/service/books/log-recorder.ts";
import { LogFollower } from "../../../src/store/dialects/sqlite/log-follower.ts";
import { checkpointPages } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { copyPages } from "../../../src/store/dialects/sqlite/sqlite-file.ts";

const pageBytes = 512;
let folder = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-log-"));
  path = join(folder, "book");
  const db = new DatabaseSync(path);
  db.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal;
    create table entry (id integer primary key, text text not null)`);
  db.close();
  const own = folder;
  return () => rmSync(own, { recursive: true });
});

/** A process that runs a module until it is killed. */
function running(program: string, ...words: string[]): ChildProcess {
  const flags = ["--no-warnings", "--input-type=module", "--eval", program, path, ...words];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/**
 * Writes as fast as programs do that wait for the disk, merges the log as often as it can, and undoes
 * something now and then.
 */
const writer = `
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(process.argv[1], { timeout: 600_000 });
  db.exec("pragma synchronous = off; pragma wal_autocheckpoint = 20; pragma cache_size = 20");
  const insert = db.prepare("insert into entry (text) values (?)");
  for (let round = 0; ; round += 1) {
    db.exec("begin immediate");
    for (let rows = round % 17; rows >= 0; rows -= 1) insert.run("row ".repeat(100));
    db.exec(round % 11 === 10 ? "rollback" : "commit");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
  }`;

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** How many rows a file has, with the next number each. */
function rowsIn(file: string): number {
  const db = new DatabaseSync(file);
  try {
    expect(db.prepare("pragma integrity_check").get()?.integrity_check).toBe("ok");
    const { rows, last } = { ...db.prepare("select count(*) rows, max(id) last from entry").get() };
    expect(rows).toBe(last ?? 0);
    return Number(rows);
  } finally {
    db.close();
  }
}

/** How many rows backup and log have by a moment. */
function rowsBy(backup: string, by: number): number | undefined {
  const log = readLog(backup.replace(/backup$/, "log"), by);
  expect(log?.isDamaged ?? false).toBe(false);
  if (log === undefined) return undefined;
  const part = join(folder, "restored");
  replay(part, backup, log);
  const rows = rowsIn(part);
  rmSync(part);
  return rows;
}

test("with two processes that write and merge, the backup log contains every moment and stays short", async () => {
  const writers = [running(writer), running(writer)];
  let now = 0;
  const ends: string[] = [];
  const recorder = new LogRecorder(path, {
    clock: () => now,
    onEnd: ({ message }) => ends.push(message),
  });
  onTestFinished(() => recorder.close());
  const backups: string[] = [];
  let longest = 0;
  for (let round = 0; round < 4; round += 1) {
    const backup = join(folder, `${round}.backup`);
    await recorder.during(
      () => copyPages(path, backup),
      () => ({ backup, log: join(folder, `${round}.log`) }),
    );
    backups.push(backup);
    for (let count = 0; count < 30; count += 1) {
      now += 10;
      recorder.record();
      longest = Math.max(longest, statSync(`${path}-wal`).size);
      await sleep(4);
    }
  }
  for (const each of writers) await killed(each);
  now += 10;
  recorder.record();
  expect(ends).toEqual([]);
  // The length from which on it is shortened, and what two processes write until the next moment, or
  // while the book is copied.
  expect(longest).toBeLessThan(4 * checkpointPages * pageBytes);
  let before = 0;
  for (let moment = 10; moment <= now; moment += 10) {
    const backup = backups.findLast(
      (each) => (readLog(each.replace(/backup$/, "log"), moment)?.at ?? 0) > 0,
    );
    const rows = backup === undefined ? 0 : (rowsBy(backup, moment) ?? 0);
    expect(rows).toBeGreaterThanOrEqual(before);
    before = rows;
  }
  expect(before).toBe(rowsIn(path));
});

test("the backup log starts correctly while a writer restarts the write-ahead log", async () => {
  const write = running(writer);
  const ends: string[] = [];
  await expect.poll(() => rowsIn(path), { timeout: 600_000 }).toBeGreaterThan(0);
  // One in five hundred meets the writer in the middle of it.
  for (let round = 0; round < 5000; round += 1) {
    try {
      LogFollower.at(path).close();
    } catch (error) {
      ends.push((error as Error).message);
    }
  }
  await killed(write);
  expect(ends).toEqual([]);
});

/** Copies the book again and again, and keeps the log in between, until it is killed. */
const recording = (() => {
  const [recorder, file] = [
    "service/books/log-recorder.ts",
    "store/dialects/sqlite/sqlite-file.ts",
  ].map((each) => new URL(`../../../src/${each}`, import.meta.url).href);
  return `
    const [path, folder, name] = process.argv.slice(1);
    const { LogRecorder } = await import("${recorder}");
    const { copyPages } = await import("${file}");
    const recorder = new LogRecorder(path, { clock: Date.now, onEnd: (error) => console.error(error.message) });
    for (let round = 0; ; round += 1) {
      const base = folder + "/" + name + "." + round;
      await recorder.during(
        () => copyPages(path, base + ".part"),
        () => {
          process.getBuiltinModule("node:fs").renameSync(base + ".part", base + ".backup");
          return { backup: base + ".backup", log: base + ".log" };
        },
      );
      for (let count = 0; count < 40; count += 1) {
        recorder.record();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }`;
})();

test("a backup log killed at any moment restores the book as of the last copied commit", async () => {
  const write = running(writer);
  const logged: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    const child = running(recording, folder, String(round));
    let said = "";
    child.stderr?.on("data", (text) => (said += String(text)));
    const first = join(folder, `${round}.0.log`);
    const begins = () => existsSync(first) || said;
    await expect.poll(begins, { timeout: 600_000, interval: 5 }).toBe(true);
    await sleep((round * 73) % 230);
    await killed(child);
    expect(said).toBe("");
    const own = readdirSync(folder).filter((each) => each.startsWith(`${round}.`));
    const bases = own.filter((each) => each.endsWith(".backup"));
    const rows = bases.map((each) => rowsBy(join(folder, each), Number.MAX_SAFE_INTEGER) ?? 0);
    // A log that was only just begun leads less far than the one before.
    logged.push(Math.max(...rows));
    for (const each of own) rmSync(join(folder, each));
  }
  await killed(write);
  expect(Math.max(...logged)).toBeLessThanOrEqual(rowsIn(path));
  expect(logged).toEqual(logged.toSorted((a, b) => a - b));
});
