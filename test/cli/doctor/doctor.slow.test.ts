/** `acct doctor`, where things are in order and where they are not. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { latestVersion } from "../../../src/store/upgrade/state.ts";
import type { Authority } from "../authority.ts";
import { noon } from "../line.ts";
import { newMeeting } from "../meeting.ts";
import type { Machine } from "../signed-in.ts";

const isWindows = process.platform === "win32";
const made = join(mkdtempSync(join(tmpdir(), "acct-doctor-")), "quay.acct");
let home: string;
let path: string;

async function acct(line: string, env: Record<string, string> = {}) {
  const stdout = memorySink();
  const stderr = memorySink();
  const own = { HOME: home, SHELL: "/bin/bash" };
  const world = { env: { ...own, ...env }, stdout, stderr, clock: () => noon, open };
  const code = await run(line.split(" "), world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

interface Line {
  readonly state: string;
  readonly what: string;
  readonly detail: string;
  readonly remedy: string | null;
}

/** The lines by what they are about, and the exit code. */
async function doctor(flags = "", env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await acct(`doctor -o json ${flags}`.trim(), env);
  return { code, stderr, ...linesIn(stdout) };
}

function linesIn(stdout: string) {
  const lines = JSON.parse(stdout) as Line[];
  const of = (what: string) => lines.find((line) => line.what === what);
  return { of, wrong: lines.filter(({ state }) => state === "wrong").map(({ what }) => what) };
}

beforeAll(async () => {
  home = join(made, "..");
  expect((await acct(`init --name Quay --country NZ --book ${made}`)).code).toBe(0);
  return () => rmSync(join(made, ".."), { recursive: true });
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "acct-doctor-"));
  path = join(home, "quay.acct");
  copyFileSync(made, path);
  chmodSync(path, 0o600);
  const folder = home;
  return () => rmSync(folder, { recursive: true });
});

function changed(statement: string): void {
  const db = new DatabaseSync(path);
  db.exec(statement);
  db.close();
}

test("acct doctor without findings prints ok in every line, and ends with exit code 0", async () => {
  const { code, stdout, stderr } = await acct(`doctor --book ${path}`);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(lines.map(() => "ok"));
  expect(lines[0]).toMatch(/^ok {7}program {8}acct \d+\.\d+\.\d+ on Node 2\d\./);
  expect(stdout).toContain(`${path}, as --book says`);
  expect(stdout).toContain(`Quay: tables of version ${latestVersion}, balances come to nothing`);
  expect(stdout).toContain("not installed for bash; acct completion install does it");
  expect(readdirSync(home)).toEqual(["quay.acct"]);
});

test("acct doctor shows the book in use, and which flag or setting selected it", async () => {
  const said = async (flags: string, env = {}) => (await doctor(flags, env)).of("where")?.detail;
  expect(await said(`--book ${path}`)).toBe(`${path}, as --book says`);
  expect(await said("", { ACCT_BOOK: path })).toBe(`${path}, as ACCT_BOOK says`);
  expect(await said("")).toBe(`${join(home, ".local/share/acct/book.acct")}, which is the default`);
  await acct(`profile add shop --book ${path}`);
  expect(await said("")).toBe(`${path} through profile shop, which is the default profile`);
  expect(await said("--profile shop")).toBe(`${path} through profile shop, as --profile says`);
  expect((await doctor()).of("configuration")?.detail).toContain("profiles shop");
});

test("acct doctor shows the mail server, without the password", async () => {
  const mail = async (env = {}) => (await doctor(`--book ${path}`, env)).of("mail");
  expect((await mail())?.detail).toBe(
    `emails are written to ${path.replace(/acct$/, "outbox")}, not sent; ` +
      "ACCT_SMTP_URL may name a mail server",
  );
  expect((await mail({ ACCT_SMTP_URL: "smtp://ana:secret@mail.example:587" }))?.detail).toBe(
    "emails are sent by mail.example:587, as ACCT_SMTP_URL says",
  );
  expect(await mail({ ACCT_SMTP_URL: "mail.example" })).toMatchObject({
    state: "wrong",
    detail: "ACCT_SMTP_URL is no address of a mail server.",
  });
});

