/** The text of a value: exact for programs, with marks for a person at a terminal. */
import { cellFigure, type Marks } from "../../output/figures.ts";
import { type Cell, plainCell } from "../../output/table.ts";

/** Kinds that have thousands; a rate and a percentage are read digit by digit. */
const marked: ReadonlySet<Cell["kind"]> = new Set(["money", "unitAmount", "quantity"]);

/** @param marks  undefined for a program. @returns text that is not yet safe for a terminal */
export function shownText(cell: Cell | undefined, marks: Marks | undefined): string {
  const isMarked = marks !== undefined && cell !== undefined && marked.has(cell.kind);
  return isMarked ? cellFigure(cell, marks) : plainCell(cell);
}
