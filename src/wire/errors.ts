/**
 * Encodes errors: one table maps what the service catches to a status and a body.
 *
 * Any other exception is a bug: it is answered with 500 and no details. Decoding is in
 * `failure.ts`.
 */

import { DiskError } from "../platform/disk.ts";
import {
  AcctError,
  AuthError,
  NotFoundError,
  RefusedError,
  SchemaError,
  UnavailableError,
} from "../resources/errors.ts";
import { nameOfRule, type RuleName } from "../resources/refusal-rules.ts";
import { unsupportedCoding } from "./body.ts";
import type { Collection, Format } from "./codec.ts";
import { encodeRefusal, type Rejected } from "./encode/encode.ts";

/**
 * Error for a failed service or an answer that cannot be understood; the request is not at fault.
 */
export class ServiceFailedError extends AcctError {}

// --- statuses --------------------------------------------------------------------------------

/** Error code for a method of the API that is not implemented here. */
export const notImplemented = "NotImplemented";

/**
 * Refusal codes with a number and name known to clients; every other refusal is a validation error.
 */
const refusalByCode = new Map([
  ["ValidationException", { number: 10, type: "ValidationException" }],
  ["PostDataInvalidException", { number: 14, type: "PostDataInvalidException" }],
  // A body beyond the reader's limits; this name is specific to this program.
  ["TooMuch", { number: 14, type: "TooMuch" }],
  ["TotalsOnly", { number: 10, type: "TotalsOnly" }],
  ["NotEInvoice", { number: 10, type: "NotEInvoice" }],
  ["QueryParseException", { number: 16, type: "QueryParseException" }],
  ["NoDataProcessedException", { number: 17, type: "NoDataProcessedException" }],
  [notImplemented, { number: 20, type: "ApiMethodNotImplementedException" }],
]);

const statusByRefusal = new Map([
  [notImplemented, 501],
  [unsupportedCoding, 415],
]);

const validation = { number: 10, type: "ValidationException" };

/** The general message for refused records, known to all clients; details are in the elements. */
export const validationMessage = "A validation exception occurred";

type ErrorClass<E extends AcctError> = abstract new (...parameters: never[]) => E;

interface ErrorRow<E extends AcctError = AcctError> {
  readonly kind: ErrorClass<E>;
  readonly status: (error: E) => number;
  readonly answer: (error: E, format: Format, context: ErrorContext) => Omit<ErrorAnswer, "status">;
}

const row = <E extends AcctError>(
  kind: ErrorClass<E>,
  status: ErrorRow<E>["status"],
  answer: ErrorRow<E>["answer"],
): ErrorRow => ({ kind, status, answer }) as unknown as ErrorRow;

/** The table from error class to status. */
const rows: readonly ErrorRow[] = [
  row(SchemaError, () => 503, encodeDiskError),
  row(RefusedError, ({ code }) => statusByRefusal.get(code) ?? 400, refusedAnswer),
  row(NotFoundError, () => 404, notFound),
  row(AuthError, ({ status }) => status, encodeUnauthorised),
  row(DiskError, ({ code }) => (code === "DiskFull" ? 507 : 503), encodeDiskError),
  row(UnavailableError, () => 503, encodeUnavailable),
];

/** The HTTP status for an error. */
export function statusOf(error: unknown): number {
  const row = rows.find(({ kind }) => error instanceof kind);
  return row === undefined ? 500 : row.status(error as AcctError);
}

// --- from the service ------------------------------------------------------------------------

export interface ErrorContext {
  /** Kind of the request's records. */
  readonly resource?: Collection | undefined;
  /** The refused records, each with its faults. */
  readonly rejected?: readonly Rejected[] | undefined;
  /** GUID that identifies the answer. */
  readonly instance: string;
  /** HTTP status for reached rate limits; 503 by default, as in the service document. */
  readonly limitStatus?: LimitStatus | undefined;
}

/** Status for rate limits; most clients retry automatically only after 429. */
export type LimitStatus = 429 | 503;

export interface ErrorAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Encodes the answer to a failed request.
 * @param error  the exception; anything but an `AcctError` is answered with 500 and no reason
 */
export function encodeError(format: Format, error: unknown, context: ErrorContext): ErrorAnswer {
  const row = rows.find(({ kind }) => error instanceof kind);
  if (row === undefined) return { status: 500, ...encodeFailure(format, context) };
  const acctError = error as AcctError;
  const answer = { status: row.status(acctError), ...row.answer(acctError, format, context) };
  return context.limitStatus === 429 ? currentLimitAnswer(answer) : answer;
}

function bodyType(format: Format): string {
  return format === "json" ? "application/json; charset=utf-8" : "text/xml; charset=utf-8";
}

