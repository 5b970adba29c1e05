/** Actors of the audit log: who performed an act, and through which channel. */
import type { Actor } from "../../store/operations/audit-log.ts";
import { type RequestContext, systemUser } from "../request/context.ts";
import { agentOf } from "../request/write-origin.ts";

/**
 * Returns the actor of a request; a request without a port comes from a local user or from the book
 * itself.
 */
export function actorOf({
  request,
  principal,
}: {
  readonly request: Pick<RequestContext["request"], "info" | "headers">;
  readonly principal: RequestContext["principal"];
}): Actor {
  const { user, email, app, appName } = principal;
  const { info } = request;
  const agent = agentOf({ request });
  if (info === undefined) {
    return user === systemUser ? theServer : { user, email, through: "TERMINAL", agent };
  }
  const { id: requestId, address, through } = info;
  return {
    user,
    email,
    app: through !== "BROWSER" ? { id: app, name: appName } : undefined,
    through,
    address,
    requestId,
    agent,
  };
}

/** The actor of jobs that a server runs on its own. */
export const theServer: Actor = { user: systemUser, email: undefined, through: "SERVER" };

/** Returns the actor for a person signed in with a browser. */
export function browserActor(
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
