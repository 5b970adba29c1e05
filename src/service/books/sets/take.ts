/**
 * Backs up a whole server while it serves: its directory and all of its books at one moment, each
 * verified, in a folder that gets its name last.
 */

import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  databaseAddress,
  folderAddress,
  placeInFolder,
  withoutPassword,
} from "../../../platform/book-address.ts";
import { asDiskError, flushFolder } from "../../../platform/disk.ts";
import { closeAtBlockEnd } from "../../../platform/disposal.ts";
import { fileName } from "../../../platform/file-name.ts";
import type { KeepRule } from "../../../platform/keep-rule.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { UnavailableError } from "../../../resources/errors.ts";
import { fileDialect } from "../../../store/dialects/book-file.ts";
import {
  damagedError,
  damageIn,
  endLog,
  refuseForeign,
  snapshotsOf,
} from "../../../store/dialects/file-care.ts";
import { directoryIn, directoryTx } from "../../../store/directory/directory.ts";
import { endKeys, keysFor } from "../../../store/directory/keys.ts";
import { verifyServerLog } from "../../../store/maintenance/chain-checks.ts";
import { copyRows, txOf } from "../../../store/maintenance/copy-organisation.ts";
import {
  createOrganisation,
  organisationOf,
  readListings,
} from "../../../store/records/organisations.ts";
import { openStore, type Store } from "../../../store/store.ts";
import { serverKey } from "../../../store/tx/tx.ts";
import { latestVersion } from "../../../store/upgrade/state.ts";
import { inspectBackup } from "../backup.ts";
import { digestOf } from "../backup-log.ts";
import { openDatabase } from "../book.ts";
import { directoryName, folderAt } from "../book-folder.ts";
import { createFile, flush } from "../file/make.ts";
import { openFile } from "../file/open-file.ts";
import { describeSet, freeSetName, removeSet, type SetFile, spareSets, writeList } from "./set.ts";

export interface TakenSet {
  readonly path: string;
  /** Size of all files. */
  readonly bytes: number;
  /** Description of the contents: `2 organisations with people and apps`. */
  readonly name: string;
  readonly organisations: readonly string[];
  readonly version: number;
  readonly faults: readonly string[];
  /** Names of the removed sets. */
  readonly removed: readonly string[];
}

export interface TakeOptions {
  readonly clock: () => number;
  /** Rule for removing old sets; without it all are kept. */
  readonly rule?: KeepRule | undefined;
}

/** Address of a server with all its organisations, as returned by the CLI's `servedPath`. */
export interface ServerPlace {
  /** Address as for `openServer`. */
  readonly place: string;
  /** Address for messages, without a password. */
  readonly said: string;
  /** Prefix of the names of its backup sets. */
  readonly stem: string;
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
}

/** Returns the server of an address; undefined for the file of a single book. */
export function serverPlace(address: string): ServerPlace | undefined {
  const folder = folderAddress(address)?.folder;
  if (folder !== undefined) {
    const address = placeInFolder({ folder, organisation: undefined });
    return { place: address, said: folder, stem: basename(folder), folder };
  }
  const url = databaseAddress(address)?.url;
  if (url === undefined) return undefined;
  const stem = fileName(new URL(url).pathname, "server", "x").slice(0, -2);
  return { place: url, said: withoutPassword(url), stem, url };
}

/**
 * Backs up a server into a folder of backups, and then removes the sets that the rule does not
 * keep.
 *
 * A book that cannot be copied becomes a fault in the list, and then no set is removed.
 *
 * @throws NotFoundError `NoFolder`; DiskError; UnavailableError
 */
export async function takeSet(
  folder: string,
  { said, stem, ...place }: ServerPlace,
  { clock, rule }: TakeOptions,
): Promise<TakenSet> {
  const at = clock();
  const path = freeSetName(folder, stem, at);
  clearLeftovers(path);
  const partPath = partName(path);
  try {
    mkdirSync(partPath, { mode: 0o700 });
    const faults: string[] = [];
    const copiedFiles =
      place.folder === undefined
        ? await copyDatabase(place.url as string, partPath)
        : await copyFolder(place.folder, partPath, faults);
    const files: SetFile[] = [];
    for (const copiedFile of copiedFiles) {
      const member = await memberOf(partPath, copiedFile, faults);
      if (member !== undefined) files.push(member);
    }
    writeList(partPath, { of: said, at, files, faults });
    renameSync(partPath, path);
    flushFolder(path);
    const surplusSets = faults.length === 0 ? spareSets(folder, said, rule) : [];
    for (const backupSet of surplusSets) removeSet(backupSet.path);
    const names = files.flatMap(({ organisation }) => organisation ?? []);
    return {
      path,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      name: describeSet({ files }),
      organisations: names,
      version: latestVersion,
      faults,
      removed: surplusSets.map((backupSet) => basename(backupSet.path)),
    };
  } catch (error) {
    throw asDiskError(path, error);
  } finally {
    removePart(partPath);
  }
}

