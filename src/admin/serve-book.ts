/** Serves a book on a port, and administers a server as a whole rather than one organisation. */

import { databaseAddress, folderAddress } from "../platform/book-address.ts";
import { DiskError } from "../platform/disk.ts";
import { closeAtBlockEnd } from "../platform/disposal.ts";
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import { counted } from "../resources/scalar.ts";
import type { Rotation } from "../service/auth/key-rotation.ts";
import type { Server } from "../service/auth/server.ts";
import type { BackupSet } from "../service/books/sets/set.ts";
import type { ServerPlace, TakenSet, TakeOptions } from "../service/books/sets/take.ts";
import type { Operations, Reloadable, ServedBook } from "../service/server/monitoring.ts";
import type { ServedTenants, ServeOptions as ServiceOptions } from "../service/server/serve.ts";
import type { DistributeOptions } from "../store/dialects/postgres/distribute.ts";
import { type ActLogged, actorAt, deferFunction, type OperatorContext } from "./book.ts";

export type { BackupSet, Operations, Reloadable, ServedBook, ServerPlace };

export interface LocalServerOptions extends Omit<ServiceOptions, "pages"> {
  /** Whether people who sign in see the books as pages in their browser. */
  readonly hasPages?: boolean | undefined;
}

/**
 * Serves a book.
 *
 * @throws NotFoundError `NoBook`, `PortError` of the service when the port cannot be opened
 */
export async function serve(
  path: string,
  { hasPages = false, ...options }: LocalServerOptions,
): Promise<ServedTenants> {
  const { serveBook } = await import("../service/server/serve.ts");
  if (!hasPages) return serveBook(path, options);
  const { servedPages } = await import("../web/served.ts");
  return serveBook(path, { ...options, pages: servedPages });
}

/** Parses the rate limits of apps. @throws UsageError `BadLimits` */
export const readLimits = deferFunction(
  async () => (await import("../service/limits/limits.ts")).readLimits,
);

/**
 * Opens what would be served, and changes nothing.
 *
 * @param path  as of `serve`
 * @returns what is there, in a sentence
 * @throws NotFoundError, RefusedError, UnavailableError; Error where files may not be written
 */
