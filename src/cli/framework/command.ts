/**
 * Declares commands.
 *
 * A declaration is data: name, arguments, flags and action. Parsing, help and completion use the
 * same data, so they cannot disagree, and a test can inspect a command without running it. Flags of
 * resource fields are derived from their descriptions by `flags.ts`.
 */
import { UsageError } from "../../resources/errors.ts";
import type { Field, Input, Resource } from "../../resources/field.ts";
import type {
  Argument,
  Child,
  Command,
  Context,
  Declared,
  DeferredChild,
  FieldFlagOptions,
  Flag,
  GlobalFlags,
  Group,
  Live,
  OutputKind,
  ParseContext,
  Refers,
  Wizard,
} from "../context/context.ts";
import { type FieldValue, fieldFlag } from "./flags.ts";

/** Returns the declaration of a child, which may be loaded now. */
export async function declaredBy(child: Child): Promise<Declared> {
  if (child.kind !== "deferred") return child;
  const loaded = await child.load();
  return "kind" in loaded ? loaded : group(child.name, child.summary, loaded, child);
}

/** Returns the child that a word names. */
export function findChild(children: readonly Child[], word: string): Child | undefined {
  const wantedName = word.toLowerCase();
  return children.find(({ name, aliases }) => name === wantedName || aliases.includes(wantedName));
}

/** Type of the options that `.fields(resource, names)` adds for the action. */
export type Flags<R extends Resource, K extends keyof Input<R>> = {
  readonly [P in K]?: Input<R>[P] | undefined;
};

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

type None = Record<never, never>;

interface ArgumentOptions {
  readonly values?: readonly string[];
  readonly live?: Live;
  readonly mayBeEmpty?: boolean;
}

interface FlagOptions<T> {
  readonly short?: string;
  readonly placeholder?: string;
  readonly repeat?: boolean;
  readonly required?: boolean;
  readonly values?: readonly string[];
  readonly live?: Live;
  readonly refers?: Refers;
  readonly clears?: boolean;
  readonly read?: (text: string, context: ParseContext) => T;
}

/** Builder of a command; each call adds to the parameters of the action. */
export class CommandBuilder<A extends readonly unknown[], O extends object> {
  readonly #name: string;
  readonly #summary: string;
  readonly #aliases: string[] = [];
  readonly #notes: string[] = [];
  // Arguments and flags are built on first use: a noun declares a dozen verbs, of which one is run.
  readonly #args: (() => Argument)[] = [];
  readonly #flags: (() => readonly Flag[])[] = [];
  readonly #examples: string[] = [];
  #answer: OutputKind | "nothing" | undefined;
  #writes = false;
  #isPlanned = true;
  #alters = false;
  #putsFile: Command["putsFile"];
  #created: Resource | undefined;
  #wizard: (() => Promise<Wizard>) | undefined;
  #unless: keyof GlobalFlags | undefined;
  /**
   * Resource whose fields it takes, and resource that its argument names: the defaults for its
   * output.
   */
  #written: Resource | undefined;
  #named: Resource | undefined;

  constructor(name: string, summary: string) {
    this.#name = name;
    this.#summary = summary;
  }

  alias(...names: string[]): this {
    this.#aliases.push(...names);
    return this;
  }

  /** Adds a paragraph to the help. */
  note(paragraph: string): this {
    this.#notes.push(paragraph);
    return this;
  }

  example(line: string): this {
    this.#examples.push(line);
    return this;
  }

  /**
   * Declares the output, where it is neither the resource whose fields the command takes nor the
   * one that its argument names.
   */
  answers(answer: OutputKind | "nothing"): this {
    this.#answer = answer;
    return this;
  }

  /**
   * Declares that the command changes records of the service, so that it takes an idempotency key.
   * Implied by fields of a resource; a write by any other command is refused before it is sent.
   *
   * @param isPlanned  false where the command does not support plans
   */
  writes({ isPlanned = true }: { readonly isPlanned?: boolean } = {}): this {
    this.#writes = true;
    this.#isPlanned = isPlanned;
    return this;
  }

  /** Declares that the command writes `--output-file` itself, where `puts` returns true. */
  putsFile(puts: (options: O, flags: GlobalFlags) => boolean): this {
    this.#putsFile = puts as Command["putsFile"];
    return this;
  }

  /** Declares that the command changes a book or its users directly; refused in read-only mode. */
  alters(): this {
    this.#alters = true;
    return this;
  }

  /** Declares that the command creates records, and asks before it creates a likely duplicate. */
  creates(resource: Resource): this {
    this.#created = resource;
    return this.writes();
  }

  /**
   * Adds a wizard, which runs on a terminal when no arguments are given.
   *
   * @param unless  a global flag that leaves nothing to ask
   */
  asks(wizard: () => Promise<Wizard>, unless?: keyof GlobalFlags): this {
    this.#wizard = wizard;
    this.#unless = unless;
    return this.note("On a terminal, and given nothing, it asks.");
  }

