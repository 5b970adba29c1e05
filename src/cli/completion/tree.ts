/**
 * The command tree as completion sees it: every word that may stand somewhere, and what it is.
 *
 * All scripts are written from this one table, so that they cannot disagree about what there is.
 */
import { declaredBy } from "../framework/command.ts";
import type { Argument, Child, Flag, Group } from "../framework/context.ts";
import { globalFlags } from "../framework/global-flags.ts";
import { shortened } from "../render/width.ts";
import { periodWords } from "../values/dates.ts";

const dayWords = ["today", "yesterday", "tomorrow"];

/** A word that may be typed: a noun, a verb, a flag. */
export interface Entry {
  /** The word, and others that mean the same. */
  readonly words: readonly string[];
  /** What stands after it, as `kindOf` writes it; undefined when nothing does. */
  readonly takes?: string | undefined;
  readonly text: string;
}

/** What may follow a command. */
export interface Row {
  /** Commands of which the same may follow, `invoice void`; the program itself is "". */
  readonly paths: readonly string[];
  readonly verbs: readonly Entry[];
  readonly flags: readonly Entry[];
  /** What each argument is, as `kindOf` writes it; `...` after the last stands for any number. */
  readonly args: readonly string[];
}

export interface Tree {
  readonly rows: readonly Row[];
  /** Flags that may stand anywhere. */
  readonly globals: readonly Entry[];
  /** Long lists of values, by the name under which kinds refer to them. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Names that begin with it are for the scripts themselves. */
const hiddenMark = "_";

/** Describes every command below `root`; each noun's module is loaded for it. */
export async function describeTree(root: Group): Promise<Tree> {
  const lists = new Map<string, readonly string[]>();
  const rows: Row[] = [];
  const walk = async (child: Child, path: string): Promise<void> => {
    const declared = await declaredBy(child);
    if (declared.kind === "command") {
      const flags = declared.flags.flatMap((flag) => flagEntries(flag, lists));
      rows.push({ paths: [path], verbs: [], flags, args: declared.args.map(argumentKind) });
      return;
    }
    const children = declared.children.filter(({ name }) => !name.startsWith(hiddenMark));
    const verbs = children.map(({ name, aliases, summary }) => ({
      words: [name, ...aliases],
      text: summary,
    }));
    rows.push({ paths: [path], verbs, flags: [], args: [] });
    for (const each of children) await walk(each, `${path} ${each.name}`.trim());
  };
  await walk(root, "");
  const globals = [...globalFlags, helpFlag].flatMap((flag) => flagEntries(flag, lists));
  return { rows: merged(rows), globals, lists };
}

/** Understood everywhere and declared nowhere. */
const helpFlag = { name: "help", short: "h", help: "say what there is to know", negatable: false };

type FlagLike = Pick<Flag, "name" | "negatable" | "help"> & Partial<Flag>;

function flagEntries(flag: FlagLike, lists: Map<string, readonly string[]>): Entry[] {
  const { name, short, placeholder, negatable } = flag;
  const words = short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
  const takes = placeholder === undefined ? undefined : flagKind(flag, lists);
  const entry = { words, takes, text: phrase(flag.help) };
  return negatable ? [entry, { words: [`--no-${name}`], text: entry.text }] : [entry];
}

/** Longest text beside a word, in characters. */
const textMax = 60;

/** The first thing that help says; the rest is limits, which the values themselves show. */
function phrase(help: string): string {
  const [first = ""] = help.split(/; | \((?=[A-Z_]{4,})/);
  return /^(one of|at most) /.test(first) ? "" : shortened(first, textMax);
}

// --- kinds of values -------------------------------------------------------------------------

/**
 * Longest list of values that stands where it is used, in characters; a longer one has a name, and
 * its place in the script.
 */
const inlineMax = 72;

/** Words that are understood beside what is typed out, by what stands for both in help. */
const wordsByPlaceholder: Readonly<Record<string, readonly string[]>> = {
  DATE: dayWords,
  PERIOD: periodWords,
};

/** Values of several parts, which the program itself completes. */
const liveByPlaceholder: Readonly<Record<string, string>> = {
  "KEY=VALUE,...": "line",
  "NOUN:KEY": "record",
};

/**
 * What the value of a flag is, in the few characters in which the scripts say it: `DRAFT|PAID` for
 * one of some values, a name for a long list of them, `contact` for a contact of the book, `file`,
 * nothing for free text; a comma before it where several may be given.
 */
function flagKind(flag: FlagLike, lists: Map<string, readonly string[]>): string {
  const { name, placeholder = "", values, live } = flag;
  const words = wordsByPlaceholder[placeholder];
  const kind =
    values !== undefined
      ? valuesKind(name, values, lists)
      : words !== undefined
        ? namedList(placeholder, words, lists)
        : (live ?? liveByPlaceholder[placeholder] ?? "");
  return flag.commas === true && kind !== "" ? `,${kind}` : kind;
}

function valuesKind(
  name: string,
  values: readonly string[],
  lists: Map<string, readonly string[]>,
): string {
  const inline = values.join("|");
  if (values.length > 1 && inline.length <= inlineMax) return inline;
  return namedList(name.toUpperCase().replaceAll("-", "_"), values, lists);
}

/** In capitals, so that no list is taken for something of the book. */
function namedList(
  base: string,
  values: readonly string[],
  lists: Map<string, readonly string[]>,
): string {
  const known = [...lists].find(([, list]) => list.join() === values.join())?.[0];
  if (known !== undefined) return known;
  let name = base;
  for (let count = 2; lists.has(name); count++) name = `${base}_${count}`;
  lists.set(name, values);
  return name;
}

/** `-` where there is nothing to complete, so that the place of the others can be counted. */
function argumentKind({ values, live, repeat }: Argument): string {
  const kind = values === undefined ? (live ?? "-") : values.join("|");
  return repeat ? `${kind}...` : kind;
}

/** Commands after which the same may follow share one row. */
function merged(rows: readonly Row[]): Row[] {
  const byContent = new Map<string, Row>();
  for (const { paths, ...content } of rows) {
    const key = JSON.stringify(content);
    const before = byContent.get(key)?.paths ?? [];
    byContent.set(key, { ...content, paths: [...before, ...paths] });
  }
  return [...byContent.values()];
}

/** An entry as the scripts hold it: `--file|-f=file`. */
export function written({ words, takes }: Entry): string {
  return words.join("|") + (takes === undefined ? "" : `=${takes}`);
}
