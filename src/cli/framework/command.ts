/**
 * How a command is declared.
 *
 * A declaration is data: what the command is called, what it takes, what it does with that. Parsing,
 * help and completion all walk the same data, so they cannot disagree, and a test can look at a
 * whole command line without running anything. Flags that stand for a field of a resource are
 * derived from its description by `flags.ts`.
 */
import { UsageError } from "../../resources/errors.ts";
import type { Field, Input, Resource } from "../../resources/field.ts";
import type {
  Argument,
  Child,
  Command,
  Context,
  Declared,
  Deferred,
  FieldFlagOptions,
  Flag,
  GlobalFlags,
  Group,
  Live,
  OutputKind,
  ParseContext,
  Wizard,
} from "../context/context.ts";
import { type FieldValue, fieldFlag } from "./flags.ts";

/** What a child declares. */
export async function declaredBy(child: Child): Promise<Declared> {
  if (child.kind !== "deferred") return child;
  const loaded = await child.load();
  return "kind" in loaded ? loaded : group(child.name, child.summary, loaded, child);
}

/** The command or noun that a word names. */
export function namedChild(among: readonly Child[], word: string): Child | undefined {
  const wanted = word.toLowerCase();
  return among.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
}

/** The options that `.fields(resource, names)` puts at an action's disposal. */
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
}

interface FlagOptions<T> {
  readonly short?: string;
  readonly placeholder?: string;
  readonly repeat?: boolean;
  readonly required?: boolean;
  readonly values?: readonly string[];
  readonly live?: Live;
  readonly read?: (text: string, reading: ParseContext) => T;
}

/** Collects a declaration; each call adds to what the action is given. */
export class CommandBuilder<A extends readonly unknown[], O extends object> {
  readonly #name: string;
  readonly #summary: string;
  readonly #aliases: string[] = [];
  readonly #notes: string[] = [];
  // Both are made when they are looked at: a noun declares a dozen verbs, of which one is run.
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
  /** Whose fields it takes, and otherwise what it names: that is mostly what it answers with. */
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

  /** A paragraph for the help text. */
  note(paragraph: string): this {
    this.#notes.push(paragraph);
    return this;
  }

  example(line: string): this {
    this.#examples.push(line);
    return this;
  }

  /**
   * What it writes to stdout, where that is not the resource whose fields it takes, or else the one
   * that its argument names.
   */
  answers(answer: OutputKind | "nothing"): this {
    this.#answer = answer;
    return this;
  }

  /**
   * It changes records of the service, so that it takes an idempotency key. What takes fields of a
   * resource does so without saying it; of anything else a write is refused before it is sent.
   *
   * @param isPlanned  false where no plan can be made of it
   */
  writes({ isPlanned = true }: { readonly isPlanned?: boolean } = {}): this {
    this.#writes = true;
    this.#isPlanned = isPlanned;
    return this;
  }

  /** It puts a file at `--output-file` itself, where `puts` says so. */
  putsFile(puts: (options: O, flags: GlobalFlags) => boolean): this {
    this.#putsFile = puts as Command["putsFile"];
    return this;
  }

  /** It changes a book, or who may work on it, by itself: read-only work refuses to run it. */
  alters(): this {
    this.#alters = true;
    return this;
  }

  /** It makes records, which it asks about where one looks as if it were there already. */
  creates(resource: Resource): this {
    this.#created = resource;
    return this.writes();
  }

  /** On a terminal and without any words of its own, it asks for them. */
  asks(wizard: () => Promise<Wizard>): this {
    this.#wizard = wizard;
    return this.note("On a terminal, and given nothing, it asks.");
  }

  /** A record, by whatever names it. */
  key(resource: Resource, word?: string): CommandBuilder<readonly [...A, string], O> {
    this.#named ??= resource;
    this.#args.push(() => ({ ...keyArgument(resource, word), optional: false, repeat: false }));
    return this as unknown as CommandBuilder<readonly [...A, string], O>;
  }

