/** The schema state of a store: version, and differences from the tables of this program. */
import type { Kysely } from "kysely";
import { SchemaError } from "../../resources/errors.ts";
import { allTables } from "../schema/all-tables.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect, StoredShape } from "../tx/dialect.ts";
import { indexText, tableText } from "./create.ts";
import {
  compareLines,
  type Differences,
  lineOfIndex,
  linesOfTable,
  subjectOf,
} from "./table-shape.ts";

/** The latest schema version, which this program uses: the number of the last migration. */
export const latestVersion = 30;

/** The schema state; its differences are those from the latest version. */
export interface SchemaState extends Differences {
  readonly version: number;
  readonly state: "none" | "current" | "older" | "newer" | "foreign";
}

/**
 * Reads the schema state of a store.
 * @throws RefusedError `NotABook`
 */
export async function schemaIn(db: Kysely<Tables>, dialect: StoreDialect): Promise<SchemaState> {
  const version = await dialect.schemaVersion(db);
  if (version === 0) return { version, state: "none", missing: [], foreign: [] };
  if (version > latestVersion) return { version, state: "newer", missing: [], foreign: [] };
  if (version === latestVersion && (await dialect.isAsCreated?.(db))) {
    return { version, state: "current", missing: [], foreign: [] };
  }
  const madeTables = creationStatements(dialect);
  const shape = await dialect.shape(db, madeTables);
  const state = stateFrom(version, madeTables, shape);
  if (state.state === "current") shape.accept?.();
  return state;
}

/**
 * The schema state computed from a shape.
 * @param made  the result of `creationStatements`, with which the shape was read
 */
export function stateFrom(version: number, made: TableStatements, shape: StoredShape): SchemaState {
  const differences = compareShapes(made, shape);
  return { version, state: stateOf(version, differences), ...differences };
}

function stateOf(version: number, { missing, foreign }: Differences): SchemaState["state"] {
  const isOlder = version < latestVersion;
  if (isOlder ? foreign.some(actsByItself) : foreign.length > 0) return "foreign";
  return isOlder || missing.length > 0 ? "older" : "current";
}

/**
 * Whether an object acts by itself or hides data, such as a trigger or view, which no version of
 * the program creates.
 */
export const actsByItself = (line: string): boolean =>
  /^(trigger|view|rule|policy) | default |generated/.test(line);

type TableStatements = ReadonlyMap<string, () => readonly string[]>;

/** The statements that create the tables, after `create`, with the shape lines of each. */
export function creationStatements(dialect: StoreDialect): TableStatements {
  const made = new Map<string, () => readonly string[]>();
  for (const [name, table] of Object.entries(allTables())) {
    made.set(`table ${tableText(dialect, name, table)}`, () => linesOfTable(name, table));
    for (const [index, it] of Object.entries(table.indexes ?? {})) {
      const kind = it.unique ? "unique index" : "index";
      const line = () => [lineOfIndex(name, index, it)];
      made.set(`${kind} ${indexText(name, index, it)}`, line);
    }
  }
  return made;
}

/**
 * Differences from the latest version. An object with its original statement costs only a
 * comparison.
 */
export async function differencesIn(
  db: Kysely<Tables>,
  dialect: StoreDialect,
): Promise<Differences> {
  const madeTables = creationStatements(dialect);
  return compareShapes(madeTables, await dialect.shape(db, madeTables));
}

function compareShapes(madeTables: TableStatements, { lines, asMade }: StoredShape): Differences {
  if (lines.length === 0 && asMade.size === madeTables.size) return { missing: [], foreign: [] };
  const expected = [...madeTables].flatMap(([text, own]) => (asMade.has(text) ? [] : own()));
  return compareLines(expected, lines);
}

/**
 * The error for a store that cannot be used as it is; undefined when it can, or has no tables yet.
 */
export function refusalOf(state: SchemaState, dialect: StoreDialect): SchemaError | undefined {
  switch (state.state) {
    case "none":
    case "current":
      return undefined;
    case "newer":
      return tooNewError(dialect);
    case "foreign":
      return foreignObjectsError(dialect, state);
    case "older":
      return mismatchOf(dialect, state);
  }
}

/** Error for tables of an earlier version, which `upgradeStore` upgrades. */
export class OlderSchemaError extends SchemaError {}

export function tooNewError({ place }: Pick<StoreDialect, "place">): SchemaError {
  const message = `${place} was made by a later version of acct; update acct to open it.`;
  return new SchemaError("BookTooNew", message);
}

/**
 * The error for a schema that differs.
 * @param state  the schema state; undefined when a query failed on it
 */
export function mismatchOf(
  dialect: Pick<StoreDialect, "place" | "upgrading">,
  state?: Pick<SchemaState, "version" | "missing">,
  cause?: unknown,
): SchemaError {
  const { place, upgrading } = dialect;
  const isLatest = state?.version === latestVersion;
  const what = isLatest ? `lacks ${named(state.missing)}` : "was made by an earlier acct";
  const message = `${place} ${what}; ${upgrading} brings it up and keeps a copy.`;
  return state === undefined || isLatest
    ? new SchemaError("SchemaMismatch", message, [], { cause })
    : new OlderSchemaError("SchemaMismatch", message);
}

export function foreignObjectsError(
  { place }: Pick<StoreDialect, "place">,
  differences: Differences,
): SchemaError {
  const message =
    `${place} holds what acct has not made: ${named(differences.foreign)}. Have it removed by what made ` +
    "it, or restore a backup; of a program that goes by it, export the book there and import that.";
  return new SchemaError("SchemaForeign", message, [
    ...differences.foreign.map((line) => ({ message: `Not made by acct: ${line}.` })),
    ...differences.missing.map((line) => ({ message: `Missing: ${line}.` })),
  ]);
}

const namedMax = 5;

/**
 * The objects that shape lines describe, each once. A wholly missing or foreign table stands for
 * its columns and keys.
 */
export function named(lines: readonly string[]): string {
  const wholeTables = new Set(lines.flatMap((line) => /^table (\S+)$/.exec(line)?.[1] ?? []));
  const parts = lines.filter((line) => {
    const [, kind, of = ""] = /^(\w+) (\S+)/.exec(line) ?? [];
    const table = kind === "index" ? (/ on (\S+)/.exec(line)?.[1] ?? "") : (of.split(".")[0] ?? "");
    return kind === "table" || !wholeTables.has(table) || !/^(column|key|index)$/.test(kind ?? "");
  });
  const names = [
    ...new Set(parts.map((line) => (/^trigger|^rule|^policy/.test(line) ? line : subjectOf(line)))),
  ];
  const moreCount = names.length - namedMax;
  const list = names.slice(0, namedMax).join(", ");
  return moreCount > 0 ? `${list} and ${moreCount} more` : list;
}
