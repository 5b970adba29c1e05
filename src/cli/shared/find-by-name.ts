/** Finds records by any of their names, and shows names instead of ids in refusals. */
import type { Client } from "../../client/client.ts";
import { type Detail, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { idOf, type Resource } from "../../resources/field.ts";
import { nameOf } from "../../wire/codec.ts";
import type { Context } from "../context/context.ts";

type Finding = Pick<Context, "writes" | "flags" | "out">;

/**
 * Returns the function that reports a match by the beginning of a name; undefined for commands that
 * write or do not prompt, which accept whole names only.
 */
export function tellOf({ writes, flags, out }: Finding): ((sentence: string) => void) | undefined {
  return writes || !flags.input ? undefined : out.say;
}

/**
 * Wraps a client so that lookups accept other spellings of a name and, for reads on a terminal, its
 * beginning. Refusals of updates show record names instead of ids.
 */
export function findByOtherNames(ctx: Finding, client: Client): Client {
  const nameById = new Map<string, string>();
  const looking: Client["find"] = async (resource, key, query) => {
    try {
      const id = ctx.writes ? await idOfNamed(client, resource, key) : undefined;
      return await client.find(resource, id ?? key, query);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const { resolveId: idMeant } = await import("./reference.ts");
      const id = await idMeant(client, resource, key, tellOf(ctx));
      if (id === undefined) throw error;
      return client.find(resource, id, query);
    }
  };
  return {
    ...client,
    find: async (resource, key, query) => {
      const record = await looking(resource, key, query);
      const name = nameOf(resource, record as Record<string, unknown>);
      if (name !== undefined) nameById.set(idOf(resource, record), name);
      return record;
    },
    update: (...args) =>
      client.update(...args).catch((error: unknown) => {
        throw error instanceof RefusedError ? withNames(error, nameById) : error;
      }),
  };
}

/**
 * Returns the id of the record that a text names as its code or its name; undefined where its form
 * is that of a code, or no record in use has it.
 *
 * @throws RefusedError `Ambiguous` where it is the code of one record and the name of another
 */
async function idOfNamed(
  client: Client,
  resource: Resource,
  text: string,
): Promise<string | undefined> {
  const { resolveId: idMeant, isDoubtful } = await import("./reference.ts");
  if (!isDoubtful(resource, text)) return undefined;
  return idMeant(client, resource, text).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
}

/** Returns a refusal with record names instead of ids. */
function withNames(error: RefusedError, nameById: ReadonlyMap<string, string>): RefusedError {
  const details = error.details.map((detail): Detail => {
    const name = nameById.get(detail.record ?? "");
    return name === undefined ? detail : { ...detail, record: name };
  });
  return error.withMessage(error.message, details);
}
