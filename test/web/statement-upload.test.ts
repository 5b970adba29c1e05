/** Bank statements uploaded in the browser: lines in doubt, limits, and who may upload. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { answerPage } from "../../src/web/books/answer-page.ts";
import { inFields } from "../../src/web/frame/router.ts";
import { type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

/** Sends the form, with a file or with the one that it holds. */
async function sent(
  fields: Readonly<Record<string, string>>,
  content?: string | Uint8Array,
  own: Browsing = pages,
) {
  const form = new URLSearchParams({ token: formToken, account: "090", ...fields });
  const bytes = Buffer.from(content ?? "");
  const file = { name: "m.csv", mimeType: "text/csv", bytes };
  const files = content === undefined ? [] : [file];
  const { status, headers, body } = await answerPage(
    own.site,
    {
      ...{ method: "POST", path: "/bank/upload", query: new URLSearchParams(), form },
      upload: async () => ({ form, files }),
    },
    (bug) => own.bugs.push(bug),
  );
  return {
    status,
    location: headers.location ?? "",
    html: String(body),
    text: textOf(String(body)),
  };
}

/** The hidden fields of a page that hold the file. */
const heldIn = (html: string) =>
  Object.fromEntries(
    ["name", "file"].map((name) => [
      name,
      new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "",
    ]),
  );

const lines = async (): Promise<Json[]> =>
  (await given.ok("GET", "/Extensions/BankStatementLines")).BankStatementLines;
const file = (text: string) => `Date,Details,Amount\n2026-03-17,${text},-57.50\n`;

test.each([
  ["", 1, 0],
  ["skip", 1, 1],
  ["add", 2, 0],
])(
  "a line that may be in the book already is asked about before an import; by the answer %j there are %i lines, %i of the file known",
  async (answer, count, known) => {
    const first = await sent({}, file("TIMBER"));
    expect((await sent({ ...heldIn(first.html), do: "import" })).location).toContain("added=1");
    const again = await sent({}, file("YARD NELSON"));
    expect(again.text).toContain("17 Mar 2026, -57.50, YARD NELSON: is it TIMBER?");
    const doubt = /name="(doubt:[^"]+)"/.exec(again.html)?.[1] ?? "";
    const done = await sent({ ...heldIn(again.html), [doubt]: answer, do: "import" });
    expect(done.location).toContain(`added=${count - 1}&known=${known}&`);
    expect(await lines()).toHaveLength(count);
  },
);

test("what a column is read as is said in words", async () => {
  const { html } = await sent(
    {},
    "Date,Value Date,Details,Amount\n2026-03-17,2026-03-18,X,-57.50\n",
  );
  expect(textOf(html)).toContain("account of the payee");
  const shown = [...html.matchAll(/<option value="[^"]*"[^>]*>([^<]*)<\/option>/g)].map(
    ([, text]) => text,
  );
  expect(shown).toContain("value date");
  expect(shown.filter((text) => /[a-z][A-Z]/.test(text ?? ""))).toEqual([]);
});

test.each([
  ["no file at all", undefined, {}, "Choose one file."],
  ["a file that was changed in the form", undefined, { file: "AAAA" }, "Choose the file again."],
  ["a setting that is none", file("X"), { "say:0": "--delimiter dot" }, "Choose an answer"],
  ["an account that is none", file("X"), { account: "404x" }, "404x"],
  ["an account of no bank", file("X"), { account: "200" }, "is no bank account"],
  [
    "a file that is too large for a page",
    Uint8Array.from({ length: 400_000 }, (_, at) => Math.imul(at, 0x9e3779b1) >>> (at % 24)),
    {},
    "acct bank import takes it",
  ],
])("the form refuses %s with words, and keeps nothing", async (_, content, fields, words) => {
  const { status, text } = await sent(
    { do: "import", ...fields } as Record<string, string>,
    content,
  );
  expect([status, text]).toEqual([400, expect.stringContaining(words)]);
  expect(await lines()).toEqual([]);
});

test("a file with a line more than a year ahead is refused, also where it is sent again", async () => {
  const { html, text } = await sent({}, file("X").replace("2026-", "2062-"));
  expect(text).toContain("It has a line of 17 Mar 2062, more than a year after today");
  await sent({ ...heldIn(html), do: "import" });
  expect(await lines()).toEqual([]);
});

const balances = "Date,Details,Amount,Balance\n2026-03-17,A,5.00,15.00\n2026-03-18,B,1.00,26.00\n";
const twice = `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>NZD<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260317<TRNAMT>-5.00<FITID>b1<NAME>A</STMTTRN>".repeat(2)}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

test.each([
  [
    "lines that do not make the balances",
    balances,
    "10.00 are missing. Choose Lines that do not make the balances are taken as they are balance is not read",
  ],
  [
    "cells parted in two ways",
    "2026-03-17,-5.00,A;2026-03-17;-5.00\n",
    "Choose Between cells stands a comma Between cells stands a semicolon",
  ],
  [
    "rows that are longer than the heading",
    "Date,Amount\n2026-03-17,A,-5.00\n",
    "the heading has 2. Choose Between cells stands a comma",
  ],
  ["no heading", "a,b\n2026-03-17,x\n", "Which columns are the day and the amount?"],
  [
    "a transaction that comes twice",
    twice,
    "it is taken once. “Lines that do not make the balances are taken as they are” takes both.",
  ],
])(
  "a file with %s is asked about in the words of the form, without flags",
  async (_, content, words) => {
    const { text } = await sent({}, content);
    expect(text).toContain(words);
    expect(text).not.toMatch(/--[a-z]/);
  },
);

test("a file whose lines do not make its balances is imported once the form says that they are taken", async () => {
  const { html } = await sent({}, balances);
  const answer = { "say:0": "--allow-gap" };
  const read = await sent({ ...heldIn(html), ...answer });
  expect(read.text).toContain("2 new lines");
  await sent({ ...heldIn(html), said: "--allow-gap", do: "import" });
  expect(await lines()).toHaveLength(2);
});

test("columns without headings are named in one field of the form", async () => {
  const { html } = await sent({}, "a,b,c\n2026-03-17,-5.00,A\n2026-03-18,-6.00,B\n");
  const read = await sent({ ...heldIn(html), "type:--map:0": "date=1, amount=2, text=3" });
  expect(read.text).toContain("2 new lines");
});

test("no sentence of a refusal names a flag on a page, but within a command", () => {
  const rules = readFileSync("test/golden/refusals-by-rule.txt", "utf8");
  const shown = inFields(rules.replaceAll("…", "X"));
  const flagged = shown.split("\n").filter((line) => /--[a-z]/.test(line));
  expect(flagged.filter((line) => !/\bacct \S+ [^.;]*--[a-z]/.test(line))).toEqual([]);
  expect(inFields("It is (--allow-gap takes it); acct bank import --map x=1 does not.")).toBe(
    "It is (“allow gap” takes it); acct bank import --map x=1 does not.",
  );
});

test("readers who may not change the books are not offered the upload of statements, and are refused", async () => {
  const reading = browsing(given, { allows: (method) => method === "GET" });
  expect((await reading.see("/bank")).html).not.toContain("Upload a statement");
  expect((await pages.see("/bank")).html).toContain("Upload a statement");
  expect((await reading.see("/bank/upload")).status).toBe(403);
  expect((await sent({}, file("X"), reading)).status).toBe(403);
  expect(await lines()).toEqual([]);
});
