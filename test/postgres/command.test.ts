/** The command line on a database that several organisations share. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { open } from "../../src/cli/connection/open.ts";
import { run } from "../../src/cli/main.ts";
import { memorySink } from "../../src/cli/render/sinks/sink.ts";
import { noon } from "../cli/line.ts";
import { databaseOn, onServer } from "./setup.ts";

const home = mkdtempSync(join(tmpdir(), "acct-"));
const { server } = inject("postgres");
const name = `acct_command_${process.pid}`;
const address = new URL(databaseOn(server, name));
address.password = "not-to-be-shown";

beforeAll(() => onServer(server, `create database ${name} encoding 'UTF8' template template0`));
afterAll(async () => {
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(home, { recursive: true });
});

let seconds = 0;

async function acct(...words: string[]) {
  const stdout = memorySink();
  const stderr = memorySink();
  const env = { HOME: home, ACCT_DATABASE: address.href };
  const clock = () => noon + 1000 * seconds++;
  const code = await run(words, { env, stdout, stderr, clock, open });
  expect(stdout.text + stderr.text).not.toContain("not-to-be-shown");
  return { code, stdout: stdout.text, stderr: stderr.text };
}

test("several organisations are created in one database, selected by name, and verified", async () => {
  expect(await acct("book", "info")).toMatchObject({
    code: 3,
    stderr: "acct: The database has no organisation.\n",
  });
  const made = await acct("init", "--name", "Blue Kiln Ltd", "--country", "NZ");
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain("Made the book of Blue Kiln Ltd in the database postgres://");
  expect(made.stderr).toContain("Next: acct --tenant 'Blue Kiln Ltd' account create");
  // While there is one, it need not be named.
  expect((await acct("book", "info")).stdout).toMatch(/^Organisation +Blue Kiln Ltd$/m);
  expect((await acct("init", "--name", "Quay Books", "--country", "UK")).code).toBe(0);
  const doctor = await acct("doctor");
  expect(doctor.stdout).toMatch(/^ok +database +it answers, and holds 2 organisations$/m);
  const which = await acct("contact", "list");
  expect(which.code).toBe(2);
  expect(which.stderr).toMatch(
    /^acct: The database has 2 organisations; say which with --tenant: Blue Kiln Ltd \([0-9a-f-]{36}\), Quay/,
  );
  expect((await acct("contact", "create", "--name", "Acme", "--tenant", "quay books")).code).toBe(
    0,
  );
  const columns = ["--columns", "Name"];
  expect((await acct("contact", "list", "--tenant", "Quay Books", ...columns)).stdout).toBe(
    "Name\nAcme\n",
  );
  expect((await acct("contact", "list", "--tenant", "Blue Kiln Ltd", ...columns)).stdout).toBe("");
  expect((await acct("book", "verify", "--tenant", "Quay Books")).stdout).toContain(
    "Everything adds up.",
  );
  expect(await acct("init", "--name", "QUAY books", "--country", "NZ")).toEqual({
    code: 5,
    stdout: "",
    stderr: "acct: There is an organisation Quay Books already.\n",
  });
  // Of several at once, one is made.
  const asked = ["a", "b", "c"].map(() => acct("init", "--name", "At once", "--country", "NZ"));
  const codes = (await Promise.all(asked)).map(({ code }) => code);
  expect(codes.toSorted()).toEqual([0, 5, 5]);
  expect((await acct("contact", "list")).stderr).toContain("The database has 3 organisations;");
  expect(await acct("book", "info", "--tenant", "Nobody")).toMatchObject({
    code: 3,
    stderr: "acct: The database has no organisation called Nobody.\n",
  });
});

test("apps and users of an organisation are stored in its database", async () => {
  const added = await acct("app", "add", "Till", "--tenant", "Quay Books", "-o", "json");
  expect(added.code).toBe(0);
  const listed = (tenant: string) =>
    acct("app", "list", "--tenant", tenant, "--columns", "Name", "-o", "csv");
  expect((await listed("Quay Books")).stdout).toContain("Till");
  expect((await listed("Blue Kiln Ltd")).stdout).not.toContain("Till");
});

test("the sample company is created in a database, and verifies", async () => {
  const demo = ["init", "--demo", "--database", address.href];
  expect((await acct(...demo)).code).toBe(0);
  expect((await acct(...demo)).code).toBe(5);
  const tenant = ["--tenant", "Tern & Tide Pottery"];
  expect((await acct("book", "verify", ...tenant)).stdout).toContain("Everything adds up.");
  const drafts = await acct("invoice", "list", "--status", "DRAFT", ...tenant, "-o", "csv");
  expect(drafts.stdout.split("\n").length).toBeGreaterThan(1);
});

test("a book is copied from a database and into one, and never over an existing book", async () => {
  const place = `${address.href}#Tern & Tide Pottery`;
  const file = join(home, "sample.acct");
  const env = ["--book", file];
  const dry = await acct("book", "copy", place, file, "--dry-run");
  expect(dry.stderr).toContain("Tern & Tide Pottery would be copied from postgres://");
  const copied = await acct("book", "copy", place, file);
  expect(copied.code).toBe(0);
  expect(copied.stdout).toMatch(/^ *\d+ {2}document_line$/m);
  expect(copied.stderr).toMatch(/: \d+ rows, all equal, and everything adds up\.\n/);
  expect((await acct("book", "verify", ...env)).stdout).toContain("Everything adds up.");
  expect((await acct("book", "copy", place, file)).stderr).toContain("There is a file at");
  const again = await acct("book", "copy", file, address.href);
  expect(again).toMatchObject({ code: 5 });
  expect(again.stderr).toBe("acct: There is an organisation Tern & Tide Pottery already.\n");
  const named = await acct("book", "copy", file, place);
  expect(named).toMatchObject({ code: 2 });
});

test("apps for sign-in belong to the whole database; a machine app belongs to one organisation", async () => {
  const uri = ["--redirect-uri", "http://127.0.0.1/back"];
  expect(await acct("app", "add", "Desk", "--kind", "pkce", ...uri)).toMatchObject({ code: 0 });
  expect(await acct("app", "add", "Robot")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^acct: The database has \d organisations; .* with --tenant: /),
  });
  expect(await acct("app", "add", "Robot", "--tenant", "Quay Books")).toMatchObject({ code: 0 });
  const { stdout } = await acct("app", "list", "-o", "csv", "--columns", "Name,Organisation");
  expect(stdout).toBe("Name,Organisation\nTill,Quay Books\nDesk,\nRobot,Quay Books\n");
  expect(await acct("app", "token", "Robot")).toMatchObject({ code: 0 });
  for (const each of ["Desk", "Robot"]) {
    expect(await acct("app", "remove", each, "--yes")).toMatchObject({ code: 0 });
  }
});

test("a missing database is reported, without its password", async () => {
  const away = "postgres://me:not-to-be-shown@127.0.0.1:1/books";
  expect(await acct("--database", away, "invoice", "list")).toMatchObject({
    code: 6,
    stderr: "acct: The database postgres://me@127.0.0.1:1/books cannot be reached or opened.\n",
  });
  const none = new URL(address);
  none.pathname = "/nothing_of_that_name";
  const { code, stderr } = await acct("--database", none.href, "invoice", "list");
  expect([code, stderr]).toEqual([
    6,
    expect.stringMatching(
      /^acct: The database postgres:.*nothing_of_that_name.* opened: database "nothing_of_that_name" does not exist\.\n$/,
    ),
  ]);
});
