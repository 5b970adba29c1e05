/** A spreadsheet, written as the records arrive. */
import { paperOf } from "../format.ts";

export const xlsx = paperOf("binary", false, async (writer, tables) => {
  const { workbook } = await import("../../../output/xlsx/workbook.ts");
  const making = await writer.making();
  await writer.answer(async (target) => {
    for await (const piece of workbook(tables, making)) await target.write(piece);
  });
});
