/** `acct book backup` and `acct book restore` on real files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { openEmbedded } from "../../../src/client/embedded.ts";
import { replacePages } from "../../../src/store/dialects/sqlite/sqlite-file.ts";
import { latestVersion } from "../../../src/store/upgrade/state.ts";
import { noon } from "../line.ts";

const made = join(mkdtempSync(join(tmpdir(), "acct-backup-")), "quay.acct");
let home: string;
let path: string;

async function acct(line: string, env: Record<string, string> = { ACCT_BOOK: path }) {
  const stdout = memorySink();
  const stderr = memorySink();
  const world = { env: { HOME: home, ...env }, stdout, stderr, clock: () => noon, open };
  const code = await run(line.split(" "), world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const names = async (book = path) =>
  (await acct("contact list -o id --columns Name", { ACCT_BOOK: book })).stdout
    .split("\n")
    .filter(Boolean).length;
const modeOf = (file: string) => statSync(file).mode & 0o777;
const beside = () => readdirSync(home).sort();

beforeAll(async () => {
  home = join(made, "..");
  const made1 = await acct(`init --name Quay --country NZ --book ${made}`, {});
  expect(made1.code).toBe(0);
  expect((await acct("contact create --name Acme", { ACCT_BOOK: made })).code).toBe(0);
  return () => rmSync(join(made, ".."), { recursive: true });
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acct-backup-"));
  path = join(home, "quay.acct");
  copyFileSync(made, path);
  const folder = home;
  return () => rmSync(folder, { recursive: true });
});

test("a backup is a whole book with the date in its name, beside the book and readable by its owner only", async () => {
  const { code, stdout, stderr } = await acct("book backup");
  const backup = join(home, "quay.2026-03-05.backup");
  expect([code, stdout]).toEqual([0, `${backup}\n`]);
  expect(stderr).toMatch(/^Backed up Quay, \d+\.\d MiB, to .*quay\.2026-03-05\.backup\.\n$/);
  if (process.platform !== "win32") expect(modeOf(backup)).toBe(0o600);
  expect(beside()).toEqual(["quay.2026-03-05.backup", "quay.acct"]);
  const { stdout: said } = await acct("book verify", { ACCT_BOOK: backup });
  expect(said).toContain("Everything adds up.");
  expect(await names(backup)).toBe(1);
});

test("an existing backup file is overwritten only with --force, and the book itself never", async () => {
  const backup = join(home, "old.backup");
  writeFileSync(backup, "mine");
  const refused = await acct(`book backup ${backup}`);
  expect(refused).toMatchObject({
    code: 5,
    stderr: `acct: There is a file at ${backup} already; --force replaces it.\n`,
  });
  expect(readFileSync(backup, "utf8")).toBe("mine");
  expect((await acct(`book backup ${backup} --force -o json`)).code).toBe(0);
  expect(await names(backup)).toBe(1);
  const itself = await acct(`book backup ${path} --force`);
  expect(itself).toMatchObject({ code: 2, stderr: `acct: ${path} is the book itself.\n` });
  expect(await names()).toBe(1);
});

test("a write during a backup is included in the backup whole or not at all", async () => {
  const held = await openEmbedded(path, {});
  onTestFinished(() => held.close());
  let written = 0;
  let isMade = false;
  const writing = async () => {
    do {
      const body = Buffer.from(JSON.stringify({ Name: `Customer ${written}` }));
      const headers = { "content-type": "application/json" };
      const request = { method: "PUT", path: "/Contacts", query: [], headers, body };
      expect((await held.transport(request)).status).toBe(200);
      written += 1;
    } while (!isMade);
  };
  const backing = acct("book backup").then((ran) => {
    isMade = true;
    return ran;
  });
  const [{ code, stderr }] = await Promise.all([backing, writing()]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("Backed up Quay")]);
  const found = await names(join(home, "quay.2026-03-05.backup"));
  expect(found).toBeGreaterThanOrEqual(1);
  expect(found).toBeLessThanOrEqual(1 + written);
  expect(await names()).toBe(1 + written);
});

test("a restored backup replaces the book, and the replaced book is kept under another name", async () => {
  await acct("book backup");
  await acct("contact create --name Beta");
  const backup = join(home, "quay.2026-03-05.backup");
  const unsaid = await acct(`book restore ${backup}`);
  expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  expect(await names()).toBe(2);
  const dry = await acct(`book restore ${backup} --dry-run`);
  expect(dry.stderr).toBe(`${backup} would take the place of ${path}.\n`);
  const { code, stdout, stderr } = await acct(`book restore ${backup} --yes -o json`);
  const kept = join(home, "quay.2026-03-05.replaced");
  expect([code, stderr]).toEqual([0, expect.stringContaining(`is kept at ${kept}.`)]);
  expect(JSON.parse(stdout)).toMatchObject({ path, kept, organisation: "Quay", faults: [] });
  expect([await names(), await names(kept), await names(backup)]).toEqual([1, 2, 1]);
  if (process.platform !== "win32") expect([modeOf(path), modeOf(kept)]).toEqual([0o600, 0o600]);
  const again = await acct(`book restore ${kept} --yes`);
  expect(again.stderr).toContain(`${kept}-2.`);
  expect(await names()).toBe(2);
  expect(beside()).toEqual([
    "quay.2026-03-05.backup",
    "quay.2026-03-05.replaced",
    "quay.2026-03-05.replaced-2",
    "quay.acct",
  ]);
});

test("a backup is restored without a confirmation where no book exists", async () => {
  const fresh = join(home, "new", "fresh.acct");
  const ran = await acct(`book restore ${path} --book ${fresh}`, {});
  expect(ran).toMatchObject({ code: 0, stdout: `${fresh}\n` });
  expect(await names(fresh)).toBe(1);
});

test("a restore is refused while the book is open in another process", async () => {
  await acct("book backup");
  const held = await openEmbedded(path, {});
  await held.transport({ method: "GET", path: "/Contacts", query: [], headers: {} });
  const ran = await acct(
    "book restore quay.2026-03-05.backup --yes".replace("quay", join(home, "quay")),
  );
  expect(ran).toMatchObject({
    code: 6,
    stderr: `acct: ${path} is in use by another program; end that first, and nothing was changed.\n`,
  });
  await held.close();
  expect(beside()).toEqual(["quay.2026-03-05.backup", "quay.acct"]);
});

test("a change of the book made while a restore copies it stops the restore, and is not lost", async () => {
  const part = join(home, "part");
  copyFileSync(path, part);
  const late = async () => changed(path, "update organisation set name = 'Late'");
  await expect(replacePages(path, part, late)).rejects.toMatchObject({ code: "Busy" });
  const info = await acct("book info -o json");
  expect(JSON.parse(info.stdout).organisation.Name).toBe("Late");
  await replacePages(path, part, async () => undefined);
  expect(JSON.parse((await acct("book info -o json")).stdout).organisation.Name).toBe("Quay");
});

test("commits in the write-ahead log are included in a backup, and in the copy that a restore keeps", async () => {
  await acct("book backup");
  const unmoved = new DatabaseSync(path);
  unmoved.exec("pragma wal_autocheckpoint = 0; update organisation set name = 'Later'");
  await acct(`book backup ${join(home, "later.backup")}`);
  const info = await acct("book info -o json", { ACCT_BOOK: join(home, "later.backup") });
  expect(JSON.parse(info.stdout).organisation.Name).toBe("Later");
  // As a process that was killed leaves it: a log that nobody has moved to the file.
  for (const end of ["", "-wal"]) copyFileSync(path + end, `${join(home, "killed.acct")}${end}`);
  unmoved.close();
  const killed = join(home, "killed.acct");
  const backup = join(home, "quay.2026-03-05.backup");
  expect((await acct(`book restore ${backup} --yes`, { ACCT_BOOK: killed })).code).toBe(0);
  const nameIn = async (book: string) =>
    JSON.parse((await acct("book info -o json", { ACCT_BOOK: book })).stdout).organisation.Name;
  expect([await nameIn(killed), await nameIn(join(home, "killed.2026-03-05.replaced"))]).toEqual([
    "Quay",
    "Later",
  ]);
});

function changed(file: string, statement: string): void {
  const db = new DatabaseSync(file);
  db.exec(statement);
  db.close();
}

/** Writes over a part of a file. */
function spoil(file: string, at: number, bytes: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(bytes, 0xee), 0, bytes, at);
}

