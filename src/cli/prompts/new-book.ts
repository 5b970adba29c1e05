/** What `acct init` asks, for a command that finds no book. */
import { completed, type NewBook } from "../connection/new-book.ts";
import { declaredBy, namedChild } from "../framework/command.ts";
import type { Context } from "../framework/context.ts";
import { parse } from "../framework/parse.ts";
import { askWords } from "./wizard.ts";

export async function askNewBook(ctx: Context): Promise<NewBook> {
  const path = ["init"];
  const child = namedChild(ctx.root.children, "init");
  const init = child && (await declaredBy(child));
  if (init?.kind !== "command") throw new Error("There is no command init");
  return completed(parse(path, init, await askWords(ctx, init), ctx).options);
}
