/**
 * Whether a write that failed may have been done all the same.
 *
 * What was sent again under its key is either done or it is not, and the next answer says which. But
 * where the next answer is about something else (a token that has expired meanwhile, a limit, another
 * failure), nobody knows; and who asks anew, under another key, may pay twice. So the person is told.
 */
import { UnavailableError } from "../../resources/errors.ts";
import type { ServiceResponse, Transport } from "../../wire/http.ts";
import { unknownOutcomes } from "../requests.ts";
import { failures } from "./http.ts";

/** Marks failures of writes of which this sending, or an earlier one, may have been done. */
export function markUnknownOutcome(transport: Transport): Transport {
  /** Keys of writes that may have been done. */
  const doubted = new Set<string>();
  return async (request) => {
    if (request.method === "GET" || request.method === "HEAD") return transport(request);
    const key = request.headers["idempotency-key"];
    const wasDoubted = key !== undefined && doubted.has(key);
    const lost = () => {
      if (key !== undefined) doubted.add(key);
    };
    try {
      const response = await transport(request);
      if (isRejectedBeforeSend(response))
        return wasDoubted ? { ...response, doubtful: true } : response;
      if (response.status >= 500) {
        lost();
        return { ...response, doubtful: true };
      }
      // The service has looked at what was asked, and answers the same whenever it is asked again.
      if (wasDoubted) doubted.delete(key);
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

const turnedAway = new Set([401, 403, 429, 501, 503]);

/** Answered before anybody looked at what was asked: no word on what became of it earlier. */
function isRejectedBeforeSend({ status }: ServiceResponse): boolean {
  return turnedAway.has(status);
}
