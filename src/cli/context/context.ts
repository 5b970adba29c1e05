/** Types of a command declaration, and of the context that each command is given. */

import type { Client } from "../../client/client.ts";
import type { Resource } from "../../resources/field.ts";
import type { Transport } from "../../wire/http.ts";
import type { OutputFormat } from "../render/formats/index.ts";
import type { Out } from "../render/output.ts";
import type { DayOrder, DayReading } from "../values/date-flags.ts";
import type { Target, TargetFlags } from "./target.ts";

/** The global flags with environment defaults applied; the target is in `Context.target`. */
export interface GlobalFlags extends TargetFlags {
  readonly output: OutputFormat;
  /** Path of the output; stdout when not given, or `-`. */
  readonly outputFile?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  /** Whether tables keep all columns, whatever the width of the terminal. */
  readonly wide?: boolean | undefined;
  /** Font files that PDF output prefers over the fonts of the machine. */
  readonly fonts?: readonly string[] | undefined;
  /** A jq program that filters the answer, which is then JSON. */
  readonly jq?: string | undefined;
  readonly dryRun: boolean;
  /** Whether changes are refused; a profile may set this too (`guard.ts`). */
  readonly readOnly: boolean;
  /**
   * Base of the public addresses at which customers see documents, where the book is served
   * elsewhere.
   */
  readonly publicUrl?: string | undefined;
  readonly yes: boolean;
  /** False when prompts are forbidden or there is no terminal to prompt on. */
  readonly input: boolean;
  /** Maximum wait for a rate-limited service, in milliseconds; default when not given. */
  readonly waitMaxMs?: number | undefined;
  readonly verbose: boolean;
  readonly color: boolean;
  /** Whether a record is created even where a likely duplicate exists. */
  readonly allowDuplicate: boolean;
  /** Idempotency key of the command's first request; later requests have keys derived from it. */
  readonly idempotencyKey?: string | undefined;
  /** File to which a plan is written instead of making the changes; implies a dry run. */
  readonly plan?: string | undefined;
  /** Email address of the person who must approve the plan. */
  readonly approveBy?: string | undefined;
}

/** Prompts; each throws UsageError naming the flag when prompting is not possible. */
export interface Ask {
  confirm(question: string, options: { flag: string; default?: boolean }): Promise<boolean>;
}

