/** Registering apps, and giving them tokens. */
import { NotFoundError, RefusedError } from "../../resources/errors.ts";
import { readId } from "../../resources/scalar.ts";
import type { OrganisationRole } from "../../resources/user.ts";
import { type App, addApp, addToken, apps, forgetTokens, removeApp } from "../../store/apps.ts";
import type { Store, Tx } from "../../store/store.ts";
import { fold } from "../../wire/fold.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** The organisation whose apps they are, and what time it is there. */
export interface Registry {
  readonly store: Store;
  readonly org: number;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
}

/** How long an access token counts. @source spec of the API, section "Token endpoint" */
export const tokenLifeMs = 30 * 60_000;
/** How long an expired token is still known, so that it can be told from one that never was. */
const rememberedMs = 24 * 3_600_000;
const nameMax = 100;

/** In whose name an app works. */
export interface User {
  readonly user: string;
  readonly email: string;
  readonly role: OrganisationRole;
  /** False for a standard user who may not see reports. */
  readonly reports: boolean;
}

export interface AccessToken {
  readonly token: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

/**
 * Adds an app.
 *
 * @param id  its client id, a GUID
 * @returns the app, and its secret, which is told this once
 * @throws RefusedError `NameTaken`, `ValidationException`
 */
export async function registerApp(
  { store, org, clock }: Registry,
  name: string,
  id: string,
): Promise<{ readonly app: App; readonly secret: string }> {
  const shown = name.trim();
  if (shown === "" || shown.length > nameMax) {
    throw new RefusedError(
      "ValidationException",
      `The name of an app has 1 to ${nameMax} characters.`,
    );
  }
  const secret = newSecret();
  const app = { id, name: shown, createdAt: clock() };
  await store.write(org, async (tx) => {
    if ((await apps(tx)).some((known) => fold(known.name) === fold(shown))) {
      throw new RefusedError("NameTaken", `There is an app ${shown} already.`);
    }
    await addApp(tx, app, hashOf(secret));
  });
  return { app, secret };
}

export function listApps({ store, org }: Registry): Promise<App[]> {
  return store.read(org, apps);
}

/**
 * Removes an app; its tokens count no longer.
 *
 * @param key  its name in any letter case, or its client id
 * @throws NotFoundError
 */
export function unregisterApp({ store, org }: Registry, key: string): Promise<App> {
  return store.write(org, async (tx) => {
    const app = await appNamed(tx, key);
    await removeApp(tx, app.id);
    return app;
  });
}

/** @throws NotFoundError */
export function findApp({ store, org }: Registry, key: string): Promise<App> {
  return store.read(org, (tx) => appNamed(tx, key));
}

/**
 * Gives an app a token for half an hour.
 *
 * @param key  its name in any letter case, or its client id
 * @throws NotFoundError
 */
export async function issueToken(
  { store, org, clock }: Registry,
  key: string,
  { user, email, role, reports }: User,
): Promise<AccessToken> {
  const now = clock();
  const issued = { token: newSecret(), expiresAt: now + tokenLifeMs };
  await store.write(org, async (tx) => {
    const { id } = await appNamed(tx, key);
    await forgetTokens(tx, now - rememberedMs);
    const grant = { app: id, user, email, role, reports, expiresAt: issued.expiresAt };
    await addToken(tx, hashOf(issued.token), grant, now);
  });
  return issued;
}

async function appNamed(tx: Tx, key: string): Promise<App> {
  const all = await apps(tx);
  const id = readId(key);
  const found = all.find((app) => app.id === id || fold(app.name) === fold(key.trim()));
  if (found !== undefined) return found;
  throw new NotFoundError("NotFound", `There is no app ${key.slice(0, nameMax)}.`);
}
