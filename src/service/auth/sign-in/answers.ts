/**
 * The API's deviations from OpenID Connect in the responses of the authorisation server.
 *
 * @source spec of the API, sections "Authorise" and "Token endpoint"
 */
import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from "oidc-provider";
import type { Trusts } from "../../../platform/proxies.ts";
import { appWithId } from "../../../store/directory/apps.ts";
import {
  connectionsOf,
  consentsOf,
  isSignedIn,
  revoke,
} from "../../../store/directory/connections.ts";
import { type Directory, recordOnServer } from "../../../store/directory/directory.ts";
import { personWithId } from "../../../store/directory/people.ts";
import { endsOneSignIn, onlyThisSignIn } from "../../../wire/http.ts";
import { originOf } from "../../http/browser.ts";
import { everyScope } from "../../request/scopes.ts";
import { signedWith } from "../access-tokens.ts";
import { authorisePath, userInfoPath } from "../paths.ts";
import { hashOf, newSecret } from "../secrets.ts";
import { accessTokenLifeMs, type SigningKey } from "../signing-keys.ts";

interface Signing {
  readonly clock: () => number;
  readonly key: SigningKey;
}

export interface AnswersOptions extends Signing {
  readonly directory: Directory;
  /** Whether to trust the proxy headers that state the client's address. */
  readonly trusts: Trusts;
}

const idTokenLifeS = 5 * 60;

/** Middleware around the authorisation server that rewrites its requests and responses. */
export function answersOfTheApi(options: AnswersOptions) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { path, method } = ctx;
    if (method === "GET" && path === authorisePath) ctx.query = withoutIgnored({ ...ctx.query });
    // Token requests come from programs: errors are JSON whatever the Accept header says.
    if (method === "POST") ctx.req.headers.accept = "application/json";
    await next();
    switch (ctx.oidc?.route) {
      case "discovery":
        Object.assign(ctx.body as object, {
          scopes_supported: everyScope,
          response_modes_supported: ["query"],
          [endsOneSignIn]: true,
          userinfo_endpoint: `${ctx.oidc.issuer}${userInfoPath}`,
        });
        break;
      case "token":
        answerToken(ctx, options);
        break;
      case "revocation":
        await takeBack(ctx, options);
        answerRevocation(ctx);
        break;
      case "authorization":
      case "resume":
        completeRedirect(ctx);
        break;
    }
  };
}

type OpenIdParameters = Record<string, string | string[] | undefined>;

/**
 * Drops parameters that the API ignores: nonce and the like without `openid`, and response modes
 * other than query. Consent is always requested, since without it no `offline_access` would be
 * granted.
 */
function withoutIgnored(query: OpenIdParameters): OpenIdParameters {
  const { scope, prompt } = query;
  // The other response modes need script, or hide parameters from the app.
  delete query.response_mode;
  const scopes = typeof scope === "string" ? scope.split(" ") : [];
  if (!scopes.includes("openid")) {
    for (const name of ["acr_values", "claims_locales", "id_token_hint", "max_age", "nonce"]) {
      delete query[name];
    }
  }
  const prompts = typeof prompt === "string" ? prompt.split(" ").filter(Boolean) : [];
  if (Array.isArray(prompt) || prompts.includes("none")) return query;
  return { ...query, prompt: [...new Set([...prompts, "consent"])].join(" ") };
}

interface TokenResponse {
  error?: string;
  error_description?: string;
  access_token?: string;
  id_token?: string;
}

function answerToken(ctx: KoaContextWithOIDC, signing: Signing): void {
  const body = ctx.body as TokenResponse | undefined;
  if (body?.error !== undefined) answerError(ctx, body);
  if (body?.id_token === undefined || body.access_token === undefined) return;
  body.id_token = completeIdToken(ctx, body.id_token, body.access_token, signing);
}

/**
 * Answers a token error: status 400, or 401 for Basic credentials, with the API's error codes.
 *
 * @source RFC 6749, section 5.2
 */
function answerError(ctx: KoaContextWithOIDC, body: TokenResponse): void {
  if (ctx.status >= 500) return;
  if (body.error === "invalid_target") body.error = "invalid_request";
  if (/^requested grant type is not allowed/.test(body.error_description ?? "")) {
    body.error = "unauthorized_client";
  }
  const isBasic = body.error === "invalid_client" && /^basic /i.test(ctx.get("authorization"));
  ctx.status = isBasic ? 401 : 400;
  if (isBasic) ctx.set("www-authenticate", 'Basic realm="apps"');
  else ctx.remove("www-authenticate");
  ctx.set("cache-control", "no-store");
}

