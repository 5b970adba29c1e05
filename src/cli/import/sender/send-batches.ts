/** Sending many records, in requests of a bounded size, with what became of each. */
import { setImmediate } from "node:timers/promises";
import type { Client, WriteOptions } from "../../../client/client.ts";
import { RefusedError, sentencesOf } from "../../../resources/errors.ts";
import type { Input, Resource, Shape } from "../../../resources/field.ts";

/** Most records in one request; each request is one transaction. */
export const batchMax = 500;

/** The record as it is kept, or why it was refused. */
export type SendResult<R extends Resource> = Shape<R> | string;

/**
 * Sends records in requests of at most `batchMax`.
 *
 * @param settle   told what became of each, by its index
 * @param advance  told after each request how many were in it
 */
export async function sendAll<R extends Resource>(
  client: Client,
  method: "PUT" | "POST",
  resource: R,
  inputs: readonly Input<R>[],
  settle: (index: number, outcome: SendResult<R>) => void,
  advance: (count: number) => void,
): Promise<void> {
  for (let start = 0; start < inputs.length; start += batchMax) {
    const batch = inputs.slice(start, start + batchMax);
    const outcomes = await sendBatch(client, method, resource, batch, {});
    for (const [at, outcome] of outcomes.entries()) settle(start + at, outcome);
    advance(batch.length);
    await setImmediate(); // lets Ctrl-C in, which the next request then notices
  }
}

/**
 * Sends one request.
 *
 * A refusal of the whole request, which names no record, is narrowed down by sending its halves:
 * one record that cannot be read must not keep 499 others out of the books.
 *
 * @param keyOf  makes the key under which a repeated request is harmless
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
    if (!(error instanceof RefusedError)) throw error;
    if (inputs.length === 1) return [reasonOf(error)];
    const middle = inputs.length >> 1;
    return [
      ...(await sendBatch(client, method, resource, inputs.slice(0, middle), options, keyOf)),
      ...(await sendBatch(client, method, resource, inputs.slice(middle), options, keyOf)),
    ];
  }
}

function reasonOf(error: RefusedError): string {
  return sentencesOf(error.faults);
}
