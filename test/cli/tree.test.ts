import { describe, expect, test } from "vitest";
import { resolveRoute } from "../../src/cli/command-route.ts";
import type { Command } from "../../src/cli/context/context.ts";
import { declaredBy } from "../../src/cli/framework/command.ts";
import { globalFlags } from "../../src/cli/framework/global-flags.ts";
import { hints } from "../../src/cli/framework/hints.ts";
import { topics } from "../../src/cli/framework/topics.ts";
import { helpText, wholeText } from "../../src/cli/help.ts";
import { manualPages } from "../../src/cli/man.ts";
import { root } from "../../src/cli/nouns.ts";
import { acct } from "./line.ts";
import { walk, wholeTree } from "./tree.ts";

const tree = await wholeTree();
const nodes = [...walk(tree)];
const commands = nodes.flatMap(({ path, node }) =>
  node.kind === "command" ? [{ path, line: path.join(" "), command: node as Command }] : [],
);
const shown = commands.filter(({ command }) => !command.name.startsWith("_"));

describe("the nouns of the command line", () => {
  test.each([...root.children])(
    "the noun $name is declared with the name, aliases and summary of the table of nouns",
    async (child) => {
      const { name, aliases, summary } = await declaredBy(child);
      expect({ name, aliases, summary }).toEqual({
        name: child.name,
        aliases: child.aliases,
        summary: child.summary,
      });
    },
  );

  test("names and aliases of nouns and verbs are unique", () => {
    for (const { node } of [{ node: tree }, ...nodes]) {
      if (node.kind !== "group") continue;
      const names = node.children.flatMap(({ name, aliases }) => [name, ...aliases]);
      expect(names).toEqual([...new Set(names)]);
    }
  });

  test("the list of nouns and verbs matches the golden file", async () => {
    const list = shown.map(({ line, command }) => {
      const args = command.args.map(({ name, optional, repeat }) => {
        const word = repeat ? `${name}...` : name;
        return optional ? `[${word}]` : word;
      });
      return [line, ...args].join(" ");
    });
    await expect(`${list.join("\n")}\n`).toMatchFileSnapshot("../golden/commands.txt");
  });

  // One that is not among these declares what it changes, and is refused where nothing may be.
  test("the list of commands that change nothing matches the golden file", async () => {
    const list = commands.filter(({ command }) => !command.writes && !command.alters);
    const lines = list.map(({ line }) => line).join("\n");
    await expect(`${lines}\n`).toMatchFileSnapshot("../golden/commands-that-read.txt");
  });
});

describe("help topics and the manual page", () => {
  test.each(Object.keys(topics))(
    "acct help %s prints a text whose examples are existing commands",
    async (name) => {
      const { code, stdout } = await acct(["help", name]);
      expect([code, stdout.split("\n")[0]]).toEqual([0, `${name}: ${topics[name]?.summary}.`]);
      expect(
        stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  acct")),
      ).toEqual([]);
      expect(root.children.flatMap((child) => [child.name, ...child.aliases])).not.toContain(name);
      for (const example of topics[name]?.examples ?? []) {
        const words = example
          .split(" ")
          .slice(1)
          .filter((word) => !word.startsWith("-"));
        const { path } = await resolveRoute(words.filter((word) => !word.includes("'")));
        expect(path.length, example).toBeGreaterThan(0);
      }
    },
  );

  test("the manual page of the program names the page of each noun and topic, in at most 300 lines", async () => {
    const { code, stdout } = await acct(["help", "--man"]);
    expect([code, stdout.slice(0, 10)]).toEqual([0, '.TH "ACCT"']);
    expect(stdout.split("\n").length).toBeLessThanOrEqual(300);
    const pages = await manualPages("");
    expect(pages.get("acct")).toBe(stdout);
    for (const name of pages.keys()) {
      if (name !== "acct") expect(stdout).toContain(`.B "${name.replaceAll("-", "\\-")}(1)"`);
    }
  });

  test("the manual pages have every command, argument and flag", async () => {
    const source = [...(await manualPages("")).values()].join("");
    const text = source
      .replaceAll(" \\\n", " ")
      .replaceAll("\\-", "-")
      .replaceAll("\\(dq", '"')
      .replaceAll("\\e", "\\");
    for (const { line, command } of shown) {
      expect(text).toContain(`.SS "acct ${line}`);
      for (const { name } of command.flags)
        expect(text).toMatch(new RegExp(`--(?:\\[no-\\])?${name}\\b`));
    }
    const macros = source.split("\n").filter((line) => line.startsWith("."));
    expect(macros.filter((line) => !/^\.(?:TH|SH|SS|PP|TP|B|nf|fi)\b/.test(line))).toEqual([]);
  });

  test("the manual page of a noun has only its own verbs", async () => {
    const { stdout } = await acct(["help", "payment", "--man"]);
    expect(stdout).toMatch(/^\.TH "ACCT\\-PAYMENT"/);
    expect(stdout).toContain('.SS "acct payment apply INVOICE... [flags]"');
    expect(stdout).not.toContain("acct invoice create [flags]");
  });
});