  /** Adds an argument that names a record by any of its keys. */
  key(resource: Resource, word?: string): CommandBuilder<readonly [...A, string], O> {
    this.#named ??= resource;
    this.#args.push(() => ({ ...keyArgument(resource, word), optional: false, repeat: false }));
    return this as unknown as CommandBuilder<readonly [...A, string], O>;
  }

  /** Adds an argument of one or more records. */
  keys(resource: Resource, placeholderWord?: string): CommandBuilder<readonly [...A, string[]], O> {
    this.#named ??= resource;
    this.#args.push(() => {
      const { help, ...argument } = keyArgument(resource, placeholderWord);
      const inputPart = { help: `${help}; - reads them from standard input`, isFromInput: true };
      return { ...argument, ...inputPart, optional: false, repeat: true };
    });
    return this as unknown as CommandBuilder<readonly [...A, string[]], O>;
  }

  argument(
    name: string,
    help: string,
    options: ArgumentOptions = {},
  ): CommandBuilder<readonly [...A, string], O> {
    this.#args.push(() => ({ name, help, optional: false, repeat: false, ...options }));
    return this as unknown as CommandBuilder<readonly [...A, string], O>;
  }

  optionalArgument(
    name: string,
    help: string,
    options: ArgumentOptions = {},
  ): CommandBuilder<readonly [...A, string | undefined], O> {
    this.#args.push(() => ({ name, help, optional: true, repeat: false, ...options }));
    return this as unknown as CommandBuilder<readonly [...A, string | undefined], O>;
  }

  /** Adds an argument of all remaining words; at least one unless optional. */
  arguments(
    name: string,
    help: string,
    options: ArgumentOptions & { readonly optional?: boolean } = {},
  ): CommandBuilder<readonly [...A, string[]], O> {
    this.#args.push(() => ({ name, help, optional: false, repeat: true, ...options }));
    return this as unknown as CommandBuilder<readonly [...A, string[]], O>;
  }

  /** Adds flags for fields of a resource, derived from their descriptions. */
  fields<R extends Resource, const K extends keyof Input<R> & string>(
    resource: R,
    names: readonly K[],
    options: { readonly [P in K]?: FieldFlagOptions } = {},
  ): CommandBuilder<A, O & Flags<R, K>> {
    this.#written ??= resource;
    this.#writes = true;
    for (const name of names) {
      const field = resource.fields[name];
      if (field === undefined) throw new Error(`${resource.name} has no field ${name}`);
      this.#flags.push(() => [
        fieldFlag(name, field, { clears: field.required !== true, ...options[name] }),
      ]);
    }
    return this as unknown as CommandBuilder<A, O & Flags<R, K>>;
  }

  /** Adds a flag that is parsed like a field, under another name. */
  field<const N extends string, F extends Field>(
    name: N,
    field: F,
    options: Omit<FieldFlagOptions, "name"> = {},
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: FieldValue<F> | undefined }> {
    this.#flags.push(() => [flagLikeField(name, field, options)]);
    return this as never;
  }

  /** Adds a switch, true when given. */
  switch<const N extends string>(
    name: N,
    help: string,
    options: Pick<Partial<Flag>, "short" | "also"> = {},
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: boolean | undefined }> {
    this.#flags.push(() => [ownFlag(name, help, options)]);
    return this as never;
  }

  /** Adds a flag with its own parser; text unless `read` is given. */
  flag<const N extends string, T = string>(
    name: N,
    help: string,
    options: FlagOptions<T> & { readonly repeat: true },
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: T[] | undefined }>;
  flag<const N extends string, T = string>(
    name: N,
    help: string,
    options?: FlagOptions<T>,
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: T | undefined }>;
  flag(name: string, help: string, options: FlagOptions<unknown> = {}): unknown {
    this.#flags.push(() => [ownFlag(name, help, { placeholder: "TEXT", ...options })]);
    return this;
  }

  /** Adds flags built elsewhere, whose keys the action knows. */
  flags<More extends object>(
    flags: readonly Flag[] | (() => readonly Flag[]),
  ): CommandBuilder<A, O & More> {
    this.#flags.push(typeof flags === "function" ? flags : () => flags);
    return this as unknown as CommandBuilder<A, O & More>;
  }

  /** Sets the action, and completes the declaration. */
  action(run: (ctx: Context, ...args: [...A, O]) => Promise<void>): Command {
    let flags: readonly Flag[] | undefined;
    let words: readonly Argument[] | undefined;
    const args = () => {
      words ??= this.#args.map((makeArgument) => makeArgument());
      return words;
    };
    const makeFlags = () => {
      const ownFlags = this.#flags.flatMap((makeFlag) => makeFlag());
      flags ??= uniqueFlags(this.#name, [
        ...ownFlags,
        ...(this.#created?.alike === undefined ? [] : [allowDuplicateFlag]),
        ...(this.#writes ? [idempotencyKeyFlag] : []),
        ...(this.#writes && this.#isPlanned ? planFlags : []),
      ]);
      return flags;
    };
    const answer = this.#answer ?? this.#written ?? this.#named;
    return {
      kind: "command",
      name: this.#name,
      aliases: this.#aliases,
      summary: this.#summary,
      notes: this.#notes,
      get args() {
        return args();
      },
      get flags() {
        return makeFlags();
      },
      examples: this.#examples,
      answer: answer === "nothing" ? undefined : answer,
      writes: this.#writes,
      alters: this.#alters,
      putsFile: this.#putsFile,
      wizard: this.#wizard,
      unless: this.#unless,
      run: (ctx, args, options) => run(ctx, ...([...args, options] as unknown as [...A, O])),
    };
  }
}

/**
 * Checks that names are unique.
 *
 * @throws Error when two flags have the same name
 */
function uniqueFlags(command: string, flags: readonly Flag[]): readonly Flag[] {
  const flagNames = new Set<string>();
  for (const { name } of flags) {
    if (flagNames.has(name)) throw new Error(`${command} declares --${name} twice`);
    flagNames.add(name);
  }
  return flags;
}

/** Begins the declaration of a command. */
export function command(name: string, summary: string): CommandBuilder<readonly [], None> {
  return new CommandBuilder(name, summary);
}

/** Declares a noun with its verbs. */
export function group(
  name: string,
  summary: string,
  children: readonly Child[],
  { aliases = [], otherwise, usual }: Partial<Pick<Group, "aliases" | "otherwise" | "usual">> = {},
): Group {
  return { kind: "group", name, summary, children, aliases, otherwise, usual };
}

/** Returns the default verb for words that name no verb; undefined for a noun without one. */
export async function otherwiseOf({ children, otherwise }: Group): Promise<Command | undefined> {
  const child = otherwise === undefined ? undefined : findChild(children, otherwise);
  const childCommand = child && (await declaredBy(child));
  return childCommand?.kind === "command" ? childCommand : undefined;
}

/** Declares a noun or a verb whose module is loaded, by `from`, when it is used. */
export function deferLoading(
  name: string,
  aliases: readonly string[],
  summary: string,
  { otherwise, usual }: Pick<DeferredChild, "otherwise" | "usual"> = {},
) {
  const deferredGroup = { kind: "deferred", name, aliases, summary, otherwise, usual } as const;
  return { from: (load: DeferredChild["load"]): DeferredChild => ({ ...deferredGroup, load }) };
}

/** Builds a flag without a field: a switch, unless `own` says otherwise. */
export function ownFlag(name: string, help: string, flagParts: Partial<Flag> = {}): Flag {
  return {
    name,
    key: toCamel(name),
    help,
    negatable: false,
    repeat: false,
    required: false,
    commas: false,
    read: (text) => text,
    ...flagParts,
  };
}

/** Builds a flag that is parsed like a field, under another name. */
export function flagLikeField(
  name: string,
  field: Field,
  options: Omit<FieldFlagOptions, "name"> = {},
): Flag {
  return { ...fieldFlag(name, field, { ...options, name }), key: toCamel(name) };
}

const allowDuplicateFlag: Flag = ownFlag(
  "allow-duplicate",
  "make it also where one that looks the same is there already",
  { general: true },
);

const idempotencyKeyFlag: Flag = ownFlag(
  "idempotency-key",
  "do it once, however often the same line is run with this key within 6 minutes",
  { placeholder: "KEY", general: true, read: readIdempotencyKey },
);

const planFlag: Flag = ownFlag(
  "plan",
  "change nothing, and keep in this file what would be done, for acct apply",
  { placeholder: "FILE", live: "file", general: true },
);

const approveByFlag: Flag = ownFlag(
  "approve-by",
  "with --plan: apply it only once this person has approved it",
  { placeholder: "EMAIL", general: true },
);

const planFlags: readonly Flag[] = [planFlag, approveByFlag];

/**
 * Parses an idempotency key: the characters of an HTTP header, up to the limit of the service.
 *
 * @throws UsageError
 */
function readIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  throw new UsageError(
    "BadValue",
    "--idempotency-key takes 1 to 128 letters, digits and signs without spaces" +
      (text.length > 128 ? `, not ${text.length}.` : "."),
  );
}

/** Returns the command line name of a resource: `credit-note`. */
export function wordOf({ noun }: Resource): string {
  return noun.replaceAll(" ", "-");
}

function keyArgument(resource: Resource, word = wordOf(resource)) {
  return {
    name: word.toUpperCase().replaceAll(" ", "-"),
    help: `${word}, by ${joinWithOr(keyWords(resource))}`,
    live: word.replaceAll(" ", "-"),
  };
}

/** Returns the words for the keys by which a record can be named. */
function keyWords(resource: Resource): string[] {
  const words = Object.entries(resource.fields)
    .filter(([name, field]) => field.key === true || resource.keys?.includes(name))
    .map(([name]) => /(Number|Code|Name|Type)$/.exec(name)?.[0].toLowerCase() ?? "name");
  const isHandled = resource.fields.Handle !== undefined && resource.name !== "Invoice";
  const hasId = resource.fields[resource.id]?.kind === "id";
  return [...new Set(words), ...(isHandled ? ["handle"] : []), ...(hasId ? ["id"] : [])];
}

/** Joins words: `number, name or id`. */
function joinWithOr(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Converts `--due-date` to the option key `dueDate`. */
export function toCamel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
