/** Registration of apps, and tokens for them issued on the machine that has the books. */

import type { KindsIn } from "../../resources/audit-entry.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { directionMarkFault, readId } from "../../resources/scalar.ts";
import {
  type App,
  type AppKind,
  addApp,
  apps,
  appWithId,
  appWithName,
  changePkce,
  changeSecret,
  proofOf,
  removeApp,
} from "../../store/directory/apps.ts";
import {
  type Directory,
  type DirectoryTx,
  directoryIn,
  recordOnServer,
} from "../../store/directory/directory.ts";
import type { Act, Actor, AuditChange } from "../../store/operations/audit-log.ts";
import type { Store } from "../../store/store.ts";
import { allScopes } from "../request/scopes.ts";
import {
  type AccessClaims,
  audienceOf,
  bookIssuer,
  signClaims,
  type User,
} from "./access-tokens.ts";
import { hashOf, newSecret } from "./secrets.ts";
import { accessTokenLifeMs } from "./signing-keys.ts";

export type { App, AppKind };
export { proofOf };

/** The directory with the clock and the actor, as the functions of this file take it. */
export interface Registry {
  readonly directory: Directory;
  /** OrganisationID that the call is limited to; undefined for all organisations. */
  readonly tenant?: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The actor, for the audit log. */
  readonly by: Actor;
}

/** A registry limited to one organisation. */
export interface TenantRegistry extends Registry {
  readonly tenant: string;
}

/** Returns the registry of a store that contains the directory. */
export function registryIn(
  store: Pick<Store, "read" | "write">,
  tenant: string,
  clock: () => number,
  by: Actor,
): TenantRegistry {
  return { directory: directoryIn(store), tenant, clock, by };
}

const nameMax = 100;
type Proof = ReturnType<typeof proofOf>;

