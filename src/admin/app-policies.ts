/** Sets, lists and removes the policies of a server, or of a book in a file. */
import type { Registry } from "../service/auth/apps.ts";
import type { Policy, PolicySettings } from "../service/auth/policy-acts.ts";
import { type AdminDependencies, onServer } from "./apps.ts";

export type { PolicySettings };

export interface ListedPolicy extends Policy {
  /** Name of the organisation; undefined for all organisations. */
  readonly organisation: string | undefined;
}

const served = () => import("../service/auth/policy-acts.ts");

/** Runs work with the OrganisationID that is named; empty for all. @throws NotFoundError */
function within(
  dependencies: AdminDependencies,
  organisation: string | undefined,
  action: (registry: Registry, tenant: string) => Promise<readonly Policy[]>,
): Promise<ListedPolicy[]> {
  return onServer(dependencies, async (registry, server) => {
    const { organisationAmong } = await import("../store/records/organisations.ts");
    const all = await server.organisations();
    const namedListing =
      organisation === undefined ? undefined : organisationAmong(all, organisation, "The server");
    const policyList = await action(registry, namedListing?.OrganisationID ?? server.tenant ?? "");
    const namesById = new Map(all.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
    return policyList.map((policy) => ({ ...policy, organisation: namesById.get(policy.tenant) }));
  });
}

/** Lists the policies. */
export const listPolicies = (dependencies: AdminDependencies): Promise<ListedPolicy[]> =>
  within(dependencies, undefined, async (registry) => (await served()).listPolicies(registry));

/** Finds a policy. @param key  app, person or `agent:NAME` @throws NotFoundError */
export const findPolicy = (
  dependencies: AdminDependencies,
  key: string,
  organisation: string | undefined,
): Promise<ListedPolicy[]> =>
  within(dependencies, organisation, async (registry, tenant) => [
    await (await served()).findPolicy(registry, key, tenant),
  ]);

/** Sets a policy, in place of the earlier one. @throws NotFoundError, RefusedError */
export const setPolicy = (
  dependencies: AdminDependencies,
  key: string,
  organisation: string | undefined,
  settings: PolicySettings,
): Promise<ListedPolicy[]> =>
  within(dependencies, organisation, async (registry, tenant) => [
    await (await served()).putPolicy(registry, key, tenant, settings),
  ]);

/** Removes a policy. @throws NotFoundError */
export const removePolicy = (
  dependencies: AdminDependencies,
  key: string,
  organisation: string | undefined,
): Promise<ListedPolicy[]> =>
  within(dependencies, organisation, async (registry, tenant) => [
    await (await served()).dropPolicy(registry, key, tenant),
  ]);
