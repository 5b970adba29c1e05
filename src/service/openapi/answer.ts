/** Answers with the description of the API. */
import type { ServiceResponse } from "../../wire/http.ts";
import type { ServiceDependencies } from "../request/context.ts";
import { type DescribedRoute, describeApi } from "./document.ts";

/** JSON whatever is asked for, since the description has no other form. */
export async function answerDescription(
  { baseUrl }: Pick<ServiceDependencies, "baseUrl">,
  routes: readonly DescribedRoute[],
): Promise<ServiceResponse> {
  return {
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(describeApi(routes, baseUrl)),
  };
}
