/** Registering apps, and giving them tokens on the machine where the books are. */

import type { KindsIn } from "../../resources/audit-entry.ts";
import { NotFoundError, RefusedError, refusal } from "../../resources/errors.ts";
import { readId, turningFault } from "../../resources/scalar.ts";
import {
  type App,
  type AppKind,
  addApp,
  apps,
  appWithId,
  appWithName,
  changePkce,
  changeSecret,
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
  accessTokenLifeMs,
  audienceOf,
  bookIssuer,
  signed,
  type User,
} from "./access-tokens.ts";
import { hashOf, newSecret } from "./secrets.ts";

export type { App, AppKind };

/** The directory, and what time it is there. */
export interface Registry {
  readonly directory: Directory;
  /** OrganisationID of the one that it is asked about; undefined when it is about all of them. */
  readonly tenant?: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Who asks, for the audit log. */
  readonly by: Actor;
}

/** A registry that is asked about one organisation. */
export interface TenantRegistry extends Registry {
  readonly tenant: string;
}

/** The registry of a store that has its directory in it. */
export function registryIn(
  store: Pick<Store, "read" | "write">,
  tenant: string,
  clock: () => number,
  by: Actor,
): TenantRegistry {
  return { directory: directoryIn(store), tenant, clock, by };
}

const nameMax = 100;

export interface AccessToken {
  readonly token: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

export interface NewApp {
  readonly name: string;
  /** A machine when not given, or a web app when it names where to send people back to. */
  readonly kind?: AppKind | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly withoutPkce?: boolean | undefined;
}

/** Kinds of new apps. */
export function kindOf({ kind, redirectUris = [] }: NewApp): AppKind {
  return kind ?? (redirectUris.length > 0 ? "web" : "machine");
}

/**
 * Adds an app. A machine app belongs to one organisation, which must exist; other apps belong to
 * none.
 *
 * @param id  its client id, a GUID
 * @returns the app, and its secret where it can keep one, which is shown this once
 * @throws RefusedError `NameTaken`, `ValidationException`
 */
export async function registerApp(
  registry: Registry,
  made: NewApp,
  id: string,
): Promise<{ readonly app: App; readonly secret: string | undefined }> {
  const { directory, tenant, clock } = registry;
  const kind = kindOf(made);
  const shown = made.name.trim();
  if (shown === "" || shown.length > nameMax) {
    throw refusal("Limit", `The name of an app has 1 to ${nameMax} characters.`);
  }
  const withoutPkce = made.withoutPkce === true;
  if (withoutPkce) checkSecret(shown, kind);
  const fault = turningFault(shown);
  if (fault !== undefined) throw refusal("Form", `The name ${fault}.`);
  if (kind === "machine" && tenant === undefined) {
    throw new Error("Nobody said for which organisation a machine works.");
  }
  const app: App = {
    id,
    name: shown,
    kind,
    withoutPkce,
    tenant: kind === "machine" ? tenant : undefined,
    redirectUris: readRedirectUris(kind, made.redirectUris ?? []),
    createdAt: clock(),
  };
  const secret = kind === "pkce" ? undefined : newSecret();
  const hash = secret === undefined ? undefined : hashOf(secret);
  await directory.write(async (tx) => {
    const changes = [
      { name: "Kind", after: kind },
      { name: "RedirectURIs", after: app.redirectUris.join(" ") || undefined },
      { name: "WithoutPKCE", after: withoutPkce ? "true" : undefined },
    ];
    const audited = await recordOnServer(tx, actOn(registry, "app.registered", app, changes));
    if (await addApp(audited, app, hash)) return;
    throw new RefusedError("NameTaken", `There is an app ${shown} already.`);
  });
  return { app, secret };
}

/** @throws RefusedError for an app that is known by PKCE alone, or signs nobody in */
function checkSecret(name: string, kind: AppKind): void {
  if (kind === "web") return;
  const why = kind === "pkce" ? "can keep no secret and is known by PKCE alone" : "signs nobody in";
  throw invalid(`${name} ${why}: only a web app does without PKCE.`);
}

/**
 * Says whether a web app signs people in without PKCE.
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
    checkSecret(app.name, app.kind);
    const changes = [
      { name: "WithoutPKCE", before: String(app.withoutPkce), after: String(withoutPkce) },
    ];
    const audited = await recordOnServer(tx, actOn(registry, "app.changed", app, changes));
    const changed = { ...app, withoutPkce };
    await changePkce(audited, changed);
    return changed;
  });
}

/** An act on an app, which is of one organisation where the app works for one alone. */
function actOn(
  { clock, by }: Registry,
  kind: KindsIn<"SERVER">,
  { id, name, tenant }: App,
  changes: readonly AuditChange[] = [],
): Act<"SERVER"> {
  const tenants = tenant === undefined ? [] : [tenant];
  return { kind, by, at: clock(), subject: name, subjectId: id, tenants, changes };
}

/** The apps of a server; where it is asked about one organisation, without machines of others. */
export async function listApps({ directory, tenant }: Registry): Promise<App[]> {
  const all = await directory.read(apps);
  return all.filter((app) => isAmong(tenant, app));
}

/** Whether an app is one of those of an organisation, or of all of them where none is named. */
function isAmong(tenant: string | undefined, app: App): boolean {
  return tenant === undefined || app.tenant === undefined || app.tenant === tenant;
}

/**
 * Removes an app; its tokens count no longer.
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

/** @throws NotFoundError */
export function findApp(registry: Registry, key: string): Promise<App> {
  return registry.directory.read((tx) => appNamed(tx, registry, key));
}

/**
 * Gives an app another secret; the one it had counts no longer, and tokens go on.
 *
 * @throws NotFoundError, RefusedError `ValidationException` for an app that can keep none
 */
export async function renewSecret(registry: Registry, key: string): Promise<string> {
  const secret = newSecret();
  await registry.directory.write(async (tx) => {
    const app = await appNamed(tx, registry, key);
    const { id, name, kind } = app;
    if (kind === "pkce") {
      throw refusal("Form", `${name} is an app that can keep no secret: it proves itself by PKCE.`);
    }
    const audited = await recordOnServer(tx, actOn(registry, "app.secret-changed", app));
    await changeSecret(audited, id, hashOf(secret));
  });
  return secret;
}

/**
 * Gives an app a token for half an hour, in the name of somebody who has the books themselves.
 *
 * @param key  its name in any letter case, or its client id
 * @throws NotFoundError
 */
export async function issueToken(
  registry: TenantRegistry,
  key: string,
  { user, email, role, reports }: User,
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
    scope: allScopes,
    owner: { tenant, user, email, role, reports },
  };
  return { token: await signed(directory, clock, claims), expiresAt: claims.exp * 1000 };
}

