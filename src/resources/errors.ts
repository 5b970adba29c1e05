/**
 * What can go wrong, in the five words every layer shares.
 *
 * The class is the kind: the service maps it to a status and the command line to an exit code,
 * each in one table. `code` names the fault for programs, `message` is one sentence for people,
 * and `details` lists every single fault when there are several.
 */

import { type RefusalCode, type RuleName, ruleOfRefusal } from "./refusal-rules.ts";

/** One fault inside a larger refusal. */
export interface Detail {
  /** One sentence. */
  readonly message: string;
  /** Undefined where nothing says it: of another service, or of a command line. */
  readonly rule?: RuleName | undefined;
  /** Dotted path of the field at fault, where one is. */
  readonly field?: string | undefined;
  /** The record or row at fault, by the name a person uses for it. */
  readonly record?: string | undefined;
  /** Of an input that may be read in several ways: what is asked. */
  readonly question?: string | undefined;
  /** The flag that answers it, and the command words of each answer. */
  readonly flag?: string | undefined;
  readonly choices?: readonly string[] | undefined;
  /** The value in doubt, and its row in the file, from 1. */
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

/** A command line that cannot be understood: a command, a flag, a missing value. */
export class UsageError extends AcctError {}

/** No record of that id, number or code. */
export class NotFoundError extends AcctError {}

/** Not signed in, token refused, or not permitted. */
export class AuthError extends AcctError {
  /** 401 where credentials are missing or refused, 403 where they do not suffice. */
  readonly status: 401 | 403;

  constructor(code: string, message: string, status: 401 | 403 = 401) {
    super(code, message);
    this.status = status;
  }
}

/** The sentences of several faults, one after the other. */
export function sentencesOf(faults: readonly Detail[]): string {
  return faults.map(({ message }) => message).join(" ");
}

/** A fault that the service finds. */
export interface Fault extends Detail {
  readonly rule: RuleName;
}

/** A code that is not in the registry of rules, with its rule; undefined where nobody has named it. */
export interface ForeignCode {
  readonly code: string;
  readonly rule: RuleName | undefined;
}

/** The data or the transition is refused: validation, life cycle, lock date, overflow. */
export class RefusedError extends AcctError {
  readonly rule: RuleName | undefined;

  constructor(
    named: RefusalCode | ForeignCode,
    message: string,
    details: readonly Detail[] = [],
    options?: { cause?: unknown },
  ) {
    super(typeof named === "string" ? named : named.code, message, details, options);
    this.rule = typeof named === "string" ? ruleOfRefusal(named) : named.rule;
  }

  /** The details, or itself where it has none: each with a rule, where one is known. */
  get faults(): readonly Detail[] {
    const { message, details, rule } = this;
    const all: readonly Detail[] = details.length > 0 ? details : [{ message }];
    return all.map((detail) => ({ ...detail, rule: detail.rule ?? rule }));
  }

  /** The same refusal in other words. */
  reworded(message: string, details: readonly Detail[] = []): RefusedError {
    return new RefusedError(this, message, details);
  }
}

/** The code of what is wrong with the values of a request. */
export const validationException = "ValidationException";

/**
 * A refusal of the values of a request, each fault with its rule, and once.
 *
 * @param message  one sentence for all; the first fault when not given
 */
export function refusedFor(faults: readonly Detail[], message?: string): RefusedError {
  const distinct = [
    ...new Map(faults.map((fault) => [`${fault.record} ${fault.message}`, fault])).values(),
  ];
  const [first] = distinct;
  const code = { code: validationException, rule: first?.rule };
  return new RefusedError(code, message ?? first?.message ?? "", distinct);
}

/** A refusal by one rule. @param messages  a sentence, or one for each fault */
export function refusal(rule: RuleName, messages: string | readonly string[]): RefusedError {
  return refusedFor([messages].flat().map((message) => ({ rule, message })));
}

/**
 * The tables of the books are not those of this program: of another version, or with something that
 * it has not made. Nothing that is asked for is at fault.
 */
export class SchemaError extends AcctError {}

/** A rate limit, an outage, or no connection at all. */
export class UnavailableError extends AcctError {
  /** How long to wait before another try, where the service said so. */
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

/** A rate limit: nothing is out of order, and nothing was done. */
export class LimitedError extends UnavailableError {}

/** Another process of this program has failed, and has said why on stderr. */
export class ToldError extends AcctError {
  /** That of the other process. */
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super("Told", message);
    this.exitCode = exitCode;
  }
}
