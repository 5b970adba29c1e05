/** Resolves the name of an organisation to the tenant id of requests. */

import { connectionsOf, organisationNamed } from "../../client/session/session-organisations.ts";
import type { Organisation } from "../../client/session/sign-ins.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { AuthError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { signInsOf, webOf } from "./open-session.ts";

/**
 * Returns the tenant id alone.
 *
 * @throws as `organisationAt`
 */
export async function tenantNamed(...args: Parameters<typeof organisationAt>): Promise<string> {
  return (await organisationAt(...args)).id;
}

/**
 * Finds an organisation among those of the sign-in first, and then at the service.
 *
 * @param tokenOf  called when the service is needed
 * @throws NotFoundError `NoOrganisation` with the names of the existing ones
 */
export async function organisationAt(
  ctx: Context,
  { baseUrl, signIn }: Target & { readonly kind: "remote" },
  name: string,
  tokenOf: () => Promise<string | undefined>,
): Promise<Organisation> {
  const known = signIn === undefined ? undefined : signInsOf(ctx.env).about(signIn)?.organisations;
  const isWanted = (candidate: Organisation) => candidate.name.toLowerCase() === name.toLowerCase();
  const organisations = known?.filter(isWanted) ?? [];
  if (organisations.length === 1 && organisations[0] !== undefined) return organisations[0];
  const token = await tokenOf();
  if (token === undefined) {
    const message = `Without a sign-in an organisation is named by its id, not as "${name}".`;
    throw new AuthError("NotSignedIn", message);
  }
  await using web = closeAtBlockEnd(webOf(ctx));
  return organisationNamed(await connectionsOf(web, baseUrl, token), name);
}
