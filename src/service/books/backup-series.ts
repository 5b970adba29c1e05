/**
 * A series of backups in a folder: each is verified when it is made, older ones are thinned out,
 * and a recorder may keep a log between two of them.
 *
 * A list in the folder names the files written there, for one book or several: no other file is
 * ever removed, and no file that has changed since. Files are removed only after a new backup is
 * complete and verified.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, extname, join } from "node:path";
import { asDiskError, flushFolder } from "../../platform/disk.ts";
import { makeFolder } from "../../platform/folder.ts";
import { type KeepRule, keptBy } from "../../platform/keep-rule.ts";
import { partName, removePart } from "../../platform/part-file.ts";
import { AcctError, NotFoundError, RefusedError, UsageError } from "../../resources/errors.ts";
import { organisationIn } from "../../store/dialects/book-file.ts";
import { damagedError, damageIn } from "../../store/dialects/file-care.ts";
import { type BackedUp, backUp, inspectBackup } from "./backup.ts";
import { type LogExtent, logDamaged, readLog } from "./backup-log.ts";
import type { LogRecorder } from "./log-recorder.ts";

/** File name of the list in the folder. */
const listName = "acct-backups.json";
const listVersion = 1;

/** An entry of the list: a backup that was written. */
interface Backup {
  /** File name of the backup. */
  readonly name: string;
  /** OrganisationID. */
  readonly organisation: string;
  /** Start of the backup in milliseconds since 1970 UTC. */
  readonly at: number;
  /** Size of the file; undefined while the backup is being made. */
  readonly bytes?: number | undefined;
  /** Number of verification faults of the backup. */
  readonly faults?: number | undefined;
  /** File name of its log, where one was begun. */
  readonly log?: string | undefined;
  /** Moment that the log restores at least, in milliseconds since 1970 UTC. */
  readonly until?: number | undefined;
}

export interface MadeBackup extends BackedUp {
  /** Names of the removed backups. */
  readonly removed: readonly string[];
}

export interface SeriesOptions {
  readonly clock: () => number;
  /** Rule for removing old backups; without it all are kept. */
  readonly rule?: KeepRule | undefined;
  /** Records the log from one backup to the next. */
  readonly recorder?: LogRecorder | undefined;
}

/**
 * Backs up a book into a folder, and then removes the backups that the rule does not keep.
 *
 * A backup with faults removes nothing: older ones may be the only good copies. One process at a
 * time per folder.
 *
 * @param folder  as `makeSeries` leaves it
 * @throws as `backUp`; RefusedError `NotAList`
 */
export async function backUpInto(
  folder: string,
  path: string,
  { clock, rule, recorder }: SeriesOptions,
): Promise<MadeBackup> {
  const organisation = ownerOf(path);
  const earlierBackups = await listSettled(folder, listIn(folder));
  const at = clock();
  const name = freeName(folder, path, at);
  const entry: Backup = { name, organisation, at };
  // The entry is listed before the backup is made, so that a killed process leaves a known file.
  writeList(folder, [...earlierBackups, entry]);
  const makeBackup = async () => {
    try {
      return await backUp(path, join(folder, name));
    } catch (error) {
      writeList(folder, earlierBackups);
      throw error;
    }
  };
  let list: readonly Backup[] = earlierBackups;
  /** Lists the finished backup, with the log about to begin. */
  const enter = (made: BackedUp) => {
    const isFit = made.faults.length === 0;
    const log = isFit && recorder !== undefined ? logOf(name) : undefined;
    list = [...earlierBackups, { ...entry, bytes: made.bytes, faults: made.faults.length, log }];
    writeList(folder, list);
    if (log === undefined) return undefined;
    return { log: join(folder, log), backup: join(folder, name) };
  };
  const backup = await (recorder === undefined ? makeBackup() : recorder.during(makeBackup, enter));
  if (recorder === undefined) enter(backup);
  const isFit = backup.faults.length === 0;
  const excessBackups = isFit && rule !== undefined ? excess(list, organisation, rule) : [];
  for (const backup of excessBackups) remove(folder, backup);
  if (excessBackups.length > 0) writeList(folder, excluding(list, excessBackups));
  return { ...backup, removed: excessBackups.map((backup) => backup.name) };
}

/** Removes a backup with its log. */
function remove(folder: string, { name, log }: Backup): void {
  if (log !== undefined) rmSync(join(folder, log), { force: true });
  rmSync(join(folder, name));
}

