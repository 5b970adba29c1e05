/** What stands in the file of a book that the program has not made, and what it lacks. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { exitCodeOf } from "../../../src/cli/render/error.ts";
import { createBook, openBook } from "../../../src/service/books/book.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { decodeError } from "../../../src/wire/decode/failure.ts";
import { acctIn } from "../../books/kept.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-planted-"));
const sound = join(folder, "sound.acct");

beforeAll(async () => {
  await (await createBook(sound, { name: "Heron Lane", country: "NZ", demo: true })).close();
  return () => rmSync(folder, { recursive: true, force: true });
});

function changed(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const statement of statements) db.exec(statement);
  db.close();
}

function bookWith(...statements: string[]) {
  const home = mkdtempSync(join(folder, "home-"));
  const path = join(home, "heron.acct");
  copyFileSync(sound, path);
  changed(path, ...statements);
  return { home, path, acct: acctIn({ HOME: home, ACCT_BOOK: path }) };
}

const triggers = [
  ["insert on document", "after insert on document begin update document set total = 1; end"],
  ["update of document", "after update on document begin update document set total = 1; end"],
  ["delete on document", "after delete on document begin delete from posting; end"],
  ["insert on posting", "after insert on posting begin update posting set debit = 1; end"],
  ["update of contact", "after update on contact begin update contact set name = 'X'; end"],
  [
    "insert on bank_statement_line",
    "before insert on bank_statement_line begin select raise(ignore); end",
  ],
  ["insert on chain_link", "after insert on chain_link begin delete from audit_entry; end"],
] as const;

const planted: readonly (readonly [string, string, string])[] = [
  ...triggers.map(
    ([words, text]) =>
      [`a trigger of ${words}`, `create trigger odd ${text}`, "trigger odd"] as const,
  ),
  ["a view", "create view odd as select * from contact", "view odd"],
  ["a table", "create table odd (a)", "table odd"],
  ["a column", "alter table contact add column odd text", "column contact.odd"],
  ["an index", "create index odd on contact (name)", "index odd"],
];

describe.each(planted)("a book with %s", (_, statement, name) => {
  test("a trigger, view, table, column or index not made by acct is named and refused, with exit code 5, by every command", async () => {
    const { home, path, acct } = bookWith(statement);
    const before = readFileSync(path);
    const copy = join(home, "copy.acct");
    const lines = [
      ["contact", "list"],
      ["book", "verify"],
      ["book", "upgrade"],
      ["doctor"],
      ["book", "backup", copy],
      ["book", "restore", path, "--book", copy],
    ];
    for (const line of lines) {
      const { code, stdout, stderr } = await acct(...line);
      expect([line, code]).toEqual([line, 5]);
      expect(stdout + stderr).toContain(`holds what acct has not made: ${name}`);
      expect(stdout + stderr).not.toContain("is damaged");
    }
    expect(existsSync(copy)).toBe(false);
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
  });
});

test("a dropped index is reported, and recreated by book upgrade", async () => {
  const db = new DatabaseSync(sound, { readOnly: true });
  const found = db
    .prepare("select name from sqlite_schema where type = 'index' and sql like '%unique%'")
    .get();
  db.close();
  const name = String(found?.name);
  const { acct } = bookWith(`drop index ${name}`);
  const doctor = await acct("doctor");
  expect([doctor.code, doctor.stdout]).toEqual([5, expect.stringContaining(`lacks index ${name}`)]);
  const upgraded = await acct("book", "upgrade");
  expect([upgraded.code, upgraded.stdout]).toEqual([0, expect.stringContaining(name)]);
  expect((await acct("book", "verify")).stdout).toContain("Everything adds up.");
});

const taken: readonly (readonly [string, string, string])[] = [
  ["a column", "alter table contact drop column tax_number", "column contact.tax_number"],
  ["a table", "drop table balance", "table balance"],
];

describe.each(taken)("a book that lacks %s", (_, statement, name) => {
  test("missing parts of a schema are named by doctor and verify, and created by book upgrade", async () => {
    const { path, acct } = bookWith(statement);
    const doctor = await acct("doctor");
    expect([doctor.code, doctor.stdout]).toEqual([
      5,
      expect.stringContaining(`${path} lacks ${name}; acct book upgrade ${path} brings it up`),
    ]);
    const verified = await acct("book", "verify");
    expect([verified.code, verified.stderr]).toEqual([5, expect.stringContaining(`lacks ${name}`)]);
    const upgraded = await acct("book", "upgrade");
    expect([upgraded.code, upgraded.stdout]).toEqual([0, expect.stringContaining(name)]);
    expect((await acct("contact", "list")).code).toBe(0);
  });
});

/** A book that is open while its file is changed. */
async function openWhile(...statements: string[]) {
  const { path } = bookWith();
  const book = await openBook(path);
  onTestFinished(() => book.close());
  const create = async (Name: string) => {
    const { status, headers, body } = await book.ownTransport({
      method: "PUT",
      path: "/Contacts",
      query: [],
      headers: { accept: "application/json", "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify({ Name })),
    });
    return { status, error: await decodeError(status, headers, String(body)) };
  };
  expect((await create("First")).status).toBe(200);
  changed(path, ...statements);
  return { path, book, create };
}

describe.each([
  ...planted,
  [
    "a trigger of insert on contact",
    "create trigger odd after insert on contact begin update contact set name = 'X'; end",
    "trigger odd",
  ] as const,
])("the schema change %s, made while the book is open", (_, statement, name) => {
  test("after the schema change, the next write is refused with 503 and the name of the foreign object", async () => {
    const { path, create } = await openWhile(statement);
    const { status, error } = await create("Second");
    expect([status, exitCodeOf(error), error.code]).toEqual([503, 5, "SchemaForeign"]);
    expect(error.message).toContain(`holds what acct has not made: ${name}`);
    const db = new DatabaseSync(path, { readOnly: true });
    const names = db
      .prepare("select name from contact where name in ('First', 'Second', 'X')")
      .all();
    db.close();
    expect(names).toEqual([{ name: "First" }]);
  });
});

describe.each(taken)("%s, dropped while the book is open", (_, statement, name) => {
  test("after the drop, the next write is refused with 503 and the name of the missing object", async () => {
    const { create } = await openWhile(statement);
    const { status, error } = await create("Second");
    expect([status, exitCodeOf(error), error.code]).toEqual([503, 5, "SchemaMismatch"]);
    expect(error.message).toContain(`lacks ${name}; acct book upgrade`);
  });
});

test("tables made by SQLite's own analyze, and a vacuumed file, are accepted by the next write", async () => {
  const { create } = await openWhile("analyze", "vacuum");
  expect((await create("Second")).status).toBe(200);
});

test("a foreign trigger is detected even where the schema version number was set back", async () => {
  const { path, book } = await openWhile();
  const stamp = () => {
    const db = new DatabaseSync(path);
    const found = Number(db.prepare("pragma schema_version").get()?.schema_version);
    db.close();
    return found;
  };
  const before = stamp();
  changed(
    path,
    "create trigger odd after insert on contact begin update contact set name = 'X'; end",
    `pragma schema_version = ${before}`,
  );
  const dialect = sqliteDialect(path);
  const driver = dialect.createDriver();
  const connection = await driver.acquireConnection();
  onTestFinished(() => driver.destroy());
  const fault = await connection
    .executeDeferred("insert into contact select * from contact limit 1")
    .catch((error: unknown) => error);
  expect(dialect.faultOf(fault)).toEqual({ is: "schema" });
  expect(book.path).toBe(path);
});
