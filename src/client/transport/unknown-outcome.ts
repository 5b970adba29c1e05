/**
 * Marks errors of writes that may have been executed all the same.
 *
 * A retry with the same idempotency key normally tells whether the write was done. But where its
 * answer is about something else (an expired token, a rate limit, another failure), the outcome
 * stays unknown; a repeat under a new key could pay twice. So the user is warned.
 */
import { UnavailableError } from "../../resources/errors.ts";
import type { ServiceResponse, Transport } from "../../wire/http.ts";
import { unknownOutcomes } from "../requests.ts";
import { failures } from "./http.ts";

/** Marks failures of writes which this attempt, or an earlier one, may have executed. */
export function markUnknownOutcome(transport: Transport): Transport {
  /** Idempotency keys of writes with an unknown outcome. */
  const doubtedKeys = new Set<string>();
  return async (request) => {
    if (request.method === "GET" || request.method === "HEAD") return transport(request);
    const key = request.headers["idempotency-key"];
    const wasDoubted = key !== undefined && doubtedKeys.has(key);
    const lost = () => {
      if (key !== undefined) doubtedKeys.add(key);
    };
    try {
      const response = await transport(request);
      if (isRejectedBeforeSend(response))
        return wasDoubted ? { ...response, doubtful: true } : response;
      if (response.status >= 500) {
        lost();
        return { ...response, doubtful: true };
      }
      // The service has processed the request, and repeats this answer for the key.
      if (wasDoubted) doubtedKeys.delete(key);
      return response;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      const isLost = error.code !== failures.unreachable;
      if (isLost) lost();
      if (wasDoubted || isLost) unknownOutcomes.add(error);
      throw error;
    }
  };
}

const refusedStatuses = new Set([401, 403, 429, 501, 503]);

/**
 * Whether the answer was given before the request was processed, so that it says nothing about
 * earlier attempts.
 */
function isRejectedBeforeSend({ status }: ServiceResponse): boolean {
  return refusedStatuses.has(status);
}
