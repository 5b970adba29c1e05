/** Parses the words after a command by its declaration. */
import { CommanderError, Option, Command as Parser } from "commander";
import { type Detail, UsageError } from "../../resources/errors.ts";
import type { Command, Flag, ParseContext } from "../context/context.ts";
import { didYouMean } from "../values/suggest.ts";
import { toCamel } from "./command.ts";
import { type GlobalOptions, globalFlags } from "./global-flags.ts";

export interface Parsed {
  readonly args: readonly unknown[];
  /** Values by flag key; a flag that was not given is absent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: GlobalOptions;
}

/**
 * Parses and validates all words before the command runs.
 *
 * @param path   the words that named the command, for messages
 * @param words  the remaining words, global flags included
 * @throws UsageError with every fault in `details` when there are several
 */
export function parse(
  path: readonly string[],
  command: Command,
  words: readonly string[],
  context: ParseContext,
): Parsed {
  const ownFlags = command.flags.filter((flag) => mayOccur(flag, words));
  // A command's own flag takes precedence over a global flag of the same name.
  const general = globalFlags.filter(
    (flag) => mayOccur(flag, words) && !ownFlags.some(({ name }) => name === flag.name),
  );
  const parser = parserOf(command, [...ownFlags, ...general]);
  try {
    parser.parse(words, { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? translate(error, path, command) : error;
  }
  const values = parser.opts<Record<string, readonly string[] | true | undefined>>();
  const faults: UsageError[] = [];
  const read = <T>(action: () => T): T | undefined => {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error);
      return undefined;
    }
  };
  const toAction = ownFlags.filter((flag) => flag.general !== true);
  const toContext = ownFlags.filter((flag) => flag.general === true);
  const options = valuesOf(toAction, values, context, read);
  const globals: GlobalOptions = valuesOf([...general, ...toContext], values, context, read);
  const args = read(() => argumentsOf(path, command, parser.args)) ?? [];
  for (const { name, key, required, placeholder } of command.flags) {
    const isMissing = required && !(key in options) && faults.length === 0;
    if (isMissing) faults.push(missingValueError(`--${name} ${placeholder ?? ""}`.trim(), path));
  }
  refuse(faults);
  return { args, options, globals };
}

/**
 * Whether a flag may occur among the words. Only those are declared to commander, since each
 * declaration takes as long as parsing the line; other names are reported as unknown.
 */
function mayOccur({ name, short, also = [] }: Flag, words: readonly string[]): boolean {
  const longs = [name, `no-${name}`, ...also].map((text) => `--${text}`);
  return words.some((word) =>
    word.startsWith("--")
      ? longs.some((long) => word === long || word.startsWith(`${long}=`))
      : short !== undefined && word.startsWith("-"),
  );
}

/**
 * Builds a parser that collects every option as text; values are parsed later, to find all faults.
 */
function parserOf(command: Command, flags: readonly Flag[]): Parser {
  const parser = new Parser(command.name)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .helpOption(false)
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .allowExcessArguments(true)
    .argument("[words...]");
  for (const flag of flags) {
    const shortFlag = flag.short === undefined ? "" : `-${flag.short}, `;
    if (flag.placeholder === undefined) {
      parser.addOption(switchOption(`${shortFlag}--${flag.name}`));
      if (flag.negatable) parser.addOption(switchOption(`--no-${flag.name}`));
    } else {
      parser.addOption(textOption(`${shortFlag}--${flag.name} <value>`));
    }
    for (const alias of flag.also ?? []) {
      const isSwitch = flag.placeholder === undefined;
      parser.addOption(isSwitch ? switchOption(`--${alias}`) : textOption(`--${alias} <value>`));
    }
  }
  return parser;
}

function textOption(flags: string): Option {
  return new Option(flags).argParser<readonly string[]>((value, formerTexts) => [
    ...(formerTexts ?? []),
    value,
  ]);
}

/** `--no-x` is declared as a separate switch, so that commander does not link it to `--x`. */
function switchOption(flags: string): Option {
  const option = new Option(flags);
  option.negate = false;
  return option;
}

function valuesOf(
  flags: readonly Flag[],
  options: Readonly<Record<string, readonly string[] | true | undefined>>,
  context: ParseContext,
  read: <T>(action: () => T) => T | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const flag of flags) {
    const optionTexts = [flag.name, ...(flag.also ?? [])].map((name) => options[toCamel(name)]);
    const raw = optionTexts.includes(true) ? true : textsOf(optionTexts);
    const isOff = flag.negatable && options[toCamel(`no-${flag.name}`)] === true;
    if (raw === undefined && !isOff) continue;
    const value = read(() => {
      if (raw === true || raw === undefined) return onOrOff(flag, raw, isOff);
      if (flag.clears !== true) refuseEmpty(raw, `--${flag.name}`);
      if (flag.repeat) return raw.map((text) => flag.read(text, context));
      if (raw.length > 1) {
        throw new UsageError("BadFlags", `--${flag.name} is given several times; give it once.`);
      }
      return flag.read(raw[0] ?? "", context);
    });
    if (value !== undefined) values[flag.key] = value;
  }
  return values;
}