  /** One or more records. */
  keys(resource: Resource, word?: string): CommandBuilder<readonly [...A, string[]], O> {
    this.#named ??= resource;
    this.#args.push(() => ({ ...keyArgument(resource, word), optional: false, repeat: true }));
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

  /** All the words that are left; at least one unless they are optional. */
  arguments(
    name: string,
    help: string,
    options: ArgumentOptions & { readonly optional?: boolean } = {},
  ): CommandBuilder<readonly [...A, string[]], O> {
    this.#args.push(() => ({ name, help, optional: false, repeat: true, ...options }));
    return this as unknown as CommandBuilder<readonly [...A, string[]], O>;
  }

  /** Flags for fields of a resource, derived from their descriptions. */
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

  /** A flag that reads as some field does, under a name of its own. */
  field<const N extends string, F extends Field>(
    name: N,
    field: F,
    options: Omit<FieldFlagOptions, "name"> = {},
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: FieldValue<F> | undefined }> {
    this.#flags.push(() => [likeField(name, field, options)]);
    return this as never;
  }

  /** A switch, true when it is given. */
  switch<const N extends string>(
    name: N,
    help: string,
    options: { readonly short?: string } = {},
  ): CommandBuilder<A, O & { readonly [P in Camel<N>]?: boolean | undefined }> {
    this.#flags.push(() => [ownFlag(name, help, options)]);
    return this as never;
  }

  /** A flag with a value of its own kind; text unless `read` says otherwise. */
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

  /** Flags that were made elsewhere; the action knows their keys. */
  flags<More extends object>(
    flags: readonly Flag[] | (() => readonly Flag[]),
  ): CommandBuilder<A, O & More> {
    this.#flags.push(typeof flags === "function" ? flags : () => flags);
    return this as unknown as CommandBuilder<A, O & More>;
  }

  /** Says what it does, and completes the declaration. */
  action(run: (ctx: Context, ...given: [...A, O]) => Promise<void>): Command {
    let flags: readonly Flag[] | undefined;
    let taken: readonly Argument[] | undefined;
    const args = () => {
      taken ??= this.#args.map((make) => make());
      return taken;
    };
    const made = () => {
      const own = this.#flags.flatMap((make) => make());
      flags ??= unlike(this.#name, [
        ...own,
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
        return made();
      },
      examples: this.#examples,
      answer: answer === "nothing" ? undefined : answer,
      writes: this.#writes,
      alters: this.#alters,
      putsFile: this.#putsFile,
      wizard: this.#wizard,
      run: (ctx, args, options) => run(ctx, ...([...args, options] as unknown as [...A, O])),
    };
  }
}

/** @throws Error when two flags bear one name */
function unlike(command: string, flags: readonly Flag[]): readonly Flag[] {
  const names = new Set<string>();
  for (const { name } of flags) {
    if (names.has(name)) throw new Error(`${command} declares --${name} twice`);
    names.add(name);
  }
  return flags;
}

/** Begins the declaration of a command. */
export function command(name: string, summary: string): CommandBuilder<readonly [], None> {
  return new CommandBuilder(name, summary);
}

/** A noun with its verbs. */
export function group(
  name: string,
  summary: string,
  children: readonly Child[],
  { aliases = [], otherwise, usual }: Partial<Pick<Group, "aliases" | "otherwise" | "usual">> = {},
): Group {
  return { kind: "group", name, summary, children, aliases, otherwise, usual };
}

/** The verb that takes words which name none; undefined for a noun without one. */
export async function otherwiseOf({ children, otherwise }: Group): Promise<Command | undefined> {
  const child = otherwise === undefined ? undefined : namedChild(children, otherwise);
  const declared = child && (await declaredBy(child));
  return declared?.kind === "command" ? declared : undefined;
}

export function deferred(
  name: string,
  aliases: readonly string[],
  summary: string,
  load: Deferred["load"],
  { otherwise, usual }: Pick<Deferred, "otherwise" | "usual"> = {},
): Deferred {
  return { kind: "deferred", name, aliases, summary, load, otherwise, usual };
}

/** A flag that stands for no field: a switch, unless it says otherwise. */
export function ownFlag(name: string, help: string, own: Partial<Flag> = {}): Flag {
  return {
    name,
    key: camel(name),
    help,
    negatable: false,
    repeat: false,
    required: false,
    commas: false,
    read: (text) => text,
    ...own,
  };
}

/** A flag that reads as some field does, under a name of its own. */
export function likeField(
  name: string,
  field: Field,
  options: Omit<FieldFlagOptions, "name"> = {},
): Flag {
  return { ...fieldFlag(name, field, { ...options, name }), key: camel(name) };
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

/** A header takes no other characters, and the service no more of them. @throws UsageError */
function readIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(text)) return text;
  throw new UsageError(
    "BadValue",
    "--idempotency-key takes 1 to 128 letters, digits and signs without spaces" +
      (text.length > 128 ? `, not ${text.length}.` : "."),
  );
}

/** How a command line calls records of a resource: `credit-note`. */
export function wordOf({ noun }: Resource): string {
  return noun.replaceAll(" ", "-");
}

function keyArgument(resource: Resource, word = wordOf(resource)) {
  return {
    name: word.toUpperCase().replaceAll(" ", "-"),
    help: `${word}, by ${listed(keyWords(resource))}`,
    live: word.replaceAll(" ", "-"),
  };
}

/** What a person may call one record of a resource. */
function keyWords(resource: Resource): string[] {
  const words = Object.entries(resource.fields)
    .filter(([name, field]) => field.key === true || resource.keys?.includes(name))
    .map(([name]) => /(Number|Code|Name|Type)$/.exec(name)?.[0].toLowerCase() ?? "name");
  return [...new Set(words), ...(resource.fields[resource.id]?.kind === "id" ? ["id"] : [])];
}

/** `number, name or id`. */
function listed(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** `--due-date` as the key of a value, `dueDate`. */
export function camel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
