import { describe, expect, test } from "vitest";
import { version } from "../../src/platform/version.ts";
import { records } from "../client/service.ts";
import { acct } from "./line.ts";

const item = { ItemID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11", Code: "LAMP-2", Name: "Lamp" };
const items = {
  "GET /Items": records("Items", [item]),
  "GET /Items/LAMP-2": records("Items", [item]),
};

describe("exit codes", () => {
  const refused = JSON.stringify({ Type: "ValidationException", Message: "It is wrong." });
  test.each([
    ["done", 0, items],
    ["no such record", 3, {}],
    [
      "token refused",
      4,
      { "GET /Items/LAMP-2": { status: 401, body: '{"Detail":"TokenExpired"}' } },
    ],
    ["not permitted", 4, { "GET /Items/LAMP-2": { status: 403, body: "{}" } }],
    ["refused", 5, { "GET /Items/LAMP-2": { status: 400, body: refused } }],
    ["outage", 6, { "GET /Items/LAMP-2": { status: 503, body: "offline" } }],
    ["failure of the service", 1, { "GET /Items/LAMP-2": { status: 500, body: "boom" } }],
    ["a bug", 1, { "GET /Items/LAMP-2": new TypeError("x is not a function") }],
  ])('acct item show ends, in the case "%s", with exit code %i', async (_name, code, answers) => {
    const ran = await acct(["item", "show", "LAMP-2"], answers);
    expect(ran.code).toBe(code);
    if (code === 0) expect(ran.stderr).toBe("");
    else expect([ran.stdout, ran.stderr.split("\n").length]).toEqual(["", 2]);
  });
});

describe("command line mistakes", () => {
  test.each([
    [["invocie"], 'There is no command "invocie". Did you mean invoice?'],
    [["invoice", "lst"], 'There is no command "lst" of acct invoice. Did you mean list?'],
    [["frobnicate"], 'There is no command "frobnicate". acct --help lists them.'],
    [["item", "list", "--statu", "x"], "acct item list has no flag --statu."],
    [["invoice", "list", "--stauts", "PAID"], "has no flag --stauts. Did you mean --status?"],
    [["invoice", "list", "--status", "PIAD"], "did you mean PAID?"],
    [["invoice", "list", "--status"], "--status needs a value."],
    [
      ["item", "show"],
      "acct item show needs ITEM (item, by code or id); see acct item show --help.",
    ],
    [["item", "show", "A", "B"], '"B" is one argument too many for acct item show'],
    [["item", "list", "x"], 'acct item list takes no argument, and "x" is one.'],
    [["invoice", "list", "--limit", "0"], "--limit must be a whole number from 1 to 1000000000"],
    [["invoice", "list", "--all", "--limit", "3"], "--all asks for every record"],
    [["invoice", "list", "--from", "2026-02-30"], "2026-02-30"],
    [
      ["invoice", "list", "--from", "2026-03-02", "--to", "2026-03-01"],
      "--from 2026-03-02 is after",
    ],
    [["--frob", "invoice", "list"], "Before a command, --frob is no flag"],
    [["invoice", "--status", "PAID", "list"], "flags of a command stand after it"],
    [["payment", "apply", "INV-1"], "acct payment apply needs --account CODE|ID"],
    [["item", "update", "A", "--is-sold", "--no-is-sold"], "contradict each other"],
    [["item", "list", "-o", "yaml"], '--output cannot be "yaml".'],
    [["item", "list", "--demo", "--book", "x"], "--book and --demo each say where to work"],
    [["api", "FETCH", "/x"], 'METHOD cannot be "FETCH".'],
  ])("the mistaken command line %j is refused as a usage error", async (words, message) => {
    const { code, stdout, stderr } = await acct(words, items);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^acct: .*[.?]\n/);
    expect([code, stdout]).toEqual([2, ""]);
  });

  test("all mistakes of a command line are reported at once", async () => {
    const words = ["invoice", "list", "--from", "soon", "--limit", "many", "-o", "json"];
    const { code, stderr } = await acct(words);
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe("BadFlags");
    expect(error.details).toHaveLength(2);
  });

  test("with -o json an error is printed as a JSON object, wherever -o is given", async () => {
    for (const words of [
      ["-o", "json", "item", "show", "NONE"],
      ["item", "show", "NONE", "--output=json"],
    ]) {
      const { code, stdout, stderr } = await acct(words);
      expect([code, stdout]).toEqual([3, ""]);
      expect(JSON.parse(stderr)).toEqual({
        error: { code: "NotFound", message: "There is no item NONE.", details: [] },
      });
    }
  });
});