/** A copied file and its source. */
interface CopiedFile {
  readonly name: string;
  readonly original: string;
}

async function copyFolder(folder: string, part: string, faults: string[]): Promise<CopiedFile[]> {
  const { look, books } = folderAt(folder);
  const directory = join(folder, directoryName);
  // Unusable files by path, so that each is reported only once.
  const reasonByPath = new Map<string, string>();
  const snapshots = await snapshotsOf(() => {
    for (const { path, reason } of look()) reasonByPath.set(path, reason);
    return [
      ...(existsSync(directory) ? [directory] : []),
      ...[...books.values()].map(({ path }) => path),
    ];
  });
  for (const [path, reason] of reasonByPath) {
    if (!snapshots.paths.includes(path) && existsSync(path)) faults.push(missingText(path, reason));
  }
  try {
    const copiedFiles: CopiedFile[] = [];
    for (const original of snapshots.paths) {
      const name = basename(original);
      const to = join(part, name);
      createFile(to, to);
      await snapshots.copy(original, to);
      copiedFiles.push({ name, original });
    }
    return copiedFiles;
  } finally {
    snapshots.close();
  }
}

const missingText = (path: string, reason: string) => `${path} is not in the backup: ${reason}`;

/** Copies books and directory of a database in one read transaction, so all are of one moment. */
async function copyDatabase(url: string, partFolder: string): Promise<CopiedFile[]> {
  await using store = closeAtBlockEnd(await openDatabase(url));
  const address = withoutPassword(url);
  return await store.read(serverKey, async (tx) => {
    await tx.dialect.liftTimeLimit?.(tx.db);
    const copiedFiles: CopiedFile[] = [];
    await writeFileCopy(join(partFolder, directoryName), async (to) => {
      await to.write(serverKey, (targetTx) => copyRows(tx, targetTx));
      const ids = (await keysFor(directoryTx(tx), "plan")).map(({ id }) => id);
      await directoryIn(to).write((targetTx) => endKeys(targetTx, ids));
    });
    copiedFiles.push({ name: directoryName, original: `The directory of ${address}` });
    for (const { org, Name, OrganisationID } of await readListings(tx)) {
      const wanted = fileName(Name, OrganisationID, "acct");
      const isTaken = copiedFiles.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
      const name = isTaken ? `${OrganisationID}.acct` : wanted;
      const source = txOf(tx, org);
      await writeFileCopy(join(partFolder, name), async (to) => {
        const tablesMade = ["organisation"];
        await createOrganisation(to, await organisationOf(source), undefined, async (targetTx) => {
          await copyRows(source, targetTx, tablesMade);
        });
      });
      copiedFiles.push({ name, original: `${Name} in ${address}` });
    }
    return copiedFiles;
  });
}

async function writeFileCopy(path: string, fill: (to: Store) => Promise<void>): Promise<void> {
  // A read retried after a conflict starts again with an empty file.
  rmSync(path, { force: true });
  createFile(path, path);
  await using to = closeAtBlockEnd(await openStore(fileDialect(path)));
  await fill(to);
}

/** Verifies and flushes a copy; undefined where the original is unusable. */
async function memberOf(
  partFolder: string,
  { name, original }: CopiedFile,
  faults: string[],
): Promise<SetFile | undefined> {
  const path = join(partFolder, name);
  try {
    const check = await inspectMember(path, original);
    faults.push(...check.faults.map((fault) => `${original}: ${fault}`));
    flush(path);
    const { size: bytes } = statSync(path);
    return { name, bytes, sha256: digestOf(path), organisation: check.name };
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    faults.push(missingText(original, (error as Error).message));
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    return undefined;
  }
}

/**
 * Verifies a copy of a book or a directory, and deletes its keys of plans, which must not leave the
 * server.
 *
 * @returns the name of the organisation, for a book
 * @throws RefusedError `BookDamaged`; SchemaError `SchemaForeign`
 */
export async function inspectMember(
  path: string,
  original: string,
): Promise<{ readonly name: string | undefined; readonly faults: readonly string[] }> {
  const damage = damageIn(path);
  if (damage.length > 0) throw damagedError(original, damage);
  refuseForeign(path);
  if (basename(path) !== directoryName) return inspectBackup(path, original);
  const store = await openFile(path, { called: original, upgrading: { isCopy: true } });
  try {
    const directory = directoryIn(store);
    const ids = (await directory.read((tx) => keysFor(tx, "plan"))).map(({ id }) => id);
    if (ids.length > 0) {
      await directory.write((tx) => endKeys(tx, ids));
      await store.compact();
    }
    return { name: undefined, faults: (await store.read(serverKey, verifyServerLog)).faults };
  } finally {
    await store.close();
    endLog(path);
  }
}
