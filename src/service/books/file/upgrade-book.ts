/** A book, or a database of them, brought up to the tables of this program. */
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
import { type Upgraded, upgradeStore } from "../../../store/upgrade/upgrade.ts";
import { bytesOf, claim, freeName, makeFile } from "./make.ts";

/** How a book of an earlier version is brought up when it is opened. */
export interface Upgrading {
  /** False where nothing may be changed. */
  readonly isAllowed?: boolean | undefined;
  /** Told what was done, in a sentence. */
  readonly tell?: ((sentence: string) => void) | undefined;
  /** Leaves no copy beside it: it is one itself. */
  readonly isCopy?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface UpgradedBook extends Upgraded {
  /** Where the book is as it was before; undefined where nothing was changed. */
  readonly kept: string | undefined;
}

/** For the audit log. */
export interface Upgrader {
  readonly by: Actor;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Waits for another process that brings the same book up. */
const waitMs = 200;
const waitsMax = 15;

/**
 * Brings the file of a book up, and keeps a copy of it as it was.
 *
 * @throws as `upgradeStore`; SchemaError `CannotUpgrade` where somebody works on it, or where it or
 *   the copy cannot be written: nothing is changed then
 */
export async function upgradeFile(
  path: string,
  upgrader: Upgrader,
  { isAllowed = true, isCopy = false, dryRun, tell }: Upgrading = {},
): Promise<UpgradedBook> {
  if (!isAllowed) throw cannot(path, "nothing may be changed here.");
  let kept: string | undefined;
  const dialect = fileDialect(path, { isAlone: true });
  const options = {
    dryRun,
    enter: enterWith(upgrader),
    before: async (connection: Parameters<typeof copyOf>[0]) => {
      if (isCopy || dryRun === true) return;
      const copy = freeName(keptName(path));
      await makeFile(copy, {
        bytes: 2 * bytesOf(path),
        fill: async (part) => {
          claim(part, copy);
          await copyOf(connection, part);
        },
        original: path,
      });
      kept = copy;
    },
  };
  for (let waits = 0; ; waits += 1) {
    try {
      const done = await upgradeStore(dialect, options);
      if (kept !== undefined) tell?.(sentenceOf(path, done, kept));
      return { ...done, kept };
    } catch (error) {
      if (!isBusy(error)) throw explained(path, error, dialect.faultOf(error)?.is === "disk");
      if (waits === waitsMax) throw cannot(path, "another program works on it; end that first.");
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Brings all organisations of a database up. @throws as `upgradeStore` */
export async function upgradeDatabase(
  place: string,
  upgrader: Upgrader,
  { dryRun }: Pick<Upgrading, "dryRun"> = {},
): Promise<UpgradedBook> {
  const { databaseDialect } = await import("../../../store/dialects/databases.ts");
  const url = databaseAddress(place)?.url ?? place;
  const options = { dryRun, enter: enterWith(upgrader) };
  const done = await upgradeStore(await databaseDialect(url), options);
  return { ...done, kept: undefined };
}

function enterWith({ by, at }: Upgrader): Parameters<typeof upgradeStore>[1]["enter"] {
  return (begun, org, from) =>
    withLink(begun, org, at, async (tx) => {
      const { Name: subject, OrganisationID: subjectId } = await organisationOf(tx);
      const changes = [
        { name: "SchemaVersion", before: String(from), after: String(latestVersion) },
        { name: "Program", after: `acct ${version}` },
      ];
      await recordAct(tx, { kind: "book.upgraded", by, at, subject, subjectId, changes });
    });
}

/** `quay.acct` is kept as `quay.before-25.acct`. */
const keptName = (path: string) =>
  join(dirname(path), `${basename(path, ".acct")}.before-${latestVersion}.acct`);

function sentenceOf(path: string, { from, to }: Upgraded, kept: string): string {
  return `${path} was brought up from version ${from} to ${to}; the book before is ${kept}.`;
}

function explained(path: string, error: unknown, isDisk: boolean): unknown {
  if (!(error instanceof UnavailableError) && !isDisk) return error;
  return cannot(path, (error as Error).message, error);
}

function cannot(path: string, why: string, cause?: unknown): SchemaError {
  const message = `${path} was made by an earlier acct, and cannot be brought up: ${why} Nothing was changed.`;
  return new SchemaError("CannotUpgrade", message, [], { cause });
}
