/** What of the program each command of every day loads and runs: less is a faster start. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { markedProgram, type Ran } from "../../bench/modules.ts";

const list = ["--demo", "invoice", "list"];
const line = ["--line", "description=x,quantity=1,unit-amount=1"];
const commands = [
  ["--demo", "invoice", "show", "INV-0115"],
  ["--demo", "account", "list"],
  ["--demo", "contact", "list"],
  ["--demo", "report", "pl"],
  ["--demo", "status"],
  ["--demo", "invoice", "create", "--contact", "Bayside Gallery", ...line, "--dry-run"],
  ["completion", "_answer", "fish", "--", "invoice", "list", "--st"],
];

test("commands of every day load and run the listed parts of the program and no others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-modules-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = await markedProgram(folder);
  run(list); // Makes the sample company.
  const first = run(list);
  const known = modulesOf(first);
  const text = [described(list, first, known)];
  for (const words of commands) {
    const ran = run(words);
    const modules = modulesOf(ran);
    text.push(
      described(words, ran, [
        ...modules.filter((name) => !known.includes(name)).map((name) => `+ ${name}`),
        ...known.filter((name) => !modules.includes(name)).map((name) => `- ${name}`),
      ]),
    );
  }
  await expect(text.join("\n")).toMatchFileSnapshot("../golden/start-up-modules.txt");
});

/** The modules of the project by their paths, those of a package as one. */
const modulesOf = ({ modules }: Ran): readonly string[] =>
  [
    ...new Set(
      modules.map(({ name }) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name),
    ),
  ].sort();

/** A command, its files, and its modules; those of all but the first as differences from it. */
const described = (words: readonly string[], { files }: Ran, modules: readonly string[]): string =>
  [
    `acct ${words.join(" ")}`,
    ...[...files].sort().map((name) => `file ${name}`),
    ...modules,
    "",
  ].join("\n");
