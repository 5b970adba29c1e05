/**
 * Resolves a command line to a command.
 *
 * Global flags may stand anywhere, so they are skipped with their values. The first other words are
 * looked up from the table of nouns to a command, and only the module of the noun is loaded. The
 * remaining words are parsed later by the flags of the command.
 */
import { UsageError } from "../resources/errors.ts";
import type { Child, Command, Declared } from "./context/context.ts";
import { declaredBy, findChild, otherwiseOf } from "./framework/command.ts";
import { globalFlags } from "./framework/global-flags.ts";
import { root } from "./nouns.ts";
import { didYouMean } from "./values/suggest.ts";

export interface CommandRoute {
  /** The words that were resolved, by canonical name: `["invoice", "list"]`. */
  readonly path: readonly string[];
  /** The command or group that the words name; the root when there was no word. */
  readonly declared: Declared;
  /** All other words, in order. */
  readonly rest: readonly string[];
  /** Whether `--help` or `-h` is present, or the line begins with `help`. */
  readonly asksHelp: boolean;
  /** The topic given to `acct help`, where it is not a command. */
  readonly topic?: string;
  /** Whether help is wanted as a manual page. */
  readonly asksManual?: boolean;
}

/**
 * Resolves the words of a command line.
 *
 * @throws UsageError `UnknownCommand`, `UnknownFlag` before a command is named
 */
export async function resolveRoute(argv: readonly string[]): Promise<CommandRoute> {
  const path: string[] = [];
  const restWords: string[] = [];
  let declared: Declared = root;
  let asksHelp = false;
  let asksManual = false;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") {
      restWords.push(...argv.slice(at));
      break;
    }
    if (word === "--help" || word === "-h") {
      asksHelp = true;
    } else if (word === "--man" && asksHelp) {
      asksManual = true;
    } else if (declared.kind === "command") {
      restWords.push(word);
    } else if (word.startsWith("-") && word !== "-") {
      const count = globalWords(word);
      const usual: Declared | undefined = count === undefined ? await usualOf(declared) : undefined;
      if (usual !== undefined) {
        declared = usual;
        path.push(usual.name);
        restWords.push(word);
        continue;
      }
      if (count === undefined) throw unknownFlag(word, path);
      restWords.push(...argv.slice(at, at + count));
      at += count - 1;
    } else if (word === "help" && !asksHelp && findChild(declared.children, word) === undefined) {
      asksHelp = true;
    } else {
      const child = findChild(declared.children, word);
      if (child === undefined) {
        const isTopic = asksHelp && path.length === 0 && (await topicNames()).includes(word);
        if (isTopic) return { path, declared, rest: restWords, asksHelp, topic: word };
        const otherwise: Command | undefined = asksHelp ? undefined : await otherwiseOf(declared);
        if (otherwise !== undefined) {
          declared = otherwise;
          path.push(otherwise.name);
          restWords.push(word);
          continue;
        }
        throw await unknownCommand(word, declared.children, path);
      }
      declared = await declaredBy(child);
      path.push(declared.name);
    }
  }
  const usual = asksHelp ? undefined : await usualOf(declared);
  if (usual === undefined) return { path, declared, rest: restWords, asksHelp, asksManual };
  return { path: [...path, usual.name], declared: usual, rest: restWords, asksHelp, asksManual };
}

/** Returns the verb that a noun without a verb runs, where it has one. */
async function usualOf(command: Declared): Promise<Declared | undefined> {
  if (command.kind !== "group" || command.usual === undefined) return undefined;
  const child = findChild(command.children, command.usual);
  return child && declaredBy(child);
}

async function topicNames(): Promise<readonly string[]> {
  return ["all", ...Object.keys((await import("./framework/topics.ts")).topics)];
}

async function unknownCommand(
  word: string,
  children: readonly Child[],
  path: readonly string[],
): Promise<UsageError> {
  const { hintFor } = await import("./framework/hints.ts");
  const names = children.map(({ name }) => name);
  const hint = hintFor(path, word, names) ?? (await reportNamed(path, word));
  if (hint !== undefined) {
    const message = `There is no command "${[...path, word].join(" ")}"; acct ${hint} does that.`;
    return new UsageError("UnknownCommand", message);
  }
  const meant =
    didYouMean(word, names) ||
    didYouMean(
      word,
      children.flatMap(({ aliases }) => aliases),
    );
  const list = ["acct", ...path, "--help"].join(" ");
  const ofParent = path.length === 0 ? "" : ` of acct ${path.join(" ")}`;
  return new UsageError(
    "UnknownCommand",
    `There is no command "${word}"${ofParent}.${meant === "" ? ` ${list} lists them.` : meant}`,
  );
}

/** Returns the report that a word names where the noun `report` was left out. */
async function reportNamed(path: readonly string[], word: string): Promise<string | undefined> {
  const noun = path.length === 0 ? findChild(root.children, "report") : undefined;
  const nounGroup = noun && (await declaredBy(noun));
  if (nounGroup?.kind !== "group") return undefined;
  const report = findChild(nounGroup.children, word);
  const isReport = report !== undefined && !["list", "show"].includes(report.name);
  return isReport ? `${nounGroup.name} ${report.name}` : undefined;
}

/** Returns the count of words that a global flag takes, itself included; undefined for others. */
function globalWords(word: string): number | undefined {
  const [long, attached] = word.startsWith("--")
    ? word.slice(2).split("=", 2)
    : [undefined, undefined];
  const flag = globalFlags.find(({ name, short }) =>
    long === undefined ? short !== undefined && word.startsWith(`-${short}`) : name === long,
  );
  if (flag === undefined) return undefined;
  const hasOwnValue = attached !== undefined || (long === undefined && word.length > 2);
  return flag.placeholder === undefined || hasOwnValue ? 1 : 2;
}

function unknownFlag(word: string, path: readonly string[]): UsageError {
  const hint = didYouMean(
    word,
    globalFlags.map(({ name }) => `--${name}`),
  );
  const verb = path.length === 0 ? "a command" : `a verb of acct ${path.join(" ")}`;
  return new UsageError(
    "UnknownFlag",
    `Before ${verb}, ${word.split("=")[0]} is no flag; flags of a command stand after it.${hint}`,
  );
}
