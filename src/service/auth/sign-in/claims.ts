/** What the tokens of people and machines say. @source spec of the API, section "Token contents" */
import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from "oidc-provider";
import { accessTokenLifeMs } from "../access-tokens.ts";
import { hashOf } from "../secrets.ts";

type Claims = Record<string, unknown>;

/** Completes the claims of an access token, in place. */
export function accessClaims(
  ctx: KoaContextWithOIDC,
  token: AccessToken | ClientCredentials,
  claims: Claims,
  clock: () => number,
): void {
  const now = Math.floor(clock() / 1000);
  const scope = typeof claims.scope === "string" ? claims.scope.split(" ") : [];
  Object.assign(claims, { nbf: now, iat: now, exp: now + accessTokenLifeMs / 1000, scope });
  if (token.kind === "ClientCredentials") {
    claims.sub = undefined;
    return;
  }
  const { accountId, grantId } = token as AccessToken;
  Object.assign(claims, {
    ...sessionClaims(ctx),
    auth_time: sourceOf(ctx)?.authTime,
    idp: "local",
    amr: ["pwd"],
    xero_userid: accountId,
    authentication_event_id: grantId,
  });
}

/** Claims of an id token beyond those that its scopes bring. */
export function idClaims(ctx: KoaContextWithOIDC, { sub }: Claims): Claims {
  return { ...sessionClaims(ctx), xero_userid: sub, auth_time: sourceOf(ctx)?.authTime };
}

/** What a token is given for. */
function sourceOf({ oidc }: KoaContextWithOIDC) {
  return oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken;
}

/** Names of the browser's session, which tell nothing that would open it. */
function sessionClaims(ctx: KoaContextWithOIDC): Claims {
  const uid = sourceOf(ctx)?.sessionUid ?? "";
  const client = ctx.oidc.client?.clientId ?? "";
  return {
    global_session_id: hashOf(`session ${uid}`).slice(0, 32),
    sid: hashOf(`session ${uid} ${client}`).slice(0, 32),
  };
}
