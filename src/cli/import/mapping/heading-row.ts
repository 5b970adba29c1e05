/** The row of headings: which column bears which name. */
import { UsageError } from "../../../resources/errors.ts";
import { unguarded } from "../../render/csv-row.ts";

/** The column that `rejected.ts` adds; it is passed over when such a file is imported. */
export const reasonHeading = "Refused because";

export interface Columns {
  /** As they stand in the file, trimmed; the empty text where a column has none. */
  readonly headings: readonly string[];
  /**
   * The number of a column, from 0, in any letter case.
   *
   * @throws UsageError `AmbiguousColumn` when several columns bear the name
   */
  find(heading: string): number | undefined;
}

export function columnsOf(cells: readonly string[]): Columns {
  const headings = cells.map((cell) => unguarded(cell.trim()).trim());
  const exact = numbered(headings);
  const loose = numbered(headings.map((heading) => heading.toLowerCase()));
  return {
    headings,
    find(heading) {
      const wanted = heading.trim();
      if (wanted === "") return undefined;
      const found = exact.get(wanted) ?? loose.get(wanted.toLowerCase());
      if (found === undefined || found.length === 1) return found?.[0];
      throw new UsageError(
        "AmbiguousColumn",
        `Several columns are called "${heading}" (${found.map((at) => at + 1).join(", ")}); rename all but one.`,
      );
    },
  };
}

function numbered(names: readonly string[]): Map<string, number[]> {
  const at = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const held = at.get(name);
    if (held === undefined) at.set(name, [index]);
    else held.push(index);
  }
  return at;
}

/** A heading without what differs from one program to the next: case, spaces, marks, asterisks. */
export function plainHeading(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "");
}
