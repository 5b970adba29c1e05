/**
 * Registers, changes and removes the apps that may use the API of a server, and issues their
 * tokens.
 */
import type { AccessToken, App, NewApp, Registry, TenantRegistry } from "../service/auth/apps.ts";
import type { Server } from "../service/auth/server.ts";
import { actorAt, type Operator, withBook } from "./book.ts";
import { withServer } from "./serve-book.ts";

export type { AccessToken, App, NewApp };

/** Dependencies of the administration of apps: a server, the clock, and the person at the terminal as the actor. */
export interface AdminDependencies {
  readonly path: string;
  /** Clock that returns milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly operator: Operator;
}

/**
 * Registers an app and returns its secret, which is shown only this once.
 *
 * @throws RefusedError `NameTaken`; for a machine, UsageError `WhichOrganisation`
 */
export async function addApp(
  dependencies: AdminDependencies,
  newApp: NewApp,
): Promise<{ readonly app: ListedApp; readonly secret: string | undefined }> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const add = async (registry: Registry, { organisations }: OrganisationSource) => {
    const { app, secret } = await (await apps()).registerApp(registry, newApp, randomUUID());
    return { app: await listOne(app, organisations), secret };
  };
  return (await needsOrganisation(newApp)) ? inOne(dependencies, add) : onServer(dependencies, add);
}

/**
 * Whether a new app works by itself, for one organisation that must be named.
 */
export async function needsOrganisation(newApp: NewApp): Promise<boolean> {
  return (await apps()).newProofOf(newApp) === "machine";
}

export interface ListedApp extends App {
  /** Name of the organisation that a machine app works for; undefined for other kinds of app. */
  readonly organisation: string | undefined;
}

export interface Apps {
  readonly apps: readonly ListedApp[];
  /** Whether the list may hold apps of several organisations. */
  readonly isOfMany: boolean;
}

/** Lists the apps of the whole server; with an organisation named, only that one's machine apps. */
export function listApps(dependencies: AdminDependencies): Promise<Apps> {
  return onServer(dependencies, async (registry, { tenant, organisations }) => ({
    apps: await withOrganisations(await (await apps()).listApps(registry), organisations),
    isOfMany: tenant === undefined,
  }));
}

/**
 * Finds an app.
 *
 * @param key  name or client id
 * @throws NotFoundError
 */
export function findApp(dependencies: AdminDependencies, key: string): Promise<App> {
  return onServer(dependencies, async (registry) => (await apps()).findApp(registry, key));
}

type OrganisationSource = Pick<Server, "organisations">;

/**
 * Adds the name of its organisation to each app; reads the names only if a machine app is there.
 */
async function withOrganisations(
  allApps: readonly App[],
  organisations: Server["organisations"],
): Promise<ListedApp[]> {
  const listings = allApps.some(({ tenant }) => tenant !== undefined) ? await organisations() : [];
  const nameByTenant = new Map(listings.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
  return allApps.map((app) => ({ ...app, organisation: nameByTenant.get(app.tenant ?? "") }));
}

async function listOne(app: App, organisations: Server["organisations"]): Promise<ListedApp> {
  const [listedApp] = await withOrganisations([app], organisations);
  return { ...app, organisation: listedApp?.organisation };
}

/**
 * Changes whether a web app may sign people in without PKCE.
 *
 * @throws NotFoundError, RefusedError for an app of another kind than web
 */
export function updateApp(
  dependencies: AdminDependencies,
  key: string,
  changes: { readonly withoutPkce: boolean },
): Promise<ListedApp> {
  return onServer(dependencies, async (registry, { organisations }) =>
    listOne(await (await apps()).updateApp(registry, key, changes), organisations),
  );
}

/** Removes an app and invalidates its tokens. @throws NotFoundError */
export function removeApp(dependencies: AdminDependencies, key: string): Promise<App> {
  return onServer(dependencies, async (registry) => (await apps()).unregisterApp(registry, key));
}

/**
 * Replaces the secret of an app; the new one is shown only this once.
 *
 * @throws NotFoundError, RefusedError
 */
export function renewSecret(
  dependencies: AdminDependencies,
  key: string,
): Promise<{ readonly app: ListedApp; readonly secret: string }> {
  return onServer(dependencies, async (registry, { organisations }) => {
    const { findApp, renewSecret } = await apps();
    const app = await findApp(registry, key);
    const secret = await renewSecret(registry, app.id);
    return { app: await listOne(app, organisations), secret };
  });
}

/**
 * Issues an access token to an app for half an hour, in the name of the operator. Without a named
 * organisation, the token of a machine app is for the app's own organisation.
 *
 * @throws NotFoundError; for others than machines, UsageError `WhichOrganisation`
 */
export async function issueToken(
  dependencies: AdminDependencies,
  key: string,
): Promise<AccessToken> {
  const { userFrom } = await import("../service/books/book.ts");
  const issue = async (registry: TenantRegistry) =>
    (await apps()).issueToken(registry, key, userFrom(dependencies.operator));
  const ownTokenIssue = await onServer(dependencies, async (registry, server) => {
    const { tenant = server.tenant } = await (await apps()).findApp(registry, key);
    if (server.tenant !== undefined || tenant === undefined) return undefined;
    return issue({ ...registry, tenant });
  });
  return ownTokenIssue ?? inOne(dependencies, issue);
}

const apps = () => import("../service/auth/apps.ts");

/** Runs work on the apps of one organisation. @throws UsageError `WhichOrganisation` */
function inOne<T>(
  { path, clock, operator }: AdminDependencies,
  action: (registry: TenantRegistry, itself: OrganisationSource) => Promise<T>,
): Promise<T> {
  return withBook(path, async (book) => {
    const { org, tenant: OrganisationID } = book;
    const organisations = async () => {
      const { nameOf } = await import("../service/books/book.ts");
      return [{ org, OrganisationID, Name: await nameOf(book) }];
    };
    const registry = (await apps()).registryIn(
      await book.directory(),
      OrganisationID,
      clock,
      await actorAt(operator),
    );
    return action(registry, { organisations });
  });
}

/** Runs work on the apps of a server; the organisation need not be named. */
export function onServer<T>(
  { path, clock, operator }: AdminDependencies,
  action: (registry: Registry, server: Server) => Promise<T>,
): Promise<T> {
  return withServer(path, async (server) => {
    const { directory, tenant } = server;
    return action({ directory, tenant, clock, by: await actorAt(operator) }, server);
  });
}
