/** `acct profile` in real processes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Authority } from "../authority.ts";
import { newMeeting } from "../meeting.ts";
import type { Machine } from "../signed-in.ts";

let authority: Authority;
let machine: Machine;

beforeEach(async () => {
  const met = await newMeeting();
  ({ authority, machine } = met);
  return met.close;
});

async function book(name: string): Promise<string> {
  const path = join(machine.home, name);
  const words = ["init", "--name", "Shop", "--country", "NZ", "--book", path];
  expect(await machine.run(words)).toMatchObject({ code: 0 });
  return path;
}

const names = async () =>
  (await machine.run(["profile", "list", "-o", "csv", "--columns", "Name,Default"])).stdout;

test("profiles name books and services, and the first one is the default until another is chosen", async () => {
  const [shop, stall] = [await book("shop.acct"), await book("stall.acct")];
  const first = await machine.run(["profile", "add", "shop", "--book", shop]);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("shop is the first") });
  await machine.run(["profile", "add", "stall", "--book", stall]);
  await machine.run(["profile", "add", "team", "--base-url", authority.baseUrl]);
  expect(await names()).toBe("Name,Default\nshop,true\nstall,false\nteam,false\n");
  expect(await machine.run(["profile", "use", "stall"])).toMatchObject({
    code: 0,
    stderr: "stall is used when nothing else is said.\n",
  });
  const info = await machine.run(["book", "info", "-o", "json"]);
  expect(JSON.parse(info.stdout).path).toBe(stall);
  const shown = await machine.run(["profile", "show", "-o", "json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({ Name: "stall", Default: true, Place: stall });
  expect(await machine.run(["profile", "remove", "stall", "--yes"])).toMatchObject({ code: 0 });
  expect(await names()).toBe("Name,Default\nshop,false\nteam,false\n");
  expect(existsSync(stall)).toBe(true);
});

test("profiles of several organisations share a sign-in, which lasts until the last one is removed", async () => {
  await machine.login(authority);
  const words = ["profile", "add", "cafe", "--profile", "quay-street-bikes"];
  const added = await machine.run([...words, "--tenant", "harbour cafe", "-o", "json"]);
  expect(JSON.parse(added.stdout)).toMatchObject({ Organisation: "Harbour Cafe", SignIn: "kept" });
  expect(await machine.run(["item", "list", "--profile", "cafe"])).toMatchObject({ code: 0 });
  expect(authority.calls.at(-1)?.tenant).toBe("0b5c1d52-6c5e-4a7b-9a55-0d6f1c2e3a44");
  await machine.run(["profile", "remove", "quay-street-bikes", "--yes"]);
  expect([authority.revocations, machine.signIns().length]).toEqual([0, 1]);
  const removed = await machine.run(["profile", "remove", "cafe", "--yes"]);
  expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining("Signed out of") });
  expect([authority.revocations, machine.signIns()]).toEqual([1, []]);
});

test("the password in the address of a database profile is stored, and never printed", async () => {
  const database = "postgres://ann:s3cr3t@127.0.0.1:9/books#Quay";
  const added = await machine.run(["profile", "add", "shared", "--database", database]);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("127.0.0.1:9/books") });
  expect(added.stdout + added.stderr).not.toContain("s3cr3t");
  expect(machine.config().profiles.shared.book).toContain("s3cr3t");
});

test("a profile of a folder of books selects one organisation, unless --tenant names another", async () => {
  const folder = join(machine.home, "many books");
  for (const name of ["Quay", "Heron"]) {
    await machine.run(["init", "--name", name, "--country", "NZ", "--data", folder]);
  }
  const added = await machine.run(["profile", "add", "q", "--data", folder, "--tenant", "Quay"]);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`Quay in ${folder}`) });
  const show = ["organisation", "show", "--columns", "Name", "-o", "csv", "--profile", "q"];
  expect((await machine.run(show)).stdout).toBe("Name\nQuay\n");
  expect((await machine.run([...show, "--tenant", "heron"])).stdout).toBe("Name\nHeron\n");
});

test("signing in again renews all profiles that share the sign-in", async () => {
  await machine.login(authority);
  const words = ["profile", "add", "cafe", "--profile", "quay-street-bikes"];
  await machine.run([...words, "--tenant", "harbour cafe"]);
  machine.expire();
  authority.faults.push("invalid_grant");
  const list = ["item", "list", "--profile", "cafe"];
  expect(await machine.run(list)).toMatchObject({ code: 4 });
  await machine.login(authority, "--profile", "quay-street-bikes");
  expect(await machine.run(list)).toMatchObject({ code: 0 });
  expect(authority.calls.at(-1)?.tenant).toBe("0b5c1d52-6c5e-4a7b-9a55-0d6f1c2e3a44");
  expect(machine.signIns()).toHaveLength(1);
});

test.each([
  [["add", "x"], /Which one\? Give --book/],
  [["add", "x", "--book", "nowhere.acct"], /There is no book at .*nowhere\.acct/],
  [["add", "x", "--demo"], /needs no profile/],
  [["add", "x", "--base-url", "nonsense"], /"nonsense" is no address of a service/],
  [["use", "x"], /There is no profile x/],
  [["show"], /There is no default profile/],
  [["remove", "x", "--yes"], /There is no profile x/],
])("acct profile %j is refused as a usage error", async (words, said) => {
  const ran = await machine.run(["profile", ...words]);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(said)]);
});

test("profiles added at the same moment are all stored", async () => {
  const added = ["a", "b", "c", "d", "e", "f"].map((name) =>
    machine.run(["profile", "add", name, "--base-url", authority.baseUrl]),
  );
  expect((await Promise.all(added)).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(Object.keys(machine.config().profiles).toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
});

test("a profile with an existing name is refused", async () => {
  await machine.run(["profile", "add", "team", "--base-url", authority.baseUrl]);
  const ran = await machine.run(["profile", "add", "team", "--base-url", authority.baseUrl]);
  expect(ran).toMatchObject({ code: 2, stderr: "acct: There is a profile team already.\n" });
});
