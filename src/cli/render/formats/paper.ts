/** Document formats: HTML page, spreadsheet and PDF. */
import { paperOf } from "../formatter.ts";

/** HTML: a self-contained page for browser and print. */
export const html = paperOf("text", true, async (writer, tables) => {
  const { paperPage } = await import("../../../output/html/paper-page.ts");
  const making = await writer.making();
  await writer.answer(async (sink) => {
    for await (const paperPiece of paperPage(tables, making)) await sink.write(paperPiece);
  });
});

/** XLSX spreadsheet, written as records arrive. */
export const xlsx = paperOf("binary", false, async (writer, tables) => {
  const { writeWorkbook: workbook } = await import("../../../output/xlsx/workbook.ts");
  const making = await writer.making();
  await writer.answer(async (sink) => {
    for await (const workbookPiece of workbook(tables, making)) await sink.write(workbookPiece);
  });
});

/** PDF pages. */
export const pdf = paperOf("binary", true, async (writer, tables) => {
  const { printTables } = await import("../../../output/pdf/listing.ts");
  const { bytes, missing } = await printTables(tables, await writer.making());
  await writer.answer((sink) => sink.write(bytes));
  if (missing !== "") writer.say(missingFont(missing));
});

/**
 * Returns the warning about characters without a font.
 *
 * @param whereText  where the service looks for fonts, unless it is local
 */
export function missingFont(characters: string, whereText = ""): string {
  return (
    `No font has ${characters}: a sign stands in the PDF for each. Install one that has them, such ` +
    "as fonts-noto-cjk, fonts-noto-core or, for emoji, fonts-symbola, " +
    `or name its file with --font or in ACCT_FONTS${whereText}.`
  );
}