test("acct doctor --verify checks the whole book", async () => {
  expect((await doctor(`--book ${path} --verify`)).of("sums")?.detail).toMatch(
    /^everything adds up/,
  );
  changed("insert into sequence values (1, 'journal.accrual', 9)");
  expect((await doctor(`--book ${path}`)).code).toBe(0);
  const { code, of, stderr } = await doctor(`--book ${path} --verify`);
  expect([code, of("sums")?.state]).toEqual([5, "wrong"]);
  expect(JSON.parse(stderr).error.code).toBe("DoesNotAddUp");
});

describe("findings of acct doctor are shown with a remedy, and set the exit code", () => {
  test.each([
    ["a missing file", () => rmSync(path), 2, "book", "There is no book at", "acct init"],
    ["a letter", () => writeFileSync(path, "Dear Sir"), 5, "book", "is no book", "book restore"],
    ["an empty file", () => writeFileSync(path, ""), 5, "book", "is no book", "book restore"],
    [
      "a book that breaks off",
      () => writeFileSync(path, readFileSync(path).subarray(0, 100_000)),
      5,
      "book",
      "is damaged",
      "book restore",
    ],
    [
      "a book of a later version",
      () => changed(`pragma user_version = ${latestVersion + 1}`),
      5,
      "book",
      "was made by a later version of acct; update acct",
      "",
    ],
    [
      "balances that differ",
      () =>
        changed(`insert into balance (org, basis, month, account_id, option1, option2, debit, credit, tax)
          values (1, 1, '2026-01', 'x', '', '', 5, 0, 0)`),
      5,
      "book",
      "balances do not come to nothing",
      "book restore",
    ],
  ] as const)(
    "acct doctor reports %s in place of the book, with a remedy and its exit code",
    async (_, spoil, exit, what, said, remedy) => {
      spoil();
      const { code, of, stderr } = await doctor(`--book ${path}`);
      expect([code, of(what)?.state]).toEqual([exit, "wrong"]);
      expect(of(what)?.detail).toContain(said);
      expect(of(what)?.remedy).toContain(remedy);
      expect(JSON.parse(stderr).error.message).toBe(of(what)?.detail);
      expect(of("keychain")?.state).toBe("ok");
    },
  );

  test("acct doctor reports a configuration file that is not JSON, and the book as ok", async () => {
    const folder = join(home, ".config/acct");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.json"), '{"profiles": {', { mode: 0o600 });
    const broken = await doctor(`--book ${path}`);
    expect([broken.code, broken.wrong]).toEqual([2, ["configuration"]]);
    expect(broken.of("book")?.state).toBe("ok");
    expect((await doctor()).wrong).toEqual(["configuration", "where"]);
    for (const profiles of [3, [], { shop: null }, { shop: "x" }]) {
      writeFileSync(join(folder, "config.json"), JSON.stringify({ profiles }));
      const odd = await doctor(`--book ${path}`);
      expect([odd.code, odd.wrong]).toEqual([2, ["configuration"]]);
    }
    writeFileSync(join(folder, "config.json"), '{"profiles": {}, "defaultProfile": "gone"}');
    expect((await doctor(`--book ${path}`)).wrong).toEqual(["default profile"]);
  });

  test.skipIf(isWindows)("acct doctor warns of a book file readable by others", async () => {
    chmodSync(path, 0o644);
    const { code, of } = await doctor(`--book ${path}`);
    expect([code, of("mode")?.state]).toEqual([0, "warning"]);
    expect(of("mode")?.remedy).toBe(`Run chmod 600 ${path}.`);
  });

  test("acct doctor reports a folder without read permission", async ({ skip }) => {
    skip(isWindows || process.getuid?.() === 0, "who runs this may look into every folder");
    const folder = join(home, "locked");
    mkdirSync(folder, { mode: 0o000 });
    const { code, of } = await doctor(`--book ${join(folder, "quay.acct")}`);
    expect([code, of("permission")?.detail]).toEqual([
      4,
      expect.stringContaining("You may not look into the folder"),
    ]);
  });

  test("acct doctor reports contradicting flags, and a missing folder of books", async () => {
    const both = await doctor(`--book ${path} --data ${home}`);
    expect([both.code, both.wrong]).toEqual([2, ["where"]]);
    const none = await doctor(`--data ${join(home, "none")}`);
    expect([none.code, none.wrong]).toEqual([3, ["folder"]]);
    expect((await doctor(`--data ${home}`)).of("book")?.detail).toContain("Quay");
  });

  test("acct doctor reports an unreachable service and database", async () => {
    const service = await doctor("--base-url http://127.0.0.1:1/api");
    expect([service.code, service.wrong]).toEqual([6, ["service"]]);
    expect(service.of("service")?.detail).toContain("nothing listens there");
    const database = await doctor("--database postgres://ann:secret@127.0.0.1:1/books");
    expect([database.code, database.wrong]).toEqual([6, ["database"]]);
    expect(JSON.stringify(database.of("where")) + database.stderr).not.toContain("secret");
  });

  test("acct doctor reports an invalid address of a service", async () => {
    const { code, wrong } = await doctor("--base-url ftp://books.example");
    expect([code, wrong]).toEqual([2, ["service"]]);
  });
});

