/**
 * Restores the backup of a server into an unused folder or an empty database, completely or not at
 * all.
 */

import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { asDiskError, flushFolder } from "../../../platform/disk.ts";
import { closeAtBlockEnd } from "../../../platform/disposal.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { RefusedError } from "../../../resources/errors.ts";
import { beginLog } from "../../../store/dialects/file-care.ts";
import { copyRows, isUnused, txOf } from "../../../store/maintenance/copy-organisation.ts";
import { listBooks } from "../../../store/records/organisations.ts";
import { serverKey, type Tx } from "../../../store/tx/tx.ts";
import { makeFolderOf } from "../backup.ts";
import { openDatabase } from "../book.ts";
import { directoryName } from "../book-folder.ts";
import { createFile, flush } from "../file/make.ts";
import { openFile } from "../file/open-file.ts";
import { type BackupSet, refuseDamaged } from "./set.ts";
import { inspectMember, type ServerPlace } from "./take.ts";

export interface RestoreSetOptions {
  /** Restores a backup in spite of verification faults, or of books that could not be backed up. */
  readonly force?: boolean | undefined;
  /** Verifies everything, and restores nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Restores a backup set.
 *
 * @returns the verification faults
 * @throws RefusedError `SetDamaged`, `DoesNotAddUp`, `NotEmpty`; DiskError; UnavailableError
 */
export async function restoreSet(
  set: BackupSet,
  { folder, url, said }: ServerPlace,
  options: RestoreSetOptions,
): Promise<readonly string[]> {
  if (folder !== undefined) return restoreFolder(set, folder, options);
  const { mkdtempSync, rmSync } = process.getBuiltinModule("node:fs");
  const part = mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "acct-restore-"));
  try {
    const faults = await unpack(set, part, options);
    await restoreDatabase(set, part, { url: url as string, said, ...options });
    return faults;
  } finally {
    rmSync(part, { recursive: true });
  }
}

async function restoreFolder(
  set: BackupSet,
  folder: string,
  options: RestoreSetOptions,
): Promise<readonly string[]> {
  const isThere = existsSync(folder);
  if (isThere && readdirSync(folder).length > 0) throw notEmptyError(folder);
  clearLeftovers(folder);
  makeFolderOf(folder);
  const partFolder = partName(folder);
  try {
    mkdirSync(partFolder, { mode: 0o700 });
    const faults = await unpack(set, partFolder, options);
    flushFolder(join(partFolder, directoryName));
    if (options.dryRun) return faults;
    if (isThere) rmdirSync(folder);
    renameSync(partFolder, folder);
    flushFolder(folder);
    return faults;
  } catch (error) {
    throw asDiskError(folder, error);
  } finally {
    removePart(partFolder);
  }
}

const notEmptyError = (path: string) =>
  new RefusedError(
    "NotEmpty",
    `${path} is not empty. A server is restored into a folder that is not there yet, or an empty database; nothing was changed.`,
  );

/** Copies the files of a set, with access for their owner only, and verifies them like books. */
async function unpack(
  set: BackupSet,
  partFolder: string,
  { force = false }: RestoreSetOptions,
): Promise<readonly string[]> {
  for (const { name } of set.files) {
    if (!existsSync(join(set.path, name))) continue;
    createFile(join(partFolder, name), join(partFolder, name));
    copyFileSync(join(set.path, name), join(partFolder, name));
  }
  // The copies are checked against the list, since they are what is restored.
  refuseDamaged(set, partFolder);
  const faults = [...set.faults];
  for (const { name } of set.files) {
    const original = join(set.path, name);
    const check = await inspectMember(join(partFolder, name), original);
    const bookFaults = check.faults.map((fault) => `${original}: ${fault}`);
    if (set.faults.length === 0) faults.push(...bookFaults);
    beginLog(join(partFolder, name));
    flush(join(partFolder, name));
  }
  if (faults.length === 0 || force) return faults;
  const message = `Not all that is in ${set.path} adds up, or it lacks books; --force restores what is there.`;
  throw new RefusedError(
    "DoesNotAddUp",
    message,
    faults.map((fault) => ({ message: fault })),
  );
}

/**
 * Copies into a database in one transaction, which reads back and compares all rows before its
 * commit.
 */
async function restoreDatabase(
  { files, path }: BackupSet,
  partFolder: string,
  { url, said, dryRun }: RestoreSetOptions & { readonly url: string; readonly said: string },
): Promise<void> {
  await using store = closeAtBlockEnd(await openDatabase(url));
  const restoring = async (targetTx: Tx) => {
    await targetTx.dialect.liftTimeLimit?.(targetTx.db);
    await targetTx.dialect.lockNew(targetTx.connection, "restored server");
    if (!(await isUnused(targetTx))) throw notEmptyError(said);
    let org = serverKey;
    for (const { name } of files) {
      const isDirectory = name === directoryName;
      if (!isDirectory) org += 1;
      const to = isDirectory ? targetTx : txOf(targetTx, org);
      await copyFromFile(join(partFolder, name), join(path, name), to);
    }
  };
  await store.write(serverKey, restoring, { dryRun });
}

async function copyFromFile(file: string, called: string, targetTx: Tx): Promise<void> {
  await using from = closeAtBlockEnd(await openFile(file, { called, upgrading: { isCopy: true } }));
  const [owner] = targetTx.org === serverKey ? [] : await listBooks(from);
  await from.read(owner?.org ?? serverKey, (source) => copyRows(source, targetTx));
}
