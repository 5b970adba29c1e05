/**
 * Templates: the source of a field is a column, or a text with columns in it.
 *
 * `CustomerID` is a column. `Customer {CustomerID}` is a text with a column;
 * `{Description|StockCode}` is the first column that is not empty; `{CustomerID:integer}` parses a
 * number to which a spreadsheet added decimals. `Customer {CustomerID}|Cash sales` has
 * alternatives: one with an empty column is skipped. A heading that contains such marks is matched
 * first as a whole.
 */

import { unguardCell } from "../../../output/csv-output.ts";
import { UsageError } from "../../../resources/errors.ts";
import { shown } from "../../../resources/scalar.ts";
import { didYouMean } from "../../values/suggest.ts";
import type { Columns } from "./heading-row.ts";

export interface Template {
  /** Template text as given. */
  readonly text: string;
  /** Indexes of its columns, from 0. */
  readonly columns: readonly number[];
  /** The heading, when the template is a single column. */
  readonly column: string | undefined;
  /**
   * Returns the text for a row.
   *
   * @throws CellFault
   */
  readonly read: (cells: readonly string[]) => string;
}

/** Thrown for an invalid cell; the message begins with the heading of its column. */
export class CellFault extends Error {}

/** Returns the text of a cell, trimmed and without the apostrophe that guards formulas. */
function cellAt(cells: readonly string[], at: number): string {
  const cell = cells[at]?.trim() ?? "";
  return cell.startsWith("'") ? unguardCell(cell) : cell;
}

type Filter = (text: string, heading: string) => string;

const filters: Readonly<Record<string, Filter>> = {
  integer: (text, heading) => {
    const match = /^([+-]?)0*(\d+)(?:\.0*)?$/.exec(text);
    if (match === null) {
      throw new CellFault(`${heading} must be a whole number, not ${shown(text)}.`);
    }
    return match[1] === "-" && match[2] !== "0" ? `-${match[2]}` : (match[2] ?? "");
  },
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
};

type CellReader = (cells: readonly string[]) => string;

/**
 * Compiles a template.
 *
 * @throws UsageError `UnknownColumn`, `BadMap`
 */
export function compileTemplate(text: string, columns: Columns, field: string): Template {
  const wholeColumn = columns.find(text);
  if (wholeColumn !== undefined) {
    return {
      text,
      columns: [wholeColumn],
      column: columns.headings[wholeColumn] ?? "",
      read: (cells) => cellAt(cells, wholeColumn),
    };
  }
  const usedColumns: number[] = [];
  const use = (heading: string) => {
    const at = columns.find(heading);
    if (at === undefined) throw unknownColumn(heading, columns, field);
    usedColumns.push(at);
    return at;
  };
  const alternatives = splitOutside(text).map((alternative, index) => {
    const trimmed = alternative.trim();
    if (alternative.includes("{")) return textOf(alternative, use, `--map ${field}=${text}`);
    if (columns.find(trimmed) !== undefined || index === 0) {
      const at = use(trimmed);
      return (cells: readonly string[]) => cellAt(cells, at);
    }
    return () => trimmed;
  });
  const [only, ...others] = alternatives;
  const read: CellReader =
    only !== undefined && others.length === 0
      ? only
      : (cells) => {
          for (const alternative of alternatives) {
            const value = alternative(cells);
            if (value !== "") return value;
          }
          return "";
        };
  return { text, columns: usedColumns, column: undefined, read };
}

/** Splits at bars outside braces. */
function splitOutside(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth = Math.max(0, depth - 1);
    if (character === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Compiles a text with columns in braces; its result is empty when one of these is. */
function textOf(text: string, use: (heading: string) => number, settingName: string): CellReader {
  const templatePieces: (string | CellReader)[] = [];
  let at = 0;
  while (at < text.length) {
    const braceAt = text.indexOf("{", at);
    if (braceAt === -1) break;
    const closeAt = text.indexOf("}", braceAt);
    if (closeAt === -1) {
      throw new UsageError(
        "BadMap",
        `${settingName}: the brace before "${text.slice(braceAt + 1)}" is not closed.`,
      );
    }
    if (braceAt > at) templatePieces.push(text.slice(at, braceAt));
    templatePieces.push(compilePlaceholder(text.slice(braceAt + 1, closeAt), use));
    at = closeAt + 1;
  }
  if (at < text.length) templatePieces.push(text.slice(at));
  return (cells) => {
    let resultText = "";
    for (const templatePiece of templatePieces) {
      const value = typeof templatePiece === "string" ? templatePiece : templatePiece(cells);
      if (value === "") return "";
      resultText += value;
    }
    return resultText;
  };
}

/** Compiles `A|B:integer`: the first column that is not empty, passed through a filter. */
function compilePlaceholder(text: string, use: (heading: string) => number): CellReader {
  const colon = text.lastIndexOf(":");
  const name = text.slice(colon + 1).trim();
  const filter = colon >= 0 && Object.hasOwn(filters, name) ? filters[name] : undefined;
  const headings = (filter === undefined ? text : text.slice(0, colon)).split("|");
  const columns = headings.map((heading) => [heading.trim(), use(heading.trim())] as const);
  return (cells) => {
    for (const [heading, at] of columns) {
      const value = cellAt(cells, at);
      if (value !== "") return filter === undefined ? value : filter(value, heading);
    }
    return "";
  };
}

function unknownColumn(heading: string, columns: Columns, field: string): UsageError {
  const suggestion = didYouMean(heading, columns.headings);
  const known = columns.headings.filter((heading) => heading !== "").join(", ");
  return new UsageError(
    "UnknownColumn",
    `--map ${field}: the file has no column "${heading}".${suggestion} Its columns are ${known}.`,
  );
}
