/** Plans that the service keeps until a person decides on them: kept, read, and their states. */
import { planSummary } from "../../output/plan-summary.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { type Plan, type PlanState, plan, planStates } from "../../resources/plan.ts";
import { readId } from "../../resources/scalar.ts";
import {
  findKeptPlan,
  type KeptPlan,
  keepPlan,
  keptPlans,
  loadApprovals,
} from "../../store/records/kept-plans.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import { maySeePurchases } from "../request/permissions.ts";
import { pageAsked, paginationOf } from "../request/read-records.ts";
import { agentOf } from "../request/write-origin.ts";
import { needsOf } from "./needs.ts";
import type { Bounds } from "./policy.ts";
import { checkSignature, signedDigest } from "./signature.ts";

/** How long a plan waits, in milliseconds. */
const waitMaxMs = 30 * 24 * 3_600_000;
const openStates: readonly PlanState[] = ["WAITING", "APPROVED"];

/** A plan as it is proposed. */
export interface Proposal {
  readonly sealed: Plan;
  /** Gross, in cents of the base currency. */
  readonly amount: number;
  /** Why a person has to approve it, in words. */
  readonly needs: string | undefined;
}

/** Keeps a plan that was made, in place of one with its PlanID that waits still. */
export function keep(
  call: RequestContext,
  { sealed: made, amount, needs }: Proposal,
  Answers: Plan["Answers"],
): Promise<ServiceResponse> {
  const { user, email, app, appName, isAgent } = call.principal;
  const digest = signedDigest(made);
  return call.write(async (tx) => {
    const fresh: Omit<KeptPlan, "number"> = {
      id: made.PlanID,
      state: "WAITING",
      maker: user,
      // The maker of a plan by an agent is the agent, so that its person may approve it.
      maker_email: isAgent ? "" : fold(email),
      app,
      app_name: appName,
      agent: agentOf(call) ?? null,
      digest,
      made_at: call.now(),
      amount,
      needs: needs ?? null,
      applied_at: null,
      applied_app: null,
      plan: JSON.stringify(made),
    };
    const number = await keepPlan(tx, fresh);
    if (number === undefined)
      throw refusal("Plan", `There is another plan ${made.PlanID} already.`);
    const numbered = { ...fresh, number };
    return answer(call, plan, [{ ...(await shownPlan(call, tx, numbered)), Answers }], "single");
  });
}

/** GET: a page of kept plans without their requests, the latest first. */
export async function readPlans(call: RequestContext): Promise<ServiceResponse> {
  const { role, email, app } = call.principal;
  const query = {
    state: call.query.choice("state", planStates),
    outdatedBefore: call.now() - waitMaxMs,
    maker: fold(call.query.get("maker") ?? ""),
    own: maySeePurchases(role) ? undefined : { app, email: fold(email) },
  };
  const paging = pageAsked(call);
  const { records, count } = await call.read(async (tx) => {
    const page = await keptPlans(tx, query, paging.window);
    const shownPlans = page.records.map((keptPlan) => shownPlan(call, tx, keptPlan));
    return { count: page.count, records: await Promise.all(shownPlans) };
  });
  const heads = records.map(
    ({ Requests, Records, Journals, Accounts, Taxes, Messages, ...head }) => head,
  );
  return answer(call, plan, heads, "paged", {
    pagination: paginationOf(paging, { records, count }),
  });
}

/** GET …/{PlanID}: the whole plan. */
export function readPlan(call: RequestContext, key: string): Promise<ServiceResponse> {
  return call.read(async (tx) => answerKept(call, tx, key));
}

/**
 * Refuses to apply a plan that is kept and not open, or waits for a person.
 *
 * @throws RefusedError
 */
export async function checkApplicable(
  call: RequestContext,
  tx: Tx,
  appliedPlan: Plan,
  bounds: Bounds | undefined,
): Promise<void> {
  const storedPlan = await findKeptPlan(tx, appliedPlan.PlanID);
  if (storedPlan === undefined) return;
  checkOpen(call, storedPlan);
  checkSeen(storedPlan, signedDigest(appliedPlan));
  const isApproved = (await loadApprovals(tx, storedPlan.id, signedDigest(appliedPlan))).length > 0;
  if (isApproved) return;
  const needs = storedPlan.needs ?? (bounds && (await needsOf(call, tx, bounds, appliedPlan)));
  if (needs === undefined) return;
  throw refusal("Plan", `The plan waits for the approval of a person: ${needs}.`);
}

/** @throws RefusedError for a plan that was decided on or is outdated */
export function checkOpen(call: RequestContext, stored: KeptPlan): void {
  const state = stateOf(call, stored);
  if (openStates.includes(state)) return;
  const reason =
    state === "OUTDATED" ? "is outdated; make it anew" : `was ${state.toLowerCase()} already`;
  throw refusal("Plan", `The plan ${stored.number} ${reason}.`);
}

/** @throws RefusedError where a plan is no longer the one with the digest that was seen */
export function checkSeen({ number, digest }: KeptPlan, seenDigest: string): void {
  if (seenDigest === digest) return;
  const message = `The plan ${number} has changed since it was shown: look at it again.`;
  throw new RefusedError("PlanChanged", message);
}

/** Reads a plan that is kept. @throws NotFoundError */
export async function loadKeptPlan(call: RequestContext, tx: Tx, key: string) {
  const storedPlan = await findKeptPlan(tx, readId(key) ?? key);
  if (storedPlan === undefined || !maySee(call, storedPlan)) {
    throw new NotFoundError("NotFound", `No plan ${key.slice(0, 40)} is kept here.`);
  }
  const signedPlan = JSON.parse(storedPlan.plan) as Plan;
  checkSignature(await call.planKey(), signedPlan);
  return { kept: storedPlan, made: signedPlan };
}

export async function answerKept(
  call: RequestContext,
  tx: Tx,
  key: string,
): Promise<ServiceResponse> {
  const { kept } = await loadKeptPlan(call, tx, key);
  return answer(call, plan, [await shownPlan(call, tx, kept)], "single");
}

/** Whether a caller sees a plan: who has no access to all of the books sees only their own. */
function maySee({ principal }: RequestContext, stored: KeptPlan): boolean {
  const { role, email, app } = principal;
  return maySeePurchases(role) || (stored.app === app && stored.maker_email === fold(email));
}

function stateOf({ now }: RequestContext, { state, made_at }: KeptPlan): PlanState {
  return openStates.includes(state) && now() - made_at > waitMaxMs ? "OUTDATED" : state;
}

async function shownPlan(call: RequestContext, tx: Tx, stored: KeptPlan): Promise<Plan> {
  const { Journals, Accounts, Taxes, ...made } = JSON.parse(stored.plan) as Plan;
  const planApprovals = await loadApprovals(tx, stored.id, stored.digest);
  const seen = { ...made, ...(call.principal.reports && { Journals, Accounts, Taxes }) };
  return {
    ...seen,
    Number: stored.number,
    State: stateOf(call, stored),
    Amount: stored.amount as NonNullable<Plan["Amount"]>,
    Digest: stored.digest,
    Summary: planSummary(seen),
    Needs: stored.needs ?? undefined,
    AppName: stored.app_name,
    Agent: stored.agent ?? undefined,
    AppliedAtUTC: stored.applied_at ?? undefined,
    Approvals: planApprovals.map(({ user: User, at }) => ({ User, ApprovedAtUTC: Number(at) })),
  };
}
