/** What only a service of our own can do. */
import { RefusedError } from "../../resources/errors.ts";
import type { Context } from "../framework/context.ts";

/**
 * Makes sure that the service can do what the public API has no words for.
 *
 * @param what  the beginning of the sentence that says it cannot, `Choosing recipients`
 * @throws RefusedError `NotOffered`
 */
export async function requireExtension(
  ctx: Context,
  what: string,
  ...operation: readonly [method: string, path: string, schema?: string]
): Promise<void> {
  const client = await ctx.client();
  if (await client.offers(...operation)) return;
  const message = `${what} is an extension of acct's own service, which this service does not have.`;
  throw new RefusedError("NotOffered", message);
}
