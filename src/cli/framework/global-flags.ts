/**
 * Global flags of every command, and their environment variables.
 *
 * A flag overrides the environment, which overrides a profile, which overrides the default; the
 * target is chosen in `choose-target.ts`, all others here.
 */
import { fstatSync } from "node:fs";
import { UsageError } from "../../resources/errors.ts";
import { checkVariables, type Env } from "../context/config.ts";
import type { Flag, GlobalFlags } from "../context/context.ts";
import {
  formatOfFile,
  formats,
  type OutputFormat,
  outputFormats,
} from "../render/formats/index.ts";
import { didYouMean } from "../values/suggest.ts";
import { ownFlag } from "./command.ts";

/** Parsed values of the global flags by key, and of flags that are stored like them. */
export interface GlobalOptions {
  readonly book?: string;
  readonly database?: string;
  readonly data?: string;
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly tenant?: string;
  readonly demo?: boolean;
  readonly output?: OutputFormat;
  readonly outputFile?: string | undefined;
  readonly columns?: readonly string[];
  readonly wide?: boolean;
  readonly fonts?: readonly string[];
  readonly jq?: string;
  readonly dryRun?: boolean;
  readonly readOnly?: boolean;
  readonly publicUrl?: string;
  readonly yes?: boolean;
  readonly noInput?: boolean;
  readonly maxWait?: number;
  readonly verbose?: boolean;
  readonly noColor?: boolean;
  readonly allowDuplicate?: boolean;
  readonly idempotencyKey?: string;
  readonly plan?: string | undefined;
  readonly approveBy?: string;
}

export const globalFlags: readonly Flag[] = [
  ownFlag("book", "work on this book (ACCT_BOOK)", { placeholder: "FILE", live: "file" }),
  ownFlag("database", "work in this PostgreSQL database (ACCT_DATABASE)", { placeholder: "URL" }),
  ownFlag("data", "work in this folder of books, one organisation in each file (ACCT_DATA)", {
    placeholder: "DIR",
    live: "file",
  }),
  ownFlag("profile", "use this profile (ACCT_PROFILE)", { placeholder: "NAME", live: "profile" }),
  ownFlag("base-url", "talk to this service (ACCT_BASE_URL, ACCT_TOKEN)", { placeholder: "URL" }),
  ownFlag(
    "tenant",
    "of a service, a database or a folder, this organisation, by name or id (ACCT_TENANT)",
    { placeholder: "NAME" },
  ),
  ownFlag("demo", "work on a throw-away sample company, made on first use"),
  ownFlag("output", `${outputFormats.join(", ")}; table when not given (ACCT_OUTPUT)`, {
    short: "o",
    placeholder: "FORMAT",
    values: outputFormats,
    read: (value) => readFormat(value, "--output"),
  }),
  ownFlag(
    "output-file",
    "write to this file, in the format that its ending names unless -o names another",
    {
      placeholder: "FILE",
      live: "file",
    },
  ),
  ownFlag("columns", "fields to show, * for all of them, in every format but xml and id", {
    placeholder: "A,B.C",
    read: readColumns,
  }),
  ownFlag("wide", "tables with all their columns, as wide as these are"),
  ownFlag(
    "font",
    "in PDF, take what the documents' own type lacks from this font first (ACCT_FONTS)",
    { key: "fonts", placeholder: "FILE", repeat: true, live: "file" },
  ),
  ownFlag("jq", "put the JSON through this jq program; with -o ndjson a record at a time", {
    placeholder: "PROGRAM",
  }),
  ownFlag("dry-run", "check, show what would change, change nothing"),
  ownFlag("read-only", "refuse whatever would change anything (ACCT_READ_ONLY=1)"),
  ownFlag("public-url", "under which address others see what acct serve serves (ACCT_PUBLIC_URL)", {
    placeholder: "URL",
    read: (value) => readPublicUrl(value, "--public-url"),
  }),
  ownFlag("yes", "answer yes to every confirmation"),
  ownFlag("no-input", "never ask; a missing value is an error"),
  ownFlag(
    "max-wait",
    "wait so long for a service that limits calls; 120 when not given (ACCT_MAX_WAIT)",
    { placeholder: "SECONDS", read: (value) => readMaxWait(value, "--max-wait") },
  ),
  ownFlag("verbose", "show requests and answers on stderr (ACCT_DEBUG=1)"),
  ownFlag("no-color", "no colour (NO_COLOR)"),
];

/**
 * Combines global flags with the environment.
 *
 * @throws UsageError
 */