/**
 * Returns the OrganisationID of a book file.
 *
 * @throws RefusedError `BookDamaged`, `NotABook`, `NoBook`
 */
function ownerOf(path: string): string {
  try {
    const owner = organisationIn(path);
    if (owner !== undefined) return owner.OrganisationID;
  } catch (error) {
    if (error instanceof AcctError) throw error;
    throw damagedError(path, damageIn(path), error);
  }
  throw new RefusedError("NoBook", `The file ${path} holds no book yet.`);
}

/** Returns the names of backups that the rule would remove after one more backup. */
export function spareAfter(
  folder: string,
  path: string,
  { clock, rule }: SeriesOptions,
): readonly string[] {
  const organisation = ownerOf(path);
  const existing = presentBackups(folder, listIn(folder));
  const nextBackup: Backup = { name: "", organisation, at: clock(), bytes: 0, faults: 0 };
  if (rule === undefined) return [];
  return excess([...existing, nextBackup], organisation, rule).map(({ name }) => name);
}

export interface FoundBackup {
  readonly path: string;
  /** Start of the backup, and last moment of its log, in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly until: number;
  /** The log to replay; undefined where the backup alone is restored. */
  readonly log: LogExtent | undefined;
}

/**
 * Finds the restore point nearest before a moment: a verified backup begun by then, and its log.
 *
 * @param mayLose  accepts what is left where the list promises a later moment
 * @throws NotFoundError; UsageError; RefusedError `LogDamaged`, `BackupLost`
 */
export function newestBackup(folder: string, by: number, mayLose = false): FoundBackup {
  if (!existsSync(join(folder, listName))) {
    throw new UsageError("BadValue", `${folder} is a folder; name a file.`);
  }
  const candidates = listIn(folder).filter(({ faults, at }) => faults === 0 && at <= by);
  const fit = presentBackups(folder, candidates);
  if (new Set(fit.map((backup) => backup.organisation)).size > 1) {
    throw new UsageError(
      "WhichOrganisation",
      `${folder} has backups of several books; name the file of one.`,
    );
  }
  const foundBackups = fit.map(({ name, at, log: own }): FoundBackup => {
    const log = own === undefined || at === by ? undefined : readLog(join(folder, own), by);
    return { path: join(folder, name), at, until: log?.at ?? at, log };
  });
  const [nearest] = foundBackups.toSorted((a, b) => b.until - a.until || b.at - a.at);
  const missed = mayLose ? undefined : missingBackup(folder, candidates, by);
  if (missed !== undefined) throw backupLost(folder, missed, nearest);
  if (nearest === undefined) {
    const when = new Date(by).toISOString();
    throw new NotFoundError("NoBackup", `${folder} has no backup of ${when} or before.`);
  }
  const { path, log } = nearest;
  if (log?.isDamaged === true) throw logDamaged(log.path, path, log.at);
  return nearest;
}

/** Returns the moment, at most `by`, that an entry promises to restore. */
const restorableUntil = ({ at, until = at }: Backup, by: number) => Math.min(until, by);

/**
 * Returns the entry that promises the latest moment, where no file in the folder restores it any
 * more.
 */
function missingBackup(folder: string, backups: readonly Backup[], by: number): Backup | undefined {
  const [most] = backups.toSorted((a, b) => restorableUntil(b, by) - restorableUntil(a, by));
  if (most === undefined) return undefined;
  const neededUntil = restorableUntil(most, by);
  const isCovered = presentBackups(folder, backups).some(({ at, log }) => {
    if (at >= neededUntil || log === undefined) return at >= neededUntil;
    const logExtent = readLog(join(folder, log), Number.POSITIVE_INFINITY);
    // A damaged log gets its own error.
    return logExtent?.isDamaged === true || (logExtent?.at ?? at) >= neededUntil;
  });
  return isCovered ? undefined : { ...most, until: neededUntil };
}

function backupLost(folder: string, lost: Backup, usable: FoundBackup | undefined): RefusedError {
  const { name, at, until = at, log } = lost;
  const file = join(folder, until > at && log !== undefined ? log : name);
  const rest =
    usable === undefined
      ? "and nothing earlier is left"
      : `and what is left leads to ${new Date(usable.until).toISOString()}`;
  const message = `${file} was cut, emptied or removed: it led to ${new Date(until).toISOString()}, ${rest}. Put the whole file back, or take what is left with --accept-loss.`;
  return new RefusedError("BackupLost", message);
}

