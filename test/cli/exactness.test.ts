/** A command that writes takes whole names alone: a beginning of one is refused, and nothing changes. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Command, Context } from "../../src/cli/context/context.ts";
import { tellOf } from "../../src/cli/shared/find-by-name.ts";
import { createDemoBook } from "../../src/service/books/demo.ts";
import { newDesk } from "./real.ts";
import { walk, wholeTree } from "./tree.ts";

const { acct, home } = newDesk();

/** The beginning of the number or name of one record of the sample company, by what a flag refers to. */
const beginnings: Readonly<Record<string, string>> = {
  account: "Advertis",
  asset: "FA-000",
  bill: "S-11",
  "bank-rule": "Ren",
  branding: "Stand",
  "branding-theme": "Stand",
  contact: "Kauri Hot",
  "contact-group": "Wholesal",
  "credit-note": "CN-000",
  employee: "Rei",
  invoice: "INV-020",
  item: "LAM",
  "purchase-order": "PO-000",
  quote: "QU-000",
  "tax-rate": "15% GST on Inc",
  theme: "Stand",
  tracking: "Stud",
  "tracking-category": "Stud",
};

interface Case {
  readonly what: string;
  readonly line: string;
}

const wordsOf = (line: string) => line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
const quotedWords = (words: readonly string[]) => words.join(" ").replaceAll('"', "'");

/** The command lines of a command with a beginning in place of each record that it names. */
function casesOf(path: readonly string[], { args, flags, examples }: Command): Case[] {
  const plain = examples.filter((each) => each.startsWith("acct ") && !/[<>|$]/.test(each));
  const example = plain.find((each) => !/\.(png|json|csv) /.test(each)) ?? plain[0];
  if (example === undefined) return [];
  // The usual verb of a noun may be left out.
  const own = wordsOf(example).slice(1);
  const words = own.slice(own.findIndex((word, at) => word !== path[at]));
  const line = (typed: readonly string[]) => quotedWords([...path, ...typed, "--yes"]);
  const first = words.findIndex((word) => !word.startsWith("-"));
  const ofArgs = args.slice(0, 1).flatMap(({ name, live }): Case[] => {
    const start = beginnings[live ?? ""];
    if (start === undefined || first < 0) return [];
    const typed = words.map((word, at) => (at === first ? `'${start}'` : word));
    return [{ what: `${path.join(" ")} ${name}`, line: line(typed) }];
  });
  const ofFlags = flags.flatMap(({ name, live, refers, placeholder }): Case[] => {
    const start = beginnings[refers ?? live ?? ""];
    if (start === undefined || placeholder === undefined) return [];
    const at = words.indexOf(`--${name}`);
    const others = at < 0 ? words : words.filter((_, place) => place !== at && place !== at + 1);
    return [
      { what: `${path.join(" ")} --${name}`, line: line([...others, `--${name}`, `'${start}'`]) },
    ];
  });
  return [...ofArgs, ...ofFlags];
}

const cases = [...walk(await wholeTree())].flatMap(({ path, node }) =>
  node.kind === "command" && (node.writes || node.alters) ? casesOf(path, node) : [],
);

/** What has a name, of which a beginning is taken; documents have numbers. */
const named = new Set([
  "account",
  "contact",
  "contact-group",
  "item",
  "tracking",
  "tracking-category",
]);

/** The command lines of a command that reads, with a beginning in place of each named record. */
function readingCases(path: readonly string[], { args, flags, examples }: Command): Case[] {
  const plain = examples.filter((each) => !/[<>|$]/.test(each));
  const own = wordsOf(plain.toSorted((a, b) => a.length - b.length)[0] ?? "").slice(1);
  const words = own.slice(path.findIndex((word, at) => word !== own[at]) + 1 || path.length);
  const typed = words.filter((word, at) => at > 0 || word.startsWith("-"));
  const line = (...each: readonly string[]) => quotedWords([...path, ...each]);
  const start = ({ refers, live }: { refers?: string; live?: string }) =>
    named.has(refers ?? live ?? "") ? beginnings[refers ?? live ?? ""] : undefined;
  const ofArg = args.slice(0, 1).flatMap(({ name, live = "", optional }): Case[] => {
    const begun = name === "FIGURE" ? undefined : start({ live });
    return begun === undefined
      ? []
      : [
          {
            what: `${path.join(" ")} ${name}`,
            line: line(`'${begun}'`, ...(optional ? [] : typed)),
          },
        ];
  });
  const ofFlags = flags.flatMap((flag): Case[] => {
    const begun = start(flag as { refers?: string; live?: string });
    if (begun === undefined) return [];
    const at = words.indexOf(`--${flag.name}`);
    const others = at < 0 ? words : words.filter((_, place) => place !== at && place !== at + 1);
    return [
      {
        what: `${path.join(" ")} --${flag.name}`,
        line: line(...others, `--${flag.name}`, `'${begun}'`),
      },
    ];
  });
  return [...ofArg, ...ofFlags];
}

const reading = [...walk(await wholeTree())].flatMap(({ path, node }) =>
  node.kind === "command" && !node.writes && !node.alters ? readingCases(path, node) : [],
);

// A statement is read where it is not sent.
reading.push({ what: "report statement CONTACT", line: "report statement 'Kauri Hot'" });

const last = async () => (await acct("log --limit 1 -o csv --columns Number")).stdout;

describe("the beginning of a name", () => {
  let before: string;
  beforeAll(async () => {
    await createDemoBook(join(home, "a.acct"));
    before = await last();
  });

  test.each(cases)("is refused as $what", async ({ line }) => {
    const { code, stderr } = await acct(line, { daysLater: 260 });
    expect({ line, code, stderr }).toEqual({
      line,
      code: 3,
      stderr: expect.stringMatching(/There is no/),
    });
  });

  describe("on a terminal", () => {
    beforeAll(() => {
      vi.spyOn(process.getBuiltinModule("node:tty"), "isatty").mockReturnValue(true);
      const { fstatSync } = fs;
      const character = { isCharacterDevice: () => true } as fs.Stats;
      vi.spyOn(fs, "fstatSync").mockImplementation(((descriptor: number, ...more: []) =>
        descriptor < 3 ? character : fstatSync(descriptor, ...more)) as typeof fs.fstatSync);
      syncBuiltinESMExports();
    });
    afterAll(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });

    test.each(reading)("is taken as $what, which says what it fits", async ({ line }) => {
      const { stderr } = await acct(line, { daysLater: 260 });
      expect({ line, stderr }).toEqual({
        line,
        stderr: expect.stringMatching(
          /(?:Account|Contact|Contact group|Item|Tracking category) ".+": /,
        ),
      });
    });
  });

  test("is taken on a terminal by commands that read, and by none that writes", () => {
    const at = (writes: boolean, input: boolean) =>
      tellOf({ writes, flags: { input }, out: { say: () => undefined } } as unknown as Context);
    expect([at(false, true), at(false, false), at(true, true), at(true, false)]).toEqual([
      expect.any(Function),
      ...[undefined, undefined, undefined],
    ]);
  });

  test("has changed nothing, anywhere", async () => {
    expect(await last()).toBe(before);
  });
});
