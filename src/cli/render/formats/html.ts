/** A page that is one file, for a browser and for paper. */
import { paperOf } from "../format.ts";

export const html = paperOf("text", true, async (writer, tables) => {
  const { paperPage } = await import("../../../output/html/paper.ts");
  const making = await writer.making();
  await writer.answer(async (target) => {
    for await (const piece of paperPage(tables, making)) await target.write(piece);
  });
});
