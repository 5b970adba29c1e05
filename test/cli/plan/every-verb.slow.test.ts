/** Every verb with `-o json`: it prints records or a report, or says in JSON what it did. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command } from "../../../src/cli/framework/context.ts";
import { walk, wholeTree } from "../tree.ts";
import { elsewhere, everyLine } from "./every-line.ts";
import type { PlannedLine } from "./lines.ts";
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

test("the lines are of verbs that there are", () => {
  const known = verbs.map(({ verb }) => verb);
  const named = [...Object.keys(everyLine), ...Object.keys(elsewhere)];
  expect(named.filter((verb) => !known.includes(verb))).toEqual([]);
});

describe("prints with -o json", () => {
  test.each(verbs.filter(({ verb }) => !Object.hasOwn(elsewhere, verb)))(
    "acct $verb",
    async ({ verb, examples }) => {
      const given: PlannedLine = everyLine[verb] ?? { line: lineOf(examples) };
      const stem = join(home, verb.replaceAll(" ", "-"));
      const book = `${stem}.acct`;
      if (given.country === undefined) copyFileSync(sample, book);
      else await done(book, `init --name Kiln --country ${given.country}`);
      if (given.elsewhere !== undefined) {
        const other = `${stem}-other.acct`;
        copyFileSync(book, other);
        await prepared(other, given.elsewhere);
      }
      const names = await prepared(book, given.before ?? []);
      const { code, stdout, stderr } = await acct(book, `${given.line} -o json`, names);
      // Lines that are left to a person end with 7.
      expect([0, 7], stderr).toContain(code);
      expect(stdout.trim(), "what is printed").not.toBe("");
    },
  );
});

/** An example without the output that it asks for. */
function lineOf([example = ""]: readonly string[]): string {
  const line = example.slice(example.search(/\bacct /) + "acct ".length).split(/ \| | > /)[0] ?? "";
  return line.replace(/ (?:-o|--output-file) \S+/g, "");
}
