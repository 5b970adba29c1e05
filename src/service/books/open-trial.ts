/**
 * A trial that a program in this process works in, request by request, until it asks for the plan.
 *
 * Other writers of the book wait meanwhile. It begins with the first request that writes.
 */
import type { Plan, PlannedRequest } from "../../resources/plan.ts";
import type { Transport } from "../../wire/http.ts";
import { serveWith } from "../api/service.ts";
import { checkApprover } from "../plans/approvals.ts";
import { type PlanContext, requestOf, sealed, tryOut } from "../plans/plans.ts";
import type { Book } from "./book.ts";

export { requestOf };

export interface OpenTrial {
  /** Answers as the book would after the requests before it. */
  readonly handle: Transport;
  /** Ends the trial. @param requests  those that were answered, of which the plan is to consist */
  plan(requests: readonly PlannedRequest[]): Promise<Plan>;
  /** Ends the trial without a plan. */
  close(): Promise<void>;
}

/** Opening the file allows everything in it. */
const permits = () => true;

/** @throws RefusedError where the plan asks for an approval that nobody could give */
export async function openTrial(
  { authenticate, dependencies: surroundings }: Pick<Book, "authenticate" | "dependencies">,
  asked: Pick<Plan, "Command" | "ApproveBy">,
): Promise<OpenTrial> {
  const principal = await authenticate({ method: "POST", path: "/", query: [], headers: {} });
  const call: PlanContext = {
    ...surroundings,
    principal,
    now: surroundings.clock,
    serveWith,
    permits,
  };
  await checkApprover(call, asked);
  const header = { ...asked, PlanID: call.newId(), MadeAtUTC: call.now() };
  const begun = Promise.withResolvers<Transport>();
  const over = Promise.withResolvers<void>();
  const tried = tryOut(call, header, (handle) => {
    begun.resolve(handle);
    return over.promise;
  });
  tried.catch(begun.reject);
  return {
    handle: async (request) => (await begun.promise)(request),
    async plan(requests) {
      over.resolve();
      const effects = await (await tried).effects(requests.map(({ Body = "" }) => Body));
      return sealed(call, { ...header, Requests: [...requests] }, effects);
    },
    async close() {
      over.resolve();
      await tried.catch(() => undefined);
    },
  };
}
