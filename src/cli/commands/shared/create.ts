/** Makes records: the one way of all commands that do. */
import type { Input, Resource } from "../../../resources/field.ts";
import type { Context } from "../../framework/context.ts";
import { showResults } from "./confirm.ts";

/**
 * Makes records and shows them; asks first where one looks as if it were there already.
 *
 * @param called  what a person calls one, where the noun is not the word for it
 */
export async function createRecords<R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly Input<R>[],
  called = resource.noun,
): Promise<void> {
  const client = await ctx.client();
  if (resource.alike !== undefined && !ctx.flags.allowDuplicate) {
    const { confirmNew } = await import("./duplicate.ts");
    await confirmNew(ctx, resource, inputs, called);
  }
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0) {
    return ctx.out.record(resource, await client.create(resource, only));
  }
  await showResults(ctx, resource, await client.writeMany("PUT", resource, inputs));
}
