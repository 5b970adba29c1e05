/** Work that is tried on the book before it is done, so that it is done as a whole or not at all. */
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import type { Context } from "../context/context.ts";

/**
 * Runs work as a plan that is discarded: each request is answered as if those before it were done.
 *
 * @param action  takes the context of the trial
 * @returns false where the service does not support plans, and nothing was tried
 */
export async function tryAsPlan(
  ctx: Context,
  action: (at: Context) => Promise<void>,
): Promise<boolean> {
  const flags = { ...ctx.flags, plan: "-" };
  const trial = Object.assign(Object.create(ctx) as Context, { flags });
  await using client = closeAtBlockEnd(await ctx.open(trial));
  if (!(await client.offers("POST", "/Extensions/Plans"))) return false;
  await action(Object.assign(trial, { client: async () => client }));
  return true;
}

/** Has a trial say nothing of what is done after it. */
export const silent = (at: Context): Context =>
  Object.assign(at, { out: { ...at.out, say: () => undefined } });
