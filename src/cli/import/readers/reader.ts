/** Interface of file formats: rows of cells, of which the first has the headings. */
import type { CsvRow } from "../../../wire/csv.ts";
import { type CsvForm, delimiterName, formOf, rowsOf } from "./csv-reader.ts";
import type { SourceFile } from "./source.ts";

/** Settings of the user on the form of a file. */
export interface ReaderOptions {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}

/** An opened file of a known format. */
export interface Reader {
  /** Description of the format in the plan: `comma-separated utf-8`. */
  readonly description: string;
  /** Form of the file of rejected rows, so that it can be corrected and imported. */
  readonly rejectedForm: Pick<CsvForm, "delimiter" | "encoding">;
  /** Yields all rows from the first, in chunks; the import reads them several times. */
  rows(): Iterable<readonly CsvRow[]>;
}

export interface SourceFormat {
  /** Whether the beginning of the file is in this format. */
  recognises(source: SourceFile): boolean;
  /**
   * Opens a file.
   *
   * @throws UsageError, RefusedError where it cannot be read
   */
  open(source: SourceFile, options: ReaderOptions): Reader;
}

const csv: SourceFormat = {
  recognises: () => true,
  open(source, options) {
    const form = formOf(source, options);
    return {
      description: `${delimiterName(form.delimiter)}-separated ${form.encoding}`,
      rejectedForm: form,
      rows: () => rowsOf(source, form),
    };
  },
};

/** Formats in order of detection; CSV is last, since it accepts any text. */
const formats: readonly SourceFormat[] = [csv];

export function openReader(source: SourceFile, options: ReaderOptions, among = formats): Reader {
  const format = among.find((sourceFormat) => sourceFormat.recognises(source)) ?? csv;
  return format.open(source, options);
}
