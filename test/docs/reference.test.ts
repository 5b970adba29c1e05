/** The table of nouns and verbs in the reference is that of the command tree; `-u` writes it anew. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type TreeNode, wholeTree } from "../cli/tree.ts";

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

test("the reference has every noun and verb that there is, and no other", async () => {
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

test.each(["README.md", ...globSync("docs/*.md")])(
  "files that %s shows are made as they are pasted",
  (name) => {
    expect(readFileSync(name, "utf8")).not.toMatch(/^```\w+\n\/\/ \S+\.\w+\n/m);
  },
);