/** @param tenant  asked about: a machine of another organisation is none of its apps */
async function appNamed(
  tx: DirectoryTx,
  { tenant }: Pick<Registry, "tenant">,
  key: string,
): Promise<App> {
  const id = readId(key);
  const app =
    (id === undefined ? undefined : await appWithId(tx, id)) ?? (await appWithName(tx, key));
  if (app !== undefined && isAmong(tenant, app)) return app;
  throw new NotFoundError("NotFound", `There is no app ${key.slice(0, nameMax)}.`);
}

// --- redirect URIs --------------------------------------------------------------------------------

/** @source spec of the API, section "Authorise" */
const urisMax = 50;
const uriCharactersMax = 2000;

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const host = /^[\w.-]+$|^\[[\da-f:]+\]$/;
/** A scheme that an app claims for itself is named after a domain, to be told from others'. */
const ownScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Redirect URIs as they may be registered, kept as they were written: they are compared letter by
 * letter, but for the port of a loopback address.
 *
 * @throws RefusedError `ValidationException`
 * @source spec of the API, section "Authorise"; RFC 8252
 */
function readRedirectUris(kind: AppKind, uris: readonly string[]): readonly string[] {
  const distinct = [...new Set(uris.map((uri) => uri.trim()))];
  if (kind === "machine" && distinct.length > 0) {
    throw invalid("A machine signs nobody in: it has no redirect URI.");
  }
  if (kind !== "machine" && distinct.length === 0) {
    throw invalid("An app that signs people in needs a redirect URI.");
  }
  if (distinct.length > urisMax) throw invalid(`An app has at most ${urisMax} redirect URIs.`);
  for (const uri of distinct) {
    const fault = faultOf(kind, uri);
    if (fault !== undefined) throw invalid(`The redirect URI ${uri.slice(0, 200)} ${fault}.`);
  }
  return distinct;
}

function faultOf(kind: AppKind, uri: string): string | undefined {
  if (uri.length > uriCharactersMax) return "is too long";
  if (!URL.canParse(uri) || /[\s\\*]/.test(uri)) return "is no address";
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== "" || uri.includes("#")) return "has a fragment, which it may not";
  if (username !== "" || password !== "") return "has a user, which it may not";
  if (protocol === "https:") {
    // The policy of the pages names the host, where a semicolon would begin another rule.
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

function invalid(message: string): RefusedError {
  return refusal("People", message);
}
