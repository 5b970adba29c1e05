/** The apps that may work on a served book, and their tokens. */
import type { AccessToken, App, NewApp, Registry, TenantRegistry } from "../service/auth/apps.ts";
import type { Server } from "../service/auth/server.ts";
import { actorAt, type Operator, withBook } from "./book.ts";
import { withServer } from "./serve-book.ts";

export type { AccessToken, App, NewApp };

/** Dependencies of the administration of apps: a server, the clock, and the person at the terminal as the actor. */
export interface AdminDependencies {
  readonly path: string;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  readonly operator: Operator;
}

/**
 * Adds an app. Its secret is told this once.
 *
 * @throws RefusedError `NameTaken`; for a machine, UsageError `WhichOrganisation`
 */
export async function addApp(
  dependencies: AdminDependencies,
  made: NewApp,
): Promise<{ readonly app: ListedApp; readonly secret: string | undefined }> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  const add = async (registry: Registry, { organisations }: Knowing) => {
    const { app, secret } = await (await apps()).registerApp(registry, made, randomUUID());
    return { app: await listedOne(app, organisations), secret };
  };
  return (await isOfOne(made)) ? ofOne(dependencies, add) : ofServer(dependencies, add);
}

/** Whether a new app will work for one organisation alone, which must then be named. */
export async function isOfOne(made: NewApp): Promise<boolean> {
  return (await apps()).kindOf(made) === "machine";
}

export interface ListedApp extends App {
  /** What the organisation is called for which a machine works. */
  readonly organisation: string | undefined;
}

export interface Apps {
  readonly apps: readonly ListedApp[];
  /** Whether they may be of several organisations. */
  readonly isOfMany: boolean;
}

/** Those of the whole server; of machines those of one organisation alone, where it is named. */
export function listApps(dependencies: AdminDependencies): Promise<Apps> {
  return ofServer(dependencies, async (registry, { tenant, organisations }) => ({
    apps: await listed(await (await apps()).listApps(registry), organisations),
    isOfMany: tenant === undefined,
  }));
}

/** @param key  name or client id @throws NotFoundError */
export function findApp(dependencies: AdminDependencies, key: string): Promise<App> {
  return ofServer(dependencies, async (registry) => (await apps()).findApp(registry, key));
}

type Knowing = Pick<Server, "organisations">;

/** With the names of organisations, which are read where there are machines. */
async function listed(
  all: readonly App[],
  organisations: Server["organisations"],
): Promise<ListedApp[]> {
  const known = all.some(({ tenant }) => tenant !== undefined) ? await organisations() : [];
  const names = new Map(known.map(({ OrganisationID, Name }) => [OrganisationID, Name]));
  return all.map((app) => ({ ...app, organisation: names.get(app.tenant ?? "") }));
}

async function listedOne(app: App, organisations: Server["organisations"]): Promise<ListedApp> {
  const [found] = await listed([app], organisations);
  return { ...app, organisation: found?.organisation };
}

/** @throws NotFoundError, RefusedError for an app of another kind than web */
export function updateApp(
  dependencies: AdminDependencies,
  key: string,
  changes: { readonly withoutPkce: boolean },
): Promise<ListedApp> {
  return ofServer(dependencies, async (registry, { organisations }) =>
    listedOne(await (await apps()).updateApp(registry, key, changes), organisations),
  );
}

/** Removes an app; its tokens count no longer. @throws NotFoundError */
export function removeApp(dependencies: AdminDependencies, key: string): Promise<App> {
  return ofServer(dependencies, async (registry) => (await apps()).unregisterApp(registry, key));
}

/** Another secret for an app, told this once. @throws NotFoundError, RefusedError */
export function renewSecret(
  dependencies: AdminDependencies,
  key: string,
): Promise<{ readonly app: ListedApp; readonly secret: string }> {
  return ofServer(dependencies, async (registry, { organisations }) => {
    const { findApp, renewSecret } = await apps();
    const app = await findApp(registry, key);
    const secret = await renewSecret(registry, app.id);
    return { app: await listedOne(app, organisations), secret };
  });
}

/**
 * Gives an app a token for half an hour, in the name of whoever runs the program. Where several
 * organisations are and none is named, a machine works for its own.
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
  const own = await ofServer(dependencies, async (registry, server) => {
    const { tenant = server.tenant } = await (await apps()).findApp(registry, key);
    if (server.tenant !== undefined || tenant === undefined) return undefined;
    return issue({ ...registry, tenant });
  });
  return own ?? ofOne(dependencies, issue);
}

const apps = () => import("../service/auth/apps.ts");

/** Works on the apps of one organisation. @throws UsageError `WhichOrganisation` */
function ofOne<T>(
  { path, clock, operator }: AdminDependencies,
  work: (registry: TenantRegistry, itself: Knowing) => Promise<T>,
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
    return work(registry, { organisations });
  });
}

/** Works on the apps of a server, which need not say of which organisation. */
function ofServer<T>(
  { path, clock, operator }: AdminDependencies,
  work: (registry: Registry, server: Server) => Promise<T>,
): Promise<T> {
  return withServer(path, async (server) => {
    const { directory, tenant } = server;
    return work({ directory, tenant, clock, by: await actorAt(operator) }, server);
  });
}
