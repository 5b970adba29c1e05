/** Sends validated records to the book, request by request. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import { NotFoundError, RefusedError } from "../../../resources/errors.ts";
import type { Input, Resource } from "../../../resources/field.ts";
import { counted } from "../../../resources/scalar.ts";
import { tryAsPlan } from "../../connection/try-as-plan.ts";
import type { Context } from "../../context/context.ts";
import { isTerminal } from "../../framework/global-flags.ts";
import { createProgress, type Progress } from "../../render/progress.ts";
import { descriptorSink } from "../../render/sinks/sink.ts";
import type { ImportOptions } from "../options.ts";
import type { Importer, ImportRecord } from "../records/import-record.ts";
import { totalsOf } from "../records/stored-totals.ts";
import type { RecordQueue } from "./disk-groups.ts";
import type { ImportProgress } from "./import-progress.ts";
import { sendBatch } from "./send-batches.ts";

/** Maximum size of a request in bytes; the service accepts 10 MiB. */
const requestBytesMax = 4 * 1024 * 1024;

export interface BatchContext {
  readonly ctx: Context;
  readonly client: Client;
  readonly importer: Importer;
  readonly progress: ImportProgress;
  readonly options: Pick<ImportOptions, "onError" | "recreate">;
  /** Maximum count of records in one request. */
  readonly batch: number;
  /** Whether each request is a dry run. */
  readonly isTrial?: boolean;
}

/**
 * Tries the records whose contact or item is new, with these made, in a trial that leaves nothing.
 *
 * Contacts and items of records that are not sent are not kept for creation.
 *
 * @returns the queue without the records that the service refuses
 */
export async function tryWaiting(
  sending: BatchContext,
  waitingRecords: RecordQueue,
  keptRecords: RecordQueue,
): Promise<RecordQueue> {
  const { importer } = sending;
  const related = importer.related.filter(({ count }) => count > 0);
  if (related.length === 0) return waitingRecords;
  const isTried = await tryAsPlan(sending.ctx, async (at) => {
    const client = await at.client();
    for (const relatedRecords of related) await relatedRecords.make(client, () => undefined);
    for (const some of batchesOf(waitingRecords.each(), sending.batch)) {
      const isNew = (each: ImportRecord) => each.verdict === "create" && !importer.isWhole(each);
      await sendOne({ ...sending, client, isTrial: true }, some.filter(isNew));
      for (const record of some) if (record.verdict !== "refused") keptRecords.add(record);
      await breathe(at);
    }
  });
  for (const relatedRecords of related) relatedRecords.forget();
  const sentRecords = isTried ? keptRecords : waitingRecords;
  for (const record of sentRecords.each()) importer.need(record);
  return sentRecords;
}

/** Creates referenced records, and then sends the records, until all are sent or one is refused. */
export async function sendWaiting(sending: BatchContext, queue: RecordQueue): Promise<void> {
  const { ctx, importer, progress, options } = sending;
  const { imported, updated } = progress.counts.records;
  const total = imported + updated;
  let sent = 0;
  try {
    for (const related of importer.related) {
      if (related.count === 0) continue;
      await shown(ctx, related, related.count, (advance) => related.make(sending.client, advance));
    }
    await shown(ctx, importer, total, async (advance) => {
      for (const batch of batchesOf(queue.each(), sending.batch)) {
        const refusedBefore = progress.refusals.count;
        await sendOne(sending, batch);
        sent += batch.length;
        advance(batch.length);
        await breathe(ctx);
        const isBad = progress.refusals.count > refusedBefore;
        if (isBad && options.onError !== "skip") break;
      }
    });
  } catch (error) {
    ctx.out.say(
      `${sent} of ${counted(total, importer.one, importer.several)} ${total === 1 ? "was" : "were"} sent; the same command goes on from there.`,
    );
    throw error;
  }
  progress.leave(queue, sent);
}

/**
 * Yields to the event loop, so that Ctrl-C is noticed.
 *
 * @throws InterruptedError
 */
export async function breathe({ interrupted }: Context): Promise<void> {
  await setImmediate();
  interrupted.throwIfAborted();
}

