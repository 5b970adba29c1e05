/**
 * Requests to an OAuth 2.0 service: discovery, grants, revocation.
 *
 * The library builds and validates the messages; this module chooses which are sent, and turns
 * errors into messages. No part of an answer that may contain a token is put into a message.
 */
import * as oauth from "oauth4webapi";
import { AuthError, RefusedError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { endsOneSignIn, onlyThisSignIn } from "../../wire/http.ts";
import type { About, SignIn } from "./sign-ins.ts";
import type { Web } from "./web.ts";

export type Authority = oauth.AuthorizationServer;

/** An OAuth client; without a secret it is a public client that relies on PKCE. */
export interface App {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** The tokens that a grant returns. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly expiresInMs: number;
  /**
   * Granted scopes; undefined where the service does not state them: they are then those requested.
   */
  readonly scopes?: readonly string[] | undefined;
  /** Name of the user who signed in, as the service gives it. */
  readonly person?: string | undefined;
}

/** A started sign-in that waits for the user. */
export interface Begun {
  /** The authorization URL for the browser. */
  readonly address: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string | undefined;
  readonly verifier: string;
}

/** Assumed lifetime of an access token whose service states none, in milliseconds. */
const lifetimeMs = 30 * 60_000;
/** Tolerated difference between the clocks here and at the service, in seconds. */
const clockToleranceS = 300;

/**
 * Discovers the authorization server of a service.
 *
 * @param issuer  the expected origin of the issuer
 * @throws UsageError `NoSignIn` when there is none, or the document is of another issuer
 */
export async function discover(web: Web, issuer: URL): Promise<Authority> {
  const response = await oauth.discoveryRequest(issuer, optionsOf(web, issuer));
  try {
    return await oauth.processDiscoveryResponse(issuer, response);
  } catch (cause) {
    const source = await issuerOf(cause);
    const message =
      source === undefined
        ? `${issuer.origin} signs nobody in: it has no /.well-known/openid-configuration. Is the base URL right?`
        : `The service at ${issuer.origin} calls itself ${source}; sign in by that address.`;
    throw new UsageError("NoSignIn", message, [], { cause });
  }
}

async function issuerOf(error: unknown): Promise<string | undefined> {
  const { code, cause } = error as { code?: string; cause?: { body?: { issuer?: unknown } } };
  if (code !== oauth.JSON_ATTRIBUTE_COMPARISON) return undefined;
  return typeof cause?.body?.issuer === "string" ? cause.body.issuer : undefined;
}

/**
 * Begins a sign-in with PKCE.
 *
 * @throws UsageError `NoSignIn` when the service has no authorization page
 */
export async function beginSignIn(
  authority: Authority,
  clientId: string,
  redirectUri: string,
  scopes: readonly string[],
): Promise<Begun> {
  const page = authority.authorization_endpoint;
  if (page === undefined) {
    throw new UsageError("NoSignIn", `${authority.issuer} has no page to sign in on.`);
  }
  const state = oauth.generateRandomState();
  const nonce = scopes.includes("openid") ? oauth.generateRandomNonce() : undefined;
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(page);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(nonce === undefined ? {} : { nonce }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  // Some services do not decode `+` as a space.
  address.search = address.search.replaceAll("+", "%20");
  return { address: address.href, redirectUri, state, nonce, verifier };
}

/** Whether the parameters of a redirect belong to this sign-in, by its state. */
export function belongsTo({ state }: Begun, parameters: URLSearchParams): boolean {
  return parameters.get("state") === state;
}

/**
 * Exchanges the authorization code for tokens.
 *
 * @param parameters  query parameters of the redirect
 * @throws AuthError when the user or the service refused
 */
export async function redeem(
  web: Web,
  authority: Authority,
  app: App,
  begunSignIn: Begun,
  parameters: URLSearchParams,
): Promise<Tokens> {
  const client = clientOf(app);
  const { nonce, state, redirectUri, verifier } = begunSignIn;
  return translateErrors(async () => {
    const checked = oauth.validateAuthResponse(authority, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      authority,
      client,
      clientAuthentication(app),
      checked,
      redirectUri,
      verifier,
      optionsOf(web, authority.token_endpoint),
    );
    const expectation = nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true };
    const answer = await oauth.processAuthorizationCodeResponse(
      authority,
      client,
      response,
      expectation,
    );
    const claims = oauth.getValidatedIdTokenClaims(answer);
    const person = [claims?.email, claims?.preferred_username, claims?.name, claims?.sub];
    return tokensOf(answer, person.find((text) => typeof text === "string") as string | undefined);
  });
}

/**
 * Signs in an app by client credentials.
 *
 * @param scopes  an empty list requests all that are allowed
 */
export async function grantToApp(
  web: Web,
  authority: Pick<Authority, "issuer" | "token_endpoint">,
  app: App,
  scopes: readonly string[],
): Promise<Tokens> {
  const client = clientOf(app);
  const parameters = new URLSearchParams(scopes.length === 0 ? {} : { scope: scopes.join(" ") });
  return translateErrors(async () => {
    const options = optionsOf(web, authority.token_endpoint);
    const auth = clientAuthentication(app);
    const response = await oauth.clientCredentialsGrantRequest(
      authority,
      client,
      auth,
      parameters,
      options,
    );
    return tokensOf(await oauth.processClientCredentialsResponse(authority, client, response));
  });
}

/**
 * Renews the tokens of a sign-in.
 *
 * @throws AuthError `invalid_grant` when the service has ended the sign-in
 */
export async function renewTokens(web: Web, { secrets, ...about }: SignIn): Promise<Tokens> {
  const app = { clientId: about.clientId, clientSecret: secrets.clientSecret };
  const authority = authorityOf(about);
  if (about.grant === "client_credentials") return grantToApp(web, authority, app, about.scopes);
  const { refreshToken } = secrets;
  if (refreshToken === undefined) {
    throw new AuthError("invalid_grant", "This sign-in was not given what renews it.");
  }
  const client = clientOf(app);
  return translateErrors(async () => {
    const response = await oauth.refreshTokenGrantRequest(
      authority,
      client,
      clientAuthentication(app),
      refreshToken,
      optionsOf({ ...web, fetch: withoutIdToken(web) }, about.tokenEndpoint),
    );
    return tokensOf(await oauth.processRefreshTokenResponse(authority, client, response));
  });
}

/**
 * Drops the id token of a renewal: the user is known since the sign-in, and a wrong local clock
 * must not invalidate an answer that used up the old refresh token.
 */
function withoutIdToken(web: Web): Web["fetch"] {
  return async (url, init) => {
    const response = await web.fetch(url, init);
    if (response.status !== 200) return response;
    const { headers } = response;
    const text = await response.text();
    return new Response(removeIdToken(text), { headers });
  };
}

function removeIdToken(text: string): string {
  try {
    const { id_token: _, ...rest } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(rest);
  } catch {
    return text; // The library says what is wrong with it.
  }
}

/**
 * Revokes a sign-in: this one alone where the service can, otherwise all sign-ins of the user with
 * the app.
 *
 * @throws AuthError, UnavailableError when it failed
 */
export async function revoke(web: Web, { secrets, ...about }: SignIn): Promise<void> {
  const { revocationEndpoint, clientId } = about;
  if (revocationEndpoint === undefined) {
    throw new UnavailableError("NoRevocation", "The service takes no sign-in back.");
  }
  const app = { clientId, clientSecret: secrets.clientSecret };
  const token = secrets.refreshToken ?? secrets.accessToken;
  return translateErrors(async () => {
    const response = await oauth.revocationRequest(
      authorityOf(about),
      clientOf(app),
      clientAuthentication(app),
      token,
      {
        ...optionsOf(web, revocationEndpoint),
        additionalParameters: { [onlyThisSignIn]: "true" },
      },
    );
    await oauth.processRevocationResponse(response);
  });
}

/** Whether a service can revoke one sign-in, without the user's others with the app. */
export function canEndOne(authority: Authority): boolean {
  return authority[endsOneSignIn] === true;
}

function authorityOf(signInFacts: Omit<About, "secrets">): Authority {
  return {
    issuer: signInFacts.issuer,
    token_endpoint: signInFacts.tokenEndpoint,
    revocation_endpoint: signInFacts.revocationEndpoint,
  } as Authority;
}

function clientOf({ clientId }: App): oauth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: clockToleranceS };
}

