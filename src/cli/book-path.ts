/** Commands that are about the file of a book rather than about records in it. */
import { UsageError } from "../resources/errors.ts";
import type { Context } from "./context.ts";

/**
 * The file of the book that a command is about.
 *
 * @param what  the command, as the sentence of a refusal begins
 * @throws UsageError when it is about a service
 */
export async function bookPath(ctx: Context, what: string): Promise<string> {
  const place = ctx.place();
  if (place.kind === "remote") {
    throw new UsageError("BadFlags", `${what} is about a file, and ${place.baseUrl} is a service.`);
  }
  // Opening it is what makes the sample company, or offers to make a book that is missing.
  await ctx.client();
  return place.path;
}
