/** The settings of a server: flags, variables, secrets in files, and its configuration file. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ajv from "ajv/dist/2020.js";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../../../src/cli/serving/config-schema.ts";
import { acct } from "../line.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "acct-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o644 });
  }
  return folder;
}

/** Prints the settings of a configuration file, with `FOLDER` for its folder. */
async function settingsOf(
  yaml: string,
  { flags = [], env = {}, files = {}, mode = 0o600 }: Asked = {},
) {
  const folder = folderOf({ "server.yaml": yaml, ...files });
  const path = join(folder, "server.yaml");
  chmodSync(path, mode);
  const own = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text.replace("FOLDER", folder)]),
  );
  const words = ["serve", "--config", path, "--print-config", ...flags];
  const { code, stdout, stderr } = await acct(words, {}, { env: own });
  const shown = (text: string) => text.replaceAll(`${folder}/`, "").trim();
  return { code, said: shown(stderr), lines: shown(stdout).split("\n") };
}

interface Asked {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: number;
}

const bomb = ["a: &a [x, x]", "b: &b [*a, *a, *a]", "c: &c [*b, *b, *b]", "host: *c"].join("\n");

test.each([
  [
    "an unknown key, with the nearest known one",
    "prot: 1",
    "line 1: there is no setting prot. Did you mean port?",
  ],
  [
    "a key of a secret that is none",
    "smptFile: x",
    "line 1: there is no setting smptFile. Did you mean smtpFile?",
  ],
  ["a key twice", "port: 1\n\nport: 2", "line 3: port is said twice; see line 1."],
  [
    "a key twice in both of its spellings",
    "drain: 1\ntrusted-proxies: loopback\ntrustedProxies: loopback",
    "line 3: trustedProxies is said twice; see line 2.",
  ],
  [
    "two settings that contradict each other",
    "noRateLimit: true\nrateLimit: minute=1",
    "line 2: rateLimit contradicts noRateLimit; see line 1.",
  ],
  [
    "two places of books",
    "book: a.acct\ndata: books",
    "line 2: data contradicts book; see line 1.",
  ],
  [
    "a word for a number",
    "host: ::1\nport: many",
    'line 2: port: takes a number from 0 to 65535, not "many".',
  ],
  [
    "a number too large",
    "metricsPort: 65536",
    'line 1: metricsPort: takes a number from 0 to 65535, not "65536".',
  ],
  ["a word for true or false", "pages: yes", 'line 1: pages takes true or false, not "yes".'],
  ["a switch with nothing behind it", "pages:", "line 1: pages has no value."],
  ["a null", "host: null", "line 1: host has no value."],
  [
    "a map for a value",
    "host:\n  name: x",
    "line 1: a setting is one line, such as port: 9320, or a list of words.",
  ],
  [
    "a list of lists",
    "trustedProxies: [[loopback]]",
    "line 1: a setting is one line, such as port: 9320, or a list of words.",
  ],
  [
    "a list instead of settings",
    "- port",
    "line 1: a setting is one line, such as port: 9320, or a list of words.",
  ],
  [
    "a sentence instead of settings",
    "port 9320",
    "line 1: a setting is one line, such as port: 9320, or a list of words.",
  ],
  [
    "tabs at the beginning of a line",
    "host: x\n\tport: 1",
    "line 2: tab characters must not be used in indentation.",
  ],
  ["aliases of aliases", bomb, "line 1: anchors, aliases and tags are not read."],
  ["a tag", "host: !!js/function x", "line 1: anchors, aliases and tags are not read."],
  [
    "lists nested a thousand times",
    `host: ${"[".repeat(1000)}`,
    "line 1: nesting exceeded maxDepth (8).",
  ],
  [
    "a second document",
    "port: 1\n---\nport: 2",
    "line 1: only one document is read; take --- out.",
  ],
  ["text after a quote", 'host: "a" b', "line 1: bad indentation of a mapping entry."],
  ["a byte of zero", "host: a\0b", "line 1: null byte is not allowed in input."],
  [
    "a file of a secret that is not there",
    "smtpFile: gone",
    "line 1: smtpFile: There is no file gone.",
  ],
  [
    "an address of a mail server that is none, without showing it",
    "smtp: http://u:secret@h",
    "line 1: smtp: takes smtp://user:password@host:587 or smtps://….",
  ],
  [
    "an address of a database that is none, without showing it",
    "database: u:secret@h/x",
    "line 1: database: takes postgres://user@host/database.",
  ],
])("a configuration file is refused that has %s", async (_what, yaml, said) => {
  expect(await settingsOf(yaml)).toEqual({
    code: 2,
    said: `acct: server.yaml, ${said}`,
    lines: [""],
  });
});

test.each([
  ["of 10 MB", "#".repeat(10_000_000), "server.yaml has more than 256 KiB: it is not read."],
  ["that is a folder", undefined, "server.yaml is a folder, not a file."],
])("a configuration file %s is refused", async (_what, text, said) => {
  const folder = folderOf(text === undefined ? {} : { "server.yaml": text });
  const path = join(folder, "server.yaml");
  if (text === undefined) mkdirSync(path);
  const { code, stderr } = await acct(["serve", "--config", path, "--check"]);
  expect([code, stderr.replace(`${folder}/`, "")]).toEqual([2, `acct: ${said}\n`]);
});

