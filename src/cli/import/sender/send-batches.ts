/** Sends many records in requests of limited size, with a result for each. */
import { setImmediate } from "node:timers/promises";
import type { Client, WriteOptions } from "../../../client/client.ts";
import { NotFoundError, RefusedError, sentencesOf } from "../../../resources/errors.ts";
import type { Input, Resource, Shape } from "../../../resources/field.ts";

/** Maximum count of records in one request, which is one transaction. */
export const batchMax = 500;

/** The stored record, or the reason of its refusal. */
export type SendResult<R extends Resource> = Shape<R> | string;

/**
 * Sends records in requests of at most `batchMax`.
 *
 * @param settleOutcome   receives the result of each record, by its index
 * @param advance  receives the record count of each request
 */
export async function sendAll<R extends Resource>(
  client: Client,
  method: "PUT" | "POST",
  resource: R,
  inputs: readonly Input<R>[],
  settleOutcome: (index: number, outcome: SendResult<R>) => void,
  advance: (count: number) => void,
): Promise<void> {
  for (let start = 0; start < inputs.length; start += batchMax) {
    const batch = inputs.slice(start, start + batchMax);
    const outcomes = await sendBatch(client, method, resource, batch, {});
    for (const [at, outcome] of outcomes.entries()) settleOutcome(start + at, outcome);
    advance(batch.length);
    await setImmediate(); // lets Ctrl-C in, which the next request then notices
  }
}

/**
 * Sends one request. When the whole request is refused without naming a record, its halves are sent
 * separately, so that one unreadable record does not block 499 others.
 *
 * @param keyOf  returns the idempotency key of a request
 */
export async function sendBatch<R extends Resource>(
  client: Client,
  method: "PUT" | "POST",
  resource: R,
  inputs: readonly Input<R>[],
  options: WriteOptions,
  keyOf?: (inputs: readonly Input<R>[]) => string,
): Promise<SendResult<R>[]> {
  try {
    const idempotencyKey = keyOf?.(inputs);
    const writeOptions = idempotencyKey === undefined ? options : { ...options, idempotencyKey };
    const results = await client.writeMany(method, resource, inputs, writeOptions);
    return inputs.map((_, at) => {
      const result = results[at];
      if (result === undefined) return "The service did not say what became of it.";
      return result.errors.length > 0 ? sentencesOf(result.errors) : result.record;
    });
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error;
    if (inputs.length === 1)
      return [sentencesOf(error instanceof RefusedError ? error.faults : [error])];
    const middleIndex = inputs.length >> 1;
    return [
      ...(await sendBatch(client, method, resource, inputs.slice(0, middleIndex), options, keyOf)),
      ...(await sendBatch(client, method, resource, inputs.slice(middleIndex), options, keyOf)),
    ];
  }
}
