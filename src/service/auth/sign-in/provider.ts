/**
 * The OAuth 2.0 authorisation server: oidc-provider over the directory, on the paths of the API.
 *
 * This file has the policy; `answers.ts` has the API's deviations from OpenID Connect, and
 * `sign-in.ts` the pages.
 */
import {
  type Account,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import type { Trusts } from "../../../platform/proxies.ts";
import { RefusedError } from "../../../resources/errors.ts";
import type { Directory } from "../../../store/directory/directory.ts";
import { type Person, personChanged, personWithId } from "../../../store/directory/people.ts";
import { messagePage } from "../../../web/frame/message.ts";
import { wrongRequestPage } from "../../../web/sign-in/sign-in-pages.ts";
import { originOf, type RequestOrigin } from "../../http/browser.ts";
import {
  allScopes,
  apiScopes,
  appScopes,
  everyScope,
  identityScopes,
  isElsewhere,
} from "../../request/scopes.ts";
import { audienceOf, audiencesOf } from "../access-tokens.ts";
import { authorisePath, keysPath, revocationPath, signInPath, tokenPath } from "../paths.ts";
import { hashOf } from "../secrets.ts";
import { accessTokenLifeMs, cookieKeys, type SigningKey, signingKeys } from "../signing-keys.ts";
import { claimsOf, claimsOfScopes } from "../user-info.ts";
import { adapterFor, withoutPkce } from "./adapter.ts";
import { accessClaims, answersOfTheApi } from "./answers.ts";

/** Lifetimes in seconds. @source spec of the API, section "Token endpoint" */
const lives = {
  AuthorizationCode: 5 * 60,
  AccessToken: accessTokenLifeMs / 1000,
  ClientCredentials: accessTokenLifeMs / 1000,
  RefreshToken: 60 * 86_400,
  IdToken: 5 * 60,
  /** Time for sign-in and consent. */
  Interaction: 30 * 60,
  /** How long a browser stays signed in without asking for the password again. */
  Session: 8 * 3600,
  /** A grant lasts until it is revoked. */
  Grant: 100 * 365 * 86_400,
} as const;

export interface ProviderOptions {
  readonly directory: Directory;
  /** Base URL such as `https://books.example`, without a slash at the end. */
  readonly issuer: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Whether web apps, which have a secret, may omit PKCE. */
  readonly pkceOptional: boolean;
  /** Whether to trust the proxy headers that state the client's address. */
  readonly trusts: Trusts;
  /** Receives every failure that is a bug. */
  readonly report: (error: unknown, path: string) => void;
}

export interface AuthorisationServer {
  readonly provider: Provider;
  /** Audience of access tokens, for which scopes are granted. */
  readonly audiences: readonly string[];
  /** Key that signs the hidden fields of forms. */
  readonly formKey: string;
}

export async function authorisationServer(options: ProviderOptions): Promise<AuthorisationServer> {
  const { directory, issuer, clock, pkceOptional, report } = options;
  const keys = await signingKeys(directory, clock);
  const cookies = await cookieKeys(directory, clock);
  const provider = new Provider(issuer, configurationOf(options, keys, cookies));
  // URLs begin with the issuer, with or without a proxy: see `identity.ts`.
  provider.proxy = true;
  provider.use(answersOfTheApi({ directory, clock, trusts: options.trusts, key: keys[0] }));
  // Only hashes of secrets are stored: the given secret is hashed and compared in constant time.
  provider.Client.prototype.compareClientSecret = function compare(token: string) {
    const { timingSafeEqual } = process.getBuiltinModule("node:crypto");
    return timingSafeEqual(Buffer.from(hashOf(token)), Buffer.from(this.clientSecret ?? ""));
  };
  provider.on("authorization.error", ({ oidc, path }) => {
    const { client, params } = oidc;
    if (client === undefined || client.clientAuthMethod === "none") return;
    if (params?.code_challenge !== undefined || pkceOptional || client[withoutPkce] === true)
      return;
    report(
      new RefusedError(
        "PkceMissing",
        `${client.clientName} sends no PKCE, so nobody is signed in; acct app update ${client.clientId} --without-pkce allows it to a web app with a secret.`,
      ),
      path,
    );
  });
  provider.on("server_error", (ctx, error) => report(error, ctx.path));
  return { provider, audiences: audiencesOf(issuer), formKey: cookies[0] ?? "" };
}

function configurationOf(
  { directory, issuer, clock, pkceOptional, trusts }: ProviderOptions,
  keys: readonly SigningKey[],
  cookies: string[],
): Configuration {
  return {
    adapter: adapterFor(directory, clock, () => originIn(Provider.ctx, trusts)),
    jwks: { keys: keys.map((key) => ({ ...key })) as never },
    cookies: {
      keys: cookies,
      names: { session: "acct_session", interaction: "acct_sign_in", resume: "acct_resume" },
      long: { signed: true, httpOnly: true, sameSite: "lax", path: "/identity" },
      short: { signed: true, httpOnly: true, sameSite: "lax" },
    },
    routes: {
      authorization: authorisePath,
      token: tokenPath,
      revocation: revocationPath,
      jwks: keysPath,
    },
    features: featuresOf(issuer),
    formats: {
      customizers: {
        jwt: (ctx, token, { payload }) => accessClaims(ctx, token, payload, clock),
      },
    },
    ttl: lives,
    scopes: [...identityScopes],
    claims: Object.fromEntries(Object.entries(claimsOfScopes).map(([name, of]) => [name, [...of]])),
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    clientDefaults: { id_token_signed_response_alg: "RS256" },
    enabledJWA: { idTokenSigningAlgValues: ["RS256"] },
    extraClientMetadata: { properties: [withoutPkce] },
    // PKCE: an intercepted code is worthless without the verifier.
    pkce: {
      required: (_ctx, client) =>
        client.clientAuthMethod === "none" || !(pkceOptional || client[withoutPkce] === true),
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed("refresh_token") && code.scopes.has("offline_access"),
    interactions: {
      policy: policyOfTheApi(),
      url: (_ctx, interaction) => `${signInPath}/${interaction.uid}`,
    },
    loadExistingGrant: loadGrant,
    findAccount: accountsIn(directory),
    renderError: (ctx, { error, error_description }) => {
      const page = messagePage(ctx.status, wrongRequestPage(error, error_description));
      ctx.set(page.headers);
      ctx.body = page.body;
    },
  };
}

/** Returns the origin of a request to the authorisation server. */
function originIn(ctx: KoaContextWithOIDC | undefined, trusts: Trusts): RequestOrigin {
  return ctx === undefined ? { address: "", requestId: undefined } : originOf(ctx.req, trusts);
}

function featuresOf(issuer: string): Configuration["features"] {
  const disabled = { enabled: false } as const;
  return {
    devInteractions: disabled,
    dPoP: disabled,
    rpInitiatedLogout: disabled,
    pushedAuthorizationRequests: disabled,
    userinfo: disabled,
    clientCredentials: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audienceOf(issuer),
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, audience, client) => {
        if (!audiencesOf(issuer).includes(audience)) throw new errors.InvalidTarget();
        checkScopes(ctx, client.grantTypeAllowed("client_credentials"));
        return {
          scope: everyScope.join(" "),
          audience: audience,
          accessTokenTTL: lives.AccessToken,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        };
      },
    },
  };
}

