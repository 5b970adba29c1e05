/**
 * Sends a request again where that is harmless, within a limit on the waiting.
 *
 * A refusal for the rate limit did nothing, so anything may follow it; the service says when. After
 * an outage or a lost connection only what can be done twice is sent twice: reads, and writes that
 * carry an idempotency key, under which the service answers what it answered the first time.
 */
import { UnavailableError } from "../resources/errors.ts";
import { textOf } from "../wire/body.ts";
import { decodeError } from "../wire/failure.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import { failures } from "./http.ts";

export interface RetryOptions {
  /** Most sendings of one request, the first counted. */
  readonly triesMax?: number;
  /** Most waiting in all for one request. */
  readonly waitMaxMs?: number;
  readonly sleep: (waitMs: number) => Promise<void>;
  /** 0 to 1, spreads the waits of several processes. */
  readonly random: () => number;
  /** Told before a wait long enough to be noticed. */
  readonly notify?: (message: string) => void;
}

const triesMax = 5;
/** A wrong address is more likely than a service that starts this very moment. */
const unreachableTriesMax = 3;
const waitMaxMs = 120_000;
const firstWaitMs = 250;
const noticedMs = 2_000;

export function retrying(transport: Transport, options: RetryOptions): Transport {
  return async (request) => {
    let waitedMs = 0;
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(transport, request);
      const { failed } = outcome;
      if (failed === undefined || !maySendAgain(request, failed)) return settle(outcome);
      const wait = waitFor(failed, tries, options.random());
      const most = failed.code === failures.unreachable ? unreachableTriesMax : triesMax;
      if (tries >= Math.min(most, options.triesMax ?? most)) return settle(outcome);
      if (waitedMs + wait > (options.waitMaxMs ?? waitMaxMs)) return settle(outcome);
      if (wait >= noticedMs) {
        options.notify?.(`${failed.message} Trying again in ${Math.ceil(wait / 1000)} s.`);
      }
      await options.sleep(wait);
      waitedMs += wait;
    }
  };
}

/** An answer, or what was thrown; and the failure that another try may mend, if it is one. */
type Outcome = {
  readonly response?: ServiceResponse;
  readonly thrown?: unknown;
  readonly failed?: UnavailableError;
};

async function attempt(transport: Transport, request: ServiceRequest): Promise<Outcome> {
  try {
    const response = await transport(request);
    if (response.status !== 429 && response.status < 502) return { response };
    const body = await textOf(response.body);
    const whole = { ...response, body };
    const error = await decodeError(response.status, response.headers, body);
    return error instanceof UnavailableError
      ? { response: whole, failed: error }
      : { response: whole };
  } catch (thrown) {
    return thrown instanceof UnavailableError ? { thrown, failed: thrown } : { thrown };
  }
}

function settle({ response, thrown }: Outcome): ServiceResponse {
  if (response === undefined) throw thrown;
  return response;
}

function maySendAgain(request: ServiceRequest, failed: UnavailableError): boolean {
  if (failed.code === failures.unreachable || failed.code.startsWith("RateLimit")) return true;
  const isRead = request.method === "GET" || request.method === "HEAD";
  return mendable.has(failed.code) && (isRead || request.headers["idempotency-key"] !== undefined);
}

/** Failures after which the request may or may not have been done. */
const mendable = new Set<string>([failures.lost, failures.timeout, "Outage"]);

/** What the service asks for, or else twice as long each time, give or take a quarter. */
function waitFor(failed: UnavailableError, tries: number, random: number): number {
  if (failed.retryAfterMs !== undefined) return failed.retryAfterMs;
  return firstWaitMs * 2 ** (tries - 1) * (0.75 + random / 2);
}