/** Yields batches of records with one verdict, within the limits of a request. */
function* batchesOf(
  candidates: Iterable<ImportRecord>,
  recordsMax: number,
): Generator<ImportRecord[]> {
  let batch: ImportRecord[] = [];
  let bytes = 0;
  for (const candidate of candidates) {
    const isOther = batch.length > 0 && batch[0]?.verdict !== candidate.verdict;
    const isFull = batch.length >= recordsMax || bytes + candidate.bytes > requestBytesMax;
    if (batch.length > 0 && (isOther || isFull)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(candidate);
    bytes += candidate.bytes;
  }
  if (batch.length > 0) yield batch;
}

async function sendOne(sending: BatchContext, batch: readonly ImportRecord[]): Promise<void> {
  const { importer, progress } = sending;
  const ready: Ready[] = [];
  for (const candidate of batch) {
    const input = importer.finish(candidate);
    if (typeof input === "string") progress.refuseSent(importer, candidate, input);
    else ready.push({ candidate, input: input as Input<Resource> });
  }
  if (ready.length === 0) return;
  const outcomes =
    batch[0]?.verdict === "update" && importer.update !== undefined
      ? await updateRecords(sending, ready)
      : await sendReady(sending, ready);
  for (const [at, outcome] of outcomes.entries()) {
    const candidate = ready[at]?.candidate;
    if (candidate === undefined) continue;
    if (typeof outcome === "string") {
      progress.refuseSent(importer, candidate, outcome);
      continue;
    }
    progress.counts.keep(candidate, totalsOf(outcome));
    const reason = await completeRecord(sending, candidate, outcome);
    if (reason !== undefined) progress.leaveIncomplete(candidate, reason);
  }
}

interface Ready {
  readonly candidate: ImportRecord;
  readonly input: Input<Resource>;
}

/**
 * Sends records in one request.
 *
 * @returns for each the stored record, or why it was refused
 */
function sendReady(sending: BatchContext, ready: readonly Ready[]): Promise<(object | string)[]> {
  const { client, ctx, importer, isTrial = false } = sending;
  const { resource } = importer;
  const isRemote = ctx.target().kind === "remote";
  return sendBatch(
    client,
    ready[0]?.candidate.verdict === "update" ? "POST" : "PUT",
    resource,
    ready.map(({ input }) => input),
    { ...(isTrial && { dryRun: true }), ...(resource.unitdp === true && { unitDecimals: 4 }) },
    !isTrial && (isRemote || ctx.flags.idempotencyKey !== undefined)
      ? (inputs) => keyOf(sending, inputs)
      : undefined,
  );
}

async function updateRecords(
  { client, importer }: BatchContext,
  ready: readonly Ready[],
): Promise<(object | string)[]> {
  const outcomes: (object | string)[] = [];
  for (const { candidate } of ready) {
    outcomes.push(await orWhyNot(() => importer.update?.(client, candidate)));
  }
  return outcomes;
}

/**
 * Runs the further steps of a record.
 *
 * @returns why they failed
 */
async function completeRecord(
  { client, importer }: BatchContext,
  candidate: ImportRecord,
  record: object,
): Promise<string | undefined> {
  if (importer.complete === undefined) return undefined;
  const outcome = await orWhyNot(() => importer.complete?.(client, candidate, record));
  return typeof outcome === "string" ? outcome : undefined;
}

async function orWhyNot(action: () => Promise<unknown> | undefined): Promise<object | string> {
  try {
    return ((await action()) as object | undefined) ?? {};
  } catch (error) {
    if (error instanceof RefusedError || error instanceof NotFoundError) return error.message;
    throw error;
  }
}

/** Returns an idempotency key derived from the content, so that repeated records are recognised. */
function keyOf({ ctx, options }: BatchContext, inputs: readonly object[]): string {
  const hash = createHash("sha256").update(JSON.stringify(inputs, exactly));
  const { idempotencyKey = "" } = ctx.flags;
  hash.update(idempotencyKey);
  // A deliberate second creation needs a new key.
  if (options.recreate === true) hash.update(String(ctx.clock()));
  return `import-${hash.digest("hex").slice(0, 48)}`;
}

/** JSON replacer that writes integers beyond the range of numbers exactly. */
const exactly = (_key: string, value: unknown) =>
  typeof value === "bigint" ? String(value) : value;

async function shown(
  ctx: Context,
  { one, several }: Pick<Importer, "one" | "several">,
  total: number,
  action: (advance: (count: number) => void) => Promise<void>,
): Promise<void> {
  const progress = progressOn(ctx, total === 1 ? one : several, total);
  try {
    await action((count) => progress.advance(count));
  } finally {
    progress.end();
  }
}

function progressOn({ clock, out }: Context, unit: string, total: number): Progress {
  if (!isTerminal(2)) {
    const write = (text: string) => out.say(text.trimEnd());
    return createProgress({ unit, total, width: undefined, write, clock });
  }
  const { write } = descriptorSink(2);
  const width = process.stderr.columns || 80; // 0 where the terminal has not said
  return createProgress({ unit, total, width, write: (text) => void write(text), clock });
}
