/** Sheets of paper. */
import { paperOf } from "../format.ts";

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
