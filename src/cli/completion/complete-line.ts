/**
 * Completes a command line.
 *
 * The words before the cursor are resolved by the same declarations that parsing and help use, and
 * only the noun on the line is loaded. Errors are never reported, since they would disturb the line
 * being typed.
 */

import { truncate } from "../../output/display-width.ts";
import type { Argument, Child, Context, Declared, Flag } from "../context/context.ts";
import { declaredBy, findChild, otherwiseOf, ownFlag } from "../framework/command.ts";
import { globalFlags } from "../framework/global-flags.ts";
import { safeLine } from "../render/safe.ts";
import { dayNames, machineDayOf } from "../values/date-flags.ts";
import { periodsOffered } from "../values/period-words.ts";
import { bashAnswer, bashLine } from "./bash.ts";
import {
  after,
  begins,
  type Completion,
  type CompletionLine,
  type Completions,
} from "./completion-line.ts";
import type { Shell } from "./shells.ts";

/** Maximum count of values from a book in an answer. */
const valuesMax = 200;

/**
 * Answers a shell: one completion per line, its description after a tab; or a single line of a tab
 * and the prefix of a file name.
 *
 * @param argumentWords  the words of the line, the last possibly incomplete; for bash the line itself and
 *   the characters at which bash splits words
 * @returns an empty text where there are no completions or an error occurred
 */
export async function answer(
  ctx: Context,
  shell: Shell,
  argumentWords: readonly string[],
): Promise<string> {
  try {
    const line = shell === "bash" ? bashLine(argumentWords[0] ?? "", argumentWords[1]) : undefined;
    const words = line?.words ?? argumentWords;
    const completions = await completionsOf(ctx, words);
    if (completions.filesAfter !== undefined) return `\t${completions.filesAfter}\n`;
    const start = words.at(-1) ?? "";
    const matching = shellsThatMatch.has(shell)
      ? completions.values
      : completions.values.filter(({ value }) => begins(value, start));
    const values = withStem(matching, completions.more === true, start);
    const written = line === undefined ? values : bashAnswer(values, line);
    return written.map(({ value, text = "" }) => `${value}\t${safeLine(text)}\n`).join("");
  } catch {
    return "";
  }
}

/**
 * Shells that filter completions themselves, by matching rules that the user may have configured.
 */
const shellsThatMatch: ReadonlySet<Shell> = new Set(["zsh", "fish"]);

/**
 * Limits the values, and adds the typed text as one more where some are left out: shells insert the
 * common prefix of all values, which is too long where some are missing.
 */
function withStem(
  values: readonly Completion[],
  hasMore: boolean,
  start: string,
): readonly Completion[] {
  const shownValues = values.slice(0, valuesMax);
  const stem = shownValues[0]?.value.slice(0, start.length) ?? "";
  const isWhole = !hasMore && shownValues.length === values.length;
  return isWhole || stem === "" ? shownValues : [...shownValues, { value: stem, text: "and more" }];
}

/** Returns the completions of the last word. */
async function completionsOf(ctx: Context, words: readonly string[]): Promise<Completions> {
  const path: string[] = [];
  const globals: Record<string, unknown> = {};
  let command: Declared = ctx.root;
  let expecting: Flag | undefined;
  let count = 0;
  let isHelp = false;
  for (const typedWord of words.slice(0, -1)) {
    if (expecting !== undefined) {
      note(globals, expecting, typedWord, ctx);
      expecting = undefined;
    } else if (/^-./.test(typedWord)) {
      const [name, value] = splitFlag(typedWord);
      const flag = flagNamed(command, name);
      if (flag?.placeholder !== undefined && value === undefined) expecting = flag;
      else if (flag !== undefined) note(globals, flag, value, ctx);
    } else {
      const child: Child | undefined =
        command.kind === "group" ? findChild(command.children, typedWord) : undefined;
      if (child === undefined && typedWord === "help") isHelp = true;
      else if (child === undefined) {
        count += 1;
        if (command.kind === "group") command = (await otherwiseOf(command)) ?? command;
      } else {
        command = await declaredBy(child);
        path.push(command.name);
      }
    }
  }
  const lastWord = words.at(-1) ?? "";
  const line = { path, globals };
  if (expecting !== undefined) return valuesOf(ctx, line, expecting, lastWord);
  if (lastWord.startsWith("--") && lastWord.includes("=")) {
    const [name, value = ""] = splitFlag(lastWord);
    const flag = flagNamed(command, name);
    if (flag?.placeholder === undefined) return noValues;
    return after(`${name}=`, await valuesOf(ctx, line, flag, value));
  }
  if (lastWord.startsWith("-")) return { values: flagsOf(command).flatMap(flagValues) };
  if (command.kind === "group") {
    const pages = isHelp && path.length === 0 ? await topicValues() : [];
    const verbs = [...command.children.flatMap(childValues), ...pages];
    const [first] = (await otherwiseOf(command))?.args ?? [];
    if (first === undefined) return { values: verbs };
    const records = await valuesOf(ctx, line, placeholderOf(first), lastWord);
    return { ...records, values: [...verbs, ...records.values] };
  }
  const args: readonly Argument[] = command.args;
  const arg = args[count] ?? (args.at(-1)?.repeat === true ? args.at(-1) : undefined);
  return arg === undefined ? noValues : valuesOf(ctx, line, placeholderOf(arg), lastWord);
}

