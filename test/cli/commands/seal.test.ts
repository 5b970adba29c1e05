/** Seals: what they prove of a book, and what a signature on them does. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { isInstalled } from "../../shell/desk.ts";
import { noon } from "../line.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-seal-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
const book = at("quay.acct");
const on = ["--book", book];

async function acct(...words: string[]) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run(words, { env: { HOME: folder }, stdout, stderr, clock: () => noon, open });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const add = (name: string) => acct("contact", "create", "--name", name, ...on);
const since = (seal: string, ...words: string[]) =>
  acct("book", "verify", "--since", seal, ...words, ...on);

async function sealed(name: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await acct("book", "seal", ...words, ...on);
  expect([code, stderr]).toEqual([0, ""]);
  writeFileSync(at(name), stdout);
  return at(name);
}

beforeAll(async () => {
  await acct("init", "--name", "Quay Street Bikes", "--country", "NZ", ...on);
  await add("Ana");
});

test("a seal of a book names the organisation, the time, and the last link of the hash chain", async () => {
  const { stdout } = await acct("book", "seal", ...on);
  expect(stdout).toMatch(
    /^acct seal, version 1\nOrganisation {4}Quay Street Bikes\nOrganisationID {2}[0-9a-f-]{36}\nSealed {10}2026-03-05T\S+Z\nSeal {12}2:[0-9a-f]{64}\n$/,
  );
  const { links, head, seal } = JSON.parse(
    (await acct("book", "seal", "-o", "json", ...on)).stdout,
  );
  expect(seal).toBe(`${links}:${head}`);
});

test("a book to which records were only added verifies against an earlier seal, or its short mark", async () => {
  const seal = await sealed("grown.seal");
  const [, mark = ""] = /^Seal +(\S+)$/m.exec(readFileSync(seal, "utf8")) ?? [];
  await add("Bo");
  for (const said of [seal, mark]) {
    const { code, stdout } = await since(said);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(` ${mark.split(":")[0]} {2}of them sealed\n`));
    expect(stdout).toMatch(
      /What was sealed( on 2026-03-05)? stands as it was\.\nEverything adds up/,
    );
  }
});

test.each([
  ["nowhere.seal", /nowhere\.seal is no seal: there is no such file/],
  ["3:abc", /3:abc is no seal/],
])("a text that is no seal is refused by book verify: %s", async (said, stderr) => {
  expect(await since(said)).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
});

test("the seal of another book is refused by book verify", async () => {
  await acct("init", "--name", "Other", "--country", "NZ", "--book", at("other.acct"));
  const { stdout } = await acct("book", "seal", "--book", at("other.acct"));
  writeFileSync(at("other.seal"), stdout);
  expect(await since(at("other.seal"))).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/The seal is of another book, that of Other/),
  });
});

test("--allowed-signers without a seal is refused", async () => {
  expect(await acct("book", "verify", "--allowed-signers", "x", ...on)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/name it with --since/),
  });
});

describe("a book whose history was changed", () => {
  test("a book replaced by an older copy fails verification against its seal", async () => {
    copyFileSync(book, at("older.acct"));
    await add("Cy");
    const seal = await sealed("later.seal");
    expect(await acct("book", "verify", "--since", seal, "--book", at("older.acct"))).toMatchObject(
      {
        code: 5,
        stderr: expect.stringMatching(
          /ends with link \d+, but \d+ were sealed: what was written last is gone/,
        ),
      },
    );
  });

  test("a book whose last records and chain links were removed fails verification against its seal", async () => {
    const seal = await sealed("cut.seal");
    const cut = at("cut.acct");
    copyFileSync(book, cut);
    const db = new DatabaseSync(cut);
    db.exec(`delete from history where record_id = (select id from contact where name = 'Cy');
      delete from contact where name = 'Cy';
      delete from audit_entry where number > (select max(number) - 2 from audit_entry);
      delete from operation where number = (select max(number) from operation);
      delete from chain_link where number > (select max(number) - 3 from chain_link)`);
    db.close();
    expect(await acct("book", "verify", "--book", cut)).toMatchObject({ code: 0 });
    expect(await acct("book", "verify", "--since", seal, "--book", cut)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/what was written last is gone/),
    });
  });
});

const hasKeygen = isInstalled("ssh-keygen", "signatures on seals");

describe.skipIf(!hasKeygen)("a signed seal", () => {
  const key = at("key");
  const signers = at("signers");
  let seal = "";
  beforeAll(async () => {
    for (const each of [key, at("stranger")]) {
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", each]);
    }
    writeFileSync(signers, `ann@quay.example ${readFileSync(`${key}.pub`, "utf8")}`);
    seal = await sealed("signed.seal", "--sign", key);
  });

  test("verifying a signed seal names the signer if the key is in the list of signers, otherwise the key", async () => {
    const { stdout } = await since(seal, "--allowed-signers", signers);
    expect(stdout).toMatch(/The seal is signed by ann@quay\.example, with ED25519 key SHA256:/);
    expect((await since(seal)).stdout).toMatch(/signed with ED25519 key SHA256:\S+; whose that is/);
  });

  const broken: readonly (readonly [
    what: string,
    seal: () => Promise<string> | string,
    words: string[],
    stderr: RegExp,
  ])[] = [
    [
      "whose words were changed",
      () => {
        writeFileSync(at("x.seal"), readFileSync(seal, "utf8").replace("Quay", "Kway"));
        return at("x.seal");
      },
      [],
      /signature of the seal is not valid/,
    ],
    [
      "whose signature is of another text",
      async () => {
        const other = readFileSync(await sealed("y.seal", "--sign", key), "utf8");
        const [, tail = ""] = other.split(/(?=-----BEGIN)/);
        const [head = ""] = readFileSync(seal, "utf8").split(/(?=-----BEGIN)/);
        writeFileSync(at("x.seal"), head.replace("version 1", "version 1 ") + tail);
        return at("x.seal");
      },
      ["--allowed-signers", signers],
      /signature of the seal is not valid/,
    ],
    [
      "by somebody who is on no list",
      () => sealed("z.seal", "--sign", at("stranger")),
      ["--allowed-signers", signers],
      /its key is not on the list/,
    ],
    [
      "of more than a pipe holds, which is not read to find who signed it",
      async () => {
        const signed = readFileSync(await sealed("z.seal", "--sign", at("stranger")), "utf8");
        writeFileSync(at("x.seal"), signed.replace(/(?=-----BEGIN)/, "x\n".repeat(500_000)));
        return at("x.seal");
      },
      ["--allowed-signers", signers],
      /its key is not on the list/,
    ],
    [
      "without a signature",
      () => sealed("plain.seal"),
      ["--allowed-signers", signers],
      /bears no signature/,
    ],
  ];
  test.each(broken)(
    "verification against a signed seal %s is refused",
    async (_what, make, words, stderr) => {
      expect(await since(await make(), ...words)).toMatchObject({
        code: 5,
        stdout: "",
        stderr: expect.stringMatching(stderr),
      });
    },
  );

  test("signing a seal with an invalid key is refused", async () => {
    writeFileSync(at("nokey"), "x");
    expect(await acct("book", "seal", "--sign", at("nokey"), ...on)).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/The seal was not signed with .*nokey/),
    });
    expect(await acct("book", "seal", "--sign", at("gone"), ...on)).toMatchObject({ code: 2 });
  });
});
