/** What every verb that changes something does before and after. */
import type { WriteResult } from "../../../client/client.ts";
import { type Detail, RefusedError } from "../../../resources/errors.ts";
import { isScalar, type Resource, type Shape } from "../../../resources/field.ts";
import { zeroId } from "../../../resources/scalar.ts";
import { nameOf } from "../../../wire/codec.ts";
import { plainValue } from "../../../wire/plain.ts";
import type { Context } from "../../framework/context.ts";
import { InterruptedError, PartlyDoneError } from "../../render/error.ts";

/**
 * Asks before something is done that cannot be undone. Without a terminal to ask on `--yes` must
 * say it: a script that voids an invoice should do so on purpose.
 *
 * @throws InterruptedError when the answer is no, UsageError when nobody can be asked
 */
export async function confirmed(ctx: Context, question: string): Promise<void> {
  if (ctx.flags.dryRun) return;
  if (await ctx.ask.confirm(question, { flag: "--yes" })) return;
  throw new InterruptedError("Nothing was changed.");
}

/** What a person calls a record. */
export function nameOfRecord(resource: Resource, record: object): string {
  const { Name } = record as { Name?: string };
  const isNamed = Object.values(resource.fields).some(({ key }) => key === true);
  const known = isNamed ? nameOf(resource, record as Record<string, unknown>) : Name;
  return known ?? resource.noun;
}

/** In a dry run, says which values would change. */
export function sayChanges<R extends Resource>(
  ctx: Context,
  resource: R,
  before: object,
  after: object,
): void {
  if (!ctx.flags.dryRun) return;
  const changes = changesBetween(resource, before, after);
  const name = nameOfRecord(resource, { ...before, ...after });
  ctx.out.say(
    changes.length === 0
      ? `${name} would stay as it is.`
      : `${name} would change: ${changes.join(", ")}.`,
  );
}

/** Field by field, `Status DRAFT → AUTHORISED`; of what has parts of its own, the name. */
function changesBetween(resource: Resource, before: object, after: object): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.kind === "timestamp") return [];
    const [old, next] = [before, after].map((record) =>
      plainValue(field, (record as Record<string, unknown>)[name]),
    );
    if (old === next) return [];
    if (!isScalar(field)) return [name];
    return [`${name} ${old || "nothing"} → ${next || "nothing"}`];
  });
}

/**
 * Shows what became of the records of a batch, and fails if any was refused.
 *
 * @throws RefusedError when all were refused, PartlyDoneError when some were
 */
export async function showResults<R extends Resource>(
  ctx: Context,
  resource: R,
  results: readonly WriteResult<R>[],
): Promise<void> {
  const kept = results.filter(({ errors }) => errors.length === 0).map(({ record }) => record);
  const details = results.flatMap(({ record, errors }, index): Detail[] => {
    const name = nameOf(resource, record as Record<string, unknown>);
    // One that was refused has no id yet; its place in the file is what tells it from the others.
    const isKnown = name !== undefined && name !== zeroId;
    return errors.map((message) => ({
      message,
      record: isKnown ? name : `record ${index + 1}`,
    }));
  });
  if (kept.length > 0) await ctx.out.records(resource, kept);
  refuseSome(kept.length, results.length - kept.length, resource, details);
}

/**
 * Does something to each of several records. One that is refused does not keep the others from it.
 *
 * @throws the refusal itself when there was only one record, PartlyDoneError when some were done
 */
export async function forEachRecord<R extends Resource>(
  ctx: Context,
  resource: R,
  keys: readonly string[],
  work: (key: string) => Promise<Shape<R>>,
): Promise<void> {
  const [only, ...others] = keys;
  if (only !== undefined && others.length === 0) return ctx.out.record(resource, await work(only));
  const done: Shape<R>[] = [];
  const details: Detail[] = [];
  for (const key of keys) {
    try {
      done.push(await work(key));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      details.push({ message: error.message, record: key });
    }
  }
  if (done.length > 0) await ctx.out.records(resource, done);
  refuseSome(done.length, details.length, resource, details);
}

function refuseSome(
  done: number,
  refused: number,
  resource: Resource,
  details: readonly Detail[],
): void {
  if (refused === 0) return;
  const noun = `${resource.noun}${refused === 1 ? "" : "s"}`;
  if (done === 0)
    throw new RefusedError("ValidationException", `${refused} ${noun} were refused.`, details);
  throw new PartlyDoneError(`${done} done, ${refused} ${noun} refused.`, details);
}
