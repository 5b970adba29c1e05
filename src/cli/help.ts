/**
 * Builds help texts from the declarations.
 *
 * They are always 80 columns wide, so that terminal, bug report and test have the same text.
 */
import type { Argument, Child, Command, Declared, Flag, Group } from "./context/context.ts";
import { globalFlags } from "./framework/global-flags.ts";
import { type Topic, topics } from "./framework/topics.ts";
import { sections } from "./nouns.ts";

const width = 80;
/** Maximum width of the left column; a longer entry has its explanation on the next line. */
const leftMax = 28;

const beginnings: readonly HelpEntry[] = [
  ["acct init", "make a book; it asks for what it needs"],
  ["acct --demo invoice list", "look around in a sample company"],
  ["acct invoice create", "make an invoice, asked for everything"],
  ["acct status", "the state of the company; acct alone shows it too"],
  ["acct report pl", "profit and loss of this month"],
];

/** Nouns of every week, and global flags of every day, which the help of the program begins with. */
const everyWeek = [
  ...["invoice", "bill", "quote", "credit-note", "contact", "item"],
  ...["bank", "payment", "spend", "receive", "expense"],
  ...["report", "close", "status", "undo", "explain", "import", "export"],
];
const everyDay = ["book", "output", "columns", "dry-run", "yes"];

/**
 * Returns the help of a command, a noun or the program.
 *
 * @param path   the words that lead to it, none for the whole program
 * @param inUse  for the whole program: the current target
 */
export function helpText(path: readonly string[], command: Declared, inUse?: string): string {
  const line = ["acct", ...path].join(" ");
  const parts =
    command.kind === "command"
      ? commandParts(line, command)
      : path.length === 0
        ? rootParts(command, inUse)
        : groupParts(line, command);
  return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

/** Returns the help of a topic. */
export function topicText(name: string, { summary, text, examples: lines }: Topic): string {
  const parts = [`${name}: ${summary}.`, ...text.map((text) => wrapText(text, 0)), examples(lines)];
  return `${parts.join("\n\n")}\n`;
}

function groupParts(line: string, group: Group): string[] {
  return [
    toSentence(group.summary),
    `Usage: ${line} VERB [flags]`,
    formatSection("Verbs", group.children.filter(isShown).map(childEntry)),
    examples(examplesOf(group)),
    `${line} VERB --help says more about one.`,
  ];
}

function rootParts({ summary, children }: Group, inUse: string | undefined): string[] {
  const usualNouns = everyWeek.flatMap((noun) => children.filter(({ name }) => name === noun));
  const flags = globalFlags.filter(({ name }) => everyDay.includes(name));
  return [
    toSentence(summary),
    "Usage: acct [global flags] NOUN VERB [ARG] [flags]",
    inUse === undefined ? "" : wrapText(`In use: ${inUse}`, 0),
    formatSection("Start here", beginnings),
    formatSection("Every week", usualNouns.map(childEntry)),
    formatSection("Every day", flags.map(flagEntry)),
    "acct NOUN --help lists its verbs, acct NOUN VERB --help its flags.",
    wrapText(
      `acct help all has every noun and global flag; acct help TOPIC says more about ${Object.keys(topics).join(", ")}; acct help --man is the manual page.`,
      0,
    ),
  ];
}

/** Returns the help with every noun and global flag. */
export function wholeText({ children }: Group): string {
  // All sections share the width of the left column.
  const longestWidth = Math.max(...children.filter(isShown).map(({ name }) => name.length));
  const parts = [
    ...Object.entries(sections).map(([title, listed]) =>
      formatSection(title, listed.filter(isShown).map(childEntry), longestWidth),
    ),
    formatSection("Global flags", globalFlags.map(flagEntry)),
    "acct NOUN --help lists its verbs, acct NOUN VERB --help its flags.",
  ];
  return `${parts.join("\n\n")}\n`;
}

function commandParts(line: string, command: Command): string[] {
  const usage = ["Usage:", line, ...command.args.map(argumentUsage)];
  const needed = command.flags.filter(({ required }) => required);
  usage.push(...needed.map(({ name, placeholder }) => `--${name} ${placeholder}`));
  if (command.flags.length > needed.length) usage.push("[flags]");
  return [
    toSentence(command.summary),
    usage.join(" "),
    command.aliases.length === 0 ? "" : `Also: ${command.aliases.join(", ")}`,
    formatEntries(command.args.map(({ name, help }) => [name, help])),
    ...command.notes.map((note) => wrapText(note, 0)),
    formatSection("Flags", command.flags.map(flagEntry)),
    examples(command.examples),
    wrapText(`Global flags (acct --help): ${globalFlags.map(globalWord).join(" ")}`, 0),
  ];
}

function examples(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `Examples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** Returns the first example of each of the first verbs, including those of a nested group. */
function examplesOf(group: Group): string[] {
  const firstVerbs = group.children.filter(isShown).flatMap((child) => {
    if (child.kind === "deferred") return [];
    return (child.kind === "group" ? examplesOf(child) : child.examples).slice(0, 1);
  });
  return firstVerbs.slice(0, 4);
}

export function argumentUsage({ name, optional, repeat }: Argument): string {
  const argumentWord = repeat ? `${name}...` : name;
  return optional ? `[${argumentWord}]` : argumentWord;
}

/** Whether a child is listed; names that begin with `_` are internal to the completion scripts. */
function isShown({ name }: Child): boolean {
  return !name.startsWith("_");
}

function childEntry({ name, summary }: Child): HelpEntry {
  return [name, summary];
}

function flagEntry({ name, short, placeholder, negatable, repeat, help }: Flag): HelpEntry {
  const long = negatable ? `--[no-]${name}` : `--${name}`;
  const words = [short === undefined ? long : `-${short}, ${long}`];
  if (placeholder !== undefined) words.push(placeholder);
  return [words.join(" "), repeat ? `${help}; may be repeated` : help];
}

function globalWord({ name, short }: Flag): string {
  return short === undefined ? `--${name}` : `-${short}`;
}

type HelpEntry = readonly [left: string, right: string];

function formatSection(title: string, list: readonly HelpEntry[], widthMin = 0): string {
  return list.length === 0 ? "" : `${title}:\n${formatEntries(list, widthMin)}`;
}

/**
 * Formats entries in two columns.
 *
 * @param widthMin  minimum width of the left column
 */
function formatEntries(list: readonly HelpEntry[], widthMin = 0): string {
  const lengths = list.map(([left]) => left.length).filter((length) => length <= leftMax);
  const longestWidth = Math.max(widthMin, ...lengths);
  const indent = longestWidth + 4;
  return list
    .map(([left, right]) => {
      const lines = wrapText(right, indent).slice(indent);
      if (right === "") return `  ${left}`;
      return left.length <= longestWidth
        ? `  ${left.padEnd(longestWidth)}  ${lines}`
        : `  ${left}\n${" ".repeat(indent)}${lines}`;
    })
    .join("\n");
}

/** Wraps words to indented lines of at most `width`; the caller may cut the indent of the first. */
function wrapText(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((text) => " ".repeat(indent) + text).join("\n");
}

function toSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
