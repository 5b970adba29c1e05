/** GET /connect/userinfo: claims about the signed-in person. @source OpenID Connect Core, section 5.3 */
import { AuthError } from "../../resources/errors.ts";
import type { Directory } from "../../store/directory/directory.ts";
import { type Person, personWithId } from "../../store/directory/people.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import { partsOf } from "../lookups/person-name.ts";
import type { Callers } from "./callers.ts";

/** Claims by the scope that they are given with. */
export const claimsOfScopes = {
  openid: ["sub"],
  email: ["email"],
  profile: ["name", "given_name", "family_name", "preferred_username"],
} as const;

/** All claims of a person. */
export function claimsOf({ id, name, email }: Person) {
  const { first: given_name, last: family_name } = partsOf(name);
  return { sub: id, email, name, given_name, family_name, preferred_username: email };
}

/** Returns the claims of the scopes of a token. @throws AuthError */
export async function userInfo(
  { directory, callers }: { readonly directory: Directory; readonly callers: Callers },
  request: ServiceRequest,
): Promise<object> {
  const { claims } = await callers.bearer(request);
  const { sub, scope } = claims;
  const person =
    sub !== undefined && scope.includes("openid")
      ? await directory.read((tx) => personWithId(tx, sub))
      : undefined;
  if (person === undefined) {
    throw new AuthError(
      "Scope",
      "The token is of nobody who signed in with the scope openid.",
      403,
    );
  }
  const names: readonly string[] = Object.entries(claimsOfScopes).flatMap(([name, of]) =>
    scope.includes(name) ? of : [],
  );
  return Object.fromEntries(
    Object.entries(claimsOf(person)).filter(([name]) => names.includes(name)),
  );
}
