/** Policies of apps, people and agents, set on the machine that has the books. */
import { NotFoundError, refusal } from "../../resources/errors.ts";
import { type DirectoryTx, recordOnServer } from "../../store/directory/directory.ts";
import { personWithEmail, roles } from "../../store/directory/people.ts";
import { type Policy, policies, removePolicy, setPolicy } from "../../store/directory/policies.ts";
import { fold } from "../../wire/fold.ts";
import { forgetPolicies } from "../plans/policy.ts";
import { appNamed, type Registry } from "./apps.ts";

export type { Policy };
export type PolicySettings = Omit<Policy, "subject" | "tenant" | "name">;

/** Lists all policies of a server. */
export const listPolicies = ({ directory }: Registry): Promise<Policy[]> =>
  directory.read(policies);

/**
 * Sets a policy, in place of the earlier one.
 *
 * @param key     app by name or client id, person by email address, or `agent:NAME`
 * @param tenant  OrganisationID; empty for all organisations
 * @throws NotFoundError, RefusedError
 */
export async function putPolicy(
  registry: Registry,
  key: string,
  tenant: string,
  settings: PolicySettings,
): Promise<Policy> {
  const { directory, clock, by } = registry;
  const { approveBy } = settings;
  if (
    approveBy !== undefined &&
    !approveBy.includes("@") &&
    !roles.some((role) => role === approveBy)
  ) {
    throw refusal("People", `${approveBy} is neither a role nor an email address.`);
  }
  const policy = await directory.write(async (tx) => {
    const made = { ...(await subjectNamed(tx, registry, key)), tenant, ...settings };
    const formerPolicy = (await policies(tx)).find((policy) => areSame(policy, made));
    const names = Object.keys(settings) as (keyof PolicySettings)[];
    const changes = names.map((name) => ({
      name,
      before: formerPolicy?.[name]?.toString(),
      after: made[name]?.toString(),
    }));
    const act = { kind: "policy.set", by, at: clock(), subject: made.name } as const;
    const tenants = tenant === "" ? [] : [tenant];
    const audited = await recordOnServer(tx, { ...act, subjectId: made.subject, tenants, changes });
    await setPolicy(audited, made, clock());
    return made;
  });
  forgetPolicies();
  return policy;
}

/** Removes a policy. @throws NotFoundError */
export async function dropPolicy(registry: Registry, key: string, tenant: string): Promise<Policy> {
  const { directory, clock, by } = registry;
  const policy = await directory.write(async (tx) => {
    const foundPolicy = await policyNamed(tx, registry, key, tenant);
    const { name: subject, subject: subjectId } = foundPolicy;
    const auditAct = { kind: "policy.removed", by, at: clock(), subject, subjectId } as const;
    await removePolicy(await recordOnServer(tx, auditAct), foundPolicy);
    return foundPolicy;
  });
  forgetPolicies();
  return policy;
}

/** Finds a policy. @throws NotFoundError */
export const findPolicy = (registry: Registry, key: string, tenant: string): Promise<Policy> =>
  registry.directory.read((tx) => policyNamed(tx, registry, key, tenant));

async function policyNamed(tx: DirectoryTx, registry: Registry, key: string, tenant: string) {
  const { subject, name } = await subjectNamed(tx, registry, key);
  const policy = (await policies(tx)).find((policy) => areSame(policy, { subject, tenant }));
  if (policy !== undefined) return policy;
  throw new NotFoundError("NotFound", `There is no policy of ${name}.`);
}

const areSame = (a: Pick<Policy, "subject" | "tenant">, b: Pick<Policy, "subject" | "tenant">) =>
  a.subject === b.subject && a.tenant === b.tenant;

async function subjectNamed(tx: DirectoryTx, registry: Registry, key: string) {
  const [, agent] = /^agent:\s*(.+)$/i.exec(key) ?? [];
  if (agent !== undefined) return { subject: `agent:${fold(agent)}`, name: agent };
  if (!key.includes("@")) {
    const { id, name } = await appNamed(tx, registry, key);
    return { subject: id, name };
  }
  const person = await personWithEmail(tx, key);
  const anybody = await tx.db.selectFrom("person").select("id").limit(1).executeTakeFirst();
  // A book without a server knows nobody: its owner is told by the address that they give.
  if (person === undefined && anybody !== undefined) {
    throw new NotFoundError("NotFound", `Nobody here has the address ${key.slice(0, 100)}.`);
  }
  return { subject: fold(key), name: person?.email ?? key };
}