test.each([
  ["that is not there", () => undefined, 3, "There is no book at FILE."],
  ["that is a letter", (file: string) => writeFileSync(file, "Dear Sir"), 5, "FILE is no book"],
  ["that is empty", (file: string) => writeFileSync(file, ""), 5, "FILE is no book"],
  ["that is a folder", (file: string) => mkdirSync(file), 2, "FILE is a folder; name a file."],
  [
    "that breaks off",
    (file: string) => writeFileSync(file, readFileSync(path).subarray(0, 100_000)),
    5,
    "FILE is damaged; restore a backup of it with acct book restore.",
  ],
  [
    "that is damaged",
    (file: string) => {
      copyFileSync(path, file);
      spoil(file, 8192, statSync(file).size - 8192);
    },
    5,
    "FILE is damaged; restore a backup of it with acct book restore.",
  ],
  [
    "of a later version",
    (file: string) => {
      copyFileSync(path, file);
      changed(file, `pragma user_version = ${latestVersion + 1}`);
    },
    5,
    "FILE was made by a later version of acct; update acct to open it.",
  ],
  [
    "that does not add up",
    (file: string) => {
      copyFileSync(path, file);
      changed(file, "insert into sequence values (1, 'journal.accrual', 9)");
    },
    5,
    "FILE does not add up.",
  ],
  ["that is the book", () => undefined, 2, "is the book itself."],
])(
  "the restore of a backup %s is refused, and the book is unchanged",
  async (what, make, code, said) => {
    const file = what === "that is the book" ? path : join(home, "file.backup");
    make(file);
    const before = readFileSync(path);
    const ran = await acct(`book restore ${file} --yes`);
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr.split("\n")[0]).toContain(said.replace("FILE", file));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(beside().filter((name) => !/^file\.backup/.test(name))).toEqual(["quay.acct"]);
  },
);

