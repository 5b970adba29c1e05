/** Every verb with `-o json`: it prints records or a report, or says in JSON what it did. */
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command } from "../../../src/cli/context/context.ts";
import { walk, wholeTree } from "../tree.ts";
import { elsewhere, everyLine } from "./every-line.ts";
import { type PlannedLine, plannedFiles } from "./lines.ts";
import { acct, done, home, prepared, sample } from "./sample-copies.ts";

const verbs = [...walk(await wholeTree())].flatMap(({ path, node }) =>
  node.kind === "command" && !node.name.startsWith("_")
    ? [{ verb: path.join(" "), examples: (node as Command).examples }]
    : [],
);

const folder = process.cwd();
// Files that are named by their document go into the folder of the moment.
beforeAll(() => process.chdir(home));
afterAll(() => process.chdir(folder));

test("the tested command lines use existing verbs", () => {
  const known = verbs.map(({ verb }) => verb);
  const named = [...Object.keys(everyLine), ...Object.keys(elsewhere)];
  expect(named.filter((verb) => !known.includes(verb))).toEqual([]);
});

const here = verbs.filter(({ verb }) => !Object.hasOwn(elsewhere, verb));

/** Runs a verb on a copy of the sample company, after what it needs. */
async function ran({ verb, examples }: (typeof verbs)[number], flags: string, plant?: Plant) {
  for (const name of readdirSync(home)) {
    const isKept = Object.hasOwn(plannedFiles, name) || name === "sample.acct";
    if (!isKept) rmSync(join(home, name), { recursive: true });
  }
  const given: PlannedLine = everyLine[verb] ?? { line: lineOf(examples) };
  const stem = join(home, `${verb.replaceAll(" ", "-")}${flags.length}`);
  const book = `${stem}.acct`;
  if (given.country === undefined) copyFileSync(sample, book);
  else await done(book, `init --name Kiln --country ${given.country}`);
  if (given.elsewhere !== undefined) {
    const other = `${stem}-other.acct`;
    copyFileSync(book, other);
    await prepared(other, given.elsewhere);
  }
  const names = await prepared(book, given.before ?? []);
  plant?.(book);
  return acct(book, `${given.line}${flags}`, names);
}

type Plant = (book: string) => void;

describe("commands with -o json", () => {
  test.each(here)("acct $verb -o json succeeds and prints an answer", async (verb) => {
    const { code, stdout, stderr } = await ran(verb, " -o json");
    // Lines that are left to a person end with 7.
    expect([0, 7], stderr).toContain(code);
    expect(stdout.trim(), "what is printed").not.toBe("");
  });
});

const escapes = "\x1b[31mred\x1b]0;title\x07\x9b1m\r";

/** Puts escapes of terminals into texts that the command line itself would refuse. */
const plantEscapes: Plant = (book) => {
  const database = new DatabaseSync(book);
  for (const [table, column] of [
    ["organisation", "name"],
    ["account", "name"],
    ["item", "name"],
    ["bank_statement_line", "payee"],
    ["contact", "first_name"],
    ["document", "reference"],
    ["operation", "command"],
    ["history", "details"],
  ]) {
    database.prepare(`update ${table} set ${column} = coalesce(${column}, '') || ?`).run(escapes);
  }
  database.close();
};

describe("commands on a book with escape sequences in its texts", () => {
  test.each(here)("acct $verb prints no escape sequence stored in the book", async (verb) => {
    const { stdout, stderr } = await ran(verb, "", plantEscapes);
    // Paper is bytes of its own.
    if (stdout.startsWith("%PDF-")) return;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
    expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  });
});

/** An example without the output that it asks for. */
function lineOf([example = ""]: readonly string[]): string {
  const line = example.slice(example.search(/\bacct /) + "acct ".length).split(/ \| | > /)[0] ?? "";
  return line.replace(/ (?:-o|--output-file) \S+/g, "");
}
