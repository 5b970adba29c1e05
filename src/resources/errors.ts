/**
 * Error classes, shared by all layers.
 *
 * The class is the kind of the error: the service maps it to an HTTP status and the command line to
 * an exit code, each in one table. `code` names the fault for programs, `message` is one sentence
 * for people, and `details` lists every single fault when there are several.
 */

import { type RefusalCode, type RuleName, ruleOfRefusal } from "./refusal-rules.ts";

/** One of the faults in a refusal. */
export interface Detail {
  /** Message in one sentence. */
  readonly message: string;
  /**
   * Rule that was broken; undefined where unknown, as in errors of other services or of a command
   * line.
   */
  readonly rule?: RuleName | undefined;
  /** Dotted path of the field at fault, if any. */
  readonly field?: string | undefined;
  /** Record or row at fault, by its name for users. */
  readonly record?: string | undefined;
  /** Question about an ambiguous input. */
  readonly question?: string | undefined;
  /** Flag that answers the question; then the flag with each possible answer. */
  readonly flag?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  /** Ambiguous value; then its row in the file, from 1. */
  readonly example?: string | undefined;
  readonly row?: number | undefined;
}

export abstract class AcctError extends Error {
  readonly code: string;
  readonly details: readonly Detail[];

  constructor(
    code: string,
    message: string,
    details: readonly Detail[] = [],
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/** Error in a command line: an unknown command or flag, a missing value. */
export class UsageError extends AcctError {}

/** Error for an id, number or code of which there is no record. */
export class NotFoundError extends AcctError {}

/** Authentication or authorisation error. */
export class AuthError extends AcctError {
  /**
   * HTTP status: 401 where credentials are missing or refused, 403 where permissions do not
   * suffice.
   */
  readonly status: 401 | 403;

  constructor(code: string, message: string, status: 401 | 403 = 401) {
    super(code, message);
    this.status = status;
  }
}

/** Joins the messages of several faults. */
export function sentencesOf(faults: readonly Detail[]): string {
  return faults.map(({ message }) => message).join(" ");
}

/** A fault that the service finds, always with the rule it breaks. */
export interface Fault extends Detail {
  readonly rule: RuleName;
}

/** An error code outside the registry of rules, with its rule where known. */
export interface ForeignCode {
  readonly code: string;
  readonly rule: RuleName | undefined;
}

/** Refusal of data or of a transition: validation, life cycle, lock date, overflow. */
export class RefusedError extends AcctError {
  readonly rule: RuleName | undefined;

  constructor(
    codeName: RefusalCode | ForeignCode,
    message: string,
    details: readonly Detail[] = [],
    options?: { cause?: unknown },
  ) {
    super(typeof codeName === "string" ? codeName : codeName.code, message, details, options);
    this.rule = typeof codeName === "string" ? ruleOfRefusal(codeName) : codeName.rule;
  }

  /**
   * Details of the refusal, or the refusal itself where it has none, each with its rule where
   * known.
   */
  get faults(): readonly Detail[] {
    const { message, details, rule } = this;
    const allDetails: readonly Detail[] = details.length > 0 ? details : [{ message }];
    return allDetails.map((detail) => ({ ...detail, rule: detail.rule ?? rule }));
  }

  /** Copies the refusal with another message. */
  withMessage(message: string, details: readonly Detail[] = []): RefusedError {
    return new RefusedError(this, message, details);
  }
}

/** Code of a refusal for invalid values in a request. */
export const validationException = "ValidationException";

/**
 * Creates a refusal for invalid values in a request; duplicate faults are dropped.
 *
 * @param message  one sentence for all faults; the first fault's sentence when not given
 */
export function refusalFor(faults: readonly Detail[], message?: string): RefusedError {
  const distinct = [
    ...new Map(faults.map((fault) => [`${fault.record} ${fault.message}`, fault])).values(),
  ];
  const [first] = distinct;
  const code = { code: validationException, rule: first?.rule };
  return new RefusedError(code, message ?? first?.message ?? "", distinct);
}

/** Creates a refusal by one rule. @param messages  a sentence, or one for each fault */
export function refusal(rule: RuleName, messages: string | readonly string[]): RefusedError {
  return refusalFor([messages].flat().map((message) => ({ rule, message })));
}

/**
 * Error for books whose table schema is not this program's: of another version, or with
 * foreign changes. The request is not at fault.
 */
export class SchemaError extends AcctError {}

/** Error for an unavailable service: a rate limit, an outage, or no connection. */
export class UnavailableError extends AcctError {
  /** Time to wait before a retry in milliseconds, where the service gave it. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    message: string,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(code, message, [], options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Error of a rate limit: the service works, and the request had no effect. */
export class LimitedError extends UnavailableError {}

/** Outcome that was printed already, by this process or another of the program. */
export class ToldError extends AcctError {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super("Told", message);
    this.exitCode = exitCode;
  }
}
