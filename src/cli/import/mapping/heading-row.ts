/** The heading row: finds columns by name. */

import { unguardCell } from "../../../output/csv-output.ts";
import { UsageError } from "../../../resources/errors.ts";

/** Heading of the column that `rejected.ts` adds; ignored when the file is imported again. */
export const reasonHeading = "Refused because";

export interface Columns {
  /** Trimmed headings; empty where a column has none. */
  readonly headings: readonly string[];
  /**
   * Returns the index of a column, from 0, by name in any letter case.
   *
   * @throws UsageError `AmbiguousColumn` when several columns have the name
   */
  find(heading: string): number | undefined;
}

export function columnsOf(cells: readonly string[]): Columns {
  const headings = cells.map((cell) => unguardCell(cell.trim()).trim());
  const exactPositions = columnsByName(headings);
  const loose = columnsByName(headings.map((heading) => heading.toLowerCase()));
  return {
    headings,
    find(heading) {
      const wantedHeading = heading.trim();
      if (wantedHeading === "") return undefined;
      const places = exactPositions.get(wantedHeading) ?? loose.get(wantedHeading.toLowerCase());
      if (places === undefined || places.length === 1) return places?.[0];
      throw new UsageError(
        "AmbiguousColumn",
        `Several columns are called "${heading}" (${places.map((at) => at + 1).join(", ")}); rename all but one.`,
      );
    },
  };
}

function columnsByName(names: readonly string[]): Map<string, number[]> {
  const at = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const nameIndexes = at.get(name);
    if (nameIndexes === undefined) at.set(name, [index]);
    else nameIndexes.push(index);
  }
  return at;
}

/** Normalises a heading: removes case, spaces, punctuation and asterisks. */
export function plainHeading(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "");
}
