/**
 * Sends a request again where that is harmless, within a limit on the waiting.
 *
 * A refusal for the rate limit did nothing, so anything may follow it; the service says when. After
 * an outage, a lost connection or a failure of the service only what can be done twice is sent twice:
 * reads, and writes that carry an idempotency key, under which the service answers what it answered
 * the first time.
 */
import { LimitedError, UnavailableError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import { canBeSentAgain, textOf } from "../../wire/body.ts";
import { decodeError } from "../../wire/decode/failure.ts";
import { codeOfLimit, ServiceFailedError } from "../../wire/errors.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";
import { failures } from "./http.ts";
import type { Hold, Permit, RateLimiter } from "./rate-limiter.ts";

export interface RetryOptions {
  /** Most sendings of one request, the first counted, and those that met a limit not. */
  readonly triesMax?: number;
  /** Most waiting in all for one request. */
  readonly waitMaxMs?: number | undefined;
  /** The limiter that this process shares with others; none when not given. */
  readonly rateLimiter?: ((request: ServiceRequest) => RateLimiter | undefined) | undefined;
  readonly sleep: (waitMs: number) => Promise<void>;
  /** 0 to 1, spreads the waits of several processes. */
  readonly random: () => number;
  /** Told before a wait long enough to be noticed. */
  readonly notify?: (message: string) => void;
}

const triesMax = 5;
/** A wrong address is more likely than a service that starts this very moment. */
const unreachableTriesMax = 3;
/** A failure of the service is more likely a fault of the program than a passing one. */
const failedTriesMax = 3;
/** The limit of a minute, twice. */
const waitMaxMs = 120_000;
const firstWaitMs = 250;
/** Of those that the service does not say. */
const eachWaitMaxMs = 5_000;
const noticedMs = 2_000;

/** A transport that tries again what may be tried again, and waits as it is told to. */
export function retrying(transport: Transport, options: RetryOptions): Transport {
  return async (request) => {
    const waiting = waitingOf(options);
    const limiter = options.rateLimiter?.(request);
    const isTooOften = counting(options.triesMax);
    for (let tries = 1; ; tries++) {
      const permit = await permitOf(limiter, waiting);
      const outcome = await attempt(transport, request);
      if (permit !== undefined) report(permit, outcome);
      const { failed } = outcome;
      if (failed === undefined || !maySendAgain(request, failed)) return settle(outcome);
      if (isTooOften(failed)) return settle(outcome);
      const wait = waitFor(failed, tries, options.random());
      if (!(await waiting(wait, failed.message))) return settle(outcome);
    }
  };
}

/** Waits, and says so where it would be noticed; false where that would be too long in all. */
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
 * Counts failures. A limit is waited for as long as anybody wants to wait, and counts for none; what
 * is out of order is met a few times, each kind of it no oftener than it may go by.
 */
function counting(most = triesMax): (failed: Failed) => boolean {
  let all = 0;
  let unreachable = 0;
  let serviceFailed = 0;
  return (failed) => {
    if (failed instanceof LimitedError) return false;
    all += 1;
    if (failed.code === failures.unreachable) unreachable += 1;
    if (failed instanceof ServiceFailedError) serviceFailed += 1;
    return all >= most || unreachable >= unreachableTriesMax || serviceFailed >= failedTriesMax;
  };
}

/** @throws LimitedError when that would be too long */
async function permitOf(
  limiter: RateLimiter | undefined,
  waiting: WaitForRetry,
): Promise<Permit | undefined> {
  for (;;) {
    const taken = limiter?.acquire();
    if (taken === undefined || !("waitMs" in taken)) return taken;
    const limited = limitedBy(taken);
    if (!(await waiting(taken.waitMs, limited.message))) throw limited;
  }
}

/** Told in the words in which the service would have told it. */
function limitedBy({ limit, inAllMs }: Hold): LimitedError {
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

/** An answer, or what was thrown; and the failure that another try may mend, if it is one. */
type AttemptOutcome = {
  readonly response?: ServiceResponse;
  readonly thrown?: unknown;
  readonly failed?: Failed;
};

/** What another try may mend. */
type Failed = UnavailableError | ServiceFailedError;

async function attempt(transport: Transport, request: ServiceRequest): Promise<AttemptOutcome> {
  try {
    const response = await transport(request);
    if (response.status !== 429 && response.status < 500) return { response };
    const body = await textOf(response.body);
    const whole = { ...response, body };
    const error = await decodeError(response.status, response.headers, body);
    return isFailed(error) ? { response: whole, failed: error } : { response: whole };
  } catch (thrown) {
    return thrown instanceof UnavailableError ? { thrown, failed: thrown } : { thrown };
  }
}

function isFailed(error: unknown): error is Failed {
  return error instanceof UnavailableError || error instanceof ServiceFailedError;
}

function settle({ response, thrown }: AttemptOutcome): ServiceResponse {
  if (response === undefined) throw thrown;
  return response;
}

function maySendAgain(request: ServiceRequest, failed: Failed): boolean {
  if (!canBeSentAgain(request.body)) return false;
  if (failed.code === failures.unreachable || failed instanceof LimitedError) return true;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return mendable.has(failed.code) && (isRead || request.headers["idempotency-key"] !== undefined);
}

/** Failures after which the request may or may not have been done. */
const mendable = new Set<string>([failures.lost, failures.timeout, "Outage", "ServiceFailed"]);

/** What the service asks for, or else twice as long each time, give or take a quarter. */
function waitFor(failed: Failed, tries: number, random: number): number {
  if ("retryAfterMs" in failed && failed.retryAfterMs !== undefined) return failed.retryAfterMs;
  return Math.min(eachWaitMaxMs, firstWaitMs * 2 ** (tries - 1)) * (0.75 + random / 2);
}