function clientAuthentication({ clientSecret }: App): oauth.ClientAuth {
  return clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
}

function optionsOf(web: Pick<Web, "fetch">, endpoint: string | URL | undefined) {
  // A service on this machine or a private network may lack a certificate; the user gave its
  // address and was warned.
  const isPlain = endpoint !== undefined && new URL(endpoint).protocol === "http:";
  return {
    [oauth.customFetch]: (url: string, init: object) => web.fetch(url, init),
    [oauth.allowInsecureRequests]: isPlain,
  };
}

function tokensOf(answer: oauth.TokenEndpointResponse, person?: string): Tokens {
  const { expires_in: seconds } = answer;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresInMs: seconds === undefined ? lifetimeMs : seconds * 1000,
    scopes: answer.scope?.split(" ").filter((scope) => scope !== ""),
    person,
  };
}

/** Messages for OAuth errors that users can fix, by the standard's error codes. */
const refusals: Readonly<Record<string, string>> = {
  access_denied: "You did not agree, so nobody is signed in.",
  invalid_client: "The service does not accept the app: its client id or its secret is wrong.",
  unauthorized_client: "The service does not let this app sign in like that.",
  invalid_grant: "The service no longer accepts this sign-in.",
};

async function translateErrors<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw translateError(error);
  }
}

/** Translates an OAuth error to one of the program's error classes. */
function translateError(error: unknown): unknown {
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    return authRefusal(error.error, error.error_description);
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const [challenge] = error.cause;
    return authRefusal(challenge?.parameters.error ?? "invalid_client");
  }
  const isAnswer =
    error instanceof oauth.OperationProcessingError ||
    error instanceof oauth.UnsupportedOperationError;
  if (!isAnswer) return error;
  return new UnavailableError(
    "BadAnswer",
    `The service answered what no sign-in does: ${error.message.replace(/\.$/, "")}.`,
  );
}

function authRefusal(code: string, description?: string): AuthError | RefusedError {
  const reason = description === undefined || description === "" ? "" : ` (${description})`;
  if (code === "invalid_scope") {
    return new RefusedError(
      { code, rule: "SignIn" },
      `The service does not give the app all that is asked for${reason}; name less with --scope.`,
    );
  }
  const sentence = refusals[code] ?? `The service refused the sign-in with ${code}.`;
  return new AuthError(code, reason === "" ? sentence : sentence.replace(/\.$/, `${reason}.`));
}