export interface AccessToken {
  readonly token: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

export interface NewApp {
  readonly name: string;
  /** When omitted: a web app if it has redirect URIs, else a machine app. */
  readonly kind?: AppKind | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly withoutPkce?: boolean | undefined;
}

function kindOf({ kind, redirectUris = [] }: NewApp): AppKind {
  return kind ?? (redirectUris.length > 0 ? "web" : "machine");
}

/** Returns how a new app proves itself. */
export const newProofOf = (app: NewApp) =>
  proofOf({ kind: kindOf(app), redirectUris: app.redirectUris ?? [] });

/**
 * Registers an app. A machine app belongs to one organisation, which must exist; other kinds to
 * none.
 *
 * @param id  its client id, a GUID
 * @returns the app, and its secret if its kind has one, which is shown only this once
 * @throws RefusedError `NameTaken`, `ValidationException`
 */
export async function registerApp(
  registry: Registry,
  newApp: NewApp,
  id: string,
): Promise<{ readonly app: App; readonly secret: string | undefined }> {
  const { directory, tenant, clock } = registry;
  const kind = kindOf(newApp);
  const proof = newProofOf(newApp);
  const appName = newApp.name.trim();
  if (appName === "" || appName.length > nameMax) {
    throw refusal("Limit", `The name of an app has 1 to ${nameMax} characters.`);
  }
  const withoutPkce = newApp.withoutPkce === true;
  if (withoutPkce) checkSecret(appName, proof);
  const fault = directionMarkFault(appName);
  if (fault !== undefined) throw refusal("Form", `The name ${fault}.`);
  if (proof === "machine" && tenant === undefined) {
    throw new Error("Nobody said for which organisation a machine works.");
  }
  const app: App = {
    id,
    name: appName,
    kind,
    withoutPkce,
    tenant: proof === "machine" ? tenant : undefined,
    redirectUris: readRedirectUris(proof, newApp.redirectUris ?? []),
    createdAt: clock(),
  };
  const secret = proof === "pkce" ? undefined : newSecret();
  const hash = secret === undefined ? undefined : hashOf(secret);
  await directory.write(async (tx) => {
    const changes = [
      { name: "Kind", after: kind },
      { name: "RedirectURIs", after: app.redirectUris.join(" ") || undefined },
      { name: "WithoutPKCE", after: withoutPkce ? "true" : undefined },
    ];
    const audited = await recordOnServer(tx, actOn(registry, "app.registered", app, changes));
    if (await addApp(audited, app, hash)) return;
    throw new RefusedError("NameTaken", `There is an app ${appName} already.`);
  });
  return { app, secret };
}

/** Refuses to waive PKCE for any kind of app except web apps. @throws RefusedError */
function checkSecret(name: string, kind: Proof): void {
  if (kind === "web") return;
  const why = kind === "pkce" ? "can keep no secret and is known by PKCE alone" : "signs nobody in";
  throw badPerson(`${name} ${why}: only a web app does without PKCE.`);
}

/**
 * Sets whether a web app may sign people in without PKCE.
 *
 * @throws NotFoundError, RefusedError for an app of another kind
 */
export async function updateApp(
  registry: Registry,
  key: string,
  { withoutPkce }: { readonly withoutPkce: boolean },
): Promise<App> {
  return registry.directory.write(async (tx) => {
    const app = await appNamed(tx, registry, key);
    checkSecret(app.name, proofOf(app));
    const changes = [
      { name: "WithoutPKCE", before: String(app.withoutPkce), after: String(withoutPkce) },
    ];
    const audited = await recordOnServer(tx, actOn(registry, "app.changed", app, changes));
    const changedApp = { ...app, withoutPkce };
    await changePkce(audited, changedApp);
    return changedApp;
  });
}

/** Makes the audit entry of an act on an app; a machine app's entry belongs to its organisation. */
function actOn(
  { clock, by }: Registry,
  kind: KindsIn<"SERVER">,
  { id, name, tenant }: App,
  changes: readonly AuditChange[] = [],
): Act<"SERVER"> {
  const tenants = tenant === undefined ? [] : [tenant];
  return { kind, by, at: clock(), subject: name, subjectId: id, tenants, changes };
}

/** Lists the apps of a server; limited to one organisation, without machine apps of the others. */
export async function listApps({ directory, tenant }: Registry): Promise<App[]> {
  const allApps = await directory.read(apps);
  return allApps.filter((app) => belongsTo(tenant, app));
}

/** Whether an app belongs to the given organisation, or to any where none is given. */
function belongsTo(tenant: string | undefined, app: App): boolean {
  return tenant === undefined || app.tenant === undefined || app.tenant === tenant;
}

/**
 * Removes an app, which invalidates its tokens.
 *
 * @param key  its name in any letter case, or its client id
 * @throws NotFoundError
 */
export function unregisterApp(registry: Registry, key: string): Promise<App> {
  return registry.directory.write(async (tx) => {
    const app = await appNamed(tx, registry, key);
    await removeApp(await recordOnServer(tx, actOn(registry, "app.removed", app)), app.id);
    return app;
  });
}

/** Returns an app by its name or client id. @throws NotFoundError */
export function findApp(registry: Registry, key: string): Promise<App> {
  return registry.directory.read((tx) => appNamed(tx, registry, key));
}

/**
 * Replaces the secret of an app; the old secret stops working, issued tokens stay valid.
 *
 * @throws NotFoundError, RefusedError `ValidationException` for an app that can keep none
 */
export async function renewSecret(registry: Registry, key: string): Promise<string> {
  const secret = newSecret();
  await registry.directory.write(async (tx) => {
    const app = await appNamed(tx, registry, key);
    const { id, name } = app;
    if (proofOf(app) === "pkce") {
      throw refusal("Form", `${name} is an app that can keep no secret: it proves itself by PKCE.`);
    }
    const audited = await recordOnServer(tx, actOn(registry, "app.secret-changed", app));
    await changeSecret(audited, id, hashOf(secret));
  });
  return secret;
}

/**
 * Issues an app a token for half an hour, on behalf of a local owner of the books.
 *
 * @param key  its name in any letter case, or its client id
 * @param scope  the scopes of the token
 * @throws NotFoundError
 */
export async function issueToken(
  registry: TenantRegistry,
  key: string,
  { user, email, role, reports }: User,
  scope = allScopes,
): Promise<AccessToken> {
  const { directory, tenant, clock } = registry;
  const app = await findApp(registry, key);
  const { id } = app;
  await directory.write((tx) =>
    recordOnServer(tx, { ...actOn(registry, "app.token-issued", app), tenants: [tenant] }),
  );
  const now = Math.floor(clock() / 1000);
  const claims: AccessClaims = {
    iss: bookIssuer,
    aud: audienceOf(bookIssuer),
    client_id: id,
    iat: now,
    nbf: now,
    exp: now + accessTokenLifeMs / 1000,
    jti: newSecret(),
    scope,
    owner: { tenant, user, email, role, reports },
  };
  return { token: await signClaims(directory, clock, claims), expiresAt: claims.exp * 1000 };
}

/**
 * Returns an app by its name or client id.
 *
 * @param tenant  excludes machine apps of other organisations
 */
export async function appNamed(
  tx: DirectoryTx,
  { tenant }: Pick<Registry, "tenant">,
  key: string,
): Promise<App> {
  const id = readId(key);
  const app =
    (id === undefined ? undefined : await appWithId(tx, id)) ?? (await appWithName(tx, key));
  if (app !== undefined && belongsTo(tenant, app)) return app;
  throw new NotFoundError("NotFound", `There is no app ${key.slice(0, nameMax)}.`);
}

// --- redirect URIs --------------------------------------------------------------------------------

/** @source spec of the API, section "Authorise" */
const urisMax = 50;
const uriCharactersMax = 2000;

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const host = /^[\w.-]+$|^\[[\da-f:]+\]$/;
/** A private URI scheme must contain a domain name, so that apps cannot collide. */
const ownScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Validates redirect URIs, and keeps them as written: they are compared exactly, except for the
 * port of a loopback address.
 *
 * @throws RefusedError `ValidationException`
 * @source spec of the API, section "Authorise"; RFC 8252
 */
function readRedirectUris(kind: Proof, uris: readonly string[]): readonly string[] {
  const distinct = [...new Set(uris.map((uri) => uri.trim()))];
  if (kind === "machine" && distinct.length > 0) {
    throw badPerson("A machine signs nobody in: it has no redirect URI.");
  }
  if (kind !== "machine" && distinct.length === 0) {
    throw badPerson("An app that signs people in needs a redirect URI.");
  }
  if (distinct.length > urisMax) throw badPerson(`An app has at most ${urisMax} redirect URIs.`);
  for (const uri of distinct) {
    const fault = faultOf(kind, uri);
    if (fault !== undefined) throw badPerson(`The redirect URI ${uri.slice(0, 200)} ${fault}.`);
  }
  return distinct;
}

function faultOf(kind: Proof, uri: string): string | undefined {
  if (uri.length > uriCharactersMax) return "is too long";
  if (!URL.canParse(uri) || /[\s\\*]/.test(uri)) return "is no address";
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== "" || uri.includes("#")) return "has a fragment, which it may not";
  if (username !== "" || password !== "") return "has a user, which it may not";
  if (protocol === "https:") {
    // The Content-Security-Policy of the pages names the host, where a semicolon would begin a
    // directive.
    if (!host.test(hostname)) return "is no address";
    const isNobodys = kind === "pkce" && loopback.test(hostname);
    return isNobodys ? "is on this machine, where https is nobody's: use http" : undefined;
  }
  if (protocol === "http:") {
    return loopback.test(hostname)
      ? undefined
      : "must begin with https; http is for localhost alone";
  }
  if (kind !== "pkce") return "must begin with https";
  return ownScheme.test(protocol)
    ? undefined
    : "has a scheme that is no domain turned round, such as nz.example.till:";
}

function badPerson(message: string): RefusedError {
  return refusal("People", message);
}