function refusedAnswer(error: RefusedError, format: Format, { resource, rejected }: ErrorContext) {
  const { number, type } = refusalByCode.get(error.code) ?? validation;
  const isValidation = number === validation.number;
  const elements =
    rejected ??
    (error.details.length > 0 || isValidation ? [{ record: {}, errors: error.faults }] : []);
  const message = isValidation ? validationMessage : error.message;
  return {
    headers: {
      "content-type": bodyType(format),
      ...(error.code === unsupportedCoding ? { "accept-encoding": "gzip, identity" } : {}),
    },
    body: encodeRefusal(format, resource, {
      ...{ number, type, message, rejected: elements },
      rule: isValidation ? undefined : error.rule,
    }),
  };
}

function notFound(error: NotFoundError, format: Format) {
  if (format === "xml") {
    return { headers: { "content-type": "text/plain; charset=utf-8" }, body: error.message };
  }
  return {
    headers: { "content-type": "application/problem+json; charset=utf-8" },
    body: encodeProblem(404, "Not Found", error.message),
  };
}

/** Error codes that clients search for in the text of a 401 or 403. */
export const authCodes = [
  "TokenExpired",
  "AuthenticationUnsuccessful",
  "AuthorizationUnsuccessful",
];

/** Encodes a 401 or 403, always as JSON, because clients that ask for XML read it as well. */
function encodeUnauthorised(error: AuthError, _format: Format, { instance }: ErrorContext) {
  const { status, code, message } = error;
  const needsCode = authCodes.includes(code) && !message.startsWith(code);
  return {
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    },
    body: encodeProblem(
      status,
      status === 401 ? "Unauthorized" : "Forbidden",
      needsCode ? `${code}: ${message}` : message,
      instance,
      nameOfRule(code),
    ),
  };
}

/** Encodes a problem by RFC 9457, with the members that older clients expect. */
function encodeProblem(
  status: number,
  title: string,
  detail: string,
  instance?: string,
  Rule?: RuleName,
): string {
  const older =
    instance === undefined
      ? {}
      : {
          Type: null,
          Title: title,
          Status: status,
          Detail: detail,
          Instance: instance,
          Extensions: {},
        };
  return JSON.stringify({ ...older, type: "about:blank", title, status, detail, Rule });
}

/** Rate limits: error code by header name. */
export const limitByCode = new Map([
  ["RateLimitMinute", "minute"],
  ["RateLimitDay", "day"],
  ["RateLimitAppMinute", "appminute"],
  ["RateLimitConcurrent", "concurrent"],
]);

/**
 * The error code of a rate limit.
 * @param limit  as in the header, in lower case
 */
export function codeOfLimit(limit: string | undefined): string {
  return [...limitByCode].find(([, name]) => name === limit)?.[0] ?? "RateLimit";
}

/** Encodes a rate limit in the form clients know, an outage as one sentence. */
function encodeUnavailable(error: UnavailableError) {
  const limit =
    limitByCode.get(error.code) ?? (error.code.startsWith("RateLimit") ? "minute" : undefined);
  const { retryAfterMs } = error;
  const headers: Record<string, string> = { "content-type": "text/plain; charset=utf-8" };
  if (retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(retryAfterMs / 1000));
  if (limit === undefined) return { headers, body: error.message.replaceAll("=", " ") };
  headers["content-type"] = "text/html; charset=utf-8";
  headers["x-rate-limit-problem"] = limit;
  const advice = encodeURIComponent(error.message.toWellFormed());
  return { headers, body: `oauth_problem=rate%20limit%20exceeded&oauth_problem_advice=${advice}` };
}

/**
 * Encodes disk trouble: the sentence gives the remedy, and the code distinguishes it from an
 * outage.
 */
function encodeDiskError({ code, message }: AcctError) {
  const [status, title] =
    code === "DiskFull" ? [507, "Insufficient Storage"] : [503, "Service Unavailable"];
  const body = { type: "about:blank", title, status, detail: message, error: code };
  return {
    headers: { "content-type": "application/problem+json; charset=utf-8" },
    body: JSON.stringify(body),
  };
}

/**
 * Changes a rate-limit answer to the form of current services: 429, the same headers and no body.
 */
function currentLimitAnswer(answer: ErrorAnswer): ErrorAnswer {
  if (answer.headers["x-rate-limit-problem"] === undefined) return answer;
  const { "content-type": _, ...headers } = answer.headers;
  return { status: 429, headers, body: "" };
}

function encodeFailure(format: Format, { instance }: ErrorContext) {
  const message = `The service failed to answer. If you report it, name the request ${instance}.`;
  return {
    headers: {
      "content-type": bodyType(format),
    },
    body: encodeRefusal(format, undefined, {
      number: 500,
      type: "InternalServerError",
      message,
      rejected: [],
    }),
  };
}
