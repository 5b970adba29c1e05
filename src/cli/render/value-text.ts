/** Formats a value: exact for programs, localised for a terminal. */
import { type DateText, isDate, shortDate } from "../../ledger/dates/calendar.ts";
import type { FieldColumn } from "../../output/columns.ts";
import { choiceText, statusText } from "../../output/field-labels.ts";
import { cellFigure, type Marks } from "../../output/figures.ts";
import { type Cell, plainCell } from "../../output/table.ts";

/**
 * Cell kinds formatted differently for people: figures with thousands separators, times to the
 * minute. Rates and percentages keep all digits.
 */
const forPeople: ReadonlySet<Cell["kind"]> = new Set([
  "money",
  "unitAmount",
  "quantity",
  "timestamp",
]);

/**
 * Formats a cell.
 *
 * @param numberMarks  number format; undefined for programs.
 * @returns text that is not yet safe for a terminal
 */
export function shownText(cell: Cell | undefined, numberMarks: Marks | undefined): string {
  const isForPeople = numberMarks !== undefined && cell !== undefined && forPeople.has(cell.kind);
  return isForPeople ? cellFigure(cell, numberMarks) : plainCell(cell);
}

/** Formats a cell of a report: for people a day is `18 Nov 26`, a percentage has separators. */
export function reportText(cell: Cell | undefined, numberMarks: Marks | undefined): string {
  if (numberMarks === undefined) return plainCell(cell);
  if (cell?.kind === "date") return shortDate(String(cell.value)).replace(/^(?=\d )/, " ");
  return cell?.kind === "percent" ? cellFigure(cell, numberMarks) : shownText(cell, numberMarks);
}

interface WordsOptions {
  readonly marks: Marks | undefined;
  readonly day: (date: DateText) => string;
  /** Name of the resource whose status it may be; empty where it is that of several. */
  readonly statusOf: string;
}

/** Formats a cell in words: choices and statuses by their labels, yes and no, days as given. */
export function textInWords(
  { path, field }: Pick<FieldColumn, "path" | "field">,
  cell: Cell | undefined,
  { marks, day, statusOf }: WordsOptions,
): string {
  const text = shownText(cell, marks);
  const [date, rest] = [text.slice(0, 10), text.slice(10)];
  switch (field.kind) {
    case "choice":
      return path === "Status" && statusOf !== ""
        ? statusText(statusOf, text)
        : choiceText(path.split(".").at(-1) ?? "", text);
    case "boolean":
      return cell?.value === true ? "yes" : "no";
    case "date":
    case "timestamp":
      return isDate(date) ? day(date) + rest : text;
    case "percent":
      return text === "" ? "" : `${text}%`;
    default:
      return text;
  }
}