/** Finds the signed-in person; undefined after their removal or a change of password. */
function accountsIn(directory: Directory): NonNullable<Configuration["findAccount"]> {
  return (ctx, id, token) =>
    directory.read(async (tx) => {
      const person = await personWithId(tx, id);
      if (person === undefined) return undefined;
      const signedInAt = token === undefined ? ctx.oidc.session?.loginTs : undefined;
      const changedAt = (await personChanged(tx, id)) ?? 0;
      if (signedInAt !== undefined && signedInAt < Math.floor(changedAt / 1000)) return undefined;
      return accountOf(person);
    });
}

/** The account whose claims go into an id token. */
function accountOf(person: Person): Account {
  return { accountId: person.id, claims: () => claimsOf(person) };
}

/**
 * The prompts: removed people and those with a new password sign in again; consent is asked for
 * each time, so that people see and choose their organisations.
 */
function policyOfTheApi() {
  const { Check, base } = interactionPolicy;
  const policy = base();
  const sessionEnded = new Check("gone", "sign in again", "login_required", ({ oidc }) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );
  const mustChoose = new Check("organisations", "choose", "consent_required", ({ oidc }) =>
    oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  policy.get("login")?.checks.add(sessionEnded);
  policy.get("consent")?.checks.add(mustChoose);
  return policy;
}

/**
 * Loads the grant made on the consent page. Its scopes replace the requested ones, since they
 * include what the person allowed the app before.
 */
async function loadGrant(ctx: KoaContextWithOIDC) {
  const { grantId } = ctx.oidc.result?.consent ?? {};
  if (grantId === undefined) return undefined;
  const grant = await ctx.oidc.provider.Grant.find(grantId);
  const { params } = ctx.oidc;
  if (grant !== undefined && params !== undefined) {
    const [scope] = Object.values(grant.resources ?? {});
    if (scope !== undefined) params.scope = scope;
  }
  return grant;
}

/** Maximum length of a quoted scope in an error, which becomes part of a URL. */
const toldMax = 200;

/**
 * Refuses unknown scopes, and scopes that the kind of app may not have.
 *
 * @throws InvalidScope, InvalidRequest of the authorisation server
 */
function checkScopes(ctx: KoaContextWithOIDC, isMachine: boolean): void {
  const { params, route } = ctx.oidc;
  if (params === undefined || params.grant_type === "refresh_token") return;
  const scopes = typeof params.scope === "string" ? params.scope.split(" ").filter(Boolean) : [];
  if (scopes.length === 0) {
    // A machine app that requests no scopes gets all it may have.
    if (isMachine && route === "token") params.scope = allScopes.join(" ");
    else if (route !== "token")
      throw new errors.InvalidRequest("missing required parameter 'scope'");
    return;
  }
  const knownScopes: ReadonlySet<string> = new Set([
    ...apiScopes,
    ...(isMachine ? appScopes : identityScopes),
  ]);
  const unknown = scopes.filter((scope) => !knownScopes.has(scope) && !isElsewhere(scope));
  const granted = scopes.filter((scope) => knownScopes.has(scope));
  if (unknown.length > 0 || granted.length === 0) {
    const refusedScopes = unknown.length > 0 ? unknown : scopes;
    throw new errors.InvalidScope(
      "requested scope is not allowed",
      refusedScopes.join(" ").slice(0, toldMax),
    );
  }
  params.scope = granted.join(" ");
}