test("a book with faults is backed up unchanged with exit code 5, and restored only with --force", async () => {
  changed(path, "insert into sequence values (1, 'journal.accrual', 9)");
  const ran = await acct("book backup");
  const backup = join(home, "quay.2026-03-05.backup");
  expect([ran.code, ran.stdout]).toEqual([5, `${backup}\n`]);
  expect(ran.stderr).toContain("The book was copied as it is, but it does not add up.");
  rmSync(path);
  expect((await acct(`book restore ${backup}`)).code).toBe(5);
  expect((await acct(`book restore ${backup} --force`)).code).toBe(0);
});

test.each([
  ["in its middle", () => spoil(path, 8192, statSync(path).size - 8192)],
  ["in its first page", () => spoil(path, 108, 3000)],
  ["so that it breaks off", () => writeFileSync(path, readFileSync(path).subarray(0, 100_000))],
  ["in its head", () => spoil(path, 0, 4096)],
  ["so that nothing is left", () => writeFileSync(path, "")],
])(
  "a book that is damaged %s is replaced by its backup, and the damaged file kept",
  async (_, damage) => {
    await acct("book backup");
    damage();
    const ruin = readFileSync(path);
    const { code, stderr } = await acct(
      `book restore ${join(home, "quay.2026-03-05.backup")} --yes`,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("is kept at")]);
    expect(await names()).toBe(1);
    expect(statSync(join(home, "quay.2026-03-05.replaced")).size).toBe(ruin.length);
  },
);

test("a restore never replaces the database of another program", async () => {
  const other = join(home, "photos.db");
  changed(other, "create table photo (name text)");
  const ran = await acct(`book restore ${path} --book ${other} --yes`, {});
  expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("is no book")]);
});

test("a remote service and a server database cannot be backed up as a file", async () => {
  const remote = await acct("book backup --base-url http://127.0.0.1:1/api", {});
  expect([remote.code, remote.stderr]).toEqual([2, expect.stringContaining("is a service.")]);
  const database = await acct(`book restore ${path} --database postgres://a@localhost/books`, {});
  expect(database).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("acct book copy copies it out of one and into one."),
  });
});

test("a backup into a missing folder is refused", async () => {
  const ran = await acct(`book backup ${join(home, "none", "x.backup")}`);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("there is no such folder")]);
});

const bin = join(import.meta.dirname, "../../../bin/acct.js");

test("a restore killed at any moment leaves the old or the restored book, and keeps the old one", async () => {
  await acct("book backup");
  await acct("contact create --name Beta");
  const backup = join(home, "quay.2026-03-05.backup");
  const env = { HOME: home, PATH: process.env.PATH ?? "", TZ: "UTC" };
  const words = [bin, "book", "restore", backup, "--yes", "--book", path];
  for (const part of [".acct-part", "-wal", ".replaced"]) {
    const child = spawn(process.execPath, words, { env, stdio: "ignore" });
    const ended = once(child, "exit");
    const isBegun = () => beside().some((name) => name.includes(part));
    while (!isBegun() && (child.exitCode ?? child.signalCode) === null)
      await new Promise(setImmediate);
    child.kill("SIGKILL");
    await ended;
    const kept = beside().filter((name) => /\.replaced(-\d)?$/.test(name));
    const found = await Promise.all([names(), ...kept.map((name) => names(join(home, name)))]);
    expect(found).toContain(2);
    expect([1, 2]).toContain(found[0]);
    expect((await acct("book verify")).code).toBe(0);
    // What the killed one was making is gone with the next start.
    expect(beside().filter((name) => name.includes(".acct-part"))).toEqual([]);
    if (found[0] === 1) break;
  }
  expect(existsSync(path)).toBe(true);
});
