/** What a format of files gives to the import: rows of cells, of which the first are the headings. */
import type { CsvRow } from "../../../wire/csv.ts";
import { type CsvForm, delimiterName, formOf, rowsOf } from "./csv-reader.ts";
import type { SourceFile } from "./source.ts";

/** What a person says about the way a file is written. */
export interface ReaderOptions {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}

/** A file whose format is known. */
export interface Reader {
  /** How the file is written, for the plan: `comma-separated utf-8`. */
  readonly description: string;
  /** How the file of refused rows is written, so that it can be mended and imported. */
  readonly rejectedForm: Pick<CsvForm, "delimiter" | "encoding">;
  /** All rows from the first one, some at a time; the import reads them several times. */
  rows(): Iterable<readonly CsvRow[]>;
}

export interface SourceFormat {
  /** Told from the beginning of the file. */
  recognises(source: SourceFile): boolean;
  /** @throws UsageError, RefusedError where the file cannot be read */
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

/** The first that recognises a file reads it; any text is CSV, so that comes last. */
const formats: readonly SourceFormat[] = [csv];

export function openReader(source: SourceFile, options: ReaderOptions, among = formats): Reader {
  const format = among.find((each) => each.recognises(source)) ?? csv;
  return format.open(source, options);
}
