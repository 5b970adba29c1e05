/**
 * Writes the manual pages from the same declarations as help; `man` formats them. `acct(1)` names the
 * nouns and the topics, each of which has a page of its own, and has the global flags.
 */

import { version } from "../platform/version.ts";
import type { Command, Declared, Flag, Group } from "./context/context.ts";
import { declaredBy } from "./framework/command.ts";
import { globalFlags } from "./framework/global-flags.ts";
import { type Topic, topics } from "./framework/topics.ts";
import { argumentUsage } from "./help.ts";
import { root } from "./nouns.ts";
import { wrapWords } from "./render/wrap-words.ts";

/** Maximum letters of a line of the source, of fewer than 80 bytes; `man` fills lines of its own. */
const columnsMax = 74;

const escaped = (text: string) => text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
const argument = (text: string) => `"${escaped(text).replaceAll('"', "\\(dq")}"`;
const bold = (text: string) => `.B ${argument(text)}`;

/** Wraps lines of the source; one that begins like a macro is text all the same. */
const wrapped = (text: string) => wrapWords(text, columnsMax).replace(/^([.'])/gm, "\\&$1");

/** Writes text that `man` fills; none where it is empty. */
const filledText = (text: string): string[] => (text === "" ? [] : [wrapped(escaped(text))]);

/** Writes lines that stay as they are; the source continues a long one on the next line. */
function unfilledLines(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const each = lines.map((line) => wrapped(`    ${escaped(line)}`).replaceAll("\n", " \\\n"));
  return [".PP", ".nf", ...each, ".fi"];
}

/**
 * Makes the manual pages of the program and of each of its nouns and topics.
 *
 * @param day  what the pages say of their age, YYYY-MM-DD
 * @returns the source for `man` of each page, by its name, `acct` or `acct-invoice`
 */
export async function manualPages(day: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([["acct", await manualPage([], root, day)]]);
  for (const child of shownChildren(root)) {
    pages.set(`acct-${child.name}`, await manualPage([child.name], await declaredBy(child), day));
  }
  for (const [name, topic] of Object.entries(topics)) {
    pages.set(`acct-${name}`, topicPage(`acct-${name}`, topic, day));
  }
  return pages;
}

/**
 * Returns a manual page in roff.
 *
 * @param path  the words of its command or noun, none for the program
 * @param day  YYYY-MM-DD, or empty
 * @returns the source for `man`
 */
export async function manualPage(
  path: readonly string[],
  command: Declared,
  day = "",
): Promise<string> {
  const line = ["acct", ...path].join(" ");
  const isCommand = command.kind === "command";
  return pageOf([
    ...headingLines(["acct", ...path].join("-"), command.summary, day),
    ".SH SYNOPSIS",
    bold(isCommand ? usageLine(line, command) : `${line} ... [flags]`),
    ...(isCommand
      ? [".SH DESCRIPTION", ...commandLines(path, command)]
      : [".SH COMMANDS", ...(path.length > 0 ? await verbParts(path, command) : nouns(command))]),
    ...(path.length > 0 ? [] : [".SH TOPICS", ...pageList(Object.entries(topics))]),
    ".SH GLOBAL FLAGS",
    ...flagParagraphs(globalFlags),
  ]);
}

function topicPage(name: string, { summary, text, examples }: Topic, day: string): string {
  return pageOf([
    ...headingLines(name, summary, day),
    ".SH DESCRIPTION",
    ...text.flatMap((text, index) => [...(index > 0 ? [".PP"] : []), ...filledText(text)]),
    ...unfilledLines(examples),
  ]);
}

const pageOf = (lines: readonly string[]) => `${lines.join("\n")}\n`;

function headingLines(name: string, summary: string, day: string): string[] {
  return [
    `.TH ${argument(name.toUpperCase())} 1 "${day}" ${argument(`acct ${version}`)}`,
    ".SH NAME",
    ...filledText(`${name} - ${summary}`),
  ];
}

const shownChildren = ({ children }: Group) => children.filter(({ name }) => !name.startsWith("_"));

const nouns = (program: Group) =>
  pageList(shownChildren(program).map((child) => [child.name, child] as const));

/** Writes a list of manual pages: the name and the summary of each. */
function pageList(of: readonly (readonly [string, { readonly summary: string }])[]): string[] {
  return of.flatMap(([name, { summary }]) => [
    ".TP",
    bold(`acct-${name}(1)`),
    ...filledText(sentence(summary)),
  ]);
}

/** Writes a part for each verb of a noun, and for those of its inner nouns. */
async function verbParts(path: readonly string[], noun: Group): Promise<string[]> {
  const lines: string[] = [];
  for (const child of shownChildren(noun)) {
    const innerCommand = await declaredBy(child);
    const childPath = [...path, innerCommand.name];
    if (innerCommand.kind === "command") lines.push(...commandLines(childPath, innerCommand));
    else lines.push(...(await verbParts(childPath, innerCommand)));
  }
  return lines;
}

function commandLines(path: readonly string[], command: Command): string[] {
  const line = ["acct", ...path].join(" ");
  return [
    `.SS ${argument(usageLine(line, command))}`,
    ...filledText(sentence(command.summary)),
    ...command.notes.flatMap((note) => [".PP", ...filledText(note)]),
    ...command.args.flatMap(({ name, help }) => [".TP", bold(name), ...filledText(help)]),
    ...flagParagraphs(command.flags),
    ...unfilledLines(command.examples),
  ];
}

function usageLine(line: string, { args, flags }: Command): string {
  return [line, ...args.map(argumentUsage), ...(flags.length > 0 ? ["[flags]"] : [])].join(" ");
}

function flagParagraphs(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ name, short, placeholder, negatable, help }) => {
    const long = negatable ? `--[no-]${name}` : `--${name}`;
    const words = [...(short === undefined ? [] : [`-${short},`]), long, placeholder ?? ""];
    return [".TP", bold(words.join(" ").trim()), ...filledText(help)];
  });
}

const sentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
