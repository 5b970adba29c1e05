/** The table of nouns and verbs in the reference is that of the command tree; `-u` writes it anew. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type TreeNode, wholeTree } from "../cli/tree.ts";
import { sessionsOf } from "../support/console.ts";

const page = fileURLToPath(new URL("../../docs/reference.md", import.meta.url));
const row = /^\| `([a-z-]+)`[^|]*\|(?:[^|]*\|) (.*) \|$/;

/** `list show`, and of a group below its own verbs after its name. */
function verbsOf(node: TreeNode): string {
  if (node.kind === "command") return "";
  const own = node.children.flatMap(({ name, kind }) =>
    kind === "command" && !name.startsWith("_") ? [name] : [],
  );
  const below = node.children.filter((child) => child.kind === "group");
  const groups = below.map((child) => `, \`${child.name}\` ${verbsOf(child)}`);
  return `${own.length === 0 ? "" : `\`${own.join(" ")}\``}${groups.join("")}`;
}

test("the table of the reference lists exactly the existing nouns and verbs of the command line", async () => {
  const document = readFileSync(page, "utf8");
  const begins = document.indexOf("| noun | verbs |");
  const ends = document.indexOf("\n\n", begins);
  const notes = new Map(
    document
      .slice(begins, ends)
      .split("\n")
      .flatMap((line) => {
        const [, noun = "", note = ""] = row.exec(line) ?? [];
        return noun === "" ? [] : [[noun, note]];
      }),
  );
  const rows = (await wholeTree()).children.map((noun) => {
    const short = noun.aliases.filter((alias) => !alias.startsWith(noun.name));
    const also = short.length === 0 ? "" : ` (\`${short.join("`, `")}\`)`;
    return `| \`${noun.name}\`${also} |${verbsOf(noun).replace(/^(?=.)/, " ")} | ${notes.get(noun.name) ?? noun.summary} |`;
  });
  const table = ["| noun | verbs | |", "| --- | --- | --- |", ...rows].join("\n");
  const written = `${document.slice(0, begins)}${table}${document.slice(ends)}`;
  await expect(written).toMatchFileSnapshot(page);
});

const pages = ["README.md", ...globSync("docs/*.md")];

test("the page of the jobs of a month says how many commands each job takes", () => {
  const document = readFileSync("docs/month.md", "utf8");
  const said = [...document.matchAll(/^\| \[(.+)\]\(#(.+)\) \| (\d+) \|$/gm)];
  const taken = sessionsOf(document).filter(({ heading }) => heading !== "The jobs of a month");
  const counts = taken.map(({ heading, steps }) => [
    heading,
    heading.toLowerCase().replaceAll(" ", "-"),
    String(steps.length),
  ]);
  expect(said.map(([, ...row]) => row)).toEqual(counts);
});

test.each(pages)(
  "files shown in %s have their name in a command that creates them, and not in a comment",
  (name) => {
    expect(readFileSync(name, "utf8")).not.toMatch(/^```\w+\n\/\/ \S+\.\w+\n/m);
  },
);

test.each(pages)("a section of %s with measured times names the benchmark", (name) => {
  const measured =
    /\d (?:ms|µs|s of the processor)\b|\d\/s\b|\bmilliseconds? (?:and|to)\b|\d [a-z]+ a second\b/;
  const sections = readFileSync(name, "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/^#+ /m);
  for (const section of sections.filter((each) => measured.test(each))) {
    expect(section).toMatch(/npm run bench|node bench\/|performance\.md/);
  }
});

test.each(pages)("the benchmarks named in %s exist", (name) => {
  const document = readFileSync(name, "utf8");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const [, script = ""] of document.matchAll(/npm run (bench[:a-z-]*)/g)) {
    expect(scripts).toHaveProperty([script]);
  }
  for (const [path] of document.matchAll(/\bbench\/[a-z-]+\.ts/g))
    expect(existsSync(path)).toBe(true);
});
