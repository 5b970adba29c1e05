/**
 * Retries requests where that is safe, within a limit on the wait.
 *
 * A request refused by the rate limit was not executed, so it can always be retried, after the time
 * that the service states. After an outage, a lost connection or a failure of the service only
 * idempotent requests are retried: reads, and writes with an idempotency key, for which the service
 * repeats its first answer.
 */
import { LimitedError, UnavailableError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { canBeSentAgain, textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import { codeOfLimit, ServiceFailedError } from "../../wire/errors.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import { failures } from "./http.ts";
import type { Permit, RateLimiter, WaitReason } from "./rate-limiter.ts";

export interface RetryOptions {
  /**
   * Maximum attempts of one request, including the first, without those refused by a rate limit.
   */
  readonly triesMax?: number;
  /** Maximum total wait for one request, in milliseconds. */
  readonly waitMaxMs?: number | undefined;
  /** Returns the rate limiter that processes share; none when not given. */
  readonly rateLimiter?: ((request: ServiceRequest) => RateLimiter | undefined) | undefined;
  readonly sleep: (waitMs: number) => Promise<void>;
  /** Returns 0 to 1, to spread the waits of several processes. */
  readonly random: () => number;
  /** Receives a message before a noticeable wait. */
  readonly notify?: (message: string) => void;
}

const triesMax = 5;
/** Few attempts: a wrong address is more likely than a service that is just starting. */
const unreachableTriesMax = 3;
/** Few attempts: a failure of the service is more likely a defect than temporary. */
const failedTriesMax = 3;
/** Default total wait: twice the rate limit's minute. */
const waitMaxMs = 120_000;
const firstWaitMs = 250;
/** Maximum single wait, where the service states none. */
const eachWaitMaxMs = 5_000;
const noticedMs = 2_000;

/** Returns a transport that retries requests where that is safe. */
export function retryingTransport(transport: Transport, options: RetryOptions): Transport {
  return async (request) => {
    const waitForRetry = waitingOf(options);
    const limiter = options.rateLimiter?.(request);
    const isTooOften = failureCounter(options.triesMax);
    for (let attempts = 1; ; attempts++) {
      const permit = await permitOf(limiter, waitForRetry);
      const outcome = await attemptOnce(transport, request);
      if (permit !== undefined) report(permit, outcome);
      const { failed } = outcome;
      if (failed === undefined || !maySendAgain(request, failed)) return resultOf(outcome);
      if (isTooOften(failed)) return resultOf(outcome);
      const waitMs = waitFor(failed, attempts, options.random());
      if (!(await waitForRetry(waitMs, failed.message))) return resultOf(outcome);
    }
  };
}

/** Waits with a message where it would be noticed; false where the total wait would be too long. */
type WaitForRetry = (waitMs: number, reason: string) => Promise<boolean>;

function waitingOf({ sleep, notify, waitMaxMs: most = waitMaxMs }: RetryOptions): WaitForRetry {
  let waitedMs = 0;
  return async (waitMs, reason) => {
    if (waitedMs + waitMs > most) return false;
    if (waitMs >= noticedMs) notify?.(`${reason} Trying again in ${Math.ceil(waitMs / 1000)} s.`);
    await sleep(waitMs);
    waitedMs += waitMs;
    return true;
  };
}

/**
 * Counts failures per kind, and returns whether one more attempt is allowed. Rate limits are not
 * counted; the total wait limits them.
 */
function failureCounter(maximum = triesMax): (failed: RetriableError) => boolean {
  let all = 0;
  let unreachable = 0;
  let serviceFailed = 0;
  return (failed) => {
    if (failed instanceof LimitedError) return false;
    all += 1;
    if (failed.code === failures.unreachable) unreachable += 1;
    if (failed instanceof ServiceFailedError) serviceFailed += 1;
    return all >= maximum || unreachable >= unreachableTriesMax || serviceFailed >= failedTriesMax;
  };
}

/**
 * Returns a permit of the rate limiter.
 *
 * @throws LimitedError when the wait would be too long
 */
async function permitOf(
  limiter: RateLimiter | undefined,
  waitForRetry: WaitForRetry,
): Promise<Permit | undefined> {
  for (;;) {
    const permit = limiter?.acquire();
    if (permit === undefined || !("waitMs" in permit)) return permit;
    const limited = limitedBy(permit);
    if (!(await waitForRetry(permit.waitMs, limited.message))) throw limited;
  }
}

/** Returns the error that the service itself would have answered. */
function limitedBy({ limit, inAllMs }: WaitReason): LimitedError {
  const time = counted(Math.ceil(inAllMs / 1000), "second");
  return new LimitedError(
    codeOfLimit(limit),
    `The service's rate limit (${limit}) is reached; try again in ${time}.`,
    { retryAfterMs: inAllMs },
  );
}

function report(permit: Permit, { response, failed }: AttemptOutcome): void {
  if (failed instanceof LimitedError) {
    const limit = response?.headers["x-rate-limit-problem"]?.toLowerCase() ?? "";
    permit.refused(limit, failed.retryAfterMs);
  } else if (response !== undefined) permit.admitted();
}

/** An answer or an error, and the failure in it that a retry may fix, if any. */
type AttemptOutcome = {
  readonly response?: ServiceResponse;
  readonly thrown?: unknown;
  readonly failed?: RetriableError;
};

/** Failures that a retry may fix. */
type RetriableError = UnavailableError | ServiceFailedError;

async function attemptOnce(transport: Transport, request: ServiceRequest): Promise<AttemptOutcome> {
  try {
    const response = await transport(request);
    if (response.status !== 429 && response.status < 500) return { response };
    const body = await textOf(response.body);
    const readWhole = { ...response, body };
    const error = await decodeError(response.status, response.headers, body);
    return isFailed(error) ? { response: readWhole, failed: error } : { response: readWhole };
  } catch (thrown) {
    return thrown instanceof UnavailableError ? { thrown, failed: thrown } : { thrown };
  }
}

function isFailed(error: unknown): error is RetriableError {
  return error instanceof UnavailableError || error instanceof ServiceFailedError;
}

function resultOf({ response, thrown }: AttemptOutcome): ServiceResponse {
  if (response === undefined) throw thrown;
  return response;
}

function maySendAgain(request: ServiceRequest, failed: RetriableError): boolean {
  if (!canBeSentAgain(request.body)) return false;
  if (failed.code === failures.unreachable || failed instanceof LimitedError) return true;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return mendable.has(failed.code) && (isRead || request.headers["idempotency-key"] !== undefined);
}

/** Codes of failures after which the request may or may not have been executed. */
const mendable = new Set<string>([failures.lost, failures.timeout, "Outage", "ServiceFailed"]);

/** Returns the wait that the service states, otherwise a doubling wait with a random quarter. */
function waitFor(failed: RetriableError, attempts: number, randomShare: number): number {
  if ("retryAfterMs" in failed && failed.retryAfterMs !== undefined) return failed.retryAfterMs;
  return Math.min(eachWaitMaxMs, firstWaitMs * 2 ** (attempts - 1)) * (0.75 + randomShare / 2);
}
