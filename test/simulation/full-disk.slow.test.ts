/** What programs say of a disk that is full or has too little room. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runBuilt, serveBuilt } from "../cli/built.ts";
import { buildLibrary, Disk, errno, lacking } from "./disk.ts";

if (lacking !== undefined) {
  process.stdout.write(`left out, because ${lacking}: what is said of disks that are full\n`);
}

describe.skipIf(lacking !== undefined)("commands on a full disk", () => {
  const home = mkdtempSync(join(tmpdir(), "acct-full-disk-"));
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }));
  const env = { HOME: home, PATH: process.env.PATH ?? "", USER: "ann", TZ: "UTC" };
  const [books, original] = [join(home, "books"), join(home, "original.acct")];
  const backup = join(home, "original.backup");
  let disk: Disk;

  beforeAll(() => {
    const ok = (...words: string[]) => expect(runBuilt(words, env)).toMatchObject({ status: 0 });
    ok("init", "--name", "Quay", "--country", "NZ", "--book", original);
    ok("book", "backup", backup, "--book", original);
    disk = new Disk(buildLibrary(home), books, join(home, "control"));
  });
  beforeEach(() => {
    rmSync(books, { recursive: true, force: true });
    mkdirSync(books);
    disk.set({});
  });

  const made = join(books, "made.acct");
  test.each([
    ["init", ["init", "--name", "Quay", "--country", "NZ", "--book", made]],
    ["init --demo", ["init", "--demo", "--book", made]],
    ["init in a folder of books", ["init", "--name", "Quay", "--country", "NZ", "--data", books]],
    ["book copy", ["book", "copy", original, made]],
    ["book backup", ["book", "backup", made, "--book", original]],
    ["book restore", ["book", "restore", backup, "--yes", "--book", made]],
  ])(
    "the command %s is refused, and no file is left, where the file system reports too little space",
    (_name, words) => {
      disk.set({ room: 65_536 });
      const { status, stderr } = runBuilt(words, { ...env, ...disk.env });
      expect(stderr).toMatch(/^acct: .* cannot be written: no space is left on its disk; /m);
      expect([status, readdirSync(books)]).toEqual([6, []]);
    },
  );

  test("a backup that lies on a read-only disk is restored, and no other file is left beside it", () => {
    const there = join(books, "quay.backup");
    copyFileSync(backup, there);
    disk.set({ callFrom: 1, error: errno.EROFS });
    const restored = join(home, "restored.acct");
    const words = ["book", "restore", there, "--yes", "--book", restored];
    const { status, stderr } = runBuilt(words, { ...env, ...disk.env });
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^Restored Quay, /)]);
    expect(readdirSync(books)).toEqual(["quay.backup"]);
    expect(runBuilt(["book", "verify", "--book", restored], env)).toMatchObject({ status: 0 });
  });

  test("a server on a full disk reports it, and keeps the writes that it acknowledged", async () => {
    expect(runBuilt(["book", "copy", original, made], env)).toMatchObject({ status: 0 });
    expect(runBuilt(["app", "add", "Till", "--book", made], env)).toMatchObject({ status: 0 });
    const token = runBuilt(["app", "token", "Till", "--book", made], env).stdout.trim();
    disk.set({ bytesMax: disk.get("bytes") + 1_500_000 });
    const words = ["--port", "0", "--book", made];
    const { baseUrl, process: child, ended } = await serveBuilt(words, { ...env, ...disk.env });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const put = (at: number) => {
      const body = JSON.stringify({ Name: `Customer ${at} ${"x".repeat(200)}` });
      return fetch(`${baseUrl}/Contacts`, { method: "PUT", headers, body });
    };
    let taken = 0;
    let answer = await put(taken);
    for (; answer.status === 200; answer = await put(taken)) taken += 1;
    expect(taken).toBeGreaterThan(5);
    expect([answer.status, await answer.text()]).toEqual([
      507,
      expect.stringContaining(`${made} cannot be written: no space is left on its disk; make room`),
    ]);
    const ready = await fetch(new URL("/ready", baseUrl));
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining("the database cannot be written: no space is left on its disk"),
    ]);
    expect((await fetch(`${baseUrl}/Contacts?page=1`, { headers })).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const list = ["contact", "list", "--all", "-o", "id", "--book", made];
    expect(runBuilt(list, env).stdout.trim().split("\n")).toHaveLength(taken);
  });
});
