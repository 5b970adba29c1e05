/** Formats a value: exact for programs, localised for a terminal. */
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
 * @param marks  number format; undefined for programs.
 * @returns text that is not yet safe for a terminal
 */
export function shownText(cell: Cell | undefined, marks: Marks | undefined): string {
  const isForPeople = marks !== undefined && cell !== undefined && forPeople.has(cell.kind);
  return isForPeople ? cellFigure(cell, marks) : plainCell(cell);
}
