/** Records as a person names them: found by any of their names, and called by them where refused. */
import type { Client } from "../../client/client.ts";
import { type Detail, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { nameOf } from "../../wire/codec.ts";
import type { Context } from "../context/context.ts";

/** Tells the record that the beginning of a name was taken for; undefined where none is taken. */
export function tellOf({ writes, flags, out }: Context): ((sentence: string) => void) | undefined {
  return writes || !flags.input ? undefined : out.say;
}

/**
 * A client whose lookup falls back on other spellings of a name, and for reading at a terminal on its
 * beginning. Refusals of updates show the name of a record in place of its id.
 */
export function findingByName(ctx: Context, client: Client): Client {
  const names = new Map<string, string>();
  const looking: Client["find"] = async (resource, key, query) => {
    try {
      return await client.find(resource, key, query);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const { idMeant } = await import("./reference.ts");
      const id = await idMeant(client, resource, key, tellOf(ctx));
      if (id === undefined) throw error;
      return client.find(resource, id, query);
    }
  };
  return {
    ...client,
    find: async (resource, key, query) => {
      const found = await looking(resource, key, query);
      const name = nameOf(resource, found as Record<string, unknown>);
      if (name !== undefined) names.set(idOf(resource, found), name);
      return found;
    },
    update: (...given) =>
      client.update(...given).catch((error: unknown) => {
        throw error instanceof RefusedError ? named(error, names) : error;
      }),
  };
}

/** A refusal that calls records by their names in place of their ids. */
function named(error: RefusedError, names: ReadonlyMap<string, string>): RefusedError {
  const details = error.details.map((detail): Detail => {
    const name = names.get(detail.record ?? "");
    return name === undefined ? detail : { ...detail, record: name };
  });
  return error.reworded(error.message, details);
}
