/** How a failed command says so: a sentence for people, an object for programs, an exit code. */
import {
  AcctError,
  AuthError,
  type Detail,
  NotFoundError,
  RefusedError,
  SchemaError,
  ToldError,
  UnavailableError,
  UsageError,
} from "../../resources/errors.ts";
import { lockDate } from "../../wire/decode/lock-words.ts";
import { formats, type OutputFormat } from "./formats/index.ts";
import { safeJson, safeLine } from "./safe.ts";
import { ClosedPipeError } from "./sinks/sink.ts";

/** A bulk command did part of its work; the details are what was refused. */
export class PartlyDoneError extends AcctError {
  constructor(message: string, details: readonly Detail[] = []) {
    super("PartlyDone", message, details);
  }
}

/** The person pressed Ctrl-C. */
export class InterruptedError extends AcctError {
  constructor(message = "Interrupted; nothing was left half-written.") {
    super("Interrupted", message);
  }
}

/** Classes of errors with their exit codes; what is in none of them is unexpected, and exits 1. */
const exitCodes: readonly (readonly [abstract new (...values: never) => Error, number])[] = [
  [UsageError, 2],
  [NotFoundError, 3],
  [AuthError, 4],
  [RefusedError, 5],
  [SchemaError, 5],
  [UnavailableError, 6],
  [PartlyDoneError, 7],
  [InterruptedError, 130],
  [ClosedPipeError, 0],
];

/** What an interruption is called by those that do not know our classes: signals, and prompts. */
const interruptions: readonly unknown[] = ["AbortError", "AbortPromptError", "ExitPromptError"];

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ToldError) return error.exitCode;
  const known = exitCodes.find(([kind]) => error instanceof kind);
  return known?.[1] ?? (isInterruption(error) ? 130 : 1);
}

export interface ErrorOptions {
  readonly format: OutputFormat;
  readonly color: boolean;
}

/** Most details that a person is shown; programs get all of them. */
const detailsMax = 50;

/**
 * The text for stderr, with its line end; empty where there is nothing to say.
 *
 * It loads nothing and asks nothing, since what failed may be the disk.
 */
export function renderError(error: unknown, { format, color }: ErrorOptions): string {
  if (error instanceof ClosedPipeError || error instanceof ToldError) return "";
  const shown =
    isInterruption(error) && !(error instanceof AcctError) ? new InterruptedError() : error;
  const details = shown instanceof AcctError ? shown.details : [];
  const [first] = details;
  const locked = codeOf(shown) === lockDate ? first : undefined;
  const message = locked === undefined ? messageOf(shown) : detailText(locked);
  if (formats[format].isJson) {
    const body = { error: { code: codeOf(shown), message, details } };
    return `${safeJson(JSON.stringify(body))}\n`;
  }
  const label = color ? "\u001b[1;31macct:\u001b[22;39m" : "acct:";
  // What the message says itself need not be read twice.
  const isOne = details.length === 1 && (locked ?? first?.message === message);
  const isSaid = isOne || details.every((detail) => message.includes(detailText(detail)));
  const listed = isSaid ? [] : details;
  const lines = listed.slice(0, detailsMax).map((detail) => `  ${safeLine(detailText(detail))}\n`);
  const rest = listed.length - lines.length;
  if (rest > 0) lines.push(`  and ${rest} more; -o json lists every one\n`);
  if (locked !== undefined) lines.push("  acct explain refusal tells the rule and the ways.\n");
  return `${label} ${safeLine(message)}\n${lines.join("")}`;
}

/** `INV-0042, DueDate: …`, without repeating what the message says itself. */
function detailText({ record, field, message }: Detail): string {
  const where = [record, field].filter((part) => part !== undefined && !message.includes(part));
  return where.length > 0 ? `${where.join(", ")}: ${message}` : message;
}

function messageOf(error: unknown): string {
  if (error instanceof AcctError) return error.message;
  const { message, code } = (error ?? {}) as NodeJS.ErrnoException;
  const said = typeof message === "string" && message !== "" ? message : String(error);
  // The system's own sentences ("ENOSPC: no space left on device, write") need no more words.
  return code === undefined ? `Unexpected failure: ${said}` : said;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "Unexpected";
}

function isInterruption(error: unknown): boolean {
  return error instanceof InterruptedError || interruptions.includes((error as Error | null)?.name);
}
