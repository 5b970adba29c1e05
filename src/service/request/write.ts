/**
 * The write pipeline of all records.
 *
 * A write is decoded, validated, matched with existing records, composed record by record by the
 * resource's endpoint, saved, and encoded, in one transaction: all or nothing. A batch loads all
 * references beforehand, with one query per kind, so that composing is pure computation. With
 * `SummarizeErrors=false` the valid records of a batch are saved and the others answered with their
 * faults; otherwise one invalid record refuses the request.
 */
import { RefusedError, refusal } from "../../resources/errors.ts";
import { type Fields, isScalar, type Resource } from "../../resources/field.ts";
import { validate } from "../../resources/validate.ts";
import { fetch, save } from "../../store/mapping/records.ts";
import { addHistory } from "../../store/records/history.ts";
import {
  type DecodedRecord,
  decodeRecords,
  fromForm,
  unreadableRefusal,
} from "../../wire/decode/decode.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answer } from "./answer.ts";
import {
  unitDecimalsOf as decimalsOf,
  organisationContext,
  type RequestContext,
} from "./context.ts";
import {
  type Endpoint,
  locate,
  type RecordWriter,
  type WriteItem,
  type WriteRequest,
} from "./endpoint.ts";
import { echoOf, idOfRecord, RejectedError } from "./faults.ts";
import { historyEntry } from "./history.ts";

/** PUT or POST of one or several records; with `key`, POST to the path of one record. */
export async function write(
  call: RequestContext,
  endpoint: Endpoint,
  method: "PUT" | "POST",
  key?: string,
): Promise<ServiceResponse> {
  const { resource } = endpoint;
  const decimals = decimalsOf(call, resource);
  const writing = await endpoint.writer();
  const { alsoAccepts } = writing;
  const entriesMax = key === undefined ? resource.batchMax : 1;
  const decoded = readRecords(call, { resource, alsoAccepts }, entriesMax);
  const summarize =
    resource.summarizeErrors !== true || (call.query.boolean("SummarizeErrors") ?? true);
  return call.write(async (tx) => {
    const entries = decoded.map(({ value, faults }, index) => ({
      ...entryOf(value, index),
      errors: [...faults],
    }));
    const batch: WriteRequest = {
      ...(await organisationContext(call, tx)),
      call,
      tx,
      method,
      unitDecimals: decimals,
      entries,
    };
    await match(batch, endpoint, writing, key);
    checkEntries(resource, entries, batch.organisation.BaseCurrency);
    await decideEntries(resource, batch, writing);
    const valid = entries.filter((entry) => entry.errors.length === 0);
    if (summarize && valid.length < entries.length) {
      throw new RejectedError(resource, entries, unreadableRefusal(resource, decoded));
    }
    await addHistory(
      tx,
      valid.flatMap((entry) => historyOf(call, resource, entry)),
    );
    return answerWrite(call, resource, entries, { unitDecimals: decimals, summarize });
  });
}

type Accepted = Pick<Endpoint, "resource"> & { readonly alsoAccepts?: Fields | undefined };

/** Returns the records of the body. @throws RefusedError for more than `most` records */
export function readInputs(
  call: RequestContext,
  accepted: Accepted,
  recordsMax: number,
): Record<string, unknown>[] {
  const records = readRecords(call, accepted, recordsMax);
  const refused = unreadableRefusal(accepted.resource, records);
  if (refused !== undefined) throw refused;
  return records.map(({ value }) => value);
}

function readRecords(
  call: RequestContext,
  { resource, alsoAccepts }: Accepted,
  most: number,
): DecodedRecord[] {
  const { body = new Uint8Array(), headers } = call.request;
  const accepted =
    alsoAccepts === undefined
      ? resource
      : { ...resource, fields: { ...resource.fields, ...alsoAccepts } };
  const records = decodeRecords(accepted, body, headers["content-type"], {
    unitDecimals: decimalsOf(call, resource),
  });
  if (records.length > most) {
    throw refusal(
      "Limit",
      `A request takes at most ${most} ${most === 1 ? resource.name : resource.plural}, not ${records.length}.`,
    );
  }
  return records;
}

/** Returns the single record of a body that may be empty. @throws RefusedError */
export function readOptional(call: RequestContext, accepted: Accepted): Record<string, unknown> {
  const [only = {}] = isEmptyBody(call.request.body) ? [] : readInputs(call, accepted, 1);
  return only;
}

