/** Policies: what an app, a person or an agent may do beyond the role. */
import type { DirectoryTables } from "../schema/index.ts";
import { type AuditedDirectoryTx, type DirectoryTx, touchChained } from "./directory.ts";

export const policyLevels = ["read", "plan", "apply"] as const;

export interface Policy {
  /** Client id of an app, folded email address of a person, or `agent:` and a folded name. */
  readonly subject: string;
  /** OrganisationID; empty for all organisations. */
  readonly tenant: string;
  readonly name: string;
  readonly may: (typeof policyLevels)[number];
  /** Kinds of records, by their nouns; all if undefined. */
  readonly kinds: readonly string[] | undefined;
  /** Gross amounts in cents of the base currency: of a document, of a plan, applied in a day. */
  readonly perDocument: number | undefined;
  readonly perPlan: number | undefined;
  readonly perDay: number | undefined;
  /** Role or email address of who approves what goes beyond. */
  readonly approveBy: string | undefined;
  /** Last day, `YYYY-MM-DD`; nothing is written after it. */
  readonly until: string | undefined;
}

/** All policies of a server. */
export async function policies({ db }: DirectoryTx): Promise<Policy[]> {
  return (await db.selectFrom("policy").selectAll().orderBy("name").execute()).map(policyFrom);
}

/** Sets a policy, in place of the earlier one of the same subject and organisation. */
export async function setPolicy(
  tx: AuditedDirectoryTx,
  { subject, tenant, ...policy }: Policy,
  at: number,
): Promise<void> {
  await removePolicy(tx, { subject, tenant });
  await tx.db
    .insertInto("policy")
    .values({
      subject,
      tenant,
      name: policy.name,
      may: policy.may,
      kinds: policy.kinds?.join(",") ?? null,
      per_document: policy.perDocument ?? null,
      per_plan: policy.perPlan ?? null,
      per_day: policy.perDay ?? null,
      approve_by: policy.approveBy ?? null,
      until: policy.until ?? null,
      set_at: at,
    })
    .execute();
}

export async function removePolicy(
  tx: AuditedDirectoryTx,
  { subject, tenant }: Pick<Policy, "subject" | "tenant">,
): Promise<void> {
  await touchChained(tx, "policy", [[subject, tenant]]);
  const deletion = tx.db.deleteFrom("policy").where("subject", "=", subject);
  await deletion.where("tenant", "=", tenant).execute();
}

function policyFrom(row: DirectoryTables["policy"]): Policy {
  const amount = (cents: number | null) => (cents === null ? undefined : Number(cents));
  return {
    subject: row.subject,
    tenant: row.tenant,
    name: row.name,
    may: row.may as Policy["may"],
    kinds: row.kinds?.split(","),
    perDocument: amount(row.per_document),
    perPlan: amount(row.per_plan),
    perDay: amount(row.per_day),
    approveBy: row.approve_by ?? undefined,
    until: row.until ?? undefined,
  };
}
