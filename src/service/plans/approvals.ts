/**
 * Approvals of plans: rows of the organisation, which no plan file can replace.
 *
 * An approval applies to a digest of the plan with its effects. A copy of the book has a log of its
 * own: an approval there has no effect elsewhere.
 */
import { AuthError, refusal } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import { directoryIn } from "../../store/directory/directory.ts";
import { membersOf } from "../../store/directory/people.ts";
import { type AuditChange, recordAct } from "../../store/operations/audit-log.ts";
import {
  addApproval,
  changePlan,
  findKeptPlan,
  loadApprovals,
} from "../../store/records/kept-plans.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { fold } from "../../wire/fold.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { actorOf } from "../audit/actors.ts";
import type { Principal, RequestContext, ServiceDependencies } from "../request/context.ts";
import { organisationRoles } from "../request/scopes.ts";
import { signedDigest } from "./signature.ts";
import { checkSeen } from "./waiting-plans.ts";

/** @throws AuthError where the role of the caller does not permit what the plan changes */
export function checkPermits(call: RequestContext, plan: Plan): void {
  if (mayDo(call, call.principal, plan)) return;
  const message = "Your role does not permit you to change what this plan changes.";
  throw new AuthError("Forbidden", message, 403);
}

/**
 * Keeps an approval of the caller, with an entry in the audit log.
 *
 * @param answerApproval  makes the response of the request
 */
export function approve(
  call: RequestContext,
  plan: Plan,
  answerApproval: (tx: Tx) => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  checkPermits(call, plan);
  const { user, email } = call.principal;
  const approvalKey = { plan_id: plan.PlanID, digest: signedDigest(plan), email: fold(email) };
  return call.write(async (tx) => {
    // The maker may have replaced it since it was read.
    const storedPlan = await findKeptPlan(tx, approvalKey.plan_id);
    if (storedPlan !== undefined) checkSeen(storedPlan, approvalKey.digest);
    const earlierApprovals = await loadApprovals(tx, approvalKey.plan_id, approvalKey.digest);
    if (!earlierApprovals.some((planApproval) => planApproval.email === approvalKey.email)) {
      const change = { name: "Digest", after: approvalKey.digest };
      await recordDecision(call, tx, "plan.approved", plan, change);
      await addApproval(tx, { ...approvalKey, user, at: call.now() });
      await changePlan(tx, plan.PlanID, { state: "APPROVED" });
    }
    return answerApproval(tx);
  });
}

/** Writes the audit entry of a decision on a plan. */
export const recordDecision = (
  call: RequestContext,
  tx: Tx,
  kind: "plan.approved" | "plan.refused",
  { PlanID, Command = PlanID }: Plan,
  change: AuditChange,
) => {
  const by = actorOf(call);
  const act = { kind, by, at: call.now(), subject: Command, subjectId: PlanID };
  return recordAct(tx, { ...act, changes: [change] });
};

/** Returns the approvals of a plan in its current form, by the required approver. */
export async function approvalsOf(tx: Tx, plan: Plan): Promise<NonNullable<Plan["Approvals"]>> {
  const { ApproveBy = "", PlanID } = plan;
  const approvalsGiven = await loadApprovals(tx, PlanID, signedDigest(plan));
  return (
    approvalsGiven
      // Of a role, it was checked when the approval was given.
      .filter(({ email }) => !ApproveBy.includes("@") || email === fold(ApproveBy))
      .map(({ user: User, at }) => ({ User, ApprovedAtUTC: Number(at) }))
  );
}

/** @throws RefusedError where the plan needs an approval that no person could give */
export async function checkApprover(
  {
    principal,
    server,
    permits,
  }: Pick<RequestContext, "principal" | "permits"> & Pick<ServiceDependencies, "server">,
  { ApproveBy, Requests = [] }: Pick<Plan, "ApproveBy" | "Requests">,
): Promise<void> {
  if (ApproveBy === undefined) return;
  const { tenant, email } = principal;
  if (tenant === undefined) {
    throw refusal("Plan", "Only a served book knows other people who could approve a plan.");
  }
  if (ApproveBy.toLowerCase() === email.toLowerCase()) {
    throw refusal("Plan", "A plan is to be approved by another person than the one who makes it.");
  }
  const directory = directoryIn(await server.store());
  const people = await directory.read((tx) => membersOf(tx, tenant));
  const approver = people.find((person) => person.email.toLowerCase() === ApproveBy.toLowerCase());
  if (approver === undefined) {
    throw refusal(
      "NotFound",
      `Nobody who works for this organisation has the address ${ApproveBy}.`,
    );
  }
  const rights = { ...principal, ...organisationRoles[approver.role], scopes: "all" } as const;
  if (mayDo({ permits }, rights, { Requests })) return;
  throw refusal(
    "Plan",
    `${ApproveBy} may not approve this plan: their role does not permit them to change what it changes.`,
  );
}

function mayDo(
  { permits }: Pick<RequestContext, "permits">,
  who: Principal,
  { Requests = [] }: Pick<Plan, "Requests">,
): boolean {
  return Requests.every(({ Method, Path }) => permits(who, Method, Path.split("?", 1)[0] ?? ""));
}
