/** A book in a file: what several processes do to it, and what is no book. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { journalSequence } from "../../../src/store/ledger/journals.ts";
import { sequenceOf, takeNumbers } from "../../../src/store/ledger/sequences.ts";
import { historyOf } from "../../../src/store/records/history.ts";
import { createOrganisation, organisations } from "../../../src/store/records/organisations.ts";
import { openStore } from "../../../src/store/store.ts";
import type { Tx } from "../../../src/store/transactions/tx.ts";
import { builderOf, dump, enter } from "../books.ts";
import { faultsOfLedger } from "../ledger-faults.ts";
import { guid, newId, organisation } from "../samples.ts";

describe("a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-file-"));
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const worker = fileURLToPath(new URL("worker.ts", import.meta.url));

  function start(path: string, name: string, times: number) {
    const child = spawn(process.execPath, [worker, path, name, String(times)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const lines: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      lines.push(...text.split("\n").filter((line) => line !== ""));
    });
    return { child, lines, ended: once(child, "close") };
  }

  async function fresh(name: string): Promise<string> {
    const path = join(folder, name);
    const store = await openStore(sqliteDialect(path));
    await createOrganisation(store, organisation());
    await store.close();
    return path;
  }

  test("several processes write to one book, and no number is missing or given twice", async () => {
    const path = await fresh("shared.acct");
    const started = ["1", "2", "3"].map((name) => start(path, name, 40));
    const store = await openStore(sqliteDialect(path));
    const own: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      own.push(await store.write(1, (tx) => takeNumbers(tx, "own", 1)));
      expect(await store.read(1, faultsOfLedger)).toEqual([]);
    }
    for (const { ended } of started) expect((await ended)[0]).toBe(0);
    const numbers = started.flatMap(({ lines }) =>
      lines.filter((line) => line !== "open").map(Number),
    );
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    expect(own).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await store.read(1, faultsOfLedger)).toEqual([]);
    expect(await store.read(1, (tx) => historyOf(tx, "Invoice", guid(1)))).toHaveLength(120);
    await store.close();
  }, 60_000);

  test("a book is made once when many processes open a new file at the same time", async () => {
    const path = join(folder, "raced.acct");
    const started = ["1", "2", "3", "4"].map((name) => start(path, name, 0));
    for (const { ended } of started) expect((await ended)[0]).toBe(0);
    const store = await openStore(sqliteDialect(path));
    expect(await organisations(store)).toEqual([]);
    await store.close();
  }, 60_000);

  test("a process that is killed loses nothing it has acknowledged, and leaves nothing half done", async () => {
    const path = await fresh("killed.acct");
    let acknowledged = 0;
    for (const most of [1, 7, 20]) {
      const { child, lines, ended } = start(path, String(most), 10_000);
      while (lines.length <= most) await once(child.stdout, "data");
      child.kill("SIGKILL");
      await ended;
      acknowledged = Math.max(acknowledged, ...lines.filter((line) => line !== "open").map(Number));
      const store = await openStore(sqliteDialect(path));
      expect(await store.read(1, faultsOfLedger)).toEqual([]);
      const { last, entries } = await store.read(1, async (tx: Tx) => ({
        last: await sequenceOf(tx, journalSequence("accrual")),
        entries: (await historyOf(tx, "Invoice", guid(1))).length,
      }));
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      expect(entries).toBe(last);
      await store.close();
    }
  }, 60_000);

  test.each([
    ["text", (path: string) => writeFileSync(path, "x".repeat(8192))],
    [
      "another program's database",
      (path: string) => {
        const db = new DatabaseSync(path);
        db.exec("create table note (text text)");
        db.close();
      },
    ],
  ])("that holds %s is refused as no book, and is left unchanged", async (name, make) => {
    const path = join(folder, `${name}.acct`);
    make(path);
    const before = readFileSync(path);
    await expect(openStore(sqliteDialect(path))).rejects.toMatchObject({
      name: "RefusedError",
      code: "NotABook",
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("in a folder that does not exist cannot be opened", async () => {
    const path = join(folder, "no", "such", "folder.acct");
    await expect(openStore(sqliteDialect(path))).rejects.toMatchObject({
      name: "UnavailableError",
    });
  });

  test("is durable: the log is written ahead, and a commit waits for the disk", async () => {
    const path = await fresh("durable.acct");
    const store = await openStore(sqliteDialect(path));
    const { sql } = await import("kysely");
    const pragma = async (name: string) =>
      store.read(
        1,
        async ({ db }) =>
          Object.values((await sql<object>`pragma ${sql.ref(name)}`.execute(db)).rows[0] ?? {})[0],
      );
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    await store.close();
  });

  test("has its log cut short when a long reader ends", async () => {
    const path = await fresh("long-reader.acct");
    const store = await openStore(sqliteDialect(path));
    const reader = new DatabaseSync(path);
    reader.exec("begin; select count(*) from organisation");
    const bytes = new Uint8Array(4_000_000);
    const write = (id: number) =>
      store.write(1, ({ db, org }) =>
        builderOf(db)
          .insertInto("attachment_chunk")
          .values({ org, content_id: guid(id), ord: 0, bytes })
          .execute(),
      );
    for (let id = 1; id <= 10; id += 1) await write(id);
    const logSize = () => statSync(`${path}-wal`).size;
    expect(logSize()).toBeGreaterThan(40_000_000);
    reader.close();
    // The first moves the log into the file, the second begins it anew.
    for (const id of [11, 12]) await write(id);
    expect(logSize()).toBeLessThan(20_000_000);
    await store.close();
  });

  test("in memory works as a book", async () => {
    const store = await openStore(sqliteDialect(":memory:"));
    await createOrganisation(store, organisation());
    await Promise.all([
      store.write(1, (tx) => enter(tx, newId)),
      store.read(1, dump),
      store.read(1, dump),
    ]);
    expect(await store.read(1, faultsOfLedger)).toEqual([]);
    await store.close();
  });

  test("readers see one snapshot while a writer commits", async () => {
    const path = await fresh("moment.acct");
    const store = await openStore(sqliteDialect(path));
    await store.read(1, async (tx) => {
      expect(await sequenceOf(tx, "n")).toBe(0);
      await store.write(1, (writing) => takeNumbers(writing, "n", 5));
      expect(await sequenceOf(tx, "n")).toBe(0);
      await store.read(1, async (later) => expect(await sequenceOf(later, "n")).toBe(5));
    });
    await store.close();
  });
});
