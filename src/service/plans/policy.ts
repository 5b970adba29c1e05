/**
 * Policies, enforced on every request that writes: what an app, a person or an agent may do beyond
 * the role, and what an agent never may.
 *
 * Several policies may concern a caller: of the app, the person, and the name that the agent gives
 * itself. The narrowest counts. Whoever is bound writes by plans, so that amounts are counted there.
 */
import { AuthError } from "../../resources/errors.ts";
import { directoryIn } from "../../store/directory/directory.ts";
import { type Policy, policies, policyLevels } from "../../store/directory/policies.ts";
import type { Store } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import { type Principal, type ServiceDependencies, systemUser } from "../request/context.ts";
import { agentOf } from "../request/write-origin.ts";

/** Bounds that apply to a caller: the narrowest of all policies that concern it. */
export type Bounds = Omit<Policy, "subject" | "tenant" | "name">;

/** How long policies are cached, in milliseconds; a change in this process counts at once. */
const cachedMs = 2_000;
let cache = new WeakMap<Store, { readonly at: number; readonly all: readonly Policy[] }>();

/** Makes the next request of this process read the policies anew. */
export function forgetPolicies(): void {
  cache = new WeakMap();
}

/** A route by its method and pattern. */
interface ReachedRoute {
  readonly method: string;
  readonly path: string;
}

type PolicyReader = Pick<ServiceDependencies, "server" | "clock">;

async function policiesIn({ server, clock }: PolicyReader): Promise<readonly Policy[]> {
  const store = await server.store();
  const cached = cache.get(store);
  const at = clock();
  if (cached !== undefined && Math.abs(at - cached.at) < cachedMs) return cached.all;
  const allPolicies = await directoryIn(store).read(policies);
  cache.set(store, { at, all: allPolicies });
  return allPolicies;
}

/** Returns the bounds of a caller; undefined for one whom no policy concerns. */
export async function boundsOf(
  reader: PolicyReader,
  principal: Principal,
  request: Pick<ServiceRequest, "headers">,
): Promise<Bounds | undefined> {
  const { user, tenant = "", app, email, isAgent } = principal;
  if (user === systemUser || (tenant === "" && reader.server.isOfMany)) return undefined;
  const agent = agentOf({ request })?.split("/", 1)[0] ?? "";
  const subjects = [app, fold(email), `agent:${fold(agent)}`];
  const own = (await policiesIn(reader)).filter(
    (each) =>
      subjects.includes(each.subject) && (each.tenant === "" || [each.tenant, ""].includes(tenant)),
  );
  // An agent reads only, unless a policy of its app says otherwise.
  const isToldApp = isAgent !== true || own.some(({ subject }) => subject === app);
  const allBounds: readonly Bounds[] = isToldApp ? own : [...own, { ...unbounded, may: "read" }];
  return allBounds.length === 0 ? undefined : atDay(allBounds.reduce(narrowBounds), reader.clock());
}

const unbounded: Bounds = {
  may: "apply",
  kinds: undefined,
  perDocument: undefined,
  perPlan: undefined,
  perDay: undefined,
  approveBy: undefined,
  until: undefined,
};

function narrowBounds(a: Bounds, b: Bounds): Bounds {
  const lowest = (first?: number, second?: number) =>
    first === undefined || second === undefined ? (first ?? second) : Math.min(first, second);
  return {
    may: policyLevels.find((level) => level === a.may || level === b.may) ?? "read",
    kinds:
      b.kinds === undefined ? a.kinds : b.kinds.filter((kind) => a.kinds?.includes(kind) ?? true),
    perDocument: lowest(a.perDocument, b.perDocument),
    perPlan: lowest(a.perPlan, b.perPlan),
    perDay: lowest(a.perDay, b.perDay),
    approveBy: a.approveBy ?? b.approveBy,
    until: [a.until, b.until].filter((day) => day !== undefined).sort()[0],
  };
}

function atDay(bounds: Bounds, now: number): Bounds {
  const hasEnded =
    bounds.until !== undefined && new Date(now).toISOString().slice(0, 10) > bounds.until;
  return hasEnded ? { ...bounds, may: "read" } : bounds;
}

/** Whether bounds leave all writes to the caller, without plans, amounts and an end. */
export const isUnlimited = ({ may, ...limits }: Bounds): boolean =>
  may === "apply" && Object.values(limits).every((limit) => limit === undefined);

/** Routes of plans, with what a caller who is bound must be allowed to do. */
const planRoutes: Readonly<Record<string, Policy["may"]>> = {
  "/Extensions/Plans": "plan",
  "/Extensions/Plans/Check": "read",
  "/Extensions/Plans/{PlanID}/Withdraw": "plan",
  "/Extensions/Plans/{PlanID}/Apply": "apply",
  "/Extensions/Operations/{OperationID}/Undo": "plan",
};

/** What an agent never does: it approves nothing, erases nobody, and adds no receiver of events. */
const neverOfAgents = /\/Approve$|^\/Extensions\/Erasures\/|^\/WebhookListeners/;

/** @throws AuthError `AgentNever` where an agent asks for what none may do */
export function checkAgent({ isAgent }: Principal, { method, path }: ReachedRoute) {
  if (isAgent !== true || method === "GET" || !neverOfAgents.test(path)) return;
  throw new AuthError("AgentNever", `No agent does this, whatever its policy: ${path}.`, 403);
}

/**
 * Refuses a write that the bounds of the caller do not allow.
 *
 * @throws AuthError 403 `AgentNever`, `PolicyPlanOnly`, `Policy`
 */
export async function checkPolicy(
  reader: PolicyReader,
  principal: Principal,
  { path, method }: ReachedRoute,
  request: ServiceRequest,
): Promise<void> {
  checkAgent(principal, { path, method });
  const bounds = await boundsOf(reader, principal, request);
  if (bounds === undefined) return;
  const hasApply = request.query.some(([name]) => name.toLowerCase() === "apply");
  const needed = hasApply ? undefined : planRoutes[path];
  if (needed === "read") return;
  if (bounds.may === "read") {
    throw new AuthError("Policy", "By your policy you read, and write nothing.", 403);
  }
  const isAllowed = needed === "plan" || bounds.may === "apply";
  if (needed === undefined ? principal.isAgent !== true && isUnlimited(bounds) : isAllowed) return;
  const message =
    "By your policy you propose, and a person decides: make a plan: POST /Extensions/Plans";
  throw new AuthError("PolicyPlanOnly", message, 403);
}
