/** Bank statements uploaded in the browser: lines in doubt, limits, and who may upload. */
import { beforeEach, expect, test } from "vitest";
import { answerPage } from "../../src/web/books/answer-page.ts";
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

test("readers who may not change the books are not offered the upload of statements, and are refused", async () => {
  const reading = browsing(given, { allows: (method) => method === "GET" });
  expect((await reading.see("/bank")).html).not.toContain("Upload a statement");
  expect((await pages.see("/bank")).html).toContain("Upload a statement");
  expect((await reading.see("/bank/upload")).status).toBe(403);
  expect((await sent({}, file("X"), reading)).status).toBe(403);
  expect(await lines()).toEqual([]);
});
