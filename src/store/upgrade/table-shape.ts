/**
 * The shape of the tables as lines of text, the same in both databases: one for each table, column,
 * key, index, and any other object of the database.
 *
 * Lines sort by kind and name, so an altered table reads like a newly created one. The SHA-256 of
 * all lines is the fingerprint; `test/golden/schema-N.txt` has those of version N.
 */
import type { AnyTableDefinition, Index } from "../schema/define.ts";

type Definitions = Readonly<Record<string, AnyTableDefinition>>;

/** The shape lines of tables. */
export function linesOf(tables: Definitions): string[] {
  return Object.entries(tables).flatMap(([name, table]) => [
    ...linesOfTable(name, table),
    ...Object.entries(table.indexes ?? {}).map(([index, it]) => lineOfIndex(name, index, it)),
  ]);
}

export function linesOfTable(name: string, { columns, key }: AnyTableDefinition): string[] {
  return [
    `table ${name}`,
    `key ${name} (${key.join(", ")})`,
    ...Object.entries(columns).map(([column, type]) => {
      const notNull = type.endsWith("?") ? "" : " not null";
      return `column ${name}.${column} ${type.replace("?", "")}${notNull}`;
    }),
  ];
}

export function lineOfIndex(table: string, name: string, index: Index): string {
  const { columns, unique, where } = index;
  const line = `index ${name} on ${table} (${columns.join(", ")})${unique ? " unique" : ""}`;
  return where === undefined ? line : `${line} where ${conditionOf(where)}`;
}

/**
 * Normalises an index condition to a form common to both databases: PostgreSQL stores `in` as a
 * comparison with an array, adds type names, and changes parentheses.
 */
function conditionOf(text: string): string {
  return text
    .split(/('[^']*')/)
    .map((part) => (part.startsWith("'") ? part : part.toLowerCase()))
    .join("")
    .replace(/::\w+(\[\])?/g, "")
    .replace(/= any \(+array\[(.*?)\]\)+/g, "in ($1)")
    .replace(/<> all \(+array\[(.*?)\]\)+/g, "not in ($1)")
    .replace(/not in \(('[^',]*')\)/g, "<> $1")
    .replace(/in \(('[^',]*')\)/g, "= $1")
    .replace(/[()]/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll(" ,", ",")
    .trim();
}

/** The object that a line describes: `column contact.salt` for `column contact.salt text`. */
export const subjectOf = (line: string): string => /^\w+ \S+/.exec(line)?.[0] ?? line;

/** Differences between the shape of a database and the shape of a schema version. */
export interface Differences {
  /** Missing lines. */
  readonly missing: readonly string[];
  /** Lines that should not exist. */
  readonly foreign: readonly string[];
}

export function compareLines(expected: readonly string[], actual: readonly string[]): Differences {
  const expectedLines = new Set(expected);
  const actualLines = new Set(actual);
  return {
    missing: expected.filter((line) => !actualLines.has(line)).sort(),
    foreign: actual.filter((line) => !expectedLines.has(line)).sort(),
  };
}

/** SHA-256 of shape lines, hexadecimal. */
export function fingerprintOf(lines: readonly string[]): string {
  const text = `${[...lines].sort().join("\n")}\n`;
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}
