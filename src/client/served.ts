/**
 * The door to what a book needs when others are to work on it: a port, apps and their tokens.
 *
 * Like `embedded.ts`, it loads what lies behind it when it is asked for; a command that works on a
 * book in its own process comes by neither the web framework nor the tables of apps.
 */
import type { AccessToken, App, NewApp, Registry } from "../service/auth/apps.ts";
import type { BookOptions } from "../service/book.ts";
import type { Operations } from "../service/http/operations.ts";
import type { ServedBook, ServeOptions } from "../service/http/serve.ts";
import { withBook } from "./embedded.ts";

export type { AccessToken, App, NewApp, Operations, ServedBook, ServeOptions };

/** @throws NotFoundError `NoBook`, `PortError` of the service when the port cannot be opened */
export async function serve(path: string, options: ServeOptions): Promise<ServedBook> {
  const { serveBook } = await import("../service/http/serve.ts");
  return serveBook(path, options);
}

/** Adds an app. Its secret is told this once. @throws RefusedError `NameTaken` */
export function addApp(
  path: string,
  made: NewApp,
  clock: () => number,
): Promise<{ readonly app: App; readonly secret: string | undefined }> {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  return inRegistry(path, clock, async (registry) =>
    (await import("../service/auth/apps.ts")).registerApp(registry, made, randomUUID()),
  );
}

export function listApps(path: string, clock: () => number): Promise<App[]> {
  return inRegistry(path, clock, async (registry) =>
    (await import("../service/auth/apps.ts")).listApps(registry),
  );
}

/** @param key  name or client id @throws NotFoundError */
export function findApp(path: string, key: string, clock: () => number): Promise<App> {
  return inRegistry(path, clock, async (registry) =>
    (await import("../service/auth/apps.ts")).findApp(registry, key),
  );
}

/** Removes an app; its tokens count no longer. @throws NotFoundError */
export function removeApp(path: string, key: string, clock: () => number): Promise<App> {
  return inRegistry(path, clock, async (registry) =>
    (await import("../service/auth/apps.ts")).unregisterApp(registry, key),
  );
}

/** Another secret for an app, told this once. @throws NotFoundError, RefusedError */
export function renewSecret(path: string, key: string, clock: () => number): Promise<string> {
  return inRegistry(path, clock, async (registry) =>
    (await import("../service/auth/apps.ts")).renewSecret(registry, key),
  );
}

/**
 * Gives an app a token for half an hour, in the name of whoever runs the program.
 *
 * @throws NotFoundError
 */
export function issueToken(
  path: string,
  key: string,
  who: Pick<BookOptions, "user" | "email">,
  clock: () => number,
): Promise<AccessToken> {
  return inRegistry(path, clock, async (registry) => {
    const { userFrom } = await import("../service/book.ts");
    return (await import("../service/auth/apps.ts")).issueToken(registry, key, userFrom(who));
  });
}

function inRegistry<T>(
  path: string,
  clock: () => number,
  work: (registry: Registry) => Promise<T>,
): Promise<T> {
  return withBook(path, async ({ directory, tenant }) => {
    const { registryIn } = await import("../service/auth/apps.ts");
    return work(registryIn(await directory(), tenant, clock));
  });
}