export async function tryPlace(path: string): Promise<string> {
  const filed = folderAddress(path);
  const database = databaseAddress(path);
  if (database !== undefined) {
    const { databaseState } = await import("../service/books/book.ts");
    return `The database answers; its tables are ${tablesIn[await databaseState(database.url)]}.`;
  }
  const { accessSync, constants } = process.getBuiltinModule("node:fs");
  if (filed === undefined) {
    const { name } = await (await import("../service/books/backup.ts")).examine(path);
    accessSync(path, constants.W_OK);
    return `The book of ${name} may be read and written.`;
  }
  const { folderAt } = await import("../service/books/book-folder.ts");
  const folder = folderAt(filed.folder);
  accessSync(filed.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const [unusable] = folder.look();
  if (unusable === undefined) return `${filed.folder} has ${counted(folder.books.size, "book")}.`;
  throw new RefusedError("NotABook", `The file ${unusable.path}: ${unusable.reason}`);
}

const tablesIn = {
  none: "made at the first start",
  current: "up to date",
  older: "brought up to date at the next start",
  newer: "of a later version of this program",
  foreign: "changed by another program",
} as const;

/** Serves a book by several worker processes of this program. @throws PortError, ToldError */
export const serveByWorkers = deferFunction(
  async () => (await import("../service/server/workers.ts")).serveByWorkers,
);

/** Opens a server, runs work on it, and closes it again. */
export async function withServer<T>(
  path: string,
  action: (server: Server) => Promise<T>,
): Promise<T> {
  const { openServer } = await import("../service/auth/server.ts");
  await using server = closeAtBlockEnd(await openServer(path));
  return await action(server);
}

const distributing = () => import("../store/dialects/postgres/distribute.ts");

/** Distributes a database over a Citus cluster. @throws as `distribute` of the store does */
export async function distribute(address: string, options: DistributeOptions) {
  return (await distributing()).distribute(await dialectOf(address), options);
}

/** How a database is distributed; undefined where it has no Citus. */
export async function distributionOf(address: string) {
  return (await distributing()).distributionOf(await dialectOf(address));
}

async function dialectOf(address: string) {
  const { databaseDialect } = await import("../store/dialects/databases.ts");
  return databaseDialect(databaseAddress(address)?.url ?? address);
}

/** Makes a new signing key for a server. @throws as `openServer` of the service does */
export function rotateKeys(path: string, { operator, clock }: OperatorContext): Promise<Rotation> {
  return withServer(path, async (server) =>
    (await import("../service/auth/key-rotation.ts")).rotateKeys(
      server,
      clock,
      await actorAt(operator),
    ),
  );
}

// --- backups -------------------------------------------------------------------------------------

const sets = {
  set: () => import("../service/books/sets/set.ts"),
  take: () => import("../service/books/sets/take.ts"),
  restore: () => import("../service/books/sets/restore.ts"),
};

/** Describes the server at a place (a folder or database); undefined for the file of one book. */
export const serverPlace = deferFunction(async () => (await sets.take()).serverPlace);

/**
 * Backs up all organisations of a server while it serves.
 *
 * @throws as `takeSet` of the service does
 */
export async function backUpServer(
  folder: string,
  server: ServerPlace,
  options: OperatorContext & TakeOptions,
): Promise<TakenSet & ActLogged> {
  const backup = await (await sets.take()).takeSet(folder, server, options);
  const changes = { To: backup.path, Bytes: String(backup.bytes) };
  return { ...backup, unlogged: await enterOnServer(server, "server.backed-up", changes, options) };
}

/** Names of the backup sets that another backup would remove. */
export async function listSpareSets(
  folder: string,
  { said }: ServerPlace,
  { clock, rule }: TakeOptions,
): Promise<readonly string[]> {
  const surplusSets = (await sets.set()).spareSets(folder, said, rule, [clock()]);
  return surplusSets.map(({ path }) => path);
}

/**
 * Finds the newest backup set in a folder.
 *
 * @throws as `newestSet` and `restoreSet` of the service do
 */
export const newestSet = deferFunction(async () => (await sets.set()).newestSet);

export interface RestoredServer {
  readonly faults: readonly string[];
  /** Description of the restored set: `2 organisations with people and apps`. */
  readonly name: string;
  readonly organisations: readonly string[];
}

/** Restores a server from a backup. @throws as `restoreSet` of the service does */
export async function restoreServer(
  set: BackupSet,
  server: ServerPlace,
  options: OperatorContext & {
    readonly force?: boolean | undefined;
    readonly dryRun?: boolean | undefined;
  },
): Promise<RestoredServer & ActLogged> {
  const faults = await (await sets.restore()).restoreSet(set, server, options);
  const changes = { From: set.path, Moment: new Date(set.at).toISOString() };
  const unlogged = options.dryRun
    ? undefined
    : await enterOnServer(server, "server.restored", changes, options);
  const { describeSet } = await sets.set();
  const organisations = set.files.flatMap(({ organisation }) => organisation ?? []);
  return { faults, name: describeSet(set), organisations, unlogged };
}

/**
 * Writes an act on a whole server to its audit log.
 *
 * @returns why the entry could not be written; undefined where it was
 */
async function enterOnServer(
  { place }: ServerPlace,
  kind: "server.backed-up" | "server.restored",
  changes: Readonly<Record<string, string>>,
  { operator, clock }: OperatorContext,
): Promise<string | undefined> {
  const { recordOnAll } = await import("../service/auth/server.ts");
  const by = await actorAt(operator);
  const entries = Object.entries(changes).map(([name, after]) => ({ name, after }));
  try {
    await withServer(place, (server) =>
      recordOnAll(server, { kind, by, at: clock(), changes: entries }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof DiskError) return error.message;
    throw error;
  }
}
