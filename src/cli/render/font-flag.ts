/** `--font FILE`: fonts for characters in PDF output. */
import { statSync } from "node:fs";
import { fontFile, useFonts } from "../../output/pdf/fonts.ts";
import { UsageError } from "../../resources/errors.ts";

/**
 * Sets fonts for this process, which includes the service of an embedded book.
 *
 * @throws UsageError `NoFont`
 */
export function takeFonts(files: readonly string[]): void {
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw new UsageError("NoFont", `There is no font ${file}.`);
    if (!stats.isDirectory() && !fontFile.test(file)) {
      throw new UsageError("NoFont", `${file} is no font: those end in .ttf, .otf or .ttc.`);
    }
  }
  useFonts(files);
}
