/** Objects planted in a database while a server works on it. */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Book, createBook } from "../../src/service/books/book.ts";
import { databaseOn, onServer } from "./setup.ts";

const { server } = inject("postgres");
const name = `acct_planted_${process.pid}`;
const url = databaseOn(server, name);
let book: Book;

beforeAll(async () => {
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  book = await createBook(url, { name: "Heron Lane", country: "NZ" });
});
afterAll(async () => {
  await book.close();
  await onServer(server, `drop database ${name} with (force)`);
});

let count = 0;
function write() {
  count += 1;
  const body = Buffer.from(JSON.stringify({ Name: `Contact ${count}` }));
  const headers = { "content-type": "application/json", accept: "application/json" };
  return book.transport({ method: "PUT", path: "/Contacts", query: [], headers, body });
}

const nothing =
  "create function nothing() returns trigger language plpgsql as 'begin return new; end'";

test.each([
  [
    "a trigger",
    [
      nothing,
      "create trigger odd before update on contact for each row execute function nothing()",
    ],
    "trigger odd on contact",
    ["drop trigger odd on contact", "drop function nothing"],
  ],
  [
    "a rule",
    ["create rule odd as on update to history do also nothing"],
    "rule odd on history",
    ["drop rule odd on history"],
  ],
  [
    "a row policy",
    ["create policy odd on contact using (false)", "alter table contact enable row level security"],
    "policy odd on contact",
    ["drop policy odd on contact", "alter table contact disable row level security"],
  ],
  [
    "a default by a function",
    ["alter table contact alter column salt set default random()::text"],
    "column contact.",
    ["alter table contact alter column salt drop default"],
  ],
  [
    "a generated column",
    ["alter table contact add column odd text generated always as (name) stored"],
    "column contact.odd",
    ["alter table contact drop column odd"],
  ],
  ["a view", ["create view odd as select * from contact"], "view odd", ["drop view odd"]],
])(
  "%s added to the database is named in the refusal of writes, until it is removed",
  async (_, plant, told, remove) => {
    expect((await write()).status).toBe(200);
    await onServer(url, ...plant);
    expect((await book.store.version()).state).toBe("foreign");
    await expect(book.store.write(book.org, async () => undefined)).rejects.toMatchObject({
      code: "SchemaForeign",
      message: expect.stringContaining(told),
    });
    expect((await write()).status).toBe(503);
    const read = { method: "GET", path: "/Contacts", query: [], headers: {} } as const;
    expect((await book.transport({ ...read, body: undefined })).status).toBe(200);
    await onServer(url, ...remove);
    expect((await write()).status).toBe(200);
    expect((await book.store.version()).state).toBe("current");
  },
);
