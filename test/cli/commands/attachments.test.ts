/** `acct attachment`: files go to a record and come back, on a book of this machine. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { mediaTypeOf } from "../../../src/cli/values/media-types.ts";
import { createClient } from "../../../src/client/client.ts";
import type { Transport } from "../../../src/wire/http.ts";
import { contact, sale, world } from "../../service/fixture.ts";
import { noHome } from "../../support/run-folder.ts";
import { noon } from "../line.ts";

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "acct-files-"));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });
});

/** A book with the sales invoice INV-0042. */
async function desk(over: (handle: Transport) => Transport = (handle) => handle) {
  const given = await world();
  await given.ok("PUT", "/Invoices", sale(await contact(given), { InvoiceNumber: "INV-0042" }));
  const handle = over(given.book.transport);
  return async (...words: string[]) => {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const code = await run(words, {
      env: { HOME: noHome },
      stdout,
      stderr,
      clock: () => noon,
      open: async (ctx) => ({
        client: createClient(handle, { dryRun: ctx.flags.dryRun, rollsBack: true }),
        changed: () => false,
      }),
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
}

const on = ["--on", "invoice:INV-0042"];

test("an attached file is listed and downloaded unchanged", async () => {
  const acct = await desk();
  const bytes = randomBytes(300_000);
  mkdirSync("in");
  writeFileSync("in/kiln (1) #2.PNG", bytes);
  const added = await acct(
    "attachment",
    "add",
    "in/kiln (1) #2.PNG",
    ...on,
    "--include-online",
    "-o",
    "json",
  );
  expect(added.stderr).toBe("");
  expect(JSON.parse(added.stdout)).toMatchObject({
    FileName: "kiln (1) #2.PNG",
    MimeType: "image/png",
    ContentLength: 300_000,
    IncludeOnline: true,
  });
  const listed = await acct("attachment", "list", ...on, "-o", "csv");
  expect(listed.stdout).toBe(
    "FileName,MimeType,ContentLength,IncludeOnline\r\nkiln (1) #2.PNG,image/png,300000,true\r\n".replaceAll(
      "\r\n",
      listed.stdout.includes("\r\n") ? "\r\n" : "\n",
    ),
  );
  const got = await acct("attachment", "get", ...on);
  expect(got).toEqual({ code: 0, stdout: "kiln (1) #2.PNG\n", stderr: "" });
  expect(readFileSync("kiln (1) #2.PNG").equals(bytes)).toBe(true);
});

test("several files are attached by one command, and downloaded into a folder", async () => {
  const acct = await desk();
  for (const name of ["a.txt", "b.pdf"]) writeFileSync(name, name);
  expect((await acct("attachment", "add", "a.txt", "b.pdf", ...on, "-o", "id")).code).toBe(0);
  mkdirSync("out");
  const got = await acct("attachment", "get", ...on, "--output-file", "out");
  expect(got.stdout).toBe("out/a.txt\nout/b.pdf\n");
  expect(readFileSync("out/b.pdf", "utf8")).toBe("b.pdf");
  expect((await acct("attachment", "get", ...on, "--output-file", "x")).code).toBe(2);
  expect((await acct("attachment", "get", ...on, "--output-file", "-")).stderr).toMatch(
    /say which/,
  );
  const piped = await acct("attachment", "get", "a.txt", ...on, "--output-file", "-");
  expect(piped).toEqual({ code: 0, stdout: "a.txt", stderr: "" });
});

test("--name and --mime-type set the name and the type of an attachment", async () => {
  const acct = await desk();
  writeFileSync("a.txt", "x");
  const line = ["--name", "b.dat", "--mime-type", "image/gif", "-o", "json"];
  const { stdout } = await acct("attachment", "add", "a.txt", ...on, ...line);
  expect(JSON.parse(stdout)).toMatchObject({ FileName: "b.dat", MimeType: "image/gif" });
  const two = await acct("attachment", "add", "a.txt", "a.txt", ...on, "--name", "c");
  expect([two.code, two.stderr]).toEqual([2, expect.stringMatching(/--name is for one file/)]);
});

test("a download overwrites an existing file only with --force", async () => {
  const acct = await desk();
  writeFileSync("a.txt", "theirs");
  await acct("attachment", "add", "a.txt", ...on);
  writeFileSync("a.txt", "mine");
  const refused = await acct("attachment", "get", "a.txt", ...on);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/--force/)]);
  expect(readFileSync("a.txt", "utf8")).toBe("mine");
  expect((await acct("attachment", "get", "a.txt", ...on, "--force")).code).toBe(0);
  expect(readFileSync("a.txt", "utf8")).toBe("theirs");
  expect(readdirSync(".")).toEqual(["a.txt"]);
});