export interface Context {
  readonly flags: GlobalFlags;
  /** The declaration of the whole command line, for help and manual pages. */
  readonly root: Group;
  /**
   * The target book or service, resolved on first use.
   *
   * @throws UsageError
   */
  target(): Target;
  /**
   * The client, opened on first use. With `--dry-run` every write is a dry run.
   *
   * @throws UsageError `NoBook` when there is no book and the user does not create one
   */
  client(): Promise<Client>;
  /** Opens another client of the same book or service, by the flags of another context. */
  open(at: Context): Promise<Client>;
  /**
   * Runs another line of the program on the same book or service, and catches what it prints.
   *
   * @param env   variables besides those of this command
   * @param over  a service in this process, used in place of the book; then `env` are all variables
   */
  line(
    words: readonly string[],
    env?: Context["env"],
    over?: Transport,
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
  /** The words of the command line. */
  readonly argv: readonly string[];
  /** Whether the command declares that it changes records of the service. */
  readonly writes: boolean;
  readonly out: Out;
  readonly ask: Ask;
  /** Clock in milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /**
   * Current date, `YYYY-MM-DD`, in the organisation's time zone; in the machine's time zone where the
   * organisation's is unknown.
   */
  today(): Promise<string>;
  /**
   * Order of day and month in dates such as `1/3/2026` in the organisation's country; undefined
   * where it is not known or ambiguous.
   */
  dayOrder(): Promise<DayOrder | undefined>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal;
}

/** Returns the user at the terminal, by the name on this machine, as history records it. */
export function personOf({ env }: Pick<Context, "env">) {
  const user = env.ACCT_USER ?? env.USER ?? env.LOGNAME ?? env.USERNAME;
  return { user, email: env.ACCT_EMAIL };
}

// --- declarations ----------------------------------------------------------------------------

/**
 * What a typed value refers to, for completion: a record, by noun or resource name (`credit-note`);
 * a `record` of any noun; a document `line`; or something local: `file`, `profile`.
 */
export type Live = string;

/** Kinds of records that a flag accepts by name, where the service requires a code or an id. */
export type Refers = "account" | "contact" | "group" | "item" | "tax-rate" | "theme" | "tracking";

/** Context that parsing a value may need. */
export interface ParseContext extends DayReading {
  /** Today's date, `YYYY-MM-DD`. */
  today(): string;
}

export interface Argument {
  /** Placeholder in the usage line, `INVOICE`. */
  readonly name: string;
  readonly help: string;
  readonly optional: boolean;
  /** Whether the argument takes all remaining words, as a list. */
  readonly repeat: boolean;
  /** Whether `-` stands for the words on standard input, one a line. */
  readonly isFromInput?: boolean | undefined;
  readonly values?: readonly string[] | undefined;
  readonly live?: Live | undefined;
  readonly mayBeEmpty?: boolean | undefined;
}

export interface Flag {
  /** Flag name without dashes. */
  readonly name: string;
  readonly short?: string | undefined;
  /** Hidden aliases. */
  readonly also?: readonly string[] | undefined;
  /** Name of the value in the options object. */
  readonly key: string;
  readonly help: string;
  /** Placeholder of the value in help; a flag without one is a switch. */
  readonly placeholder?: string | undefined;
  /** Whether `--no-…` turns the switch off. */
  readonly negatable: boolean;
  /** Whether the flag may be repeated; its value is then a list. */
  readonly repeat: boolean;
  readonly required: boolean;
  /** All accepted values, where they can be listed. */
  readonly values?: readonly string[] | undefined;
  /** Whether the flag takes several values separated by commas. */
  readonly commas: boolean;
  readonly live?: Live | undefined;
  /**
   * Kind of record that the value refers to, possibly by name where the service requires a code.
   */
  readonly refers?: Refers | undefined;
  /** Whether the value is stored in the context, like a global flag, rather than in the options. */
  readonly general?: boolean | undefined;
  /** Whether an empty value is permitted, which clears a field. */
  readonly clears?: boolean | undefined;
  /**
   * Parses the value.
   *
   * @throws UsageError
   */
  readonly read: (text: string, reading: ParseContext) => unknown;
}

/**
 * What a command writes to stdout: records of a resource, possibly depending on its options, a
 * report, or a single value; `own` where the command checks columns itself. Declaring it lets
 * columns and format be checked before any request: a payment must not be made by a command that
 * then fails for an unknown column.
 */
export type OutputKind = Resource | "report" | "value" | "own" | ((options: object) => Resource);

/** A command that can be run. */
export interface Command {
  readonly kind: "command";
  readonly name: string;
  readonly aliases: readonly string[];
  /** Summary for help: one line, lower case, no full stop. */
  readonly summary: string;
  /** Further help, as paragraphs. */
  readonly notes: readonly string[];
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly string[];
  /** Output of the command; undefined where it writes neither records nor a report. */
  readonly answer?: OutputKind | undefined;
  /** Whether the command may change records of the service; writes of others are refused. */
  readonly writes: boolean;
  /** Whether it changes a book file, or its users, without the service. */
  readonly alters: boolean;
  /** Whether the command writes `--output-file` itself; otherwise stdout is redirected to it. */
  readonly putsFile?: ((options: object, flags: GlobalFlags) => boolean) | undefined;
  /**
   * Wizard that asks for the arguments on a terminal, when none are given, unless a global flag
   * leaves nothing to ask.
   */
  readonly wizard?: (() => Promise<Wizard>) | undefined;
  readonly unless?: keyof GlobalFlags | undefined;
  readonly run: (ctx: Context, args: readonly unknown[], options: object) => Promise<void>;
}

/** One choice of a selection prompt. */
export interface Choice<T> {
  readonly name: string;
  readonly value: T;
  /** Short text shown after the choice; the name when not given. */
  readonly short?: string;
  /** Reason why the choice is disabled. */
  readonly disabled?: string | undefined;
}

/** Answers so far, as command line values, by the keys of the questions. */
export type Answers = Readonly<Record<string, string | undefined>>;

/** A wizard question whose answer becomes an argument or a flag of a command. */
export interface Question {
  /** Target argument (`INVOICE`) or flag (`account`). */
  readonly to: string;
  /** Key of the answer; `to` when not given. */
  readonly key?: string;
  readonly message: string | ((answers: Answers) => string);
  /** Name in the menu of changes: `the account`. */
  readonly called: string;
  /** Whether the answer may be empty. */
  readonly optional?: true;
  /** Condition for asking; always when not given. */
  readonly when?: (answers: Answers) => boolean;
  /** Default answer, taken by Enter. */
  readonly initial?: (ctx: Context, answers: Answers) => Promise<string | undefined>;
  /**
   * Validation in addition to the flag's own.
   *
   * @throws AcctError
   */
  readonly check?: (text: string) => void;
  /** Fixed choices, for a question that is not free text. */
  readonly choices?: (ctx: Context, answers: Answers) => Promise<readonly Choice<string>[]>;
  /** Choices searched by the typed text. */
  readonly search?: (
    ctx: Context,
    term: string,
    answers: Answers,
  ) => Promise<readonly Choice<string>[]>;
  /** Command line word of an answer; the answer itself when not given. */
  readonly word?: (answer: string) => string;
}

/** The wizard of a command, run when no arguments are given. */
export interface Wizard {
  /** Label of the final choice that runs the command: `Record the payment`. */
  readonly deed: string;
  readonly questions: readonly Question[];
}

/** A noun with its verbs, or another group of commands. */
export interface Group {
  readonly kind: "group";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly children: readonly Child[];
  /** Default verb where the word names none: `acct explain INV-0204`. */
  readonly otherwise?: string | undefined;
  /** Default verb where no word follows. */
  readonly usual?: string | undefined;
}

export type Declared = Command | Group;

/** A child that is loaded when its name is used: a command, or the verbs of a noun. */
export interface DeferredChild {
  readonly kind: "deferred";
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly otherwise?: string | undefined;
  readonly load: () => Promise<Command | readonly Child[]>;
  /** Default verb, as of a group. */
  readonly usual?: string | undefined;
}

export type Child = Declared | DeferredChild;

/** Options of a flag that its field description does not give. */
export interface FieldFlagOptions {
  readonly name?: string;
  readonly short?: string;
  readonly help?: string;
  readonly required?: boolean;
  /** Accepted values of a choice, where the command does not accept all. */
  readonly values?: readonly string[];
  /** Whether an empty text is accepted, which clears the field. */
  readonly clears?: boolean;
  /** Whether a relative date (`+20d`) is kept until the base date of the record is known. */
  readonly late?: boolean;
  /** Kind of record referred to, where the field name does not imply it. */
  readonly refers?: Refers;
}
