/** Reports a failed command: a sentence for people, an object for programs, and an exit code. */
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
import { wrapWords } from "./wrap-words.ts";

/** Thrown when a bulk command succeeded in part; the details list the refusals. */
export class PartlyDoneError extends AcctError {
  constructor(message: string, details: readonly Detail[] = []) {
    super("PartlyDone", message, details);
  }
}

/** Thrown when the user pressed Ctrl-C. */
export class InterruptedError extends AcctError {
  constructor(message = "Interrupted; nothing was left half-written.") {
    super("Interrupted", message);
  }
}

/** Exit codes of error classes; any other error is unexpected, and exits with 1. */
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

/** Error names of interruptions by other libraries: abort signals and prompts. */
const interruptions: readonly unknown[] = ["AbortError", "AbortPromptError", "ExitPromptError"];

/** Returns the exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof ToldError) return error.exitCode;
  const knownKind = exitCodes.find(([kind]) => error instanceof kind);
  return knownKind?.[1] ?? (isInterruption(error) ? 130 : 1);
}

export interface ErrorOptions {
  readonly format: OutputFormat;
  readonly color: boolean;
  /** Width of the terminal, in columns; undefined where there is none, and no line is wrapped. */
  readonly width?: number | undefined;
  /** What to do, where the message does not say it. */
  readonly remedy?: string | undefined;
}

/** Maximum count of details shown to people; programs get all. */
const detailsMax = 50;

/**
 * Returns the text for stderr with its line end; empty where there is nothing to report. Loads no
 * module, since the failure may be of the disk.
 */
export function renderError(error: unknown, options: ErrorOptions): string {
  const { format, color, width, remedy } = options;
  if (error instanceof ClosedPipeError || error instanceof ToldError) return "";
  const shownError =
    isInterruption(error) && !(error instanceof AcctError) ? new InterruptedError() : error;
  const details = shownError instanceof AcctError ? shownError.details : [];
  const [first] = details;
  const locked = codeOf(shownError) === lockDate ? first : undefined;
  const message = locked === undefined ? messageOf(shownError) : detailText(locked);
  const settledText = (text: string) =>
    text.replace(absentCurrency, "$&; acct currency add $1 adds it");
  if (formats[format].isJson) {
    const body = { error: { code: codeOf(shownError), message, details } };
    return `${safeJson(JSON.stringify(body))}\n`;
  }
  const label = color ? "\u001b[1;31macct:\u001b[22;39m" : "acct:";
  // A single detail that repeats the message is omitted.
  const isSingle = details.length === 1 && (locked ?? first?.message === message);
  const isStated = isSingle || details.every((detail) => message.includes(detailText(detail)));
  const shownDetails = isStated ? [] : details;
  const indented = (text: string) =>
    `${wrapWords(`  ${safeLine(settledText(text))}`, width, "    ")}\n`;
  const lines = shownDetails.slice(0, detailsMax).map((detail) => indented(detailText(detail)));
  const moreCount = shownDetails.length - lines.length;
  if (moreCount > 0) lines.push(`  and ${moreCount} more; -o json lists every one\n`);
  if (remedy !== undefined) lines.push(indented(remedy));
  if (locked !== undefined) lines.push("  acct explain refusal tells the rule and the ways.\n");
  const wrapped = wrapWords(`acct: ${safeLine(settledText(message))}`, width, "  ");
  return `${label}${wrapped.slice("acct:".length)}\n${lines.join("")}`;
}

/** What every service of this API says of a currency that is not added. */
const absentCurrency = /Users Organisation is not subscribed to currency ([A-Z]{3})/;

/** Formats a detail `INV-0042, DueDate: …`, without what the message already says. */
function detailText({ record, field, message }: Detail): string {
  const locations = [record, field].filter((text) => text !== undefined && !message.includes(text));
  return locations.length > 0 ? `${locations.join(", ")}: ${message}` : message;
}

function messageOf(error: unknown): string {
  if (error instanceof AcctError) return error.message;
  const { message, code } = (error ?? {}) as NodeJS.ErrnoException;
  const text = typeof message === "string" && message !== "" ? message : String(error);
  // Messages of the system ("ENOSPC: no space left on device, write") need no prefix.
  return code === undefined ? `Unexpected failure: ${text}` : text;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : "Unexpected";
}

function isInterruption(error: unknown): boolean {
  return error instanceof InterruptedError || interruptions.includes((error as Error | null)?.name);
}
