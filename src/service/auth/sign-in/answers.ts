/**
 * Where the API wants the authorisation server otherwise than OpenID Connect has it.
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
import { accessTokenLifeMs, signedWith } from "../access-tokens.ts";
import { authorisePath } from "../paths.ts";
import { hashOf, newSecret } from "../secrets.ts";
import type { SigningKey } from "../signing-keys.ts";

interface Signing {
  readonly clock: () => number;
  readonly key: SigningKey;
}

export interface AnswersOptions extends Signing {
  readonly directory: Directory;
  /** Whether a proxy stands before the port. */
  readonly trusts: Trusts;
}

const idTokenLifeS = 5 * 60;

/** Wraps the authorisation server: changes requests on their way in and answers on their way out. */
export function answersOfTheApi(options: AnswersOptions) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    const { path, method } = ctx;
    if (method === "GET" && path === authorisePath) ctx.query = tolerated({ ...ctx.query });
    // Programs ask there, whatever they say they accept.
    if (method === "POST") ctx.req.headers.accept = "application/json";
    await next();
    switch (ctx.oidc?.route) {
      case "discovery":
        Object.assign(ctx.body as object, {
          scopes_supported: everyScope,
          response_modes_supported: ["query"],
          [endsOneSignIn]: true,
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
 * What is sent along needlessly is left out: nonce and the like without `openid`, and any mode of
 * answering but the query. Consent is always
 * asked for, since without it there would be no `offline_access`.
 */
function tolerated(query: OpenIdParameters): OpenIdParameters {
  const { scope, prompt } = query;
  // The other modes take script, or hide from whoever is sent back to.
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
  body.id_token = completed(ctx, body.id_token, body.access_token, signing);
}

/**
 * 400, but for credentials that came as Basic; and the codes that the API has.
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
 * With a refresh token goes all that its person allowed the app, connections too.
 *
 * An app that people have on several machines can ask for less, which other services ignore as they
 * do every parameter that they do not know: then what was allowed on other machines stays, and so do
 * the connections for as long as there is such a machine.
 */
async function takeBack(
  { oidc, req }: KoaContextWithOIDC,
  { directory, clock, trusts }: Pick<AnswersOptions, "directory" | "clock" | "trusts">,
): Promise<void> {
  const { clientId, accountId } = oidc.entities.RefreshToken ?? {};
  // Tokens of other apps stay as they are.
  if (clientId === undefined || accountId === undefined) return;
  if (clientId !== oidc.client?.clientId) return;
  const pairing = { appId: clientId, personId: accountId };
  const isAlone = oidc.body?.[onlyThisSignIn] === "true";
  await directory.write(async (tx) => {
    // The consent of the token itself is removed by now.
    if (isAlone && (await isSignedIn(tx, pairing, clock()))) return;
    const left = await connectionsOf(tx, pairing);
    if (left.length === 0 && (await consentsOf(tx, pairing)).length === 0) return;
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
      tenants: left.map(({ tenant }) => tenant),
    });
    await revoke(audited, pairing);
  });
}

/** Revoking what is no token is no error. */
function answerRevocation(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as TokenResponse | undefined;
  ctx.set("cache-control", "no-store");
  if (body?.error === "unsupported_token_type") {
    ctx.status = 200;
    ctx.body = "";
    ctx.remove("content-type");
  } else if (typeof body === "object" && body?.error !== undefined) answerError(ctx, body);
}

/** The id token with the claims of the API, and tied to its access token. */
function completed(
  ctx: KoaContextWithOIDC,
  idToken: string,
  accessToken: string,
  { clock, key }: Signing,
): string {
  const claims = JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString());
  const now = Math.floor(clock() / 1000);
  const half = process
    .getBuiltinModule("node:crypto")
    .hash("sha256", accessToken, "buffer")
    .subarray(0, 16);
  return signedWith(key, "JWT", {
    ...claims,
    ...idClaims(ctx, claims),
    nbf: now,
    iat: now,
    exp: now + idTokenLifeS,
    at_hash: half.toString("base64url"),
  });
}

/** A redirect with a code also tells the scopes that it is for, and the state of the session. */
function completeRedirect(ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get("location");
  if (!/[?&]code=/.test(location)) return;
  const { params, session, client } = ctx.oidc;
  const salt = newSecret().slice(0, 16);
  const of = `${client?.clientId} ${session?.uid} ${salt}`;
  const state = process.getBuiltinModule("node:crypto").hash("sha256", of, "base64url");
  const more = new URLSearchParams({
    scope: String(params?.scope ?? ""),
    session_state: `${state}.${salt}`,
  });
  ctx.set("location", `${location}&${String(more).replaceAll("+", "%20")}`);
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

/** Claims of an id token beyond those that its scopes bring. */
function idClaims(ctx: KoaContextWithOIDC, { sub }: Claims): Claims {
  return { ...sessionClaims(ctx), xero_userid: sub, auth_time: sourceOf(ctx)?.authTime };
}

/** Grant of a token. */
function sourceOf({ oidc }: KoaContextWithOIDC) {
  return oidc.entities.AuthorizationCode ?? oidc.entities.RefreshToken;
}

/** Public names of the browser's session, which cannot open it. */
function sessionClaims(ctx: KoaContextWithOIDC): Claims {
  const uid = sourceOf(ctx)?.sessionUid ?? "";
  const client = ctx.oidc.client?.clientId ?? "";
  return {
    global_session_id: hashOf(`session ${uid}`).slice(0, 32),
    sid: hashOf(`session ${uid} ${client}`).slice(0, 32),
  };
}
