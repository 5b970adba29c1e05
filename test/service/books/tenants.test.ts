/** Many organisations behind one door: opened when asked for, closed when not, never mixed up. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Book, createBook, openBook } from "../../../src/service/books/book.ts";
import { folderAt, openFolderDirectory } from "../../../src/service/books/book-folder.ts";
import { booksInFolder, tenantsOf } from "../../../src/service/books/tenants.ts";
import { addWebhook, removeWebhook } from "../../../src/store/outbox/webhooks.ts";
import type { ServiceRequest } from "../../../src/wire/http.ts";
import { guid } from "../../store/samples.ts";
import { acted } from "../../support/audit.ts";

/** A folder of new books, and who attends to them when. */
async function folder(...names: readonly string[]) {
  const path = mkdtempSync(join(tmpdir(), "acct-tenants-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const at = { now: 1_800_000_000_000 };
  const ids = new Map<string, string>();
  const add = async (name: string) => {
    const book = await createBook(join(path, `${name}.acct`), { name, country: "NZ" });
    ids.set(name, book.tenant);
    await book.close();
  };
  for (const name of names) await add(name);
  const opened: string[] = [];
  const stopped: string[] = [];
  const unusable: string[] = [];
  const faults: unknown[] = [];
  const clock = () => at.now;
  const held = booksInFolder(folderAt(path), { clock }, ({ path: file, reason }) =>
    unusable.push(`${file.slice(path.length + 1)}: ${reason}`),
  );
  const nameOf = ({ tenant }: Book) =>
    [...ids].find(([, id]) => id === tenant)?.[0] ?? "somebody else";
  const make = (openMax = held.openMax, look = held.look) => {
    const tenants = tenantsOf({
      source: { ...held, openMax, look },
      clock,
      report: (error) => void faults.push(error),
      startJobs: (book) => {
        opened.push(nameOf(book));
        return {
          settled: () => Promise.resolve(),
          now: () => Promise.resolve(),
          stop: async () => void stopped.push(nameOf(book)),
        };
      },
    });
    onTestFinished(() => tenants.close());
    return tenants;
  };
  const id = (name: string) => ids.get(name) ?? "";
  return { path, at, add, id, held, opened, stopped, unusable, faults, make };
}

const get: ServiceRequest = {
  method: "GET",
  path: "/Organisation",
  query: [],
  headers: { accept: "application/json" },
};

const nameIn = async (book: Book) =>
  JSON.parse(String((await book.transport(get)).body)).Organisations[0].Name;

test("a book is found by its organisation id, opened once and closed when idle", async () => {
  const { at, id, opened, stopped, make } = await folder("a", "b");
  const tenants = make();
  const asked = ["a", "b", "a", "a"].map((name) => tenants.use(id(name), nameIn));
  expect(await Promise.all(asked)).toEqual(["a", "b", "a", "a"]);
  expect(opened.sort()).toEqual(["a", "b"]);
  at.now += 200_000;
  await tenants.use(id("a"), nameIn);
  at.now += 200_000;
  await tenants.visit();
  expect(stopped).toContain("b");
  expect([...tenants.stores()]).toHaveLength(1);
});

test("a request for a missing book is answered as not connected", async () => {
  const { make } = await folder("a");
  const asked = make().use("11111111-1111-4111-8111-111111111111", nameIn);
  await expect(asked).rejects.toMatchObject({ code: "AuthenticationUnsuccessful", status: 403 });
});

test("simultaneous first requests read the folder of books once", async () => {
  const { id, held, make } = await folder("a", "b");
  const looking = Promise.withResolvers<void>();
  let looks = 0;
  const tenants = make(held.openMax, async () => {
    looks += 1;
    await looking.promise;
    await held.look();
  });
  const asked = ["a", "b", "a"].map((name) => tenants.use(id(name), nameIn));
  looking.resolve();
  expect(await Promise.all(asked)).toEqual(["a", "b", "a"]);
  expect(looks).toBe(1);
});

test("a failure to read the folder of books is reported as such, and reading is tried again", async () => {
  const { id, held, make } = await folder("a");
  const failures = [new Error("no database"), new Error("no database")];
  const tenants = make(held.openMax, async () => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
    await held.look();
  });
  await expect(tenants.use(id("a"), nameIn)).rejects.toThrow("no database");
  await expect(tenants.use(id("a"), nameIn)).rejects.toThrow("no database");
  expect(await tenants.use(id("a"), nameIn)).toBe("a");
});

test("the number of open books is limited, and a book in use is not closed", async () => {
  const { id, stopped, make } = await folder("a", "b", "c");
  const tenants = make(2);
  let end: () => void = () => undefined;
  const long = tenants.use(id("a"), () => new Promise<void>((resolve) => (end = resolve)));
  await tenants.use(id("b"), nameIn);
  expect(await tenants.use(id("c"), nameIn)).toBe("c");
  expect(stopped).toEqual(["b"]);
  // Asked for while it is being closed, it is opened again when that is done.
  const both = [tenants.use(id("b"), nameIn), tenants.use(id("c"), nameIn)];
  expect(await Promise.all(both)).toEqual(["b", "c"]);
  expect(stopped).not.toContain("a");
  end();
  await long;
});

test("a book stays open while a response is being read from it", async () => {
  const { at, id, stopped, make } = await folder("a");
  const tenants = make();
  const answer = await tenants.answer(id("a"), async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from("one");
      yield Buffer.from("two");
    })(),
  }));
  at.now += 600_000;
  await tenants.visit();
  expect(stopped).toEqual([]);
  const pieces: string[] = [];
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) pieces.push(String(piece));
  expect(pieces).toEqual(["one", "two"]);
  at.now += 600_000;
  await tenants.visit();
  expect(stopped[0]).toEqual("a");
});