describe("global flags", () => {
  test.each([
    [["-o", "id", "item", "list"]],
    [["item", "-o", "id", "list"]],
    [["item", "list", "-oid"]],
    [["item", "list", "--output", "ID"]],
    [["--output=id", "items", "ls"]],
  ])("global flags are accepted anywhere in a command line: %j", async (words) => {
    expect((await acct(words, items)).stdout).toBe(`${item.ItemID}\n`);
  });

  test("an environment variable replaces a flag, and a given flag takes precedence over it", async () => {
    const env = { ACCT_OUTPUT: "csv" };
    expect((await acct(["item", "list", "--columns", "Code"], items, { env })).stdout).toBe(
      "Code\nLAMP-2\n",
    );
    expect((await acct(["item", "list", "-o", "id"], items, { env })).stdout).toBe(
      `${item.ItemID}\n`,
    );
    const bad = await acct(["item", "list"], items, { env: { ACCT_OUTPUT: "yaml" } });
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("ACCT_OUTPUT")]);
  });

  test("an unknown column given to --columns is refused with the nearest name", async () => {
    const { code, stderr } = await acct(["item", "list", "--columns", "Cod"], items);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Code")]);
  });

  test.each([[["--version"]], [["-V", "--demo"]]])(
    "the command line %j prints the version",
    async (words) => {
      expect((await acct(words)).stdout).toBe(`${version}\n`);
    },
  );
});

test("an empty list ends with exit code 0", async () => {
  const none = { "GET /Items": records("Items", []) };
  expect(await acct(["item", "list", "-o", "json"], none)).toMatchObject({
    code: 0,
    stdout: "[]\n",
  });
  expect(await acct(["item", "list"], none)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "No items found.\n",
  });
});

test("a list cut after the first page reports on stderr how to get the rest", async () => {
  const pagination = { page: 1, pageSize: 100, pageCount: 3, itemCount: 250 };
  const hundred = Array.from({ length: 100 }, (_, n) => ({
    InvoiceID: item.ItemID,
    InvoiceNumber: `INV-${n}`,
  }));
  const answers = { "GET /Invoices": records("Invoices", hundred, pagination) };
  const { code, stdout, stderr, lines } = await acct(["invoice", "list", "-o", "id"], answers);
  expect([code, stdout.split("\n").length, lines.length]).toEqual([0, 101, 1]);
  expect(stderr).toBe(
    "These are the first 100 of 250; --all shows every one, --limit N as many as you say.\n",
  );
  expect(lines[0]).toContain("count=false");
  const uncounted = { page: 1, pageSize: 100, pageCount: 2 };
  const unknown = { "GET /Invoices": records("Invoices", hundred, uncounted) };
  expect((await acct(["invoice", "list", "-o", "id"], unknown)).stderr).toBe(
    "These are the first 100; --all shows every one, --limit N as many as you say, --count says how many there are.\n",
  );
  const counted = await acct(["invoice", "list", "--count"], answers);
  expect([counted.stdout, counted.lines.length]).toEqual(["250\n", 1]);
  expect(counted.lines[0]).not.toContain("count=false");
  expect(
    (await acct(["item", "list", "--count"], { "GET /Items": records("Items", [item]) })).stdout,
  ).toBe("1\n");
  const limited = await acct(["invoice", "list", "-o", "id", "--limit", "5"], answers);
  expect(limited.stderr).toBe("");
});
