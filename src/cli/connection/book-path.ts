/** Commands that are about the file of a book rather than about records in it. */
import { expectOwner, fileInFolder } from "../../admin/book.ts";
import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { exists } from "./choose-target.ts";

/**
 * The file of the book that a command is about.
 *
 * @param what  the command, as the sentence of a refusal begins
 * @throws UsageError when it is about a service
 */
export async function bookPath(ctx: Context, what: string): Promise<string> {
  const place = ctx.target();
  if (place.kind === "remote") {
    throw new UsageError("BadFlags", `${what} is about a file, and ${place.baseUrl} is a service.`);
  }
  // Opening it is what makes the sample company, or offers to make a book that is missing.
  await ctx.client();
  return place.path;
}

/**
 * The file of the book, which is not opened, so that it stays as it is: of any version, or damaged.
 *
 * @param mayMiss  whether a file that is not there yet will do
 * @throws UsageError when it is in no file of its own
 */
export async function bookFile(ctx: Context, what: string, mayMiss = false): Promise<string> {
  const place = ctx.target();
  if (place.kind === "remote") return bookPath(ctx, what);
  if (databaseAddress(place.path) !== undefined) {
    const message = `${what} is about a file, and this book is in a database: acct book copy copies it out of one and into one.`;
    throw new UsageError("BadFlags", message);
  }
  const filed = folderAddress(place.path);
  if (filed !== undefined) {
    return fileInFolder(filed);
  }
  // Opening it is what makes the sample company, or offers to make a book that is missing.
  if (!mayMiss && !exists(place)) await ctx.client();
  await expectHeld(place);
  return place.path;
}

/** The book, whose file is not opened before it was found to be whole. @throws as `bookPath` does */
export async function bookToVerify(ctx: Context, what: string): Promise<string> {
  const place = ctx.target();
  const isFile = place.kind !== "remote" && databaseAddress(place.path) === undefined;
  return isFile ? bookFile(ctx, what) : bookPath(ctx, what);
}

/** Looks whether the file of a book that is not opened holds what `--tenant` says. */
export async function expectHeld(place: Target): Promise<void> {
  if (place.kind === "remote" || place.holds === undefined || !exists(place)) return;
  await expectOwner(place.path, place.holds);
}

/**
 * The place of what is served: all of a folder or a database, where no organisation of it is named,
 * and else the book.
 *
 * @throws UsageError as `bookPath` does
 */
export async function servedPath(ctx: Context, what: string): Promise<string> {
  const place = ctx.target();
  const many =
    place.kind === "book" ? (folderAddress(place.path) ?? databaseAddress(place.path)) : undefined;
  if (place.kind === "book" && many !== undefined && many.organisation === undefined) {
    return place.path;
  }
  return bookPath(ctx, what);
}
