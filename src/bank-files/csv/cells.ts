/**
 * Splits a CSV file into rows and cells; detects the delimiter and removes additions of spreadsheet
 * programs.
 */
import { RefusedError } from "../../resources/errors.ts";
import { type CsvRow, CsvSplitter, csvSyntaxOf, sampleCharacters } from "../../wire/csv.ts";
import { BankFileError, delimiters, type ReadOptions, type TextSource } from "../bank-statement.ts";
import { amountBy, type DecimalMark, markOf } from "../bank-values.ts";
import { isDayLike } from "../days.ts";
import { unsettledError } from "./open-questions.ts";

/** A row of the file. */
export interface Row extends CsvRow {
  /** Whether commas part the cells. */
  readonly isCommaParted: boolean;
  /** Cleaned cells, without surrounding spaces and additions of spreadsheets. */
  readonly texts: readonly string[];
  /** Whether the row is the last of the file and has no line end. */
  readonly isUnended: boolean;
}

/**
 * Maximum number of rows; the next constant limits the characters. All rows are examined before any
 * becomes a line.
 */
const rowsMax = 250_000;
const charactersMax = 128 * 1024 * 1024;

/**
 * Removes additions of the exporting program: `="00123"`, an apostrophe before digits, no-break
 * spaces.
 */
export function cleanCell(cell: string): string {
  return cell
    .replace(/^\s*="(.*)"\s*$/s, "$1")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^'([\d ]+)'$/, "$1")
    .replace(/^'(?=[\d+-])/, "");
}

/** Whether text is an amount and not a date. */
export function isAmountLike(text: string): boolean {
  return /\d/.test(text) && !isDayLike(text) && markOf(text) !== "none";
}

/** Whether a cell is blank: empty, or a dash or a word for nothing in place of an amount. */
export const isDash = (text: string): boolean =>
  /^(?:[-\u2013\u2014]*|n[./]?a\.?|nil|none|null|nan|k\.? ?a\.?)$/i.test(text);

/** Maximum number of digits of an amount, cents included; longer numbers are of cards or documents. */
const digitsMax = 15;

/** Parses a cell like `amountBy`, but rejects numbers too long to be amounts. */
export function cellAmount(text: string, mark: DecimalMark): ReturnType<typeof amountBy> {
  const cents = /[.,]\d{1,2}\D*$/.test(text) ? 0 : 2;
  return text.replace(/\D/g, "").length + cents > digitsMax ? "no amount" : amountBy(text, mark);
}

/**
 * Splits a text into rows.
 *
 * @throws BankFileError `Ambiguous` for two delimiters, `BadFile` for an open quote, `TooMuch`
 */
export function rowsOf(text: TextSource, options: ReadOptions): Row[] {
  const rows: Row[] = [];
  let [head, characters] = ["", 0];
  let splitter: CsvSplitter | undefined;
  const takeRows = (csvRows: readonly CsvRow[], isUnended = false) => {
    const isCommaParted = splitter?.delimiter === ",";
    for (const csvRow of csvRows) {
      rows.push({ ...csvRow, texts: csvRow.cells.map(cleanCell), isCommaParted, isUnended });
    }
    if (rows.length <= rowsMax && characters <= charactersMax) return;
    throw new BankFileError(
      "TooMuch",
      `The statement is longer than ${rowsMax} rows; give it in several files.`,
    );
  };
  try {
    for (const chunk of text()) {
      characters += chunk.length;
      if (splitter !== undefined) {
        takeRows(splitter.push(chunk));
        continue;
      }
      head += chunk;
      if (head.length < sampleCharacters) continue;
      splitter = splitterOf(head, true, options);
      takeRows(splitter.push(head));
    }
    if (splitter === undefined) {
      splitter = splitterOf(head, false, options);
      takeRows(splitter.push(head));
    }
    takeRows(splitter.end(), true);
  } catch (error) {
    const isOfSplitter = error instanceof RefusedError && !(error instanceof BankFileError);
    if (isOfSplitter && error.code === "BadFile") throw new BankFileError("BadFile", error.message);
    throw error;
  }
  return rows;
}

function splitterOf(startText: string, isCut: boolean, { delimiter }: ReadOptions): CsvSplitter {
  const separator = delimiter === undefined ? undefined : delimiters[delimiter];
  const syntax = csvSyntaxOf(startText, isCut, separator);
  if (separator !== undefined || /^\ufeff?sep=/.test(startText)) return new CsvSplitter(syntax);
  const detected = delimiterOf(startText, isCut, syntax.newline);
  return new CsvSplitter(detected === undefined ? syntax : { ...syntax, delimiter: detected });
}

/** Delimiter with the most rows of equal width that contain a date and an amount. */
function delimiterOf(startText: string, isCut: boolean, newline: "\n" | "\r"): string | undefined {
  const scores = Object.entries(delimiters).map(([name, delimiter]) => {
    const splitter = new CsvSplitter({ delimiter, newline });
    const rows: CsvRow[] = [];
    try {
      rows.push(...splitter.push(startText));
      if (!isCut) rows.push(...splitter.end());
    } catch {
      // With this delimiter a quote stays open, so it is the wrong one.
      return { name, delimiter, score: 0 };
    }
    const countByWidth = new Map<number, number>();
    for (const { cells, fault } of rows) {
      const cellTexts = cells.map(cleanCell);
      const width = cellTexts.findLastIndex((text) => text !== "") + 1;
      if (fault !== undefined || width < 2) continue;
      if (!cellTexts.some(isDayLike) || !cellTexts.some(isAmountLike)) continue;
      // Empty cells at the end of a row may be cells or superfluous delimiters.
      for (const size of new Set([width, cellTexts.length])) {
        countByWidth.set(size, (countByWidth.get(size) ?? 0) + 1);
      }
    }
    return { name, delimiter, score: Math.max(0, ...countByWidth.values()) };
  });
  const bestScore = Math.max(...scores.map(({ score }) => score));
  if (bestScore === 0) return undefined;
  const [only, ...others] = scores.filter(({ score }) => score === bestScore);
  if (others.length === 0) return only?.delimiter;
  const names = scores.filter(({ score }) => score === bestScore).map(({ name }) => name);
  throw unsettledError(
    "Ambiguous",
    "--delimiter",
    `Cells of the file are parted by ${names.join(" or ")}.`,
    names.map((name) => `--delimiter ${name}`),
  );
}