/** Returns the texts of a flag under all its names; undefined where it was not given. */
function textsOf(values: readonly (readonly string[] | true | undefined)[]) {
  const stringTexts = values.flatMap((each) => (each === true ? [] : (each ?? [])));
  return stringTexts.length === 0 ? undefined : stringTexts;
}

function onOrOff(flag: Flag, isRaw: true | undefined, isOff: boolean): boolean {
  if (isRaw === true && isOff) {
    throw new UsageError("BadFlags", `--${flag.name} and --no-${flag.name} contradict each other.`);
  }
  return !isOff;
}

function argumentsOf(
  path: readonly string[],
  command: Command,
  words: readonly string[],
): unknown[] {
  const values: unknown[] = [];
  let at = 0;
  for (const { name, help, optional, repeat, values: allowed, mayBeEmpty } of command.args) {
    const argumentWords = repeat ? words.slice(at) : words.slice(at, at + 1);
    at += argumentWords.length;
    if (argumentWords.length === 0 && !optional) throw missingValueError(`${name} (${help})`, path);
    if (mayBeEmpty !== true) refuseEmpty(argumentWords, name);
    const bad = argumentWords.find((word) => allowed !== undefined && !includesWord(allowed, word));
    if (bad !== undefined && allowed !== undefined) {
      throw new UsageError(
        "BadValue",
        `${name} cannot be "${bad}".${didYouMean(bad, allowed)} It takes ${allowed.join(", ")}.`,
      );
    }
    values.push(repeat ? argumentWords : argumentWords[0]);
  }
  const extra = words[at];
  if (extra === undefined) return values;
  throw new UsageError(
    "TooManyArguments",
    command.args.length === 0
      ? `acct ${path.join(" ")} takes no argument, and "${extra}" is one.`
      : `"${extra}" is one argument too many for acct ${path.join(" ")}; quote a text of several words.`,
  );
}

/** Refuses an empty text, such as an unset variable of a shell, which must not mean any record. */
function refuseEmpty(optionTexts: readonly string[], name: string): void {
  if (optionTexts.some((text) => text.trim() === ""))
    throw new UsageError("BadValue", `${name} must not be empty.`);
}

function includesWord(words: readonly string[], word: string): boolean {
  return words.some((listWord) => listWord.toLowerCase() === word.toLowerCase());
}

function missingValueError(missingPart: string, path: readonly string[]): UsageError {
  const line = `acct ${path.join(" ")}`;
  return new UsageError("MissingValue", `${line} needs ${missingPart}; see ${line} --help.`);
}

/** Translates an error of commander to a UsageError. */
function translate(error: CommanderError, path: readonly string[], command: Command): UsageError {
  const quotedWord = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  if (error.code === "commander.unknownOption") {
    const flagWord = quotedWord.split("=")[0] ?? "";
    const knownFlags = [...command.flags, ...globalFlags].flatMap(({ name, negatable }) =>
      negatable ? [`--${name}`, `--no-${name}`] : [`--${name}`],
    );
    const line = `acct ${path.join(" ")}`;
    const hint = didYouMean(flagWord, knownFlags);
    return new UsageError(
      "UnknownFlag",
      `${line} has no flag ${flagWord}.${hint === "" ? ` ${line} --help lists them.` : hint}`,
    );
  }
  if (error.code === "commander.optionMissingArgument") {
    const flag = /--[\w-]+/.exec(quotedWord)?.[0] ?? quotedWord;
    return new UsageError("MissingValue", `${flag} needs a value.`);
  }
  return new UsageError("BadFlags", error.message.replace(/^error: /, ""));
}

function refuse(faults: readonly UsageError[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const details: Detail[] = faults.map(({ message }) => ({ message }));
  throw new UsageError("BadFlags", `${faults.length} things are wrong with the command.`, details);
}