export function foldGlobals(globals: GlobalOptions, env: Env): GlobalFlags {
  checkVariables(env);
  const output = outputOf(globals, env);
  if (globals.approveBy !== undefined && globals.plan === undefined) {
    throw new UsageError(
      "BadFlags",
      "--approve-by goes with --plan: it names who approves the plan.",
    );
  }
  if (globals.wide === true && output !== "table") {
    throw new UsageError("BadFlags", `--wide is of tables; leave it out with -o ${output}.`);
  }
  const mayAsk = globals.noInput !== true;
  let isInputAllowed: boolean | undefined;
  return {
    book: globals.book,
    database: globals.database,
    data: globals.data,
    profile: globals.profile,
    baseUrl: globals.baseUrl,
    tenant: globals.tenant,
    demo: globals.demo ?? false,
    output,
    outputFile: globals.outputFile,
    columns: globals.columns,
    wide: globals.wide,
    fonts: globals.fonts,
    jq: globals.jq,
    dryRun: globals.dryRun ?? globals.plan !== undefined,
    readOnly: globals.readOnly ?? isReadOnly(env),
    publicUrl:
      globals.publicUrl ??
      (isSet(env.ACCT_PUBLIC_URL)
        ? readPublicUrl(env.ACCT_PUBLIC_URL, "ACCT_PUBLIC_URL")
        : undefined),
    yes: globals.yes ?? false,
    get input() {
      isInputAllowed ??= mayAsk && isTerminal(0) && isTerminal(2);
      return isInputAllowed;
    },
    waitMaxMs:
      globals.maxWait ??
      (isSet(env.ACCT_MAX_WAIT) ? readMaxWait(env.ACCT_MAX_WAIT, "ACCT_MAX_WAIT") : undefined),
    verbose: globals.verbose ?? isSet(env.ACCT_DEBUG, "0", "false"),
    color: globals.noColor !== true && hasColor(env, 1),
    allowDuplicate: globals.allowDuplicate ?? false,
    idempotencyKey: globals.idempotencyKey,
    plan: globals.plan,
    approveBy: globals.approveBy,
  };
}

function outputOf({ output: said, outputFile, jq }: GlobalOptions, env: Env): OutputFormat {
  const output = said ?? (outputFile === undefined ? undefined : formatOfFile(outputFile));
  const usualFormat = isSet(env.ACCT_OUTPUT) ? readUsual(env.ACCT_OUTPUT) : "table";
  if (jq === undefined) return output ?? usualFormat;
  if (output === undefined) return formats[usualFormat].isJson ? usualFormat : "json";
  if (formats[output].isJson) return output;
  const message = `--jq works on JSON, not on ${output}: use -o json or ndjson, or leave -o out.`;
  throw new UsageError("BadOutput", message);
}

/**
 * Parses the default format for all commands, which excludes paper formats that few commands
 * support.
 */
function readUsual(value: string): OutputFormat {
  const format = readFormat(value, "ACCT_OUTPUT");
  if (formats[format].paper === undefined) return format;
  const message = `ACCT_OUTPUT cannot be ${format}, which few commands have: ask for it with -o.`;
  throw new UsageError("BadValue", message);
}

/** Whether the environment sets read-only mode. */
export function isReadOnly(env: Env): boolean {
  return isSet(env.ACCT_READ_ONLY, "0", "false");
}

/** Whether output is coloured; the terminal is checked last, since that is slowest. */
export function hasColor(env: Env, descriptor: 1 | 2): boolean {
  if (isSet(env.FORCE_COLOR, "0", "false")) return true;
  return !isSet(env.NO_COLOR) && env.TERM !== "dumb" && isTerminal(descriptor);
}

/** Returns the format of errors from words that may not be parseable. */
export function wantedFormat(argv: readonly string[], env: Env): OutputFormat {
  const line = argv.join(" ");
  if (/(?:^| )--jq[ =]/.test(line)) return "json";
  const format = /(?:^| )(?:-o[ =]?|--output[ =])(\w+)/.exec(line)?.[1] ?? env.ACCT_OUTPUT;
  return outputFormats.find((outputFormat) => outputFormat === format?.toLowerCase()) ?? "table";
}

function isSet(value: string | undefined, ...offs: readonly string[]): value is string {
  return value !== undefined && value !== "" && !offs.includes(value);
}

/**
 * Whether a descriptor is a terminal. `node:tty` takes 2 ms to load, so only character devices are
 * checked with it.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false; // closed
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}

function readFormat(value: string, name: string): OutputFormat {
  const format = outputFormats.find((outputFormat) => outputFormat === value.toLowerCase());
  if (format !== undefined) return format;
  throw new UsageError(
    "BadValue",
    `${name} cannot be "${value}".${didYouMean(value, outputFormats)} It takes ${outputFormats.join(", ")}.`,
  );
}

/**
 * Parses a maximum wait.
 *
 * @returns milliseconds
 */
function readMaxWait(value: string, name: string): number {
  const seconds = /^\d{1,6}(\.\d{1,3})?$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (seconds <= 86_400) return seconds * 1000;
  throw new UsageError("BadValue", `${name} takes seconds, at most 86400, not "${value}".`);
}

/** Parses a public URL, and removes a final slash. */
function readPublicUrl(text: string, name: string): string {
  const url = URL.parse(text.trim());
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new UsageError(
    "BadValue",
    `${name} takes an address such as https://books.example, with no path, not "${text}".`,
  );
}

function readColumns(value: string): readonly string[] {
  const columns = value
    .split(",")
    .map((column) => column.trim())
    .filter((column) => column !== "");
  if (columns.length === 0) throw new UsageError("BadValue", "--columns names no field.");
  return columns;
}