describe("the declarations of commands", () => {
  test.each(commands)(
    "acct $line has flags with unique valid names and a summary",
    ({ command }) => {
      const names = command.flags.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      for (const { name, summary } of [
        command,
        ...command.flags.map((flag) => ({ ...flag, summary: flag.help })),
      ]) {
        expect(name).toMatch(/^_?[a-z0-9][a-z0-9-]*$/);
        expect(summary).not.toMatch(/\.$/);
      }
      // A flag of its own would take the place of a global one and change what it means everywhere;
      // where a file goes is said with the same word by commands that put it there themselves.
      const globals = globalFlags.map(({ name }) => name).filter((name) => name !== "output-file");
      expect(names.filter((name) => globals.includes(name))).toEqual([]);
      const shorts = [...globalFlags, ...command.flags].flatMap(({ short }) => short ?? []);
      expect(shorts).toEqual([...new Set(shorts)]);
      expect(shorts).not.toContain("h");
      for (const example of command.examples) expect(example).toMatch(/\bacct /);
    },
  );

  test.each(commands)("acct $line takes an idempotency key if it writes", ({ command }) => {
    const names = command.flags.map(({ name }) => name);
    expect(names.includes("idempotency-key")).toBe(command.writes);
  });

  test.each(shown)("the examples of acct $line are lines of that command", async (each) => {
    const { parse } = await import("../../src/cli/framework/parse.ts");
    const { resolveRoute: route } = await import("../../src/cli/command-route.ts");
    expect(linesOf(each.command)).not.toEqual([]);
    for (const words of linesOf(each.command)) {
      const { path, declared, rest } = await route(words);
      // `acct invoice import` is `acct import invoices`.
      const names = [each.line, each.line.replace(/^(\S+) import$/, "import $1s")];
      expect(names, words.join(" ")).toContain(path.join(" "));
      parse(path, declared as Command, rest, { today: () => "2026-03-05" });
    }
  });

  test.each(nodes.filter(({ node }) => node.kind === "group"))(
    "the help of acct $path has examples",
    ({ path, node }) => {
      expect(helpText(path, node)).toMatch(/^Examples:\n {2}\S/m);
    },
  );

  test.each(shown)("acct $line sends no request for an unknown column", async ({ command }) => {
    // Of files of their own shape, which are read after this is looked at.
    if (command.answer === "own") return;
    const [words = []] = linesOf(command);
    const { code, stderr, asked } = await acct([...words, "--yes", "--columns", "NoSuchColumn"]);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toMatch(/no column \\?"NoSuchColumn|leave --columns out/);
  });

  test.each(shown.filter(({ command }) => command.answer === "report"))(
    "acct $line -o id is refused before any request, since a report has no ids",
    async ({ command }) => {
      const [words = []] = linesOf(command);
      const isOutput = (word = "") => /^(-o|--output)$/.test(word);
      const others = words.filter((word, at) => !isOutput(word) && !isOutput(words[at - 1]));
      const { code, stderr, asked } = await acct([...others, "-o", "id"]);
      expect([code, asked]).toEqual([2, []]);
      expect(stderr).toContain("There is no id of a report");
    },
  );
});

/** The words of the examples of a command, those alone that come after `acct`. */
function linesOf({ examples }: Command): string[][] {
  return examples.map((example) => {
    const own = example.slice(example.search(/\bacct /));
    return wordsOf(own.split(/ \| | [<>] | && |\)/)[0] ?? "").slice(1);
  });
}

function isNoun(word: string): boolean {
  return root.children.some(({ name, aliases }) => name === word || aliases.includes(word));
}

