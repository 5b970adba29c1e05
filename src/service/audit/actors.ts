/** By whom acts are done, as the audit log has it. */
import type { Actor } from "../../store/operations/audit-log.ts";
import { type RequestContext, systemUser } from "../request/context.ts";

/** The caller of a request; where none came over a port, somebody at this machine, or the book itself. */
export function actorOf({
  request,
  principal,
}: Pick<RequestContext, "request" | "principal">): Actor {
  const { user, email, app, appName } = principal;
  const { info } = request;
  if (info === undefined) {
    return user === systemUser ? theServer : { user, email, through: "TERMINAL" };
  }
  const { id: requestId, address, through } = info;
  return {
    user,
    email,
    app: through === "API" ? { id: app, name: appName } : undefined,
    through,
    address,
    requestId,
  };
}

/** What a server does unasked. */
export const theServer: Actor = { user: systemUser, email: undefined, through: "SERVER" };

/** A person in their browser. */
export function inBrowser(
  person: { readonly name: string; readonly email: string } | undefined,
  { address, requestId }: Pick<Actor, "address" | "requestId">,
): Actor {
  return {
    user: person?.name,
    email: person?.email,
    through: "BROWSER",
    address,
    requestId,
  };
}
