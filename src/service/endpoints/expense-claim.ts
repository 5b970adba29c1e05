/** /ExpenseClaims: none are kept here, so that programs which read them find none and go on. */
import type { ServiceResponse } from "../../wire/http.ts";
import { answerObjects } from "../answer.ts";
import type { Call } from "../call.ts";

export function listClaims(call: Call): Promise<ServiceResponse> {
  return answerObjects(call, "ExpenseClaims", "ExpenseClaim", {}, []);
}
