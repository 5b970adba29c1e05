/**
 * Finds the tables in a file: headings, the preamble above them, and sections with headings of
 * their own.
 */
import { isDayLike } from "../days.ts";
import { isAmountLike, type Row } from "./cells.ts";
import { headingMeaning, plainHeading } from "./columns/headings.ts";

/** A heading with the rows below it. */
export interface Table {
  /** Rows of the preamble, above the heading: names, values, sentences. */
  readonly before: readonly Row[];
  /** Headings of the columns; empty for a table without a heading. */
  readonly headings: readonly string[];
  readonly body: readonly Row[];
}

const isEmpty = (row: Row) => row.texts.every((text) => text === "");
const filledOf = (row: Row) => row.texts.filter((text) => text !== "");
const isWord = (text: string) => /\p{L}|#/u.test(text) && !isDayLike(text) && !isAmountLike(text);
const isWords = (row: Row) => filledOf(row).length >= 2 && filledOf(row).every(isWord);

/** Whether a row has a date and an amount in separate cells. */
export function isLineLike({ texts }: Row): boolean {
  const day = texts.findIndex(isDayLike);
  return day >= 0 && texts.some((text, at) => at !== day && isAmountLike(text));
}

/** Whether a row has headings for dates and amounts. */
function isKnownHeading(row: Row): boolean {
  if (!isWords(row)) return false;
  const roles = row.texts.map((text) => headingMeaning(text)?.role);
  const hasDay = roles.some((role) => role === "date" || role === "valueDate");
  return hasDay && roles.some((role) => /^(?:amount|gross|debit|credit|balance)$/.test(role ?? ""));
}

/**
 * Finds the tables.
 *
 * @param namedColumns  headings that the user named; the row that has all of them is the heading
 */
export function tablesOf(rows: readonly Row[], namedColumns: readonly string[]): Table[] {
  const filled = rows.filter((row) => !isEmpty(row));
  const wantedNames = namedColumns.map(plainHeading);
  const hasAll = (row: Row) => {
    const plainTexts = row.texts.map(plainHeading);
    return wantedNames.length > 0 && wantedNames.every((name) => plainTexts.includes(name));
  };
  const headingAt = filled.findIndex(hasAll);
  const known = filled.flatMap((row, at) => (isKnownHeading(row) ? [at] : []));
  const places = known.length > 0 ? known : headingAt >= 0 ? [headingAt] : likelyHeading(filled);
  if (places.length === 0) return [tableWithoutHeadings(filled)];
  const tables: Table[] = [];
  let startIndex = 0;
  for (const [index, at] of places.entries()) {
    const heading = filled[at] as Row;
    const lastTable = tables.at(-1);
    const between = filled.slice(startIndex, at);
    const isRepeated =
      lastTable !== undefined &&
      lastTable.headings.join("\n") === heading.texts.join("\n") &&
      !between.some((row) => filledOf(row).length <= 2 && !row.texts.some(isDayLike));
    const tableEnd = places[index + 1] ?? filled.length;
    const body = filled.slice(at + 1, tableEnd);
    startIndex = at + 1;
    if (isRepeated) {
      tables[tables.length - 1] = { ...lastTable, body: [...lastTable.body, ...body] };
      continue;
    }
    tables.push({
      before: index === 0 ? filled.slice(0, at) : titleOf(lastTable?.body ?? []),
      headings: heading.texts,
      body,
    });
  }
  const withLines = tables.filter(({ body }) => body.some(isLineLike));
  return withLines.length > 0 ? withLines : tables.slice(0, 1);
}

/** Rows after the last line of a section, which are the title of the next section. */
function titleOf(body: readonly Row[]): readonly Row[] {
  return body.slice(body.findLastIndex(isLineLike) + 1);
}

/** Last row of words above the first line that is as wide as the lines. */
function likelyHeading(rows: readonly Row[]): number[] {
  const firstLineAt = firstLine(rows);
  if (firstLineAt < 0) return [];
  const width = rows[firstLineAt]?.cells.length ?? 0;
  const filledMin = Math.max(2, filledOf(rows[firstLineAt] as Row).length - 2);
  const at = rows.findLastIndex(
    (row, index) =>
      index < firstLineAt &&
      isWords(row) &&
      filledOf(row).length >= filledMin &&
      row.cells.length >= filledMin &&
      Math.abs(row.cells.length - width) <= 2,
  );
  return at < 0 ? [] : [at];
}

/** First row with a date in the column where most rows have one. */
function firstLine(rows: readonly Row[]): number {
  const countByDay = new Map<number, number>();
  for (const row of rows) {
    const day = row.texts.findIndex(isDayLike);
    if (isLineLike(row)) countByDay.set(day, (countByDay.get(day) ?? 0) + 1);
  }
  const [usual] = [...countByDay].sort(([, a], [, b]) => b - a)[0] ?? [];
  return rows.findIndex((row) => isLineLike(row) && row.texts.findIndex(isDayLike) === usual);
}

function tableWithoutHeadings(rows: readonly Row[]): Table {
  const firstLineAt = Math.max(0, firstLine(rows));
  return { before: rows.slice(0, firstLineAt), headings: [], body: rows.slice(firstLineAt) };
}