test("a book file added to or removed from the folder is noticed", async () => {
  const { path, at, add, id, make } = await folder("a");
  const tenants = make();
  await tenants.use(id("a"), nameIn);
  await add("late");
  at.now += 1_000;
  expect(await tenants.use(id("late"), nameIn)).toBe("late");
  expect(await tenants.names([id("a"), id("late"), "x"])).toEqual(
    new Map([
      [id("a"), "a"],
      [id("late"), "late"],
    ]),
  );
  await tenants.close();
  renameSync(join(path, "late.acct"), join(path, "late.gone"));
  const again = make();
  await expect(again.use(id("late"), nameIn)).rejects.toMatchObject({ status: 403 });
});

test("requests for a book that cannot be opened are answered as unavailable, and its path is logged", async () => {
  const { path, id, faults, make } = await folder("a");
  const tenants = make();
  await tenants.names([id("a")]);
  writeFileSync(join(path, "a.acct"), "no book ".repeat(200));
  const refused = await tenants.use(id("a"), nameIn).catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: "UnavailableError", code: "Unavailable" });
  expect((refused as Error).message).not.toContain(path);
  expect(String(faults)).toContain(`${path}/a.acct is no book`);
});

test("a file that is not a book, or repeats an organisation, is skipped and logged once", async () => {
  const { path, id, unusable, make } = await folder("a");
  writeFileSync(join(path, "torn.acct"), "SQLite format 3\0 and no more".padEnd(2000));
  writeFileSync(join(path, "words.acct"), "no book ".repeat(200));
  copyFileSync(join(path, "a.acct"), join(path, "b.acct"));
  mkdirSync(join(path, "folder.acct"));
  const directory = await openFolderDirectory(path);
  onTestFinished(() => directory.close());
  expect(statSync(join(path, "directory.acct")).mode & 0o777).toBe(0o600);
  const tenants = make();
  await tenants.visit();
  await tenants.visit();
  expect(unusable.map((each) => each.replace(path, "…").split(":")[0]).sort()).toEqual([
    "b.acct",
    "torn.acct",
    "words.acct",
  ]);
  expect(unusable.join()).toContain("it holds the same organisation as");
  expect(await tenants.use(id("a"), nameIn)).toBe("a");
});

test("background jobs run for one book after another, and again only after a change or an interval", async () => {
  const { path, at, opened, stopped, make } = await folder("a", "b", "c");
  const tenants = make();
  await tenants.visit();
  expect(opened).toEqual(["a", "b", "c"]);
  expect(stopped).toEqual(["a", "b", "c"]);
  await tenants.visit();
  expect(opened).toHaveLength(3);
  const other = await openBook(join(path, "b.acct"));
  const body = Buffer.from('{"Name":"Ariki"}');
  const headers = { "content-type": "application/json" };
  await other.transport({ ...get, method: "PUT", path: "/Contacts", headers, body });
  await other.close();
  await tenants.visit();
  expect(opened.slice(3)).toEqual(["b"]);
  at.now += 15 * 60_000;
  await tenants.visit();
  expect(opened.slice(4)).toEqual(["a", "b", "c"]);
  expect([...tenants.stores()]).toEqual([]);
});

const shop = {
  id: guid(0x9001),
  name: "Shop",
  url: "https://shop.example/hook",
  categories: ["CONTACT"],
  app: undefined,
  signingKey: "key",
  status: "OK",
  reason: undefined,
  createdAt: 0,
  lastSequence: 0,
  expiresAt: undefined,
} as const;

test("a book with webhook subscribers stays open, and writes by other processes are noticed at once", async () => {
  const { path, at, id, opened, stopped, make } = await folder("a", "b");
  const other = await openBook(join(path, "b.acct"));
  onTestFinished(() => other.close());
  await other.store.write(other.org, (tx) => addWebhook(acted(tx), shop));
  const tenants = make();
  await tenants.visit();
  expect([opened, stopped]).toEqual([["a", "b"], ["a"]]);
  at.now += 310_000;
  await tenants.visit();
  expect([...tenants.stores()]).toHaveLength(1);
  expect(stopped).toEqual(["a"]);
  // It is open for those who ask for it, too.
  expect(await tenants.use(id("b"), nameIn)).toBe("b");
  expect(opened).toEqual(["a", "b"]);
  await other.store.write(other.org, (tx) => removeWebhook(acted(tx), shop.id));
  await tenants.visit();
  at.now += 310_000;
  await tenants.visit();
  expect([...tenants.stores()]).toEqual([]);
});

test("at most half of the open books are kept open for webhook subscribers", async () => {
  const { path, stopped, make } = await folder("a", "b", "c");
  for (const name of ["a", "b", "c"]) {
    const book = await openBook(join(path, `${name}.acct`));
    await book.store.write(book.org, (tx) => addWebhook(acted(tx), shop));
    await book.close();
  }
  const tenants = make(4);
  await tenants.visit();
  expect(stopped).toEqual(["c"]);
  await tenants.visit();
  expect(stopped).toEqual(["c", "c"]);
});
