/** The built program: people of a served book, from adding one to removing them. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailServer } from "../../support/mail-server.ts";
import { bin } from "../built.ts";

let folder: string;
let env: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-people-"));
  const book = join(folder, "a.acct");
  env = { HOME: folder, PATH: process.env.PATH ?? "", TZ: "UTC", ACCT_BOOK: book };
  expect(acct(["init", "--name", "Heron", "--country", "NZ"]).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

function acct(words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    encoding: "utf8",
    env,
    input,
  });
  return { status, stdout, stderr };
}

const users = () =>
  acct(["user", "list", "--columns", "EmailAddress,FirstName,OrganisationRole", "-o", "csv"])
    .stdout.trim()
    .split("\n")
    .slice(1);

test("a user is added, given another role, and removed, as acct user list shows", () => {
  const words = ["user", "add", "ana@heron.example", "--name", "Ana Reid", "--role", "standard"];
  const added = acct([...words, "--password-stdin", "-o", "json"], "correct horse battery\n");
  expect(added).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(added.stdout)).toMatchObject({
    EmailAddress: "ana@heron.example",
    Name: "Ana Reid",
    Role: "standard",
  });
  const owner = "bookkeeper@localhost,Bookkeeper,FINANCIALADVISER";
  expect(users()).toEqual(["ana@heron.example,Ana,STANDARD", owner]);
  expect(acct(["user", "role", "ANA@heron.example", "read-only"]).status).toBe(0);
  expect(users()).toEqual(["ana@heron.example,Ana,READONLY", owner]);
  expect(acct(["user", "remove", "ana@heron.example"])).toMatchObject({ status: 2 });
  expect(acct(["user", "remove", "ana@heron.example", "--yes"])).toMatchObject({
    status: 0,
    stderr: "Removed ana@heron.example.\n",
  });
  expect(users()).toEqual(["ana@heron.example,Ana,REMOVED", owner]);
  expect(acct([...words, "--password-stdin"], "correct horse battery").status).toBe(0);
  expect(users()).toEqual(["ana@heron.example,Ana,STANDARD", owner]);
});

test("a new password of a user ends the user's sign-ins, and the command says so", () => {
  const words = ["user", "password", "ana@heron.example", "--password-stdin", "-o", "json"];
  const Message = "ana@heron.example has another password, and is signed out everywhere.";
  const { status, stdout, stderr } = acct(words, "another horse and cart\n");
  expect([status, JSON.parse(stdout), stderr]).toEqual([0, [{ Message }], `${Message}\n`]);
});

const at = ["--public-url", "https://books.example"];
const link = /^https:\/\/books\.example\/identity\/password\/[\w-]{43}$/;

test("an invitation and a reset print a link where no mail server takes it, and say until when it is good", () => {
  const words = ["user", "add", "abe@heron.example", "--role", "standard", "--invite", ...at];
  const invited = acct([...words, "-o", "json"]);
  expect(JSON.parse(invited.stdout).Link).toMatch(link);
  expect(invited.stderr).toMatch(
    /^Give the link to abe@heron\.example yourself: it is good once, until/,
  );
  env.ACCT_SMTP_URL = "smtp://127.0.0.1:9";
  const reset = acct(["user", "reset", "abe@heron.example", ...at]);
  delete env.ACCT_SMTP_URL;
  expect(reset.stdout.trim()).toMatch(link);
  expect(reset.stderr).toContain("The mail server did not take the message");
});

test("an invitation is mailed where there is a mail server, and its link not printed", async () => {
  const mail = await mailServer();
  env.ACCT_SMTP_URL = mail.url;
  const words = ["user", "add", "al@heron.example", "--role", "standard", "--invite", ...at];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bin, ...words], { env });
  delete env.ACCT_SMTP_URL;
  expect(stdout).not.toContain("/identity/password");
  expect(stderr).toContain("A link to choose a password was mailed to al@heron.example");
  expect(mail.messages).toBe(1);
});

test("adding a sign-in for the creator of the book keeps the creator's user id", () => {
  const [id] = acct(["user", "list", "-o", "id"]).stdout.trim().split("\n").slice(-1);
  const words = ["user", "add", "bookkeeper@localhost", "--role", "adviser", "--password-stdin"];
  expect(acct([...words, "-o", "id"], "correct horse battery").stdout.trim()).toBe(id);
});

test.each([
  [["user", "add", "x"], "", "needs --role ROLE", 2],
  [["user", "add", "x", "--role", "boss"], "", "--role must be one of adviser", 2],
  [["user", "add", "x@x.example", "--role", "adviser"], "", "pipe it in with --password-stdin", 2],
  [["user", "add", "x", "--role", "adviser", "--password-stdin"], "long enough", "no email", 5],
  [["user", "add", "x@x", "--role", "adviser", "--password-stdin"], "short", "15 to 1024", 5],
  [["user", "add", "x@x", "--role", "adviser", "--password-stdin"], "", "holds no password", 2],
  [["user", "role", "nobody@x", "adviser"], "", "Nobody here has the address nobody@x.", 3],
  [["user", "role", "nobody@x", "boss"], "", "ROLE cannot be", 2],
  [["user", "add", "x@x", "--role", "adviser", "--invite"], "", "name it with --public-url", 2],
  [["user", "add", "x@x", "--role", "adviser", "--invite", "--password-stdin"], "", "not both", 2],
  [["user", "reset", "ana@heron.example"], "", "name it with --public-url", 2],
  [["user", "reset", "ana@heron.example", "--second-factor"], "", "There is no second factor.", 5],
  [["serve", "--second-factor", "required"], "", "give --second-factor with --pages", 2],
  [["serve", "--second-factor", "all"], "", "required", 2],
  [["user", "reset", "nobody@x", "--public-url", "https://x.example"], "", "Nobody here", 3],
  [["user", "password", "nobody@x", "--password-stdin"], "long enough", "Nobody here", 3],
  [["app", "add", "X", "--kind", "web"], "", "needs a --redirect-uri", 2],
  [["app", "add", "X", "--redirect-uri", "http://x.example"], "", "must begin with https", 5],
  [["user", "add", "x@x", "--role", "adviser", "--base-url", "http://x/"], "", "is a service", 2],
] as const)("acct %j is refused with the reason", (words, input, sentence, status) => {
  const refused = acct(words, input);
  expect(refused.stderr).toContain(sentence);
  expect(refused).toMatchObject({ status, stdout: "" });
});

test("a public app is printed without a secret, and an app with a secret can get a new one", () => {
  const desk = acct([
    ...["app", "add", "Desk", "--kind", "pkce", "-o", "json"],
    ...["--redirect-uri", "http://127.0.0.1/back", "--redirect-uri", "nz.example.desk:/back"],
  ]);
  expect(desk).toMatchObject({ status: 0, stderr: "" });
  const app = JSON.parse(desk.stdout);
  expect(app).toMatchObject({
    Kind: "pkce",
    RedirectURIs: "http://127.0.0.1/back nz.example.desk:/back",
  });
  expect(app.ClientSecret).toBeUndefined();
  expect(acct(["app", "secret", "Desk", "--yes"])).toMatchObject({ status: 5 });
  const made = JSON.parse(acct(["app", "add", "Robot", "-o", "json"]).stdout);
  expect(made.Kind).toBe("machine");
  const renewed = JSON.parse(acct(["app", "secret", "robot", "--yes", "-o", "json"]).stdout);
  expect(renewed.ClientID).toBe(made.ClientID);
  expect(renewed.ClientSecret).toMatch(/^[\w-]{43}$/);
  expect(renewed.ClientSecret).not.toBe(made.ClientSecret);
});

test.each(["books.example", "https://books.example/api", "ftp://x", "https://a@x"])(
  "acct serve --public-url %s is refused",
  (url) => {
    const refused = acct(["serve", "--port", "0", "--public-url", url]);
    expect(refused.stderr).toContain("--public-url takes an address such as https://books.example");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
  },
);
