/** Resolves the book file of commands that act on the file rather than on records. */
import { expectOwner, fileInFolder } from "../../admin/book.ts";
import { databaseAddress, folderAddress } from "../../platform/book-address.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import type { Target } from "../context/target.ts";
import { hasBook } from "./choose-target.ts";

/**
 * Returns the path of the book file, and opens it once.
 *
 * @param what  the command, as the sentence of a refusal begins
 * @throws UsageError when the target is a service
 */
export async function bookPath(ctx: Context, what: string): Promise<string> {
  const place = ctx.target();
  if (place.kind === "remote") {
    throw new UsageError("BadFlags", `${what} is about a file, and ${place.baseUrl} is a service.`);
  }
  // Opening creates the sample company, or offers to create a missing book.
  await ctx.client();
  return place.path;
}

/**
 * Returns the path of the book file without opening it, as for a damaged book or another version.
 *
 * @param mayMiss  whether a file that does not exist is accepted
 * @throws UsageError when the book has no file of its own
 */
export async function bookFile(ctx: Context, what: string, mayMiss = false): Promise<string> {
  const target = ctx.target();
  if (target.kind === "remote") return bookPath(ctx, what);
  if (databaseAddress(target.path) !== undefined) {
    const message = `${what} is about a file, and this book is in a database: acct book copy copies it out of one and into one.`;
    throw new UsageError("BadFlags", message);
  }
  const inFolder = folderAddress(target.path);
  if (inFolder !== undefined) {
    return fileInFolder(inFolder);
  }
  // Opening creates the sample company, or offers to create a missing book.
  if (!mayMiss && !hasBook(target)) await ctx.client();
  await expectOrganisation(target);
  return target.path;
}

/**
 * Returns the path of a book that is to be verified before it is opened.
 *
 * @throws as `bookPath` does
 */
export async function bookToVerify(ctx: Context, subject: string): Promise<string> {
  const target = ctx.target();
  const isFile = target.kind !== "remote" && databaseAddress(target.path) === undefined;
  return isFile ? bookFile(ctx, subject) : bookPath(ctx, subject);
}

/** Checks that an unopened book file holds the organisation that `--tenant` names. */
export async function expectOrganisation(target: Target): Promise<void> {
  if (target.kind === "remote" || target.holds === undefined || !hasBook(target)) return;
  await expectOwner(target.path, target.holds);
}

/**
 * Returns the path to serve: a whole folder or database, where no organisation is named, otherwise
 * the book.
 *
 * @throws UsageError as `bookPath` does
 */
export async function servedPath(ctx: Context, subject: string): Promise<string> {
  const place = ctx.target();
  const many =
    place.kind === "book" ? (folderAddress(place.path) ?? databaseAddress(place.path)) : undefined;
  if (place.kind === "book" && many !== undefined && many.organisation === undefined) {
    return place.path;
  }
  return bookPath(ctx, subject);
}
