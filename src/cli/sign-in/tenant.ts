/** From the name of an organisation to the id that requests name it by. */
import { connectionsOf, organisationNamed } from "../../client/session/connections.ts";
import { AuthError } from "../../resources/errors.ts";
import type { Context } from "../context.ts";
import type { Place } from "../place.ts";
import { signInsOf, webOf } from "./session.ts";

/**
 * Those that a sign-in was given are looked through first; the service is asked for others.
 *
 * @param tokenOf  asked when the service is
 * @throws NotFoundError `NoOrganisation` with the names of those there are
 */
export async function tenantNamed(
  ctx: Context,
  { baseUrl, signIn }: Place & { readonly kind: "remote" },
  name: string,
  tokenOf: () => Promise<string | undefined>,
): Promise<string> {
  const known = signIn === undefined ? undefined : signInsOf(ctx.env).about(signIn)?.organisations;
  const isWanted = (each: { name: string }) => each.name.toLowerCase() === name.toLowerCase();
  const found = known?.filter(isWanted) ?? [];
  if (found.length === 1 && found[0] !== undefined) return found[0].id;
  const token = await tokenOf();
  if (token === undefined) {
    const message = `Without a sign-in an organisation is named by its id, not as "${name}".`;
    throw new AuthError("NotSignedIn", message);
  }
  const web = webOf(ctx);
  try {
    return organisationNamed(await connectionsOf(web, baseUrl, token), name).id;
  } finally {
    await web.close();
  }
}
