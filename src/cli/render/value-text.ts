/** The text of a value: exact for programs, as it is read for a person at a terminal. */
import { cellFigure, type Marks } from "../../output/figures.ts";
import { type Cell, plainCell } from "../../output/table.ts";

/**
 * Kinds that a person reads otherwise than a program: figures have thousands, moments end with the
 * minute. A rate and a percentage are read digit by digit.
 */
const forPeople: ReadonlySet<Cell["kind"]> = new Set([
  "money",
  "unitAmount",
  "quantity",
  "timestamp",
]);

/** @param marks  undefined for a program. @returns text that is not yet safe for a terminal */
export function shownText(cell: Cell | undefined, marks: Marks | undefined): string {
  const isForPeople = marks !== undefined && cell !== undefined && forPeople.has(cell.kind);
  return isForPeople ? cellFigure(cell, marks) : plainCell(cell);
}
