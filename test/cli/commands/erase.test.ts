/** `acct contact erase`: what is said and asked, and what of a person is left in the folder of a book. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { saveRefusal } from "../../../src/cli/connection/last-refusal.ts";
import { open } from "../../../src/cli/connection/open.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { NotFoundError } from "../../../src/resources/errors.ts";
import { noon } from "../line.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-erase-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
let home = "";
const at = (name: string) => join(home, name);

async function acct(...words: string[]) {
  const [stdout, stderr] = [memorySink(), memorySink()];
  const code = await run([...words, "--book", at("book.acct")], {
    env: { HOME: home },
    stdout,
    stderr,
    clock: () => noon,
    open,
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const line = "description=Tea,unit-amount=10,account=200";

beforeEach(async () => {
  count += 1;
  home = mkdtempSync(join(folder, `${count}-`));
  await acct("init", "--name", "Quay", "--country", "NZ");
  const email = ["--email-address", "old@zyxaquill.example"];
  await acct("contact", "create", "--name", "Zyxaquill Moss", ...email, "--mobile", "5550199");
  // A former address stands in the file until it is made anew.
  await acct("contact", "update", "Zyxaquill Moss", "--email-address", "zyxa@zyxaquill.example");
});

const mails = () => {
  const { length } = readdirSync(at("book.outbox")).filter((name) => name.endsWith(".eml"));
  return length;
};

/**
 * Names of the files beside the book, and of the book, that have a text in them.
 *
 * @param text  long enough not to stand in a digest by chance
 */
const filesWith = (text: string) =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => readFileSync(path, "latin1").toLowerCase().includes(text.toLowerCase()));

/** Opens the bank account that payments go to. */
function openBank() {
  const of = ["--code", "090", "--name", "Bank", "--type", "BANK"];
  return acct("account", "create", ...of, "--bank-account-number", "12-345");
}

/** What an approved invoice to the person is made of. */
const sold = ["--contact", "Zyxaquill Moss", "--line", line, "--status", "AUTHORISED", "-o", "id"];

test("an erased person is removed from book, log and outbox, and the book still verifies against an older seal", async () => {
  await openBank();
  const made = await acct(
    "invoice",
    "create",
    "--date",
    "2018-03-01",
    "--due-date",
    "2018-03-20",
    ...sold,
  );
  const [invoice = ""] = made.stdout.split("\n");
  expect(await acct("invoice", "email", invoice)).toMatchObject({ code: 0 });
  expect(mails()).toBe(1);
  await acct("payment", "apply", invoice, "--account", "090", "--date", "2018-03-10");
  expect(filesWith("zyxaquill").length).toBeGreaterThan(1);
  writeFileSync(at("before.seal"), (await acct("book", "seal")).stdout);

  const { code, stderr } = await acct("contact", "erase", "Zyxaquill Moss", "--yes");
  expect([code, stderr]).toEqual([
    0,
    "Erases Name, EmailAddress, Phones, 3 texts in histories, 3 entries of the log, 1 message in the outbox.\n",
  ]);
  expect(mails()).toBe(0);
  expect(filesWith("zyxaquill")).toEqual([]);
  expect(filesWith("5550199")).toEqual([]);
  const proven = await acct("book", "verify", "--since", at("before.seal"));
  expect(proven).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/stands as it was\.\nEv/),
  });
  const { stdout } = await acct("invoice", "show", invoice, "-o", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    InvoiceNumber: "INV-0001",
    Total: 11.5,
    AmountPaid: 11.5,
    Contact: { Name: expect.stringMatching(/^Erased [0-9a-f]{8}$/) },
  });
});

test("fields of an erased contact that the law keeps are reported with the last day and the rule", async () => {
  await openBank();
  const { stdout } = await acct("invoice", "create", "--date", "2026-03-01", ...sold);
  await acct("payment", "apply", stdout.trim(), "--account", "090", "--date", "2026-03-02");
  const { code, stderr } = await acct("contact", "erase", "Zyxaquill Moss", "--yes");
  expect([code, stderr]).toEqual([
    0,
    "Erases EmailAddress, Phones, 2 texts in histories, 2 entries of the log.\n" +
      "Keeps Name until 2033-03-31: records are kept for 7 years after the financial year: " +
      "Tax Administration Act 1994, section 22. Erase it again after that day.\n",
  ]);
});

