/**
 * The service's own hand under a plan: a keyed hash over all that is applied and all that was shown.
 *
 * A plan lies in a file until it is applied. What was changed in it since is then recognised, since
 * nobody but the book that made it has the key.
 */
import type { Plan } from "../../resources/plan.ts";
import { signedText } from "../../wire/plan-digest.ts";
import { secretFor } from "../lookups/secrets.ts";
import type { RequestContext } from "../request/context.ts";
import { refusal } from "../request/faults.ts";

type Approval = NonNullable<Plan["Approvals"]>[number];

/** What a signature needs of a request, or of what stands for one. */
export type Signing = Parameters<typeof secretFor>[0];

export function keyOf(signing: Signing): Promise<string> {
  return secretFor(signing, "plans");
}

export function signed(key: string, plan: Plan): Plan {
  return { ...plan, Signature: proof(key, planText(plan)) };
}

/** @throws RefusedError where the plan is not as it was made, or was made elsewhere */
export function checkSignature(key: string, plan: Plan): void {
  if (isEqual(plan.Signature, proof(key, planText(plan)))) return;
  throw refusal([
    "The plan is not as this book made it: it was changed since, or made by another book. Make it anew.",
  ]);
}

export function approved(
  key: string,
  plan: Plan,
  { user, email }: RequestContext["principal"],
  at: number,
): Plan {
  const approval = {
    User: user,
    ApprovedAtUTC: at,
    Signature: proof(key, approvalText(plan, email, at)),
  };
  return { ...plan, Approvals: [...(plan.Approvals ?? []), approval] };
}

/** Whether the person whom the plan names has approved it. */
export function isApproved(key: string, plan: Plan): boolean {
  const { ApproveBy = "", Approvals = [] } = plan;
  return Approvals.some(({ ApprovedAtUTC = 0, Signature }: Approval) =>
    isEqual(Signature, proof(key, approvalText(plan, ApproveBy, ApprovedAtUTC))),
  );
}

function planText(plan: Plan): string {
  const { PlanID, OrganisationID, Command, MadeBy, MadeAtUTC, ApproveBy, Undoes } = plan;
  const { Requests = [], Records = [], JournalsDigest, ContentDigest } = plan;
  return signedText([
    [
      ...[PlanID, OrganisationID, Command, MadeBy, MadeAtUTC, ApproveBy, Undoes],
      ...[JournalsDigest, ContentDigest],
    ],
    Requests.map(({ Method, Path, MediaType, Body, Encoding }) => [
      Method,
      Path,
      MediaType,
      Body,
      Encoding,
    ]),
    Records.map(({ Resource, RecordID, Name, Change, Digest }) => [
      Resource,
      RecordID,
      Name,
      Change,
      Digest,
    ]),
  ]);
}

function approvalText({ Signature }: Plan, email: string, at: number): string {
  return signedText(["approved", Signature, email.toLowerCase(), at]);
}

function proof(key: string, text: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64url");
}

function isEqual(given: string | undefined, expected: string): boolean {
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const [a, b] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
