/** The wizard of `acct init`, offered by a command that finds no book. */

import type { Context } from "../context/context.ts";
import { declaredBy, findChild } from "../framework/command.ts";
import { askWords } from "../framework/conversation.ts";
import { parse } from "../framework/parse.ts";
import { machineDayOf } from "../values/date-flags.ts";
import { completeOptions, type NewBook } from "./make-book.ts";

export async function askNewBook(ctx: Context): Promise<NewBook> {
  const path = ["init"];
  const child = findChild(ctx.root.children, "init");
  const init = child && (await declaredBy(child));
  if (init?.kind !== "command") throw new Error("There is no command init");
  const context = { today: () => machineDayOf(ctx.clock()) };
  return completeOptions(parse(path, init, await askWords(ctx, init), context).options);
}
