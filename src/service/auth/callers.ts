/**
 * Recognising who calls over a port, by the token that comes with every request.
 *
 * A token that was looked up is believed for a moment without looking again, so that a caller who
 * asks a hundred times a second costs one query and not a hundred. An app that is removed in another
 * process is locked out when that moment has passed.
 */
import { AuthError } from "../../resources/errors.ts";
import { type Grant, grantOf } from "../../store/apps.ts";
import type { Listing } from "../../store/organisations.ts";
import type { Store } from "../../store/store.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import type { Principal } from "../call.ts";
import { hashOf } from "./secrets.ts";

/** How long a token is believed after it was looked up. */
export const believedMs = 2_000;
/** Most tokens that are believed at a time. */
const believedMax = 10_000;
const tokenCharactersMax = 4096;

interface Believed {
  readonly principal: Principal;
  readonly expiresAt: number;
  readonly since: number;
}

/** @throws AuthError 401 without a valid token, 403 for an organisation that is not the token's */
export type Recognise = (request: Pick<ServiceRequest, "headers">) => Promise<Principal>;

/** Recognises the callers of one organisation. @param clock  milliseconds since 1970 UTC */
export function callersOf(store: Store, owner: Listing, clock: () => number): Recognise {
  /** By the header that brings the token, so that it is read and hashed once. */
  const known = new Map<string, Believed>();
  const lookUp = async (authorization: string, now: number): Promise<Believed> => {
    const hash = hashOf(tokenIn(authorization));
    const grant = await store.read(owner.org, (tx) => grantOf(tx, hash));
    if (grant === undefined) throw unsuccessful(401);
    const believed = {
      principal: principalOf(owner, grant),
      expiresAt: grant.expiresAt,
      since: now,
    };
    if (known.size >= believedMax) known.clear();
    known.set(authorization, believed);
    return believed;
  };
  return async ({ headers }) => {
    const { authorization = "" } = headers;
    const now = clock();
    let found = known.get(authorization);
    if (found === undefined || Math.abs(now - found.since) >= believedMs) {
      known.delete(authorization);
      found = await lookUp(authorization, now);
    }
    if (now >= found.expiresAt) {
      throw new AuthError("TokenExpired", `token expired at ${writtenMoment(found.expiresAt)}`);
    }
    const tenant = headers["xero-tenant-id"]?.trim().toLowerCase();
    if (tenant && tenant !== owner.OrganisationID) throw unsuccessful(403);
    return found.principal;
  };
}

function principalOf({ org }: Listing, grant: Grant & { readonly appName: string }): Principal {
  const { app, appName, user, email, role, reports } = grant;
  return { org, app, appName, user, email, role, reports };
}

/** Older clients call the scheme OAuth. @throws AuthError */
function tokenIn(authorization: string): string {
  const token = /^(?:bearer|oauth) +([\w.~+/=-]+) *$/i.exec(authorization)?.[1];
  if (token === undefined || token.length > tokenCharactersMax) throw unsuccessful(401);
  return token;
}

function unsuccessful(status: 401 | 403): AuthError {
  return new AuthError("AuthenticationUnsuccessful", "AuthenticationUnsuccessful", status);
}

/** `03/31/2026 21:14:07`, UTC, as clients know it. */
function writtenMoment(ms: number): string {
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  const [year, month, date] = day.split("-");
  return `${month}/${date}/${year} ${time.slice(0, 8)}`;
}
