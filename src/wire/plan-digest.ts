/** Digests of plans, computed by the service and verified by readers of the plan file. */
import type { Plan } from "../resources/plan.ts";

/** SHA-256, in base64url. */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text, "base64url");
}

/** Digest of all that a plan displays, by which a reader verifies that it is what was signed. */
export function contentDigest({
  Records,
  Journals,
  Accounts,
  Taxes,
  Messages,
}: Pick<Plan, "Records" | "Journals" | "Accounts" | "Taxes" | "Messages">): string {
  return sha256(textToSign([Records, Journals, Accounts, Taxes, Messages]));
}

/**
 * Canonical JSON of a value: members sorted by name, empty ones left out, which XML cannot tell
 * from absent ones.
 */
export function textToSign(value: unknown): string {
  return JSON.stringify(withoutMissing(value));
}

function withoutMissing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMissing);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(members.toSorted().map(([name, each]) => [name, withoutMissing(each)]));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
