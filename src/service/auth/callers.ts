/**
 * Authentication of callers by the bearer token of each request.
 *
 * The signature of a token is verified once; then the directory is asked whether app, consent,
 * connection and role are still valid. The result is cached for a moment, so that a caller with a
 * hundred requests a second costs a few queries and not hundreds. A revocation in any process takes
 * effect when the cache expires. Entries of frequent callers are refreshed before that in one
 * batch, so that their requests never wait.
 */
import { AuthError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import { type App, appsWithIds } from "../../store/directory/apps.ts";
import { connectionsOf, hasConsent } from "../../store/directory/connections.ts";
import type { Directory, DirectoryTx } from "../../store/directory/directory.ts";
import { membershipsOf, personWithId } from "../../store/directory/people.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import type { Principal } from "../request/context.ts";
import { machineStanding, organisationRoles } from "../request/scopes.ts";
import { type AccessClaims, agentAudienceOf, verifierOf } from "./access-tokens.ts";

/** How long the cached result of a token lookup is valid, in milliseconds. */
export const cachedMs = 2_000;
/** Age at which the entry of an active caller is refreshed, and how long refreshes are batched. */
const renewedMs = 1_000;
const gatheredMs = 100;
/** Maximum number of tokens in the cache. */
const believedMax = 10_000;

/** An authenticated caller and its organisation, without the organisation's key in the store. */
export interface Caller extends Omit<Principal, "org"> {
  /** OrganisationID. */
  readonly tenant: string;
}

/** Callers by OrganisationID. */
type CallersByTenant = ReadonlyMap<string, Caller>;

/** A verified token, and the callers it authenticates. */
export interface Bearer {
  readonly claims: AccessClaims;
  /** One caller for each organisation to which the app is connected. */
  readonly callers: CallersByTenant;
}

type AskingRequest = Pick<ServiceRequest, "headers" | "info">;

export interface Callers {
  /** Authenticates the bearer token. @throws AuthError 401 without a valid token */
  bearer(request: AskingRequest): Promise<Bearer>;
  /**
   * Authenticates the token for the organisation in the header `xero-tenant-id`, which may be
   * missing where there is only one.
   *
   * @throws AuthError 401 without a valid token, 403 for an organisation that is not connected
   */
  caller(request: AskingRequest): Promise<Caller>;
}

interface CachedBearer extends Bearer {
  readonly expiresAt: number;
  readonly since: number;
}

/**
 * @param clock   milliseconds since 1970 UTC
 * @param issuer  begins the addresses of the server, without a slash at the end
 */
export function callersOf(
  directory: Directory,
  clock: () => number,
  issuer: () => string,
): Callers {
  const verify = verifierOf(directory, clock, issuer);
  /** Cache by the whole `Authorization` header, so that each token is parsed and verified once. */
  const bearers = new Map<string, CachedBearer>();
  /** The entry used last, with its header: one comparison is faster than a map lookup. */
  let lastFound: readonly [authorization: string, found: CachedBearer] | undefined;
  /** Entries waiting for the next batch of refreshes, by header. */
  const renewing = new Map<string, CachedBearer>();
  const forget = (authorization: string) => {
    bearers.delete(authorization);
    if (lastFound?.[0] === authorization) lastFound = undefined;
  };
  const lookUp = async (authorization: string, now: number): Promise<CachedBearer> => {
    const verified = bearers.get(authorization)?.claims;
    forget(authorization);
    const claims = verified ?? (await verify(readBearerToken(authorization)));
    if (claims === undefined) throw authFailure(401);
    const expiresAt = claims.exp * 1000;
    if (now >= expiresAt) throw expiredError(expiresAt);
    const [callers] = await directory.read((tx) => callersBy(tx, [claims]));
    if (callers === undefined) throw authFailure(401);
    const believed = { claims, callers, expiresAt, since: now };
    if (bearers.size >= believedMax) bearers.clear();
    bearers.set(authorization, believed);
    return believed;
  };
  const renew = async () => {
    const now = clock();
    // Entries that were refreshed or dropped in the meantime are left out.
    const renewals = [...renewing].filter(([name, believed]) => bearers.get(name) === believed);
    renewing.clear();
    if (renewals.length === 0) return;
    const claims = renewals.map(([, believed]) => believed.claims);
    const callersByTenants = await directory.read((tx) => callersBy(tx, claims));
    for (const [at, [authorization, believed]] of renewals.entries()) {
      if (bearers.get(authorization) !== believed) continue;
      const callers = callersByTenants[at];
      forget(authorization);
      if (callers !== undefined) bearers.set(authorization, { ...believed, callers, since: now });
    }
  };
  const renewSoon = (authorization: string, believed: CachedBearer) => {
    if (renewing.size === 0) {
      // A failed refresh is ignored: the caller gets the error once the cached entry has expired.
      setTimeout(() => void renew().catch(() => undefined), gatheredMs).unref();
    }
    renewing.set(authorization, believed);
  };
  const bearer = async ({ headers, info }: AskingRequest): Promise<Bearer> => {
    const { authorization = "" } = headers;
    const now = clock();
    let cachedBearer = lastFound?.[0] === authorization ? lastFound[1] : bearers.get(authorization);
    const ageMs = cachedBearer === undefined ? Infinity : Math.abs(now - cachedBearer.since);
    if (cachedBearer === undefined || ageMs >= cachedMs)
      cachedBearer = await lookUp(authorization, now);
    else if (ageMs >= renewedMs && !renewing.has(authorization))
      renewSoon(authorization, cachedBearer);
    lastFound = [authorization, cachedBearer];
    if (now >= cachedBearer.expiresAt) throw expiredError(cachedBearer.expiresAt);
    const { iss, aud } = cachedBearer.claims;
    if (aud === agentAudienceOf(iss) && info?.through !== "MCP") throw authFailure(401);
    return cachedBearer;
  };
  return {
    bearer,
    async caller(request) {
      const { callers } = await bearer(request);
      const tenant = request.headers["xero-tenant-id"]?.trim();
      const caller =
        tenant === undefined || tenant === "" ? oneOf(callers) : callers.get(readId(tenant) ?? "");
      if (caller === undefined) throw authFailure(403);
      return caller;
    },
  };
}

function oneOf(callerByTenant: CallersByTenant): Caller | undefined {
  if (callerByTenant.size !== 1) return undefined;
  for (const caller of callerByTenant.values()) return caller;
  return undefined;
}

/** Looks up the callers of several tokens; undefined for a revoked one. */
async function callersBy(
  tx: DirectoryTx,
  tokens: readonly AccessClaims[],
): Promise<readonly (CallersByTenant | undefined)[]> {
  const ids = tokens.map(({ client_id }) => client_id);
  const appById = await appsWithIds(tx, ids);
  const callersByTenants: (CallersByTenant | undefined)[] = [];
  for (const claims of tokens) {
    const app = appById.get(claims.client_id);
    callersByTenants.push(app && (await callersOfApp(tx, app, claims)));
  }
  return callersByTenants;
}

async function callersOfApp(
  tx: DirectoryTx,
  app: App,
  claims: AccessClaims,
): Promise<CallersByTenant | undefined> {
  const { owner, sub, scope } = claims;
  const callerInfo = {
    app: app.id,
    appName: app.name,
    ...(app.kind === "agent" && { isAgent: true as const }),
    scopes: new Set(scope),
  };
  if (owner !== undefined) {
    const { tenant, user, email, role, reports } = owner;
    return new Map([[tenant, { ...callerInfo, tenant, user, email, role, reports }]]);
  }
  if (sub === undefined) {
    const { tenant, name } = app;
    if (tenant === undefined) return undefined;
    const caller = { ...callerInfo, tenant, user: name, email: machineEmail, ...machineStanding };
    return new Map([[tenant, caller]]);
  }
  return callersForPerson(tx, claims, callerInfo);
}

/** Default sender address of email sent by machine apps. */
const machineEmail = "bookkeeper@localhost";

async function callersForPerson(
  tx: DirectoryTx,
  { client_id: appId, sub: personId = "", authentication_event_id = "" }: AccessClaims,
  callerInfo: Pick<Caller, "app" | "appName" | "isAgent" | "scopes">,
): Promise<CallersByTenant | undefined> {
  const pairing = { appId, personId };
  if (!(await hasConsent(tx, pairing, authentication_event_id))) return undefined;
  const person = await personWithId(tx, personId);
  if (person === undefined) return undefined;
  const memberships = await membershipsOf(tx, personId);
  const callers = new Map<string, Caller>();
  for (const { tenant } of await connectionsOf(tx, pairing)) {
    const role = memberships.find((membership) => membership.tenant === tenant)?.role;
    if (role === undefined) continue;
    const { name: user, email } = person;
    const roleGrant = organisationRoles[role];
    callers.set(tenant, { ...callerInfo, tenant, user, email, isPerson: true, ...roleGrant });
  }
  return callers;
}

/** Extracts the bearer token; older clients name the scheme `OAuth`. @throws AuthError */
function readBearerToken(authorization: string): string {
  const token = /^(?:bearer|oauth) +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw authFailure(401);
  return token;
}

function expiredError(at: number): AuthError {
  return new AuthError("TokenExpired", `token expired at ${momentText(at)}`);
}

function authFailure(status: 401 | 403): AuthError {
  return new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful", status);
}

/** Formats a moment as `03/31/2026 21:14:07` in UTC, which clients expect. */
function momentText(ms: number): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  const [year, month, date] = day.split("-");
  return `${month}/${date}/${year} ${time.slice(0, 8)}`;
}

/**
 * Adapts callers to a server of one book: they get the organisation's key in the store.
 *
 * @throws AuthError as `caller` does, and 403 for another organisation
 */
export function callersFor(
  { caller }: Callers,
  { org, OrganisationID }: { readonly org: number; readonly OrganisationID: string },
): (request: AskingRequest) => Promise<Principal> {
  const principalByCaller = new WeakMap<Caller, Principal>();
  return async (request) => {
    const match = await caller(request);
    let principal = principalByCaller.get(match);
    if (principal === undefined) {
      if (match.tenant !== OrganisationID) throw authFailure(403);
      principal = { ...match, org };
      principalByCaller.set(match, principal);
    }
    return principal;
  };
}
