/** Digests of plans, which the service makes and a reader of the file makes again. */
import type { Plan } from "../resources/plan.ts";

/** SHA-256, in base64url. */
export function digest(text: string): string {
  return process.getBuiltinModule("node:crypto").hash("sha256", text, "base64url");
}

/** A digest of everything that a plan shows, by which a reader sees that it is what was signed. */
export function contentDigest({
  Records,
  Journals,
  Accounts,
  Taxes,
  Messages,
}: Pick<Plan, "Records" | "Journals" | "Accounts" | "Taxes" | "Messages">): string {
  return digest(signedText([Records, Journals, Accounts, Taxes, Messages]));
}

/**
 * JSON of a value, the same wherever it travelled: members by their names, and none that is empty,
 * which XML cannot tell from one that is absent.
 */
export function signedText(value: unknown): string {
  return JSON.stringify(present(value));
}

function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => !isEmpty(each));
  return Object.fromEntries(members.toSorted().map(([name, each]) => [name, present(each)]));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