const emptyBody =
  /^(\{\s*\}|\[\s*\]|null|(<\?[^>]*>\s*)?(<[\w:.-]+(\s+[\w:.-]+="[^"]*")*\s*(\/>|>\s*<\/[\w:.-]+>))?)$/;

/**
 * Whether a body is empty: no bytes, an empty object or element, or a form with an empty field
 * `xml`.
 */
function isEmptyBody(body: Uint8Array = new Uint8Array()): boolean {
  if (body.length >= 1000) return false;
  const text = Buffer.from(body).toString().trim();
  const [, inForm] = /^xml=([^&]*)$/i.exec(text) ?? [];
  return emptyBody.test(inForm === undefined ? text : fromForm(inForm).trim());
}

/** Returns the entry of a record in the batch, before composing. */
export function entryOf(input: Record<string, unknown>, index: number): WriteItem {
  return {
    index,
    input,
    existing: undefined,
    errors: [],
    warnings: [],
    record: undefined,
    history: [],
  };
}

/** Validates each entry by the resource description. @param baseCurrency  base currency */
export function checkEntries(
  resource: Resource,
  entries: readonly WriteItem[],
  baseCurrency: string,
): void {
  for (const entry of entries) {
    const faults = validate(resource.fields, entry.input, {
      // An entry whose record was not found meant an update, so required fields do not apply.
      creating: entry.existing === undefined && entry.errors.length === 0,
      base: baseCurrency,
    });
    const told = new Set(entry.errors.map(({ field }) => field));
    entry.errors.push(...faults.filter(({ field }) => field === undefined || !told.has(field)));
  }
}

function answerWrite(
  call: RequestContext,
  resource: Resource,
  entries: readonly WriteItem[],
  { unitDecimals, summarize }: { unitDecimals: 2 | 4; summarize: boolean },
): ServiceResponse {
  const records = entries.map((entry) =>
    entry.errors.length > 0 ? echoOf(resource, entry) : (entry.record ?? {}),
  );
  return answer(call, resource, records, "single", {
    unitDecimals,
    ...(summarize && !entries.some((entry) => entry.warnings.length > 0)
      ? {}
      : {
          outcomes: entries.map((entry) => ({
            status:
              entry.errors.length > 0 ? "ERROR" : entry.warnings.length > 0 ? "WARNING" : "OK",
            errors: entry.errors,
            warnings: entry.warnings,
          })),
        }),
  });
}

/** Composes every entry without faults, and saves those that still have none. */
export async function decideEntries(
  resource: Resource,
  batch: WriteRequest,
  writing: RecordWriter,
): Promise<void> {
  const context = await writing.load(batch);
  for (const [at, entry] of batch.entries.entries()) {
    batch.call.inTime(at, batch.entries.length, "records");
    if (entry.errors.length > 0) continue;
    try {
      writing.decide(batch, context, entry);
      entry.warnings.push(...warningsOfUnkept(resource, entry.input, entry.record));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      entry.errors.push(...error.faults);
    }
  }
  const valid = batch.entries.filter((entry) => entry.errors.length === 0);
  if (writing.keep !== undefined) return writing.keep(batch, context, valid);
  const records = valid.flatMap(({ record }) => (record === undefined ? [] : [record]));
  await save(batch.tx, resource, records);
}

/** Returns a warning of values sent with the status by which a record ends, which it does not take. */
export function warningsOfUnkept(
  { fields }: Resource,
  input: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>> = {},
): string[] {
  const { Status } = record;
  if (Status !== "DELETED" && Status !== "VOIDED") return [];
  const unkept = Object.keys(input).filter((name) => {
    const field = fields[name];
    const isKept = [undefined, record[name]].includes(input[name]);
    return field !== undefined && isScalar(field) && !field.readOnly && !isKept;
  });
  const verb = unkept.length === 1 ? "is" : "are";
  return unkept.length === 0
    ? []
    : [`${unkept.join(", ")} ${verb} not kept: what is ${Status.toLowerCase()} stays as it was.`];
}

/** Finds for each entry its existing record: by the path, by its id, or by another key. */
async function match(
  batch: WriteRequest,
  endpoint: Endpoint,
  writing: RecordWriter,
  key: string | undefined,
): Promise<void> {
  if (key !== undefined) return matchPath(batch, endpoint, key);
  if (writing.findsIds !== true) await matchIds(batch, endpoint.resource);
  await matchAlternates(batch, endpoint.resource, writing);
  const seenIds = new Set<unknown>();
  for (const entry of batch.entries) {
    const id = idOfRecord(endpoint.resource, entry.existing);
    if (id === undefined) continue;
    // A record must not occur twice, since the second entry would be composed from the old state.
    if (seenIds.has(id)) {
      const message = `The ${endpoint.resource.noun} ${id} is named twice in the request.`;
      entry.errors.push({ rule: "Unique", message });
    }
    seenIds.add(id);
  }
}

async function matchPath(
  { call, tx, entries }: WriteRequest,
  endpoint: Endpoint,
  key: string,
): Promise<void> {
  const { resource } = endpoint;
  const [only] = entries;
  if (only === undefined) return;
  only.existing = await locate(call, tx, endpoint, key);
  const sentId = only.input[resource.id];
  const id = idOfRecord(resource, only.existing);
  if (sentId !== undefined && sentId !== id) {
    const message = `The ${resource.id} in the body, ${sentId}, is not that of the address, ${id}.`;
    only.errors.push({ rule: "Form", message });
  }
}

async function matchIds({ tx, entries, method }: WriteRequest, resource: Resource): Promise<void> {
  const ids = entries.flatMap(({ input }) => (input[resource.id] as string | undefined) ?? []);
  if (ids.length === 0) return;
  const records = await fetch(tx, resource, resource.id, ids);
  const byId = new Map(records.map((record) => [idOfRecord(resource, record), record]));
  // An id that is no GUID may be a code, whose faults the endpoint reports.
  const isCode = resource.fields[resource.id]?.kind !== "id";
  for (const entry of entries) {
    const id = entry.input[resource.id];
    if (id === undefined) continue;
    entry.existing = byId.get(id);
    if (entry.existing === undefined && !(isCode && method === "PUT")) {
      entry.errors.push({ rule: "NotFound", message: `There is no ${resource.noun} ${id}.` });
    }
    if (entry.existing !== undefined && method === "PUT") {
      const message = `The ${resource.noun} ${id} exists already; PUT only creates.`;
      entry.errors.push({ rule: "Unique", message });
    }
  }
}

async function matchAlternates(
  batch: WriteRequest,
  resource: Resource,
  writing: RecordWriter,
): Promise<void> {
  const alternates = await writing.alternates?.(batch);
  for (const [index, entry] of batch.entries.entries()) {
    const record = alternates?.[index];
    if (record === undefined || entry.existing !== undefined) continue;
    if (batch.method === "POST") {
      entry.existing = record;
    } else {
      const message = `This ${resource.noun} exists already.`;
      entry.errors.push(writing.clash?.(entry.input, record) ?? { rule: "Unique", message });
    }
  }
}

function historyOf(call: RequestContext, resource: Resource, entry: WriteItem) {
  const recordId = String(idOfRecord(resource, entry.record) ?? "");
  return entry.history.map((historyNote) => historyEntry(call, resource, recordId, historyNote));
}

/** A record to write by the rules of its endpoint. */
interface OneWrite<S extends object> {
  readonly input: object;
  /** Fields that callers cannot send, set before the record is saved. */
  readonly own?: object;
  /** The record to update; undefined to create one. */
  readonly existing?: S | undefined;
}

/** Writes one record by the rules of its endpoint, within another write. */
export async function writeOne<S extends object, W>(
  request: Pick<WriteRequest, "call" | "tx">,
  endpoint: Endpoint<S, W>,
  write: OneWrite<S>,
): Promise<WriteItem<S>> {
  const [entry] = await writeAll(request, endpoint, [write]);
  return entry as WriteItem<S>;
}

/** Like `writeOne` for several records; records with faults are not saved. */
export async function writeAll<S extends object, W>(
  { call, tx }: Pick<WriteRequest, "call" | "tx">,
  endpoint: Endpoint<S, W>,
  writes: readonly OneWrite<S>[],
): Promise<WriteItem<S>[]> {
  const shared = await endpoint.writer();
  const writer: RecordWriter<S, W> = {
    ...shared,
    async keep(batch, context, decisions) {
      for (const { index, record } of decisions) Object.assign(record ?? {}, writes[index]?.own);
      await shared.keep?.(batch, context, decisions);
    },
  };
  const entries = writes.map(({ input, existing }, index) => ({
    ...entryOf({ ...input }, index),
    existing: existing as WriteItem["existing"],
  }));
  const batch: WriteRequest = {
    ...(await organisationContext(call, tx)),
    call,
    tx,
    method: writes.every(({ existing }) => existing === undefined) ? "PUT" : "POST",
    unitDecimals: 4,
    entries,
  };
  await decideEntries(endpoint.resource, batch, writer as unknown as RecordWriter);
  return entries as unknown as WriteItem<S>[];
}
