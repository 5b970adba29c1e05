/** Pages of a book that SQLite cannot read, met by commands. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDesk } from "../real.ts";

const { acct: line } = newDesk();
const folder = mkdtempSync(join(tmpdir(), "acct-damaged-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const whole = join(folder, "whole.acct");
const path = join(folder, "book.acct");
const acct = (words: string) => line(words, { env: { ACCT_BOOK: path } });

/** Pages of the tree of a table or index, its root first. */
let pagesOf: (name: string) => number[];
let pageBytes = 0;

beforeAll(async () => {
  const made = await line(`init --demo --book ${whole}`);
  expect([made.code, made.stderr]).toEqual([0, made.stderr]);
  const db = new DatabaseSync(whole);
  db.exec("pragma wal_checkpoint(truncate)");
  pageBytes = Number(db.prepare("pragma page_size").get()?.page_size);
  const pages = db.prepare("select pageno from dbstat where name = ? order by path");
  const found = new Map<string, number[]>();
  for (const { name } of db.prepare("select name from sqlite_schema where rootpage > 0").all()) {
    found.set(
      String(name),
      pages.all(String(name)).map(({ pageno }) => Number(pageno)),
    );
  }
  db.close();
  pagesOf = (name) => found.get(name) ?? [];
});

beforeEach(() => copyFileSync(whole, path));

/** Overwrites pages, counted from 1, with what is no page of a tree. */
function damage(pages: readonly number[]): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(0x5a, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}

/** What reads each table, by more pages than its root. */
const readers = {
  contact: "contact list --all -o csv",
  account: "account list -o csv",
  document: "invoice list --all -o csv",
  payment: "payment list --all -o csv",
  journal: "export journals -o csv",
  organisation: "organisation show",
  balance: "report trial-balance",
} as const;

describe.each(Object.entries(readers))("damaged records of the table %s", (table, reader) => {
  test("a command that reads damaged records ends with exit code 6 and names the remedy", async () => {
    const pages = pagesOf(table);
    expect(pages.length).toBeGreaterThan(0);
    const [root = 0, ...others] = pages;
    for (const some of [[root], others]) {
      if (some.length === 0) continue;
      copyFileSync(whole, path);
      damage(some);
      const { code, stderr } = await acct(reader);
      const told = expect.stringContaining("it is damaged; restore a backup");
      expect([some, code, stderr]).toEqual([some, 6, told]);
      const verified = await acct("book verify");
      expect([some, verified.code]).toEqual([some, 5]);
      expect(verified.stderr).toContain("is damaged");
    }
  });
});

test("a write that reads a damaged record is refused with exit code 6, and nothing is written", async () => {
  damage(pagesOf("contact").slice(0, 1));
  const before = readFileSync(path);
  const { code, stderr } = await acct("contact create --name New");
  expect([code, stderr]).toEqual([6, expect.stringContaining("it is damaged; restore a backup")]);
  expect(Buffer.compare(readFileSync(path), before)).toBe(0);
});

test("a damaged record that a command does not read stops only acct book verify", async () => {
  damage(pagesOf("payment"));
  expect((await acct("contact list -o csv")).code).toBe(0);
  expect((await acct("book verify")).code).toBe(5);
});

test("a truncated book file is refused with exit code 6 where its end is read", async () => {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, 10 * pageBytes));
  const { code, stderr } = await acct("invoice list --all -o csv");
  expect([code, stderr]).toEqual([6, expect.stringContaining("damaged")]);
});
