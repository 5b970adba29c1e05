/**
 * Converts between a record and its rows: each row has the fields of the record and of one line.
 */
import type { FieldValues } from "../../../resources/field.ts";
import type { DescribedKind } from "./described-kinds.ts";

/** Returns the rows of a record; each has its line under the name of the list. */
export function rowsOfRecord(
  { lines }: Pick<DescribedKind, "lines">,
  record: FieldValues,
): FieldValues[] {
  if (lines === undefined) return [record];
  const lineValues = listIn(record[lines.name]).flatMap((line) => {
    if (lines.nested === undefined) return [line];
    return listIn(line[lines.nested]).map((value) => ({ ...line, ...value }));
  });
  return lineValues.length === 0
    ? [{ ...record, [lines.name]: undefined }]
    : lineValues.map((line) => ({ ...record, [lines.name]: line }));
}

/** Returns the list that line rows form. */
export function listOfLines({ lines }: DescribedKind, rows: readonly FieldValues[]): FieldValues[] {
  if (lines?.nested === undefined) return [...rows];
  const firstField = Object.keys(lines.fields)[0] as string;
  const rowsByKey = Map.groupBy(rows, (row) => row[firstField]);
  const { nested } = lines;
  return [...rowsByKey].map(([key, each]) => ({
    [firstField]: key,
    [nested]: each.map(({ [firstField]: _, ...rest }) => rest),
  }));
}

function listIn(value: unknown): readonly FieldValues[] {
  return Array.isArray(value) ? value : [];
}
