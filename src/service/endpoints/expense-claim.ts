/** /ExpenseClaims: none are kept here, so that programs which read them find none and go on. */
import type { ServiceResponse } from "../../wire/http.ts";
import { answerObjects } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";

export function listClaims(call: RequestContext): Promise<ServiceResponse> {
  return answerObjects(call, "ExpenseClaims", "ExpenseClaim", {}, []);
}