test("acct doctor reports completion scripts of another version", async () => {
  expect((await acct("completion install")).code).toBe(0);
  expect((await doctor(`--book ${path}`)).of("completions")?.detail).toMatch(/^bash: /);
  const [, file = ""] = /^bash: (.*)$/.exec(
    (await doctor(`--book ${path}`)).of("completions")?.detail ?? "",
  ) ?? [""];
  writeFileSync(file, "# of last year");
  expect((await doctor(`--book ${path}`)).of("completions")).toMatchObject({
    state: "warning",
    remedy: "Run acct completion install.",
  });
});

describe("acct doctor on a service", () => {
  let authority: Authority;
  let machine: Machine;

  beforeEach(async () => {
    const met = await newMeeting();
    ({ authority, machine } = met);
    await machine.login(authority);
    return met.close;
  });

  const asked = async (env = {}) => {
    const { code, stdout, stderr } = await machine.run(["doctor", "-o", "json"], env);
    return { code, stdout, stderr, ...linesIn(stdout) };
  };

  test("acct doctor shows the sign-in with its user, expiry and scopes, and without secrets", async () => {
    const { code, stdout, stderr, of } = await asked();
    expect([code, stderr]).toEqual([0, ""]);
    expect(of("service")?.detail).toBe(`${new URL(authority.baseUrl).origin} answers`);
    expect(of("sign-in")?.detail).toMatch(
      /^ann.*, app till; access token until 20.*; kept in .*readable by you alone; scopes /,
    );
    expect(of("organisation")?.state).toBe("ok");
    const { accessToken, refreshToken = "" } = machine.signIn().secrets;
    expect(stdout).not.toContain(accessToken);
    expect(stdout).not.toContain(refreshToken);
  });

  test("acct doctor renews an expired token, and reports an ended sign-in", async () => {
    machine.expire();
    expect(await asked()).toMatchObject({ code: 0, wrong: [] });
    machine.change((signIn) => ({ ...signIn, endedAt: Date.now() }));
    const ended = await asked();
    expect([ended.code, ended.wrong]).toEqual([4, ["sign-in"]]);
    expect(ended.of("sign-in")?.detail).toContain("run acct auth login --profile");
    rmSync(machine.signIns()[0] ?? "");
    expect(await asked()).toMatchObject({ code: 4, wrong: ["sign-in"] });
  });

  test("acct doctor reports an unreadable sign-in and a refused token", async () => {
    const token = { ACCT_TOKEN: "forged", ACCT_BASE_URL: authority.baseUrl };
    const forged = await asked(token);
    expect([forged.code, forged.wrong]).toEqual([4, ["organisation"]]);
    expect(forged.of("organisation")?.remedy).toContain("ACCT_TOKEN");
    const nobody = await asked({ ACCT_BASE_URL: authority.baseUrl });
    expect([nobody.code, nobody.of("sign-in")?.state]).toEqual([4, "warning"]);
    expect(nobody.of("organisation")?.remedy).toBe("Sign in: acct auth login.");
    writeFileSync(machine.signIns()[0] ?? "", "{");
    expect((await asked()).wrong).toEqual(["sign-in"]);
  });
});
