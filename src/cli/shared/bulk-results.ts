/** Handles several records at once, with a result for each. */

import type { WriteResult } from "../../client/client.ts";
import { type Detail, RefusedError, refusalFor } from "../../resources/errors.ts";
import { type Input, idOf, type Resource, type Shape } from "../../resources/field.ts";
import { counted, zeroId } from "../../resources/scalar.ts";
import { nameOf } from "../../wire/codec.ts";
import { silent, tryAsPlan } from "../connection/try-as-plan.ts";
import type { Context } from "../context/context.ts";
import { sayDoubts } from "../framework/input.ts";
import { PartlyDoneError } from "../render/error.ts";

/**
 * Creates records and shows them; asks first where a likely duplicate exists.
 *
 * @param noun  name of a record in messages, where the noun differs
 */
export async function createRecords<R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly Input<R>[],
  noun = resource.noun,
): Promise<void> {
  const client = await ctx.client();
  if (resource.alike !== undefined && !ctx.flags.allowDuplicate) {
    const { confirmNew } = await import("./duplicate.ts");
    await confirmNew(ctx, resource, inputs, noun);
  }
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0) {
    const newRecord = await client.create(resource, only);
    sayDoubts(ctx, resource, only, newRecord);
    return showWritten(ctx, resource, newRecord);
  }
  const kind = { ...resource, noun };
  if (!ctx.flags.dryRun) {
    refuseAll(
      kind,
      refusalsIn(kind, await client.writeMany("PUT", resource, inputs, { dryRun: true })),
    );
  }
  const results = await client.writeMany("PUT", resource, inputs);
  for (const [at, { record }] of results.entries()) {
    sayDoubts(ctx, resource, inputs[at] ?? {}, record);
  }
  await showResults(ctx, kind, results);
}

/** Shows a record that was written: a document on a terminal as its paper is, as `show` does. */
export async function showWritten<R extends Resource>(
  ctx: Context,
  resource: R,
  record: Shape<R>,
): Promise<void> {
  if (!ctx.out.isScreen || resource.printed !== true) return ctx.out.record(resource, record);
  const { showDocument } = await import("./show-document.ts");
  await showDocument(ctx, resource, record);
}

/**
 * Shows the results of a batch, and fails if any record was refused.
 *
 * @throws RefusedError when all were refused, PartlyDoneError when some were
 */
export async function showResults<R extends Resource>(
  ctx: Context,
  resource: R,
  results: readonly WriteResult<R>[],
): Promise<void> {
  const records = results.filter(({ errors }) => errors.length === 0).map(({ record }) => record);
  if (records.length > 0) await ctx.out.records(resource, records);
  const refusedCount = results.length - records.length;
  refuseSome(records.length, refusedCount, resource, refusalsIn(resource, results));
}

/** Returns the refusals among the results of a batch, each with the name of its record. */
function refusalsIn<R extends Resource>(resource: R, results: readonly WriteResult<R>[]): Detail[] {
  return results.flatMap(({ record, errors }, index) => {
    const name = nameOf(resource, record as Record<string, unknown>);
    // A refused record has no id yet, and is identified by its index in the file.
    const isKnown = name !== undefined && name !== zeroId;
    return errors.map((fault) => ({
      ...fault,
      record: isKnown ? name : `record ${index + 1}`,
    }));
  });
}

/**
 * Finds the record of each key, before anything is done to the first.
 *
 * @returns the records by key; a record that two keys name is there once
 * @throws the refusal of the first key that names no record
 */
export async function recordsOf<R extends Resource>(
  resource: R,
  keys: readonly string[],
  find: (key: string) => Promise<Shape<R>>,
): Promise<Map<string, Shape<R>>> {
  const foundRecords = await Promise.all(keys.map(find));
  const ids = foundRecords.map((record) => idOf(resource, record));
  return new Map(
    foundRecords.flatMap((record, index): [string, Shape<R>][] =>
      ids.indexOf(ids[index] ?? "") === index ? [[keys[index] ?? "", record]] : [],
    ),
  );
}

/**
 * Runs an action on each of several records, after a trial of all of them, and shows what it
 * returns.
 *
 * @param action  acts on a record with the client of a context, and says there what it does
 * @throws the refusal itself when there was only one record; RefusedError when the trial refused one,
 *   and nothing is done; PartlyDoneError where the service has no trials, and some were done
 */
export async function forEachRecord<R extends Resource>(
  ctx: Context,
  resource: R,
  recordByKey: ReadonlyMap<string, Shape<R>>,
  action: (record: Shape<R>, at: Context) => Promise<Shape<R> | undefined>,
): Promise<void> {
  const [only, ...others] = recordByKey.values();
  if (only !== undefined && others.length === 0) {
    const changedRecord = await action(only, ctx);
    return changedRecord && showWritten(ctx, resource, changedRecord);
  }
  const run = async (at: Context) => {
    const changedRecords: Shape<R>[] = [];
    const details: Detail[] = [];
    for (const [key, record] of recordByKey) {
      try {
        const changedRecord = await action(record, at);
        if (changedRecord !== undefined) changedRecords.push(changedRecord);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        details.push({ message: error.message, record: key });
      }
    }
    return { shown: changedRecords, details };
  };
  const { dryRun, plan, idempotencyKey } = ctx.flags;
  // Under a key what was done already is answered again, which a trial does not know.
  if (idempotencyKey === undefined && (!dryRun || plan !== undefined)) {
    await tryAsPlan(ctx, async (at) => {
      refuseAll(resource, (await run(silent(at))).details);
    });
  }
  const { shown, details } = await run(ctx);
  if (shown.length > 0) await ctx.out.records(resource, shown);
  refuseSome(recordByKey.size - details.length, details.length, resource, details);
}

/** Refuses to do anything where a trial refused a record. */
function refuseAll(resource: Resource, details: readonly Detail[]): void {
  if (details.length === 0) return;
  const noun = counted(new Set(details.map(({ record }) => record)).size, resource.noun);
  throw refusalFor(details, `${noun} refused, so that nothing is done.`);
}

function refuseSome(
  doneCount: number,
  refusedCount: number,
  resource: Resource,
  details: readonly Detail[],
): void {
  if (refusedCount === 0) return;
  const noun = counted(refusedCount, resource.noun);
  if (doneCount > 0) throw new PartlyDoneError(`${doneCount} done, ${noun} refused.`, details);
  const message = `${noun} ${refusedCount === 1 ? "was" : "were"} refused.`;
  throw refusalFor(details, message);
}
