/** What a command is as data, and what each is given: where to ask, where to write, the time. */

import type { Client } from "../../client/client.ts";
import type { Resource } from "../../resources/field.ts";
import type { OutputFormat } from "../render/formats/index.ts";
import type { Out } from "../render/output.ts";
import type { DayOrder, DayReading } from "../values/date-flags.ts";
import type { Target, TargetFlags } from "./target.ts";

/** The global flags, with the environment folded in; where work is done is `Context.place`. */
export interface GlobalFlags extends TargetFlags {
  readonly output: OutputFormat;
  /** Where data goes; to stdout when not given, or `-`. */
  readonly outputFile?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Font files that PDF takes characters from before others of the machine. */
  readonly fonts?: readonly string[] | undefined;
  /** A jq program that the answer goes through, which is in JSON then. */
  readonly jq?: string | undefined;
  readonly dryRun: boolean;
  /** Whether changes are refused; a profile may say so too (`guard.ts`). */
  readonly readOnly: boolean;
  /** Begins the addresses where customers see documents of a book that is served elsewhere. */
  readonly publicUrl?: string | undefined;
  readonly yes: boolean;
  /** False when prompts are forbidden or there is no terminal to prompt on. */
  readonly input: boolean;
  /** Most waiting for a service that limits calls, in milliseconds; as usual when not given. */
  readonly waitMaxMs?: number | undefined;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Whether a record is made also where one that looks the same is there already. */
  readonly allowDuplicate: boolean;
  /** Under which the first request of the command is sent, and the others under keys made of it. */
  readonly idempotencyKey?: string | undefined;
  /** File in which the changes are kept as a plan instead of being made; it is a dry run then. */
  readonly plan?: string | undefined;
  /** Email address of the person without whose approval the plan is not to be applied. */
  readonly approveBy?: string | undefined;
}

/** Questions to a person; each throws UsageError naming the flag when prompting is not possible. */
export interface Ask {
  confirm(question: string, options: { flag: string; default?: boolean }): Promise<boolean>;
}

export interface Context {
  readonly flags: GlobalFlags;
  /** The whole command line as it is declared, for what describes it. */
  readonly root: Group;
  /** Which book or service; settled when first asked for. @throws UsageError */
  target(): Target;
  /**
   * Opened when first asked for. With `--dry-run` every write through it is one.
   *
   * @throws UsageError `NoBook` when there is no book yet and none is made on the spot
   */
  client(): Promise<Client>;
  /** The words of the command line. */
  readonly argv: readonly string[];
  /** Whether the command is declared to change records of the service. */
  readonly writes: boolean;
  readonly out: Out;
  readonly ask: Ask;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The day it is here, `YYYY-MM-DD`. */
  today(): string;
  /** The order of days such as `1/3/2026` in the organisation's country, where it is known and settles one. */
  dayOrder(): Promise<DayOrder | undefined>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the person interrupts. */
  readonly interrupted: AbortSignal;
}

/** The person at the terminal; history tells people of one machine apart by their names there. */
export function personOf({ env }: Pick<Context, "env">) {
  const user = env.ACCT_USER ?? env.USER ?? env.LOGNAME ?? env.USERNAME;
  return { user, email: env.ACCT_EMAIL };
}

// --- declarations ----------------------------------------------------------------------------

/**
 * What a typed value names, for completion: a record, by the word of its noun or the name of its
 * resource (`credit-note`); a `record` of any noun, a document `line`; or something of the machine:
 * `file`, `profile`.
 */
export type Live = string;

/** A record that a flag may name by what people call it, where the service wants a code or an id. */
export type Refers = "account" | "contact" | "group" | "item" | "tax-rate" | "theme" | "tracking";

/** What reading a value may need besides its text. */
export interface ParseContext extends DayReading {
  /** `YYYY-MM-DD`. */
  today(): string;
}

export interface Argument {
  /** As it stands in the usage line, `INVOICE`. */
  readonly name: string;
  readonly help: string;
  readonly optional: boolean;
  /** Takes every word that is left, as a list. */
  readonly repeat: boolean;
  readonly values?: readonly string[] | undefined;
  readonly live?: Live | undefined;
}

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string | undefined;
  /** Other names that are understood and not shown. */
  readonly also?: readonly string[] | undefined;
  /** Under which name its value stands in the options. */
  readonly key: string;
  readonly help: string;
  /** What stands for the value in help; without one it is a switch. */
  readonly placeholder?: string | undefined;
  /** A switch that `--no-…` turns off. */
  readonly negatable: boolean;
  /** May be given several times; its value is then a list. */
  readonly repeat: boolean;
  readonly required: boolean;
  /** Every value it takes, where they can be listed. */
  readonly values?: readonly string[] | undefined;
  /** Takes several of its values, separated by commas. */
  readonly commas: boolean;
  readonly live?: Live | undefined;
  /** The record that its value names, which may be by a name where the service wants a code. */
  readonly refers?: Refers | undefined;
  /** Whether its value goes to the context, as that of a global flag does, and not to the action. */
  readonly general?: boolean | undefined;
  /** @throws UsageError */
  readonly read: (text: string, reading: ParseContext) => unknown;
}