const placeholderOf = (arg: Argument): ValueFlag => ({ ...arg, placeholder: arg.name });

const noValues: Completions = { values: [] };

/** Returns the topics of `acct help` other than commands. */
async function topicValues(): Promise<Completion[]> {
  const { topics } = await import("../framework/topics.ts");
  const all = { value: "all", text: "every noun and global flag" };
  return [all, ...Object.entries(topics).map(([value, { summary }]) => ({ value, text: summary }))];
}

/** Splits `--flag=value`; the value is undefined where there is no `=`. */
function splitFlag(word: string): readonly [name: string, value?: string] {
  const equalsAt = word.indexOf("=");
  return equalsAt < 0 ? [word] : [word.slice(0, equalsAt), word.slice(equalsAt + 1)];
}

/** The flag `--help`, which every command accepts and none declares. */
const helpFlag: Flag = ownFlag("help", "say what there is to know", { short: "h" });

function flagsOf(command: Declared): readonly Flag[] {
  const ownFlags = command.kind === "command" ? command.flags : [];
  return [...ownFlags, ...globalFlags, helpFlag];
}

function flagNamed(command: Declared, word: string): Flag | undefined {
  return flagsOf(command).find(({ name, short }) => word === `--${name}` || word === `-${short}`);
}

/** Records the value of a global flag, since some decide where completions are looked up. */
function note(globals: Record<string, unknown>, flag: Flag, value = "", ctx: Context): void {
  if (!globalFlags.includes(flag)) return;
  // The program expands a quoted `~` and one after a `=` itself, since some shells do not.
  const text = value.replace(/^~(?=\/|$)/, ctx.env.HOME ?? "~");
  globals[flag.key] =
    flag.placeholder === undefined || flag.read(text, { today: () => machineDayOf(ctx.clock()) });
}

/** Maximum length of a description, in characters. */
const textMax = 60;

function flagValues({ name, negatable, help }: Flag): Completion[] {
  // Keeps the first clause of the help; the rest are limits, which the values show.
  const [first = ""] = help.split(/; | \((?=[A-Z_]{4,})/);
  const text = /^(one of|at most) /.test(first) ? "" : truncate(first, textMax);
  const names = negatable ? [`--${name}`, `--no-${name}`] : [`--${name}`];
  return names.map((value) => ({ value, text }));
}

/** Returns the children of a group; names that begin with `_` are internal to the scripts. */
function childValues({ name, summary }: Child): Completion[] {
  return name.startsWith("_") ? [] : [{ value: name, text: summary }];
}

type ValueFlag = Pick<Flag, "values" | "live" | "placeholder"> & Partial<Pick<Flag, "commas">>;

/** Words that a value accepts besides free text, by placeholder in help. */
const wordsByPlaceholder: Readonly<Record<string, (today: string) => readonly string[]>> = {
  DATE: () => dayNames,
  "DATE|none": () => [...dayNames, "none"],
  PERIOD: periodsOffered,
  MONTH: periodsOffered,
};

/** Returns the values of a flag or an argument that begin with the typed text. */
async function valuesOf(
  ctx: Context,
  line: CompletionLine,
  taker: ValueFlag,
  text: string,
): Promise<Completions> {
  if (taker.commas === true) {
    const comma = text.lastIndexOf(",") + 1;
    const completions = await valuesOf(ctx, line, { ...taker, commas: false }, text.slice(comma));
    return after(text.slice(0, comma), completions);
  }
  const {
    live,
    placeholder = "",
    values = wordsByPlaceholder[placeholder]?.(machineDayOf(ctx.clock())),
  } = taker;
  if (values !== undefined) return { values: values.map((value) => ({ value })) };
  if (live === undefined) return noValues;
  if (live === "file") return { values: [], filesAfter: "" };
  const { liveValues } = await import("./live-values.ts");
  return liveValues(ctx, line, live, text);
}