describe("errors of attachment commands", () => {
  test.each([
    ["a missing file", ["add", "none.txt", ...on], 2, /There is no file none\.txt/],
    ["a folder", ["add", ".", ...on], 2, /\. is a folder, not a file/],
    ["standard input without a name", ["add", "-", ...on], 2, /--name says/],
    ["an unknown invoice", ["list", "--on", "invoice:INV-9"], 3, /INV-9/],
    ["an unknown attachment name", ["get", "x.png", ...on], 3, /There is no file x\.png/],
    [
      "a kind of record that has no attachments",
      ["list", "--on", "payment:P"],
      2,
      /--on takes NOUN:KEY/,
    ],
  ])(
    "an attachment command with %s is refused with its exit code",
    async (_name, words, code, message) => {
      const acct = await desk();
      const ran = await acct("attachment", ...words);
      expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(message)]);
    },
  );

  test("an interrupted download of an attachment leaves no file", async () => {
    async function* cut() {
      yield Buffer.from("half");
      throw new Error("cut");
    }
    const acct = await desk((handle) => async (request) => {
      const answer = await handle(request);
      return request.path.endsWith("a.txt") && request.method === "GET"
        ? { ...answer, body: cut() }
        : answer;
    });
    mkdirSync("in");
    writeFileSync("in/a.txt", "whole");
    await acct("attachment", "add", "in/a.txt", ...on);
    expect((await acct("attachment", "get", ...on)).code).toBe(1);
    expect(readdirSync(".")).toEqual(["in"]);
  });
});

test("an attachment is deleted after a confirmation, and stays in a dry run", async () => {
  const acct = await desk();
  for (const name of ["a.txt", "b.txt"]) writeFileSync(name, name);
  await acct("attachment", "add", "a.txt", "b.txt", ...on);
  const shown = await acct("invoice", "show", "INV-0042");
  expect(shown.stdout).toMatch(/^Files +a\.txt, b\.txt$/m);
  const unasked = await acct("attachment", "remove", "a.txt", ...on);
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringMatching(/--yes/)]);
  const dry = await acct("attachment", "remove", "a.txt", ...on, "--dry-run");
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringMatching(/a\.txt would be removed\./)]);
  const names = async () => (await acct("attachment", "list", ...on, "-o", "csv")).stdout;
  expect(await names()).toMatch(/a\.txt/);
  const removed = await acct("attachment", "remove", "a.txt", "a.txt", ...on, "--yes");
  expect([removed.code, removed.stderr]).toEqual([0, expect.stringMatching(/Removed a\.txt\./)]);
  expect(await names()).not.toMatch(/a\.txt/);
  const gone = await acct("attachment", "remove", "a.txt", ...on, "--yes");
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringMatching(/There is no file a\.txt/)]);
});

test.each([501, 405])(
  "a service that answers status %i to the deletion of an attachment is reported as not supporting it",
  async (status) => {
    const acct = await desk((handle) => async (request) => {
      if (request.method !== "DELETE") return handle(request);
      return { status, headers: {}, body: "" };
    });
    writeFileSync("a.txt", "x");
    await acct("attachment", "add", "a.txt", ...on);
    const refused = await acct("attachment", "remove", "a.txt", ...on, "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringMatching(/This service does not remove files from records by its API/),
    ]);
  },
);

test("a dry run of attachment add uploads nothing", async () => {
  const acct = await desk();
  writeFileSync("a.txt", "x");
  expect((await acct("attachment", "add", "a.txt", ...on, "--dry-run")).code).toBe(0);
  expect((await acct("attachment", "list", ...on, "-o", "json")).stdout.trim()).toBe("[]");
});

test.each([
  ["../../etc/passwd.txt", "etc-passwd.txt"],
  [".profile", "profile"],
  ["con.txt", /^[0-9a-f-]{36}\.txt$/],
])(
  "an attachment that the service names %s is saved under a safe file name",
  async (name, safe) => {
    const acct = await desk((handle) => async (request) => {
      const isList = request.path.endsWith("/Attachments");
      if (isList) {
        const body = JSON.stringify({
          Attachments: [
            {
              AttachmentID: "9a3d7e2c-1111-4222-8333-444455556666",
              FileName: name,
              Url: "https://x/",
              MimeType: "text/plain",
              ContentLength: 1,
            },
          ],
        });
        return { status: 200, headers: { "content-type": "application/json" }, body };
      }
      return request.path.includes("/Attachments/")
        ? { status: 200, headers: {}, body: "x" }
        : handle(request);
    });
    expect((await acct("attachment", "get", ...on)).code).toBe(0);
    const [saved, ...others] = readdirSync(".");
    expect(others).toEqual([]);
    expect(saved).toMatch(
      safe instanceof RegExp ? safe : new RegExp(`^${safe.replace(".", "\\.")}$`),
    );
  },
);

test.each([
  ["a.PDF", "application/pdf"],
  ["a.tar.gz", "application/octet-stream"],
  ["noextension", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
])("an attachment named %s is uploaded with the type %s", (name, type) =>
  expect(mediaTypeOf(name)).toBe(type),
);

test("a file of a name that is there is replaced only on purpose, and two of one name not at all", async () => {
  const acct = await desk();
  mkdirSync("other");
  writeFileSync("a.txt", "one");
  writeFileSync("other/a.txt", "two");
  await acct("attachment", "add", "a.txt", ...on);
  const asked = await acct("attachment", "add", "other/a.txt", ...on, "--no-input");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  expect((await acct("attachment", "add", "a.txt", "other/a.txt", ...on)).code).toBe(2);
  const there = () => acct("attachment", "get", "a.txt", ...on, "--output-file", "-");
  expect((await there()).stdout).toBe("one");
  await acct("attachment", "add", "other/a.txt", ...on, "--yes");
  expect((await there()).stdout).toBe("two");
});
