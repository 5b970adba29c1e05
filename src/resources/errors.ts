/**
 * What can go wrong, in the five words every layer shares.
 *
 * The class is the kind: the service maps it to a status and the command line to an exit code,
 * each in one table. `code` names the fault for programs, `message` is one sentence for people,
 * and `details` lists every single fault when there are several.
 */

/** One fault inside a larger refusal. */
export interface Detail {
  /** One sentence. */
  readonly message: string;
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

/** The data or the transition is refused: validation, life cycle, lock date, overflow. */
export class RefusedError extends AcctError {}

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