/** What a shell makes of a line. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b));
}

describe("words that users type", () => {
  test.each([
    ["inv", "Did you mean invoice?"],
    ["recieve", "Did you mean receive?"],
    ["invoice add", "acct invoice create does that."],
    ["invoice rm", "acct invoice delete does that."],
    ["contact rm", "acct contact archive does that."],
    ["payment rm", "acct payment reverse does that."],
  ])("the unknown command acct %s is refused with the words: %s", async (words, meant) => {
    const { code, stderr } = await acct(words.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining(meant)]);
  });

  test("acct invoice help is acct invoice --help, and acct version is acct --version", async () => {
    expect(await acct(["invoice", "help"])).toEqual(await acct(["invoice", "--help"]));
    expect(await acct(["version"])).toEqual(await acct(["--version"]));
  });

  test.each(Object.entries(hints))(
    "the unknown command acct %s is refused with the suggestion acct %s",
    async (word, meant) => {
      expect(commands.map(({ line }) => line)).toContain(meant);
      const { code, stderr } = await acct(word.split(" "));
      expect([code, stderr]).toEqual([
        2,
        `acct: There is no command "${word}"; acct ${meant} does that.\n`,
      ]);
    },
  );

  const reports = commands.filter(({ line }) => /^report (?!list$|show$)\S+$/.test(line));

  test.each(reports.map(({ line }) => line.slice(7)).filter((word) => !isNoun(word)))(
    "the unknown command acct %s is refused with the suggestion of that report",
    async (word) => {
      expect((await acct([word])).stderr).toMatch(`; acct ${hints[word] ?? `report ${word}`} does`);
    },
  );

  test("the unknown command acct show is refused without suggesting a report", async () => {
    expect((await acct(["show"])).stderr).not.toContain("acct report");
  });

  test("the unknown command acct customers, a plural, is refused with the suggestion acct contact list", async () => {
    const { stderr } = await acct(["customers"]);
    expect(stderr).toContain("acct contact list does that.");
  });
});

describe("help", () => {
  test("the help of the program has at most 60 lines and matches the golden file", async () => {
    const text = helpText([], tree, "a book");
    expect(text.split("\n").length).toBeLessThanOrEqual(60);
    await expect(text).toMatchFileSnapshot("../golden/help.txt");
  });

  test("acct help all has every noun and every global flag", async () => {
    const { code, stdout } = await acct(["help", "all"]);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot("../golden/help-all.txt");
    for (const { name } of globalFlags) expect(stdout).toContain(`--${name}`);
  });

  test.each(root.children.map(({ name }) => name))(
    "the help of the noun %s and its verbs matches the golden file",
    async (noun) => {
      const texts = nodes
        .filter(({ path }) => path[0] === noun && !path.at(-1)?.startsWith("_"))
        .map(({ path, node }) => `$ acct ${path.join(" ")} --help\n\n${helpText(path, node)}`);
      await expect(texts.join("\n")).toMatchFileSnapshot(`../golden/help-${noun}.txt`);
    },
  );

  test("no line of the help is wider than 80 columns, examples aside", () => {
    for (const { path, node } of nodes) {
      const lines = helpText(path, node).split("\n");
      expect(lines.filter((line) => line.length > 80 && !line.startsWith("  acct "))).toEqual([]);
    }
  });

  test("acct help all lists every noun once", () => {
    const text = wholeText(root);
    for (const { name, summary } of root.children) {
      const lines = text.split("\n").filter((line) => line.startsWith(`  ${name} `));
      expect(lines, name).toEqual([expect.stringContaining(summary.split(" ")[0] ?? "")]);
    }
  });

  test.each([
    [["--book", "shop.acct"], {}, /^In use: \S+shop\.acct, where no book is yet: acct init/m],
    [["--demo"], {}, /^In use: the sample company\.$/m],
    [["--base-url", "https://x.example"], {}, /^In use: https:\/\/x\.example\.$/m],
    [[], { ACCT_BOOK: "/etc/hostname" }, /^In use: \/etc\/hostname\.$/m],
    [["--demo", "--book", "x"], {}, /^Start here:$/m],
  ])(
    "the help of the program names the book in use with the flags %j and the environment %j",
    async (words, env, said) => {
      const { code, stdout } = await acct([...words, "--help"], {}, { env });
      expect(code).toBe(0);
      expect(stdout).toMatch(said);
    },
  );

  test.each([[["--help"]], [["help"]], [[]]])(
    "the command line %j prints the nouns on stdout",
    async (words) => {
      const { code, stdout, stderr } = await acct(words);
      expect([code, stderr]).toEqual([0, ""]);
      const inUse =
        "/proc/nowhere/.local/share/acct/book.acct, where no book is yet: acct init makes one.";
      expect(stdout).toBe(helpText([], tree, inUse));
    },
  );

  test.each([
    [["invoice", "list", "--help"]],
    [["invoices", "ls", "-h"]],
    [["help", "invoice", "list"]],
    [["--demo", "invoice", "list", "--status", "nonsense", "--help"]],
  ])("the command line %j prints the help of acct invoice list", async (words) => {
    const { code, stdout } = await acct(words);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: acct invoice list [flags]");
  });

  test("a noun without a verb prints its verbs on stderr, and ends with exit code 2", async () => {
    const { code, stdout, stderr } = await acct(["invoice"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Usage: acct invoice VERB");
  });
});
