/** `--font FILE`: fonts that a person names for what PDF is to show. */
import { statSync } from "node:fs";
import { fontFile, useFonts } from "../../output/pdf/fonts.ts";
import { UsageError } from "../../resources/errors.ts";

/** From now on in this process, where the service of an embedded book is too. @throws UsageError `NoFont` */
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
