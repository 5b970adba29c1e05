/** A book in a file: what several processes do to it, and what is no book. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { sequenceOf, takeNumbers } from "../../../src/store/chain/sequences.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { createOrganisation, listBooks } from "../../../src/store/records/organisations.ts";
import { openStore } from "../../../src/store/store.ts";
import { builderOf, dump, enter } from "../books.ts";
import { faultsOfLedger } from "../ledger-faults.ts";
import { guid, newId, organisation } from "../samples.ts";

describe("an SQLite book file", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-file-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens a store in a process of its own. @returns its exit code */
  async function openElsewhere(path: string): Promise<number | null> {
    const [store, dialect] = ["store.ts", "dialects/sqlite/sqlite.ts"].map(
      (file) => new URL(`../../../src/store/${file}`, import.meta.url).href,
    );
    const program = `const { openStore } = await import("${store}");
      const { sqliteDialect } = await import("${dialect}");
      await (await openStore(sqliteDialect(process.argv[1]))).close();`;
    const words = ["--input-type=module", "--eval", program, path];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
    await once(child, "close");
    return child.exitCode;
  }

  async function fresh(name: string): Promise<string> {
    const path = join(folder, name);
    const store = await openStore(sqliteDialect(path));
    await createOrganisation(store, organisation());
    await store.close();
    return path;
  }

  test("when many processes open a new book file at the same time, it is created once", async () => {
    const path = join(folder, "raced.acct");
    const started = [1, 2, 3, 4].map(() => openElsewhere(path));
    expect(await Promise.all(started)).toEqual([0, 0, 0, 0]);
    const store = await openStore(sqliteDialect(path));
    expect(await listBooks(store)).toEqual([]);
    await store.close();
  });

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
  ])("a file that holds %s is refused as not a book, and is left unchanged", async (name, make) => {
    const path = join(folder, `${name}.acct`);
    make(path);
    const before = readFileSync(path);
    await expect(openStore(sqliteDialect(path))).rejects.toMatchObject({
      name: "RefusedError",
      code: "NotABook",
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("opening a book file in a folder that does not exist fails", async () => {
    const path = join(folder, "no", "such", "folder.acct");
    await expect(openStore(sqliteDialect(path))).rejects.toMatchObject({
      name: "UnavailableError",
    });
  });

  test("a book file uses a write-ahead log, and a commit waits until it is on the disk", async () => {
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

  test("the write-ahead log of a book file is truncated when a long reader ends", async () => {
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

  test("a book can be kept in an in-memory database", async () => {
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

  test("a reader of a book file sees one snapshot while a writer commits", async () => {
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
