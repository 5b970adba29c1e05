/** Audit entries of requests that a policy refused. */
import type { AuthError } from "../../resources/errors.ts";
import { recordAct } from "../../store/operations/audit-log.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import type { Principal, ServiceDependencies } from "../request/context.ts";
import { actorOf } from "./actors.ts";

/** Records a refused request, with the rule by which it was refused. */
export async function recordRefusal(
  { store, clock }: Pick<ServiceDependencies, "store" | "clock">,
  principal: Principal,
  request: Pick<ServiceRequest, "method" | "path" | "headers" | "info">,
  { code, message }: AuthError,
): Promise<void> {
  const changes = [
    { name: "Rule", after: code },
    { name: "Sentence", after: message },
  ];
  const subject = `${request.method} ${request.path}`;
  await store.write(principal.org, (tx) =>
    recordAct(tx, {
      kind: "request.refused",
      by: actorOf({ request, principal }),
      at: clock(),
      subject,
      changes,
    }),
  );
}