/**
 * What a command writes to stdout: records of a resource, which may depend on its options, or a
 * report, or a single value that is no record; `own` where the command checks its columns itself. It is declared so that the columns and
 * the format asked for are checked against it before anything is sent: a payment must not be made by
 * a line that then fails for a column.
 */
export type OutputKind = Resource | "report" | "value" | "own" | ((options: object) => Resource);

/** Something to run. */
export interface Command {
  readonly kind: "command";
  readonly name: string;
  readonly aliases: readonly string[];
  /** One line, lower case, no full stop. */
  readonly summary: string;
  /** What else there is to know, as paragraphs. */
  readonly notes: readonly string[];
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Undefined where neither records nor a report are written, which have columns and formats. */
  readonly answer?: OutputKind | undefined;
  /** Whether it may change records of the service: one that does not cannot. */
  readonly writes: boolean;
  /** Whether it changes a book, or who may work on it, without asking the service. */
  readonly alters: boolean;
  /** Whether it puts a file at `--output-file` itself; otherwise what it writes to stdout goes there. */
  readonly putsFile?: ((options: object, flags: GlobalFlags) => boolean) | undefined;
  /** What it asks where it is given no words, on a terminal. */
  readonly wizard?: (() => Promise<Wizard>) | undefined;
  readonly run: (ctx: Context, args: readonly unknown[], options: object) => Promise<void>;
}

/** One of several answers to choose from. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** What stands for it once it is chosen; the name when not given. */
  readonly short?: string;
  /** Why it cannot be chosen. */
  readonly disabled?: string | undefined;
}

/** What was answered so far, by the keys of the questions: words of a command line. */
export type Answers = Readonly<Record<string, string | undefined>>;

/** A question whose answer stands for an argument or a flag of a command. */
export interface Question {
  /** The argument (`INVOICE`) or the flag (`account`). */
  readonly to: string;
  /** Under which its answer is known; `to` when not given. */
  readonly key?: string;
  readonly message: string | ((answers: Answers) => string);
  /** As it is called where it can be changed: `the account`. */
  readonly called: string;
  /** May be answered by nothing at all. */
  readonly optional?: true;
  /** Whether it is asked; always when not given. */
  readonly when?: (answers: Answers) => boolean;
  /** What Enter alone answers. */
  readonly initial?: (ctx: Context, answers: Answers) => Promise<string | undefined>;
  /** Refuses a typed text that the flag itself would take. @throws AcctError */
  readonly check?: (text: string) => void;
  /** The answers that there are, where it is not a text to type. */
  readonly choices?: (ctx: Context, answers: Answers) => Promise<readonly Choice<string>[]>;
  /** The same, where they are looked for by what was typed. */
  readonly search?: (
    ctx: Context,
    term: string,
    answers: Answers,
  ) => Promise<readonly Choice<string>[]>;
  /** The word for an answer; the answer itself when not given. */
  readonly word?: (answer: string) => string;
}

/** What a command asks a person who gives it no words. */
export interface Wizard {
  /** What the command does, as the choice that does it: `Record the payment`. */
  readonly deed: string;
  readonly questions: readonly Question[];
}

/** A word that others follow: a noun with its verbs. */
export interface Group {
  readonly kind: "group";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly children: readonly Child[];
  /** The verb that is meant where a word names none: `acct explain INV-0204`. */
  readonly otherwise?: string | undefined;
  /** The verb that is meant where none is given. */
  readonly usual?: string | undefined;
}

export type Declared = Command | Group;

/** A command, or the verbs of a noun, loaded when its name is given. */
export interface Deferred {
  readonly kind: "deferred";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly otherwise?: string | undefined;
  readonly load: () => Promise<Command | readonly Child[]>;
  /** As of a group. */
  readonly usual?: string | undefined;
}

export type Child = Declared | Deferred;

/** What may be said of a flag beyond what its field says. */
export interface FieldFlagOptions {
  readonly name?: string;
  readonly short?: string;
  readonly help?: string;
  readonly required?: boolean;
  /** The values of a choice that the command takes, where that is not all of them. */
  readonly values?: readonly string[];
  /** Whether an empty text is understood, as what clears the field. */
  readonly clears?: boolean;
  /** Whether a distance (`+20d`) stays one until the record is known, whose date it counts from. */
  readonly late?: boolean;
  /** The record that it names, where the name of its field does not say so. */
  readonly refers?: Refers;
}
