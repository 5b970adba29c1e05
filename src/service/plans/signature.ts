/**
 * The signature of a plan: a keyed hash over its requests and its effects.
 *
 * A plan is a file until it is applied. Changes to it are detected, since only the server that made
 * it has the key.
 */
import { refusal } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import { contentDigest, sha256, textToSign } from "../../wire/plan-digest.ts";

export function signPlan(key: string, plan: Plan): Plan {
  return { ...plan, Signature: hmacOf(key, planText(plan)) };
}

/**
 * Verifies the signature.
 *
 * @param orBare  accepts a plan without effects too, for a caller who saw them before
 * @throws RefusedError where the plan was changed, or made by another server
 */
export function checkSignature(key: string, plan: Plan, { orBare = false } = {}): void {
  const isUnchanged = contentDigest(plan) === plan.ContentDigest || (orBare && isBare(plan));
  if (isUnchanged && isEqual(plan.Signature, hmacOf(key, planText(plan)))) return;
  throw refusal(
    "Plan",
    "The plan is not as this server made it: it was changed since, or made by another. Make it anew.",
  );
}

/** Returns the digest of all signed contents, to which an approval refers. */
export const signedDigest = (plan: Plan): string => sha256(planText(plan));

function isBare({ Records = [], Journals, Accounts, Taxes, Messages }: Plan): boolean {
  const otherEffects = [Journals, Accounts, Taxes, Messages];
  return (
    otherEffects.every((record = []) => record.length === 0) &&
    Records.every(({ Before, After }) => Before === undefined && After === undefined)
  );
}

function planText(plan: Plan): string {
  const { PlanID, OrganisationID, Command, MadeBy, MadeAtUTC, ApproveBy, Undoes } = plan;
  const { Requests = [], Records = [], JournalsDigest, ContentDigest } = plan;
  return textToSign([
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

function hmacOf(key: string, text: string): string {
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64url");
}

function isEqual(actual: string | undefined, expected: string): boolean {
  const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
  const [a, b] = [Buffer.from(actual ?? ""), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
