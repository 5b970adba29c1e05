/**
 * A trial transaction for a program in this process, which sends requests until it asks for the
 * plan.
 *
 * Other writers of the book wait meanwhile. The transaction begins with the first request that
 * writes.
 */
import type { Plan, PlannedRequest } from "../../resources/plan.ts";
import type { Transport } from "../../wire/http.ts";
import { serveWith } from "../api/service.ts";
import { checkApprover } from "../plans/approvals.ts";
import { type PlanContext, requestOf, seal, tryOut } from "../plans/plans.ts";
import type { Book } from "./book.ts";

export { requestOf };

export interface OpenTrial {
  /** Answers a request as the book would after the earlier requests of the trial. */
  readonly transport: Transport;
  /** Ends the trial. @param requests  the answered requests that form the plan */
  plan(requests: readonly PlannedRequest[]): Promise<Plan>;
  /** Ends the trial without a plan. */
  close(): Promise<void>;
}

/** The owner of the file may do everything in it. */
const permits = () => true;

/** @throws RefusedError where the plan needs an approval that no caller could give */
export async function openTrial(
  { authenticate, dependencies: surroundings }: Pick<Book, "authenticate" | "dependencies">,
  plan: Pick<Plan, "Command" | "ApproveBy">,
): Promise<OpenTrial> {
  const principal = await authenticate({ method: "POST", path: "/", query: [], headers: {} });
  const call: PlanContext = {
    ...surroundings,
    principal,
    now: surroundings.clock,
    serveWith,
    permits,
  };
  await checkApprover(call, plan);
  const header = { ...plan, PlanID: call.newId(), MadeAtUTC: call.now() };
  const beginning = Promise.withResolvers<Transport>();
  const ending = Promise.withResolvers<void>();
  const trial = tryOut(call, header, (transport) => {
    beginning.resolve(transport);
    return ending.promise;
  });
  trial.catch(beginning.reject);
  return {
    transport: async (request) => (await beginning.promise)(request),
    async plan(requests) {
      ending.resolve();
      const effects = await (await trial).effects(requests.map(({ Body = "" }) => Body));
      return seal(call, { ...header, Requests: [...requests] }, effects);
    },
    async close() {
      ending.resolve();
      await trial.catch(() => undefined);
    },
  };
}
