/** Migrates a book, or a database of books, to the schema of this program. */
import { basename, dirname, join } from "node:path";
import { databaseAddress } from "../../../platform/book-address.ts";
import { version } from "../../../platform/version.ts";
import { SchemaError, UnavailableError } from "../../../resources/errors.ts";
import { copyOf, fileDialect } from "../../../store/dialects/book-file.ts";
import { isBusy } from "../../../store/dialects/file-care.ts";
import { type Actor, recordAct } from "../../../store/operations/audit-log.ts";
import { organisationOf } from "../../../store/records/organisations.ts";
import { withLink } from "../../../store/upgrade/begin-chain.ts";
import { latestVersion } from "../../../store/upgrade/state.ts";
import { type UpgradeResult, upgradeStore } from "../../../store/upgrade/upgrade.ts";
import { bytesOf, createFile, freeName, makeFile } from "./make.ts";

/** Options for migrating a book of an earlier version when it is opened. */
export interface Upgrading {
  /** False where migration is forbidden. */
  readonly isAllowed?: boolean | undefined;
  /** Receives a sentence that says what was done. */
  readonly say?: ((sentence: string) => void) | undefined;
  /** Whether the file is itself a copy, so that no copy is kept beside it. */
  readonly isCopy?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface UpgradedBook extends UpgradeResult {
  /** Path of the copy from before the migration; undefined where nothing was changed. */
  readonly kept: string | undefined;
}

/** The actor of the migration, for the audit log. */
export interface Upgrader {
  readonly by: Actor;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Wait for another process that migrates the same book, in milliseconds. */
const waitMs = 200;
const waitsMax = 15;

/**
 * Migrates the file of a book, and keeps a copy of it from before.
 *
 * @throws as `upgradeStore`; SchemaError `CannotUpgrade` where another process works on it, or
 *   where it or the copy cannot be written: nothing is changed then
 */
export async function upgradeFile(
  path: string,
  upgrader: Upgrader,
  { isAllowed = true, isCopy = false, dryRun, say: tell }: Upgrading = {},
): Promise<UpgradedBook> {
  if (!isAllowed) throw failureOf(path, "nothing may be changed here.");
  let copyName: string | undefined;
  const dialect = fileDialect(path, { isAlone: true });
  const options = {
    dryRun,
    enter: enterWith(upgrader),
    before: async (connection: Parameters<typeof copyOf>[0]) => {
      if (isCopy || dryRun === true) return;
      const copy = freeName(nameOfCopy(path));
      await makeFile(copy, {
        bytes: 2 * bytesOf(path),
        fill: async (partPath) => {
          createFile(partPath, copy);
          await copyOf(connection, partPath);
        },
        original: path,
      });
      copyName = copy;
    },
  };
  for (let waits = 0; ; waits += 1) {
    try {
      const upgraded = await upgradeStore(dialect, options);
      if (copyName !== undefined) tell?.(sentenceOf(path, upgraded, copyName));
      return { ...upgraded, kept: copyName };
    } catch (error) {
      if (!isBusy(error)) throw explainFailure(path, error, dialect.faultOf(error)?.is === "disk");
      if (waits === waitsMax) throw failureOf(path, "another program works on it; end that first.");
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Migrates all organisations of a database. @throws as `upgradeStore` */
export async function upgradeDatabase(
  address: string,
  upgrader: Upgrader,
  { dryRun }: Pick<Upgrading, "dryRun"> = {},
): Promise<UpgradedBook> {
  const { databaseDialect } = await import("../../../store/dialects/databases.ts");
  const url = databaseAddress(address)?.url ?? address;
  const options = { dryRun, enter: enterWith(upgrader) };
  const upgraded = await upgradeStore(await databaseDialect(url), options);
  return { ...upgraded, kept: undefined };
}

function enterWith({ by, at }: Upgrader): Parameters<typeof upgradeStore>[1]["enter"] {
  return (transaction, org, fromVersion) =>
    withLink(transaction, org, { at, from: fromVersion }, async (tx) => {
      const { Name: subject, OrganisationID: subjectId } = await organisationOf(tx);
      const changes = [
        { name: "SchemaVersion", before: String(fromVersion), after: String(latestVersion) },
        { name: "Program", after: `acct ${version}` },
      ];
      await recordAct(tx, { kind: "book.upgraded", by, at, subject, subjectId, changes });
    });
}

/** Returns the name of the copy: `quay.before-25.acct` for `quay.acct`. */
const nameOfCopy = (path: string) =>
  join(dirname(path), `${basename(path, ".acct")}.before-${latestVersion}.acct`);

function sentenceOf(path: string, { from, to }: UpgradeResult, copy: string): string {
  return `${path} was brought up from version ${from} to ${to}; the book before is ${copy}.`;
}

function explainFailure(path: string, error: unknown, isDisk: boolean): unknown {
  if (!(error instanceof UnavailableError) && !isDisk) return error;
  return failureOf(path, (error as Error).message, error);
}

function failureOf(path: string, why: string, cause?: unknown): SchemaError {
  const message = `${path} was made by an earlier acct, and cannot be brought up: ${why} Nothing was changed.`;
  return new SchemaError("CannotUpgrade", message, [], { cause });
}
