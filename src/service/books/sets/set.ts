/**
 * A backup set of a server: a folder with its directory and all of its books at one moment, and a
 * list of the files.
 *
 * The folder gets its name when all files are verified and listed, so a folder without a list is no
 * set.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { flushFolder } from "../../../platform/disk.ts";
import { type KeepRule, keptBy } from "../../../platform/keep-rule.ts";
import { partName, removePart } from "../../../platform/part-file.ts";
import { NotFoundError, RefusedError, UsageError } from "../../../resources/errors.ts";
import { counted } from "../../../resources/scalar.ts";
import { digestOf } from "../backup-log.ts";

const listName = "acct-server.json";
const listVersion = 1;

/** A file of a backup set. */
export interface SetFile {
  /** File name. */
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the file in hexadecimal. */
  readonly sha256: string;
  /** Name of the book's organisation; undefined for the directory. */
  readonly organisation?: string | undefined;
}

export interface SetList {
  /** The backed-up folder, or the database URL without a password. */
  readonly of: string;
  /** Start of the backup in milliseconds since 1970 UTC. */
  readonly at: number;
  readonly files: readonly SetFile[];
  /** Verification faults, and books that could not be copied: a sentence each. */
  readonly faults: readonly string[];
}

export interface BackupSet extends SetList {
  readonly path: string;
}

/** Describes the contents: `2 organisations with people and apps`. */
export function describeSet({ files }: Pick<SetList, "files">): string {
  const bookCount = files.filter(({ organisation }) => organisation !== undefined).length;
  const alsoCopied = bookCount === files.length ? "" : " with people and apps";
  return `${counted(bookCount, "organisation")}${alsoCopied}`;
}

/** Writes the list, the last file of a folder that has only a temporary name yet. */
export function writeList(folder: string, list: SetList): void {
  const descriptor = openSync(join(folder, listName), "wx", 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify({ version: listVersion, ...list }, undefined, 1)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  flushFolder(join(folder, listName));
}

/** Reads the set in a folder; undefined where it has no list. @throws RefusedError `NotAList` */
function setAt(path: string): BackupSet | undefined {
  const list = join(path, listName);
  if (!existsSync(list)) return undefined;
  try {
    const { version, ...read } = JSON.parse(readFileSync(list, "utf8"));
    if (version === listVersion && isList(read)) return { ...read, path };
  } catch {
    // The error follows below.
  }
  const message = `${list} is no list of a backup that this program has written; take another backup.`;
  throw new RefusedError("NotAList", message);
}

function isList(value: unknown): value is SetList {
  const { of, at, files, faults } = (value ?? {}) as Partial<SetList>;
  return (
    typeof of === "string" &&
    Number.isSafeInteger(at) &&
    [files, faults].every(Array.isArray) &&
    (files as readonly Partial<SetFile>[]).every(
      ({ name, bytes, sha256 }) =>
        typeof name === "string" &&
        // A name must not contain a path, which could leave the folder.
        basename(name) === name &&
        Number.isSafeInteger(bytes) &&
        typeof sha256 === "string",
    )
  );
}

/**
 * Returns the set in a folder, or the newest of the sets below it.
 *
 * @throws NotFoundError `NoBackup`; RefusedError `NotAList`, `SetDamaged` where a later one has
 *   no list; UsageError where the sets belong to several servers
 */
export function newestSet(folder: string): BackupSet {
  if (!existsSync(folder)) {
    throw new NotFoundError("NoBackup", `There is no backup at ${folder}.`);
  }
  const itself = setAt(folder);
  if (itself !== undefined) return itself;
  const backupSets = setsIn(folder);
  const [newest] = backupSets.toSorted((a, b) => b.at - a.at);
  if (newest === undefined) {
    throw new NotFoundError("NoBackup", `${folder} has no backup of a server.`);
  }
  if (new Set(backupSets.map(({ of }) => of)).size > 1) {
    const message = `${folder} has backups of several servers; name the folder of one.`;
    throw new UsageError("WhichServer", message);
  }
  const headless = readdirSync(folder).find(
    (name) => momentOf(name) > momentOf(newest.path) && !existsSync(join(folder, name, listName)),
  );
  if (headless === undefined) return newest;
  const message = `${join(folder, headless)} has lost its list, ${listName}. Put it back, or name an earlier backup: ${newest.path}.`;
  throw new RefusedError("SetDamaged", message);
}

const setsIn = (folder: string): BackupSet[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((dirent) => dirent.isDirectory() && momentOf(dirent.name) !== "")
    .flatMap(({ name }) => setAt(join(folder, name)) ?? []);

/** Returns the time in the name of a set; empty for other names. */
const momentOf = (name: string) => /\.(\d{4}-\d\d-\d\dT\d{6}Z(?:-\d+)?)$/.exec(name)?.[1] ?? "";

/** Returns a free name such as `books.2026-03-05T140000Z`, with a number if needed. */
export function freeSetName(folder: string, stem: string, at: number): string {
  const time = `${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z`;
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${stem}.${time}${count === 1 ? "" : `-${count}`}`);
    if (!existsSync(path)) return path;
  }
}

/**
 * Refuses a set with missing, changed or additional files.
 *
 * @param copy  folder of the copied files
 * @throws RefusedError `SetDamaged`
 */
export function refuseDamaged({ path, files }: BackupSet, copy: string): void {
  const names = files.map(({ name }) => name);
  const strayFiles = readdirSync(path).filter((name) => name !== listName && !names.includes(name));
  const problems = [
    ...files.flatMap(({ name, bytes, sha256 }) => {
      const file = join(copy, name);
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats === undefined) return `${name} is missing.`;
      const isIntact = stats.isFile() && stats.size === bytes && digestOf(file) === sha256;
      return isIntact ? [] : `${name} has changed since it was made.`;
    }),
    ...strayFiles.map((name) => `${name} does not stand in its list.`),
  ];
  if (problems.length === 0) return;
  const message = `The backup ${path} is not as it was made; take another one.`;
  throw new RefusedError(
    "SetDamaged",
    message,
    problems.map((text) => ({ message: text })),
  );
}

/**
 * Returns the sets of a server without faults that a rule does not keep.
 *
 * @param upcoming  the set that is about to be made
 */
export function spareSets(
  folder: string,
  of: string,
  rule: KeepRule | undefined,
  upcoming: readonly number[] = [],
): readonly BackupSet[] {
  if (rule === undefined || !existsSync(folder)) return [];
  const ownSets = setsIn(folder).filter((set) => set.of === of && set.faults.length === 0);
  const keptIndexes = keptBy(rule, [...ownSets.map(({ at }) => at), ...upcoming]);
  return ownSets.filter((set) => !keptIndexes.has(set.at) && isComplete(set));
}

/** Whether the folder has exactly the listed files. */
function isComplete({ path, files }: BackupSet): boolean {
  const names = readdirSync(path).filter((name) => name !== listName);
  return (
    names.length === files.length &&
    files.every(
      ({ name, bytes }) => statSync(join(path, name), { throwIfNoEntry: false })?.size === bytes,
    )
  );
}

/** Removes a set: it first loses its name, so that a partly removed folder is no set. */
export function removeSet(path: string): void {
  const partPath = partName(path);
  renameSync(path, partPath);
  removePart(partPath);
}
