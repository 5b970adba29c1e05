/** Rows of CSV without control characters. */
import { csvRow as rowOf } from "../../output/csv-output.ts";
import { safeText } from "./safe.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** One row with its line end; control characters are shown, which foreign files may have. */
export const csvRow = (cells: readonly string[]): string =>
  rowOf(cells.map((text) => (controls.test(text) ? safeText(text) : text)));