test("a configuration file with a byte order mark and line ends of Windows is read like any other", async () => {
  const { code, lines } = await settingsOf("\ufeffport: 1\r\n# told\r\nlog: off\r\n");
  expect(code).toBe(0);
  expect(lines).toEqual(
    expect.arrayContaining(["port: 1  # server.yaml, line 1", "log: off  # server.yaml, line 3"]),
  );
  expect((await settingsOf("# nothing yet\n")).code).toBe(0);
});

test("flags count before variables, and variables before the configuration file", async () => {
  const yaml =
    "port: 1\nhost: ::1\npublicUrl: https://file.example\nrateLimit: minute=1\nbook: a.acct";
  const { lines } = await settingsOf(yaml, {
    flags: ["--port=2", "--no-rate-limit", "--drain", "5"],
    env: { ACCT_PUBLIC_URL: "https://env.example", ACCT_DATA: "books" },
  });
  expect(lines.filter((line) => !line.includes("usual"))).toEqual([
    "data: books  # ACCT_DATA",
    "publicUrl: https://env.example  # ACCT_PUBLIC_URL",
    "port: 2  # --port",
    "host: ::1  # server.yaml, line 2",
    "noRateLimit: true  # --no-rate-limit",
    "drain: 5  # --drain",
  ]);
  expect(lines.some((line) => line.startsWith("rateLimit:"))).toBe(false);
});

test("a list of words is the same as the words with commas, and a path is one from the file's folder", async () => {
  const yaml = "trusted-proxies:\n  - loopback\n  - 10.0.0.0/8\ndata: books";
  const { lines } = await settingsOf(yaml);
  expect(lines).toContain("trustedProxies: loopback,10.0.0.0/8  # server.yaml, line 1");
  expect(lines).toContain("data: books  # server.yaml, line 4");
});

test("a secret in a configuration file that others may read is refused, and is never printed", async () => {
  const open = await settingsOf("port: 1\nsmtp: smtp://u:p@mail", { mode: 0o644 });
  expect(open).toMatchObject({
    code: 2,
    said: "acct: server.yaml, line 2: smtp is secret, and others may read this file: put it into a file of its own, named by smtpFile, or chmod 600 server.yaml.",
  });
  const { lines } = await settingsOf("smtp: smtp://u:p@mail");
  expect(lines).toContain("smtp: (from server.yaml, line 1)");
  const files = { secret: "smtp://u:p@mail\r\n" };
  const filed = await settingsOf("smtpFile: secret", { files, mode: 0o644 });
  expect(filed.lines).toContain("smtp: (from secret)");
  expect(await settingsOf("smtpFile: secret\nsmtp: smtp://mail", { files })).toMatchObject({
    code: 2,
    said: "acct: server.yaml, line 2: smtp is said twice; see line 1.",
  });
});

test.each([
  ["is empty", "\n", "is empty: it should hold the secret alone."],
  ["has several lines", "a\nb\n", "has several lines: it should hold the secret alone."],
])("a file of a secret is refused that %s", async (_what, secret, said) => {
  const asked = { env: { ACCT_SMTP_URL_FILE: "FOLDER/secret" }, files: { secret } };
  expect(await settingsOf("", asked)).toMatchObject({
    code: 2,
    said: `acct: The file secret ${said}`,
  });
});

test("a secret comes from the file that a variable names, or from a credential of systemd", async () => {
  const files = { secret: "smtp://u:p@mail\n", smtp: "smtp://u:p@other" };
  const named = await settingsOf("", { files, env: { ACCT_SMTP_URL_FILE: "FOLDER/secret" } });
  expect(named.lines).toContain("smtp: (from secret)");
  const given = { ACCT_SMTP_URL_FILE: "FOLDER/secret", ACCT_SMTP_URL: "smtp://mail" };
  expect(await settingsOf("", { files, env: given })).toMatchObject({
    code: 2,
    said: "acct: ACCT_SMTP_URL and ACCT_SMTP_URL_FILE both say it; give one of them.",
  });
  const credentials = await settingsOf("", { files, env: { CREDENTIALS_DIRECTORY: "FOLDER" } });
  expect(credentials.lines).toContain("smtp: (from smtp)");
  const none = await settingsOf("", { env: { CREDENTIALS_DIRECTORY: "FOLDER" } });
  expect(none.lines.filter((line) => line.startsWith("smtp"))).toEqual([]);
  const lost = await settingsOf("", { env: { ACCT_DATABASE_FILE: "FOLDER/gone" } });
  expect(lost).toMatchObject({ code: 2, said: "acct: There is no file gone." });
});

test("the JSON Schema takes every setting and refuses other keys and types", () => {
  const validate = new ajv.default().compile(configSchema());
  expect(validate({ port: 9320, pages: true, trustedProxies: ["loopback"], smtpFile: "x" })).toBe(
    true,
  );
  expect(validate({ "rate-limit": "minute=1", rateLimitStatus: 429, log: "json" })).toBe(true);
  for (const wrong of [{ prot: 1 }, { pages: "yes" }, { port: "many" }, { log: "loud" }, []]) {
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false);
  }
});