/**
 * Revokes a refresh token with the whole grant of its person, connections included.
 *
 * An app installed on several machines can send a parameter to limit this, which other services
 * ignore as unknown: then grants of other machines stay, and the connections stay while there is
 * such a machine.
 */
async function takeBack(
  { oidc, req }: KoaContextWithOIDC,
  { directory, clock, trusts }: Pick<AnswersOptions, "directory" | "clock" | "trusts">,
): Promise<void> {
  const { clientId, accountId } = oidc.entities.RefreshToken ?? {};
  // A token without client and account belongs to no grant to revoke.
  if (clientId === undefined || accountId === undefined) return;
  if (clientId !== oidc.client?.clientId) return;
  const pairing = { appId: clientId, personId: accountId };
  const isOnlyThis = oidc.body?.[onlyThisSignIn] === "true";
  await directory.write(async (tx) => {
    // The grant of this token is removed by now, so any sign-in left is on another machine.
    if (isOnlyThis && (await isSignedIn(tx, pairing, clock()))) return;
    const otherConnections = await connectionsOf(tx, pairing);
    if (otherConnections.length === 0 && (await consentsOf(tx, pairing)).length === 0) return;
    const person = await personWithId(tx, accountId);
    const app = await appWithId(tx, clientId);
    const audited = await recordOnServer(tx, {
      kind: "connection.removed",
      by: {
        user: person?.name,
        email: person?.email,
        app: app && { id: clientId, name: app.name },
        through: "API",
        ...originOf(req, trusts),
      },
      at: clock(),
      subject: app?.name,
      subjectId: clientId,
      tenants: otherConnections.map(({ tenant }) => tenant),
    });
    await revoke(audited, pairing);
  });
}

/** Answers a revocation: an unknown token is no error. */
function answerRevocation(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as TokenResponse | undefined;
  ctx.set("cache-control", "no-store");
  if (body?.error === "unsupported_token_type") {
    ctx.status = 200;
    ctx.body = "";
    ctx.remove("content-type");
  } else if (typeof body === "object" && body?.error !== undefined) answerError(ctx, body);
}

/** Adds the claims of the API to the id token, and the hash of its access token. */
function completeIdToken(
  ctx: KoaContextWithOIDC,
  idToken: string,
  accessToken: string,
  { clock, key }: Signing,
): string {
  const claims = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
  const now = Math.floor(clock() / 1000);
  const leftHalf = process
    .getBuiltinModule("node:crypto")
    .hash("sha256", accessToken, "buffer")
    .subarray(0, 16);
  return signedWith(key, "JWT", {
    ...claims,
    ...idClaims(ctx, claims),
    nbf: now,
    iat: now,
    exp: now + idTokenLifeS,
    at_hash: leftHalf.toString("base64url"),
  });
}

/** Adds the granted scopes and the session state to a redirect with a code. */
function completeRedirect(ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get("location");
  if (!/[?&]code=/.test(location)) return;
  const { params, session, client } = ctx.oidc;
  const salt = newSecret().slice(0, 16);
  const of = `${client?.clientId} ${session?.uid} ${salt}`;
  const state = process.getBuiltinModule("node:crypto").hash("sha256", of, "base64url");
  const parameters = new URLSearchParams({
    scope: String(params?.scope ?? ""),
    session_state: `${state}.${salt}`,
  });
  ctx.set("location", `${location}&${String(parameters).replaceAll("+", "%20")}`);
}

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

/** Claims of an id token in addition to those of its scopes. */
function idClaims(ctx: KoaContextWithOIDC, { sub }: Claims): Claims {
  return { ...sessionClaims(ctx), xero_userid: sub, auth_time: sourceOf(ctx)?.authTime };
}

/** Returns the grant of the token in the request. */
function sourceOf({ oidc }: KoaContextWithOIDC) {
  return oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken;
}

/** Public ids of the browser session, which grant no access. */
function sessionClaims(ctx: KoaContextWithOIDC): Claims {
  const uid = sourceOf(ctx)?.sessionUid ?? "";
  const client = ctx.oidc.client?.clientId ?? "";
  return {
    global_session_id: hashOf(`session ${uid}`).slice(0, 32),
    sid: hashOf(`session ${uid} ${client}`).slice(0, 32),
  };
}
