/**
 * The shape of the tables in lines of text, the same in both databases: a line for each table, column,
 * key and index, and for whatever else the database says that it holds.
 *
 * Lines sort by kind and name, so a table that was altered reads as one that was made. The SHA-256 of
 * all lines is the fingerprint; `test/golden/schema-N.txt` has those of version N.
 */
import type { AnyTableDefinition, Index } from "../schema/define.ts";

type Definitions = Readonly<Record<string, AnyTableDefinition>>;

/** The lines of tables. */
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
      const rest = type.endsWith("?") ? "" : " not null";
      return `column ${name}.${column} ${type.replace("?", "")}${rest}`;
    }),
  ];
}

export function lineOfIndex(table: string, name: string, index: Index): string {
  const { columns, unique, where } = index;
  const line = `index ${name} on ${table} (${columns.join(", ")})${unique ? " unique" : ""}`;
  return where === undefined ? line : `${line} where ${conditionOf(where)}`;
}

/**
 * A condition as both databases come to spell it: PostgreSQL keeps `in` as a comparison with an array,
 * names types, and sets brackets as it likes.
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

/** What a line is of: `column contact.salt text` is of `column contact.salt`. */
export const subjectOf = (line: string): string => /^\w+ \S+/.exec(line)?.[0] ?? line;

/** Differences of what a database holds from what a version has. */
export interface Differences {
  /** Lines that should be there. */
  readonly missing: readonly string[];
  /** Lines that should not. */
  readonly foreign: readonly string[];
}

export function differences(expected: readonly string[], found: readonly string[]): Differences {
  const own = new Set(expected);
  const those = new Set(found);
  return {
    missing: expected.filter((line) => !those.has(line)).sort(),
    foreign: found.filter((line) => !own.has(line)).sort(),
  };
}

/** SHA-256 of lines, hexadecimal. */
export function fingerprintOf(lines: readonly string[]): string {
  const text = `${[...lines].sort().join("\n")}\n`;
  return process.getBuiltinModule("node:crypto").hash("sha256", text);
}