/**
 * Lists how far logs reach, which later restores check.
 *
 * One process at a time per folder.
 *
 * @param moments  milliseconds since 1970 UTC, by the paths of the logs
 */
export function expectLogs(folder: string, moments: ReadonlyMap<string, number>): void {
  const list = listIn(folder);
  const backups = list.map((backup) => {
    const endTime = backup.log === undefined ? undefined : moments.get(join(folder, backup.log));
    return endTime === undefined ? backup : { ...backup, until: endTime };
  });
  writeList(folder, backups);
}

/** Returns the verified backups of one book that the rule does not keep. */
function excess(list: readonly Backup[], organisation: string, rule: KeepRule): readonly Backup[] {
  const own = list.filter((backup) => backup.organisation === organisation && backup.faults === 0);
  const keptTimes = keptBy(
    rule,
    own.map(({ at }) => at),
  );
  return own.filter(({ at }) => !keptTimes.has(at));
}

const excluding = (list: readonly Backup[], removed: readonly Backup[]) =>
  list.filter((backup) => !removed.includes(backup));

/** Returns the entries whose files exist unchanged: a changed file is never removed. */
function presentBackups(folder: string, list: readonly Backup[]): Backup[] {
  return list.filter(({ name, bytes }) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() === true && (bytes === undefined || stats.size === bytes);
  });
}

/** Returns the list without missing files; a backup left by a killed process is verified now. */
async function listSettled(folder: string, list: readonly Backup[]): Promise<readonly Backup[]> {
  const backups: Backup[] = [];
  for (const entry of presentBackups(folder, list)) {
    if (entry.bytes !== undefined) {
      backups.push(entry);
      continue;
    }
    const path = join(folder, entry.name);
    const { faults } = await inspectBackup(path);
    backups.push({ ...entry, bytes: statSync(path).size, faults: faults.length });
  }
  return backups;
}

/**
 * Makes the folder, with access for its owner only.
 *
 * @throws UsageError for a file in its place, DiskError
 */
export function makeSeries(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    throw new UsageError("BadValue", `${folder} is a file; a series of backups needs a folder.`);
  }
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw asDiskError(folder, error);
  }
}

/**
 * Returns a free name such as `quay.2026-03-05T140000Z.backup` for `quay.acct`, with a number if
 * needed.
 */
function freeName(folder: string, path: string, at: number): string {
  const stem = basename(path, extname(path));
  const time = `${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z`;
  for (let count = 1; ; count += 1) {
    const name = `${stem}.${time}${count === 1 ? "" : `-${count}`}.backup`;
    if (![name, logOf(name)].some((text) => existsSync(join(folder, text)))) return name;
  }
}

const logOf = (name: string) => name.replace(/backup$/, "log");

/** Reads the list. @throws RefusedError `NotAList` where another file has its name */
function listIn(folder: string): readonly Backup[] {
  const path = join(folder, listName);
  if (!existsSync(path)) return [];
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    const { version, backups } = content as { version?: unknown; backups?: unknown };
    if (version === listVersion && Array.isArray(backups) && backups.every(isEntry)) return backups;
  } catch {
    // The error follows below.
  }
  const message = `${path} is no list of backups that this program has written. Nothing was removed; move it away, and the backups beside it are yours to keep.`;
  throw new RefusedError("NotAList", message);
}

function isEntry(value: unknown): value is Backup {
  const { name, organisation, at, log, until = at } = (value ?? {}) as Partial<Backup>;
  return (
    [name, log ?? ""].every(isName) &&
    typeof organisation === "string" &&
    [at, until].every(Number.isSafeInteger)
  );
}

/** A name must not contain a path, which could leave the folder. */
const isName = (value: unknown) => typeof value === "string" && basename(value) === value;

function writeList(folder: string, backups: readonly Backup[]): void {
  const path = join(folder, listName);
  const partPath = partName(path);
  try {
    const descriptor = openSync(partPath, "w", 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify({ version: listVersion, backups }, undefined, 1)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(partPath, path);
    flushFolder(path);
  } catch (error) {
    throw asDiskError(path, error);
  } finally {
    removePart(partPath);
  }
}
