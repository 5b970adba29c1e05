/** Files that are not text on a terminal: a page, a spreadsheet, sheets of paper. */
import { paperOf } from "../formatter.ts";

/** A page that is one file, for a browser and for paper. */
export const html = paperOf("text", true, async (writer, tables) => {
  const { paperPage } = await import("../../../output/html/paper-page.ts");
  const making = await writer.making();
  await writer.answer(async (target) => {
    for await (const piece of paperPage(tables, making)) await target.write(piece);
  });
});

/** A spreadsheet, written as the records arrive. */
export const xlsx = paperOf("binary", false, async (writer, tables) => {
  const { workbook } = await import("../../../output/xlsx/workbook.ts");
  const making = await writer.making();
  await writer.answer(async (target) => {
    for await (const piece of workbook(tables, making)) await target.write(piece);
  });
});

/** Sheets of paper. */
export const pdf = paperOf("binary", true, async (writer, tables) => {
  const { printTables } = await import("../../../output/pdf/listing.ts");
  const { bytes, missing } = await printTables(tables, await writer.making());
  await writer.answer((target) => target.write(bytes));
  if (missing !== "") writer.say(missingFont(missing));
});

/** Says that signs stand for characters. @param where  where fonts are looked for, unless it is here */
export function missingFont(characters: string, where = ""): string {
  return (
    `No font has ${characters}: a sign stands in the PDF for each. Install one that has them, such ` +
    "as fonts-noto-cjk, fonts-noto-core or, for emoji, fonts-symbola, " +
    `or name its file with --font or in ACCT_FONTS${where}.`
  );
}
