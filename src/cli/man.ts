/** Writes the manual page from the same declarations as help; `man` formats it. */

import { version } from "../platform/version.ts";
import type { Command, Declared, Flag } from "./context/context.ts";
import { declaredBy } from "./framework/command.ts";
import { globalFlags } from "./framework/global-flags.ts";
import { topics } from "./framework/topics.ts";

/** Escapes text for roff. */
function plain(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}

const argument = (text: string) => `"${plain(text).replaceAll('"', "\\(dq")}"`;
const bold = (text: string) => `.B ${argument(text)}`;

/**
 * Returns a manual page in roff.
 *
 * @param path  the words of its command or noun, none for the whole program
 * @returns the source for `man`
 */
export async function manualPage(path: readonly string[], declared: Declared): Promise<string> {
  const name = ["acct", ...path].join("-");
  const line = ["acct", ...path].join(" ");
  const lines = [
    `.TH ${argument(name.toUpperCase())} 1 "" ${argument(`acct ${version}`)}`,
    ".SH NAME",
    `${plain(name)} \\- ${plain(declared.summary)}`,
    ".SH SYNOPSIS",
    bold(declared.kind === "command" ? usage(line, declared) : `${line} ... [flags]`),
    ...(await described(path, declared)),
  ];
  if (path.length === 0) {
    for (const [topic, { summary, text, examples }] of Object.entries(topics)) {
      lines.push(`.SH ${argument(topic.toUpperCase())}`, `${plain(summary)}.`);
      for (const each of text) lines.push(".PP", plain(each));
      lines.push(...listed(examples));
    }
  }
  lines.push(".SH GLOBAL FLAGS", ...flagged(globalFlags));
  return `${lines.join("\n")}\n`;
}

/** Formats a section for each noun of the program, with a part for each verb. */
async function described(path: readonly string[], declared: Declared): Promise<string[]> {
  if (declared.kind === "command") return [".SH DESCRIPTION", ...commandLines(path, declared)];
  const lines: string[] = path.length === 0 ? [] : [".SH COMMANDS"];
  for (const child of declared.children) {
    if (child.name.startsWith("_")) continue;
    const inner = await declaredBy(child);
    const here = [...path, inner.name];
    if (path.length === 0) lines.push(`.SH ${argument(`acct ${inner.name}`)}`);
    if (inner.kind === "command") lines.push(...commandLines(here, inner));
    else {
      if (path.length === 0) lines.push(`${plain(sentence(inner.summary))}`);
      const [, ...rest] = await described(here, inner);
      lines.push(...rest);
    }
  }
  return lines;
}

function commandLines(path: readonly string[], command: Command): string[] {
  const line = ["acct", ...path].join(" ");
  return [
    `.SS ${argument(usage(line, command))}`,
    plain(sentence(command.summary)),
    ...command.notes.flatMap((note) => [".PP", plain(note)]),
    ...command.args.flatMap(({ name, help }) => [".TP", bold(name), plain(help)]),
    ...flagged(command.flags),
    ...listed(command.examples),
  ];
}

function usage(line: string, { args, flags }: Command): string {
  const words = args.map(({ name, optional, repeat }) => {
    const word = repeat ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  return [line, ...words, ...(flags.length > 0 ? ["[flags]"] : [])].join(" ");
}

function flagged(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ name, short, placeholder, negatable, help }) => {
    const long = negatable ? `--[no-]${name}` : `--${name}`;
    const words = [...(short === undefined ? [] : [`-${short},`]), long, placeholder ?? ""];
    return [".TP", bold(words.join(" ").trim()), plain(help)];
  });
}

function listed(examples: readonly string[]): string[] {
  if (examples.length === 0) return [];
  return [".PP", ".nf", ...examples.map((each) => `    ${plain(each)}`), ".fi"];
}

const sentence = (summary: string) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
