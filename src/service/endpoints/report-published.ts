/** /Reports: published tax reports. */
import { NotFoundError } from "../../resources/errors.ts";
import { encodeReports } from "../../wire/encode.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerWith, envelopeOf } from "../answer.ts";
import type { Call } from "../call.ts";

/** GET /Reports: published tax reports; there are none until one is published. */
export async function listReports(call: Call): Promise<ServiceResponse> {
  return answerWith(call, encodeReports(call.format, [], envelopeOf(call)));
}

export async function readPublishedReport(_call: Call, id: string): Promise<ServiceResponse> {
  throw new NotFoundError("NotFound", `There is no published report ${id.slice(0, 60)}.`);
}
