/** Serves a book on a port, and administers a server as a whole rather than one organisation. */

import { databaseAddress } from "../platform/book-address.ts";
import { DiskError } from "../platform/disk.ts";
import { closing } from "../platform/disposal.ts";
import { UnavailableError } from "../resources/errors.ts";
import type { Rotation } from "../service/auth/key-rotation.ts";
import type { Server } from "../service/auth/server.ts";
import type { BackupSet } from "../service/books/sets/set.ts";
import type { ServerPlace, TakenSet, TakeOptions } from "../service/books/sets/take.ts";
import type { Operations, ServedBook } from "../service/server/monitoring.ts";
import type { ServeOptions as ServiceOptions } from "../service/server/serve.ts";
import type { DistributeOptions } from "../store/dialects/postgres/distribute.ts";
import { actorAt, deferred, type Logged, type OperatorContext } from "./book.ts";

export type { BackupSet, Operations, ServedBook, ServerPlace };

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
): Promise<ServedBook> {
  const { serveBook } = await import("../service/server/serve.ts");
  if (!hasPages) return serveBook(path, options);
  const { servedPages } = await import("../web/served.ts");
  return serveBook(path, { ...options, pages: servedPages });
}

/** Serves a book by several worker processes of this program. @throws PortError, ToldError */
export const serveByWorkers = deferred(
  async () => (await import("../service/server/workers.ts")).serveByWorkers,
);

/** Opens a server, runs work on it, and closes it again. */
export async function withServer<T>(
  path: string,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const { openServer } = await import("../service/auth/server.ts");
  await using server = closing(await openServer(path));
  return await work(server);
}

const distributing = () => import("../store/dialects/postgres/distribute.ts");

/** Distributes a database over a Citus cluster. @throws as `distribute` of the store does */
export async function distribute(place: string, options: DistributeOptions) {
  return (await distributing()).distribute(await dialectOf(place), options);
}

/** How a database is distributed; undefined where it has no Citus. */
export async function distributionOf(place: string) {
  return (await distributing()).distributionOf(await dialectOf(place));
}

async function dialectOf(place: string) {
  const { databaseDialect } = await import("../store/dialects/databases.ts");
  return databaseDialect(databaseAddress(place)?.url ?? place);
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
export const serverPlace = deferred(async () => (await sets.take()).serverPlace);

/**
 * Backs up all organisations of a server while it serves.
 *
 * @throws as `takeSet` of the service does
 */
export async function backUpServer(
  folder: string,
  place: ServerPlace,
  options: OperatorContext & TakeOptions,
): Promise<TakenSet & Logged> {
  const made = await (await sets.take()).takeSet(folder, place, options);
  const changes = { To: made.path, Bytes: String(made.bytes) };
  return { ...made, unlogged: await enterOnServer(place, "server.backed-up", changes, options) };
}

/** Names of the backup sets that another backup would remove. */
export async function spareSets(
  folder: string,
  { said }: ServerPlace,
  { clock, rule }: TakeOptions,
): Promise<readonly string[]> {
  const spare = (await sets.set()).spareSets(folder, said, rule, [clock()]);
  return spare.map(({ path }) => path);
}

/**
 * Finds the newest backup set in a folder.
 *
 * @throws as `newestSet` and `restoreSet` of the service do
 */
export const newestSet = deferred(async () => (await sets.set()).newestSet);

export interface RestoredServer {
  readonly faults: readonly string[];
  /** Description of the restored set: `2 organisations with people and apps`. */
  readonly name: string;
  readonly organisations: readonly string[];
}

/** Restores a server from a backup. @throws as `restoreSet` of the service does */
export async function restoreServer(
  set: BackupSet,
  place: ServerPlace,
  options: OperatorContext & {
    readonly force?: boolean | undefined;
    readonly dryRun?: boolean | undefined;
  },
): Promise<RestoredServer & Logged> {
  const faults = await (await sets.restore()).restoreSet(set, place, options);
  const changes = { From: set.path, Moment: new Date(set.at).toISOString() };
  const unlogged = options.dryRun
    ? undefined
    : await enterOnServer(place, "server.restored", changes, options);
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
