/**
 * /Extensions/Plans/{PlanID}: what becomes of a plan that the service keeps.
 *
 * An approval is a row of the book, written in the session of a signed-in person; no content of a
 * request replaces it. In a book without a server the owner of the file approves at the prompt of the
 * command line.
 */
import { AuthError, RefusedError, refusal } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import type { Role } from "../../store/directory/people.ts";
import { changePlan, type KeptPlan } from "../../store/records/kept-plans.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { RequestContext } from "../request/context.ts";
import { organisationRoles } from "../request/scopes.ts";
import { approve, checkPermits, recordDecision } from "./approvals.ts";
import { applyMade, tryApplying } from "./plans.ts";
import { answerKept, checkOpen, checkSeen, loadKeptPlan } from "./waiting-plans.ts";

/** Maximum characters of the reason why a plan is refused. */
const reasonMax = 500;

/** POST …/{PlanID}/Approve: the signed-in user approves the plan with the given digest. */
export async function approveKept(call: RequestContext, key: string): Promise<ServiceResponse> {
  const { kept, made } = await loadWaiting(call, key);
  checkMayApprove(call, kept, made);
  const seenDigest = call.query.get("digest");
  if (seenDigest === undefined) {
    throw refusal(
      "Plan",
      "An approval names what was seen: digest=, which the plan has as Digest.",
    );
  }
  checkSeen(kept, seenDigest);
  checkPermits(call, made);
  await markStale(call, kept, () => tryApplying(call, made));
  return approve(call, made, (tx) => answerKept(call, tx, key));
}

/** POST …/{PlanID}/Apply: applies the plan, once; where a digest is given, the one with that. */
export async function applyKept(call: RequestContext, key: string): Promise<ServiceResponse> {
  const { kept, made } = await call.read((tx) => loadKeptPlan(call, tx, key));
  if (kept.state !== "APPLIED") checkOpen(call, kept);
  checkSeen(kept, call.query.get("digest") ?? kept.digest);
  return markStale(call, kept, () => applyMade(call, { ...made, Agent: kept.agent ?? undefined }));
}

/** POST …/{PlanID}/Withdraw: the maker takes back a plan that waits, or a person refuses it. */
export async function withdrawPlan(call: RequestContext, key: string): Promise<ServiceResponse> {
  const { kept, made } = await loadWaiting(call, key);
  const { app, isAgent, isPerson, tenant } = call.principal;
  const isMaker = kept.app === app && (isAgent || kept.maker_email === fold(call.principal.email));
  if (!isMaker && (isAgent || (tenant !== undefined && isPerson !== true))) {
    throw new AuthError("Forbidden", "A plan is withdrawn by its maker or by a person.", 403);
  }
  const Reason = call.query.get("reason");
  if ((Reason?.length ?? 0) > reasonMax)
    throw refusal("Limit", `The reason has more than ${reasonMax} characters; shorten it.`);
  return call.write(async (tx) => {
    if (!isMaker)
      await recordDecision(call, tx, "plan.refused", made, { name: "Reason", after: Reason });
    // The reason is not part of the signed content.
    const plan = JSON.stringify({ ...made, Reason });
    await changePlan(tx, kept.id, { state: "WITHDRAWN", plan });
    return answerKept(call, tx, key);
  });
}

/** @throws RefusedError for a caller who may not decide on the plan; agents are refused before */
function checkMayApprove({ principal }: RequestContext, kept: KeptPlan, { ApproveBy }: Plan): void {
  const { tenant, isPerson, email, role } = principal;
  // In a book without a server there is nobody but the owner of the file.
  if (tenant === undefined) return;
  if (isPerson !== true) {
    throw refusal("Plan", "A plan is approved by a person who is signed in, and by no app itself.");
  }
  if (kept.maker_email === fold(email)) {
    throw refusal("Plan", "A plan is approved by another person than the one who made it.");
  }
  if (ApproveBy === undefined) return;
  const isKnownName = ApproveBy.includes("@")
    ? fold(ApproveBy) === fold(email)
    : organisationRoles[ApproveBy as Role]?.role === role;
  if (!isKnownName) throw refusal("Plan", `The plan is to be approved by ${ApproveBy}.`);
}

/** Marks a plan as outdated where the books have moved. */
async function markStale<T>(
  call: RequestContext,
  { id }: KeptPlan,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof RefusedError && error.code === "PlanOutdated" && !call.dryRun) {
      await call.writePart((tx) => changePlan(tx, id, { state: "OUTDATED" }));
    }
    throw error;
  }
}

const loadWaiting = (call: RequestContext, key: string) =>
  call.read(async (tx) => {
    const loadedPlan = await loadKeptPlan(call, tx, key);
    checkOpen(call, loadedPlan.kept);
    return loadedPlan;
  });
