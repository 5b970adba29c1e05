/** The origin of a write for the operation log: caller, command and operation. */
import { refusal } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import type { NamedOperation, WriteOrigin } from "../../store/operations/log.ts";
import { agentHeader, commandHeader, operationHeader } from "../../wire/http.ts";
import type { RequestContext } from "./context.ts";

/** Maximum length of a command line in the operation log. */
const commandMax = 2_000;

/** Returns the origin of a write. @throws RefusedError for an operation id that is no GUID */
export function originOf(call: RequestContext): WriteOrigin {
  const { principal, request, operation } = call;
  const { user, app } = principal;
  const { method, path } = request;
  const newId = operation?.newId ?? call.newId;
  const agent = operation?.agent ?? agentOf(call);
  return { user, app, agent, method, path, newId, operation: operation ?? operationNamed(call) };
}

/** Returns the operation that the request's headers name. @throws RefusedError */
export function operationNamed({ request }: RequestContext): NamedOperation | undefined {
  const header = request.headers[operationHeader];
  if (header === undefined) return undefined;
  const id = readId(header);
  if (id === undefined) throw refusal("Parameter", `The header ${operationHeader} is a GUID.`);
  return { id, command: commandOf(request.headers[commandHeader]) };
}

/** Maximum length of what an agent calls itself. */
const agentMax = 200;

/** Returns what the agent that sends a request calls itself, on one line. */
export function agentOf({
  request,
}: {
  readonly request: Pick<RequestContext["request"], "headers">;
}): string | undefined {
  const agentName = request.headers[agentHeader]?.replace(/[\p{C}\s]+/gu, " ").trim();
  return agentName?.slice(0, agentMax).toWellFormed() || undefined;
}

function commandOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text).slice(0, commandMax) || undefined;
  } catch {
    throw refusal("Parameter", `The header ${commandHeader} is percent-encoded.`);
  }
}