test("the erasure of a contact needs a confirmation, and a dry run erases nothing", async () => {
  expect(await acct("contact", "erase", "Zyxaquill Moss")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Erase Zyxaquill Moss\? .* cannot be taken back\. Give --yes/),
  });
  expect(await acct("contact", "erase", "Zyxaquill Moss", "--dry-run")).toMatchObject({ code: 0 });
  const { stdout } = await acct("contact", "show", "Zyxaquill Moss", "-o", "json");
  expect(JSON.parse(stdout)).toMatchObject({ EmailAddress: "zyxa@zyxaquill.example" });
});

test("the erasure of a contact with open documents is refused", async () => {
  await acct("invoice", "create", "--contact", "Zyxaquill Moss", "--line", line);
  expect(await acct("contact", "erase", "Zyxaquill Moss", "--yes")).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(
      /Zyxaquill Moss cannot be erased while it is needed: invoice INV-0001\. Settle, void/,
    ),
  });
});

test("the erasure of a contact with files needs a flag that keeps or removes the files", async () => {
  writeFileSync(at("id.txt"), "letter of Zyxaquill to keep");
  await acct("attachment", "add", at("id.txt"), "--on", "contact:Zyxaquill Moss");
  expect(await acct("contact", "erase", "Zyxaquill Moss", "--yes")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/files on the contact: id\.txt\. Say .* --files remove, or/),
  });
  const shown = await acct(
    "contact",
    "erase",
    "Zyxaquill Moss",
    "--yes",
    "--files",
    "remove",
    "-o",
    "json",
  );
  expect(JSON.parse(shown.stdout)).toMatchObject([{ Files: ["id.txt"], FilesRemoved: true }]);
  expect(filesWith("letter of Zyxaquill to keep")).toEqual([at("id.txt")]);
});

test("a planned erasure of a contact is applied with its files and emails", async () => {
  const planned = await acct(
    "contact",
    "erase",
    "Zyxaquill Moss",
    "--yes",
    "--plan",
    at("plan.json"),
  );
  expect(planned).toMatchObject({ code: 0 });
  const { stdout } = await acct("contact", "show", "Zyxaquill Moss", "-o", "json");
  expect(JSON.parse(stdout)).toMatchObject({ EmailAddress: "zyxa@zyxaquill.example" });
  expect(await acct("apply", at("plan.json"), "--yes")).toMatchObject({ code: 0 });
  expect(filesWith("zyxaquill")).toEqual([at("plan.json")]);
});

test("files of the program outside the book, such as plans and old copies, no longer mention an erased person", async () => {
  const error = new NotFoundError("NotFound", "There is no contact Zyxaquill Mos.");
  saveRefusal({ HOME: home }, error, ["contact", "show"], noon);
  expect(filesWith("zyxaquill").map((path) => basename(path))).toContain("last-refusal.json");
  const plan = at("other.plan");
  await acct("contact", "update", "Zyxaquill Moss", "--mobile", "5550188", "--plan", plan);
  writeFileSync(at("people.csv.rejected.csv"), "Name\nZyxaquill Moss\n");
  writeFileSync(at("others.csv"), "Name\nNobody\n");
  writeFileSync(at("book.before-25.acct"), "as it was");
  const dry = await acct("contact", "erase", "Zyxaquill Moss", "--dry-run");
  expect(dry.code).toBe(0);
  expect(filesWith("zyxaquill").map((path) => basename(path))).toContain("last-refusal.json");
  const { code, stderr } = await acct("contact", "erase", "Zyxaquill Moss", "--yes");
  expect(code).toBe(0);
  const [, left = ""] = /Look yourself at what stays in (.*)\./.exec(stderr) ?? [];
  expect(
    left
      .split(", ")
      .map((path) => basename(path))
      .sort(),
  ).toEqual(["book.before-25.acct", "other.plan", "people.csv.rejected.csv"]);
  expect(
    filesWith("zyxaquill")
      .map((path) => basename(path))
      .sort(),
  ).toEqual(["other.plan", "people.csv.rejected.csv"]);
});
