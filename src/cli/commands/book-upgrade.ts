/** `acct book upgrade`: migrates a book of an earlier version to the format of this program. */
import { upgrade } from "../../admin/book.ts";
import { databaseAddress, withoutPassword } from "../../platform/book-address.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { bookFile } from "../connection/book-path.ts";
import { hasBook } from "../connection/choose-target.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { deskOf } from "./book-backup.ts";

export const upgradeCommand = command(
  "upgrade",
  "bring a book of an earlier version up to this one",
)
  .alters()
  .optionalArgument("FILE", "the book, instead of --book")
  .note(
    "The first command that opens a file of an earlier version does the same by itself. The book as " +
      "it was is kept beside it, as NAME.before-N.acct; nobody else may have it open. A database is " +
      "brought up by this command alone, all organisations of it or none.",
  )
  .note(
    "--dry-run does everything and takes it back: it tells what would be added. What acct has not " +
      "made is never removed: the book is left as it was, and the command says what that is.",
  )
  .example("acct book upgrade quay.acct --dry-run")
  .example("acct book upgrade --database postgres://acct@localhost/books")
  .answers("value")
  .action(async (ctx, file) => {
    const path = file ?? (await placeOf(ctx));
    if (databaseAddress(path) === undefined && !hasBook({ kind: "book", path, isDefault: false })) {
      throw new NotFoundError("NoBook", `There is no book at ${path}.`);
    }
    const { dryRun } = ctx.flags;
    const { from, to, added, removed, kept } = await upgrade(path, deskOf(ctx), { dryRun });
    const displayPath = withoutPassword(path);
    const lines = [
      ...removed.map((line) => `- ${line}`),
      ...added.map((line) => `+ ${line}`),
      upgradeSentence(displayPath, {
        from,
        to,
        isDone: added.length + removed.length === 0 && from === to,
        dryRun,
      }),
      ...(kept === undefined ? [] : [`The book before is ${kept}.`]),
    ];
    await ctx.out.value({ path: displayPath, from, to, kept, added, removed }, lines.join("\n"));
  });

function upgradeSentence(
  path: string,
  { from, to, isDone, dryRun }: { from: number; to: number; isDone: boolean; dryRun: boolean },
): string {
  if (isDone) return `${path} is of version ${to}; there is nothing to do.`;
  const upgradeVerb = dryRun ? "would be brought up" : "was brought up";
  return `${path} ${upgradeVerb} from version ${from} to ${to}.`;
}

/** Returns the path of the book file, or the address of the database with all its organisations. */
async function placeOf(ctx: Context): Promise<string> {
  const target = ctx.target();
  const address = target.kind === "book" ? databaseAddress(target.path) : undefined;
  return address === undefined ? bookFile(ctx, "acct book", true) : address.url;
}
