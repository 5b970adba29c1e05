/**
 * Typed calls to an accounting service, over one transport.
 *
 * The rest of the command line knows records, not requests: it asks a `Client` and gets shapes back.
 * Failures arrive as the same error classes the service threw, whatever lay in between.
 */

import { type Attachment, attachment } from "../resources/attachment.ts";
import { type Detail, NotFoundError, RefusedError, UnavailableError } from "../resources/errors.ts";
import type { Input, Resource, Shape } from "../resources/field.ts";
import { type HistoryRecord, historyRecord } from "../resources/history.ts";
import { invoice } from "../resources/invoice.ts";
import { type RepeatingRun, repeatingRun } from "../resources/repeating-invoice.ts";
import { validate } from "../resources/validate.ts";
import { type Chunks, collect, isChunks, textOf } from "../wire/body.ts";
import type { Outcome, Pagination } from "../wire/codec.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../wire/http.ts";
import { encodeInputs } from "../wire/plain.ts";
import type { Report } from "../wire/report.ts";
import { anyOf, compare, isGuid } from "./condition.ts";

export interface ListQuery {
  /** Filters of the resource by parameter name (`Statuses`, `ContactIDs`, …). */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly where?: string | undefined;
  readonly order?: string | undefined;
  readonly searchTerm?: string | undefined;
  /** Only records changed at or after this moment, milliseconds since 1970 UTC. */
  readonly modifiedSince?: number | undefined;
  /**
   * Names of the only fields that are needed; the others may be missing from the records. What
   * stands in a summary of the record costs a good deal less than its lines and lists do.
   */
  readonly fields?: readonly string[] | undefined;
  /** One page alone, from 1; otherwise every page is walked as the records are consumed. */
  readonly page?: number | undefined;
  /** Only records after this number, where lists are read so. */
  readonly offset?: number | undefined;
  /** Most records in all. */
  readonly limit?: number | undefined;
  /** Digits of unit amounts, 2 unless 4 is asked for. */
  readonly unitDecimals?: 2 | 4 | undefined;
}

export interface WriteOptions {
  /** Makes a repeated request harmless. */
  readonly idempotencyKey?: string | undefined;
  /** Everything is checked and computed and nothing is kept. */
  readonly dryRun?: boolean | undefined;
  readonly unitDecimals?: 2 | 4 | undefined;
  /** Path of the record that this one stands under, `/TrackingCategories/<id>`. */
  readonly under?: string | undefined;
}

/** What became of one record of a batch. */
export interface WriteResult<R extends Resource> {
  /** As stored, or as sent when refused. */
  readonly record: Shape<R>;
  /** Why it was refused; empty when it was stored. */
  readonly errors: readonly string[];
  /** What is doubtful about it although it was stored. */
  readonly warnings: readonly string[];
}

/** Records that arrive page by page. */
export interface Records<R extends Resource> extends AsyncIterable<Shape<R>> {
  /** How many there are in all, once the first page has come and if the service says so. */
  readonly itemCount: number | undefined;
  /** Whether records were left unread at the end, by `limit` or by `page`. */
  readonly more: boolean;
}

export interface Client {
  /**
   * The record of that id, number, code or name, with all it carries.
   *
   * @throws NotFoundError when there is none
   * @throws RefusedError `Ambiguous` when a name that is not unique fits several
   */
  find<R extends Resource>(resource: R, key: string, query?: ListQuery): Promise<Shape<R>>;
  /** Records one by one; pages are asked for as they are needed. */
  list<R extends Resource>(resource: R, query?: ListQuery): Records<R>;
  /** The records at a path below the API root that is no collection of its own. */
  at<R extends Resource>(
    resource: R,
    path: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Shape<R>[]>;
  /** PUT: creates. @throws RefusedError with every fault in `details` */
  create<R extends Resource>(
    resource: R,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /** POST to the record's own path, or to the collection where records have none to post to. */
  update<R extends Resource>(
    resource: R,
    key: string,
    input: Input<R>,
    options?: WriteOptions,
  ): Promise<Shape<R>>;
  /**
   * Many records in one request, each with its own outcome, in the order given.
   *
   * @param method  `PUT` creates only, `POST` creates or updates
   */
  writeMany<R extends Resource>(
    method: "PUT" | "POST",
    resource: R,
    inputs: readonly Input<R>[],
    options?: WriteOptions,
  ): Promise<WriteResult<R>[]>;
  /** DELETE. @returns the record as it went, where the service shows it */
  remove<R extends Resource>(
    resource: R,
    key: string,
    options?: WriteOptions,
  ): Promise<Shape<R> | undefined>;
  /** The record as PDF. @throws UnavailableError `NoPdf` when something else comes */
  printed(resource: Resource, key: string): Promise<Uint8Array>;
  attachments(resource: Resource, key: string): Promise<Attachment[]>;
  /** Adds a file to a record, or replaces the one of that name. @returns what is kept of it */
  attach(resource: Resource, key: string, file: Upload): Promise<Attachment | undefined>;
  /** The bytes of a file, as they come. @throws NotFoundError */
  download(resource: Resource, key: string, name: string): Promise<Chunks>;
  history(resource: Resource, key: string): Promise<HistoryRecord[]>;
  note(resource: Resource, key: string, details: string): Promise<void>;
  emailInvoice(key: string): Promise<void>;
  onlineInvoiceUrl(key: string): Promise<string>;
  /** Makes the repeating invoices that are due. @returns what became of each date */
  runRepeating(): Promise<RepeatingRun[]>;
  /** @param name  path segment, `ProfitAndLoss` */
  report(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report>;
  /** Every report of an answer: 1099 reports come in twos. */
  reports(name: string, parameters?: Readonly<Record<string, string>>): Promise<Report[]>;
  /** Any request at all, answered as it comes, errors included. A dry run is the caller's to mind. */
  send(request: ServiceRequest): Promise<ServiceResponse>;
  /** Releases the connection or the book. */
  close(): Promise<void>;
}

/** A file to be sent. */
export interface Upload {
  readonly name: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Customers see it with the invoice online. */
  readonly includeOnline?: boolean | undefined;
  /** Read anew each time it is sent. */
  readonly body: Chunks;
}

export interface ClientOptions {
  /**
   * Makes the key of a write that was given none. Only a connection that can lose an answer needs
   * one; an embedded call either returns or it did not happen.
   */
  readonly newKey?: () => string;
  /** The default of `WriteOptions.dryRun`. */
  readonly dryRun?: boolean;
  /**
   * Whether the service itself can try a write and take it back (`x-dry-run`). One that cannot must
   * never see the write: the input is then checked against the description alone.
   */
  readonly rollsBack?: boolean;
  /** The default of `unitDecimals` in queries and writes. */
  readonly unitDecimals?: 2 | 4;
  /** Ends a walk over pages between two of them. */
  readonly signal?: AbortSignal | undefined;
  readonly close?: () => Promise<void>;
}

/** Records on one page; the service document knows no larger one. */
const pageSize = 100;

/** Largest printed record that is taken. */
const pdfBytesMax = 256 * 1024 * 1024;

/** Statuses of records that are out of use; a name they bear may be borne again. */
const goneStatuses = new Set(["ARCHIVED", "DELETED", "VOIDED"]);

export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  type Query = [name: string, value: string][];

  /** @throws what the service threw */
  async function call(request: ServiceRequest): Promise<ServiceResponse> {
    options.signal?.throwIfAborted();
    const response = await transport(request);
    if (response.status >= 400) {
      const { decodeError } = await import("../wire/failure.ts");
      throw await decodeError(response.status, response.headers, await textOf(response.body));
    }
    return response;
  }

  function read(
    path: string,
    query: Query = [],
    more: Partial<Pick<ServiceRequest, "headers" | "wanted">> = {},
  ) {
    return call({ ...more, method: "GET", path, query, headers: { ...accept, ...more.headers } });
  }

  async function get(path: string, query: Query = []) {
    return textOf((await read(path, query)).body);
  }

  async function write(
    method: "PUT" | "POST" | "DELETE",
    resource: Resource,
    path: string,
    body: string | undefined,
    asked: WriteOptions,
    query: Query = [],
  ): Promise<string> {
    const digits = resource.unitdp === true ? (asked.unitDecimals ?? options.unitDecimals) : 2;
    const key = asked.idempotencyKey ?? (method === "DELETE" ? undefined : options.newKey?.());
    const response = await call({
      method,
      path,
      query: digits === 4 ? [...query, ["unitdp", "4"]] : query,
      headers: {
        ...accept,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(isDry(asked) ? { "x-dry-run": "true" } : {}),
      },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    return textOf(response.body);
  }

  const isDry = (asked: WriteOptions) => asked.dryRun ?? options.dryRun ?? false;
  /** Whether a write must stay at home. */
  const staysHere = (asked: WriteOptions) => isDry(asked) && options.rollsBack !== true;

  const unitdp = (resource: Resource, query: ListQuery): Query =>
    resource.unitdp === true && (query.unitDecimals ?? options.unitDecimals) === 4
      ? [["unitdp", "4"]]
      : [];

  async function findByName<R extends Resource>(resource: R, key: string): Promise<string> {
    const names = nameFields(resource);
    const where = anyOf(names.map((name) => compare(resource.fields, name, "==", key)));
    const found: Shape<R>[] = [];
    // Two that are in use settle that the name is ambiguous; a hundred out of use settle nothing.
    const query = { where, parameters: { includeArchived: "true" }, limit: pageSize };
    for await (const record of client.list(resource, query)) found.push(record);
    const inUse = found.filter((record) => !goneStatuses.has(statusOf(record) ?? ""));
    const fits = inUse.length > 0 ? inUse : found;
    if (fits.length > 1) {
      const ids = fits.map((record) => idOf(resource, record));
      throw new RefusedError(
        "Ambiguous",
        `There are ${fits.length} of ${resource.noun} ${key}; name one by its id: ${ids.join(", ")}.`,
      );
    }
    const only = fits[0];
    if (only === undefined) {
      throw new NotFoundError("NotFound", `There is no ${resource.noun} ${key}.`);
    }
    return idOf(resource, only);
  }

  const client: Client = {
    async find(resource, key, query = {}) {
      const path = recordPath(
        resource,
        standsInPath(resource, key) ? key : await findByName(resource, key),
      );
      const { parameters = {} } = query;
      const asked = [...Object.entries(parameters), ...unitdp(resource, query)];
      const body = await get(path, asked).catch((error: unknown) => {
        throw error instanceof NotFoundError
          ? new NotFoundError("NotFound", `There is no ${resource.noun} ${key}.`, [], {
              cause: error,
            })
          : error;
      });
      return onlyRecord(resource, await answerOf(resource, body));
    },

    list(resource, query = {}) {
      const { limit = Number.POSITIVE_INFINITY } = query;
      const paged = resource.paged !== undefined;
      // A short list is one short page; a service that knows no pageSize sends more, cut off here.
      const size = Math.min(limit, pageSize);
      const first = query.page ?? 1;
      const headers: Record<string, string> =
        query.modifiedSince === undefined
          ? {}
          : { "if-modified-since": new Date(query.modifiedSince).toISOString().slice(0, 19) };

      const isShort = isSummary(resource, query.fields);
      const wanted = isShort ? query.fields : undefined;
      let itemCount: number | undefined;
      let more = false;
      const { offsetBy } = resource;
      async function* walk() {
        let left = limit;
        let after = query.offset ?? 0;
        for (let page = first; left > 0; page++) {
          const asked = [...listParameters(query), ...unitdp(resource, query)];
          if (offsetBy !== undefined) asked.push(["offset", String(after)]);
          if (paged) asked.push(["page", String(page)]);
          if (isShort) asked.push(["summaryOnly", "true"]);
          if (paged && size < pageSize) asked.push(["pageSize", String(size)]);
          const response = await read(`/${resource.plural}`, asked, { headers, wanted });
          const { records, pagination } =
            (isShort ? heldIn(response, resource) : undefined) ??
            (await answerOf(withOnly(resource, query.fields), await textOf(response.body)));
          if (offsetBy === undefined) {
            itemCount = paged ? pagination?.itemCount : records.length;
          }
          yield* left < records.length ? records.slice(0, left) : records;
          // How many come at a time is the service's own affair: only nothing more is the end.
          if (offsetBy !== undefined) after = numberOf(records.at(-1), offsetBy);
          const isLast = paged
            ? pagination === undefined
              ? records.length < size
              : page >= pagination.pageCount
            : offsetBy === undefined || records.length === 0;
          more = !isLast || left < records.length;
          left -= records.length;
          if (isLast || query.page !== undefined) return;
        }
      }
      return {
        get itemCount() {
          return itemCount;
        },
        get more() {
          return more;
        },
        [Symbol.asyncIterator]: walk,
      };
    },

    async at(resource, path, parameters = {}) {
      return (await answerOf(resource, await get(path, Object.entries(parameters)))).records;
    },

    async create(resource, input, asked = {}) {
      if (staysHere(asked)) return wouldBe(resource, input, { creating: true });
      const path = `${asked.under ?? ""}/${resource.plural}`;
      const body = await write("PUT", resource, path, encodeInputs(resource, [input]), asked);
      return onlyRecord(resource, await answerOf(resource, body));
    },

    async update(resource, key, input, asked = {}) {
      if (staysHere(asked)) {
        const held = asked.under === undefined ? await client.find(resource, key) : {};
        return wouldBe(resource, input, { creating: false, held });
      }
      const posted = resource.record.includes("POST")
        ? { path: `${asked.under ?? ""}${recordPath(resource, key)}`, input }
        : { path: `/${resource.plural}`, input: { ...input, [resource.id]: key } };
      const body = await write(
        "POST",
        resource,
        posted.path,
        encodeInputs(resource, [posted.input]),
        asked,
      );
      return onlyRecord(resource, await answerOf(resource, body));
    },

    async writeMany(method, resource, inputs, asked = {}) {
      if (staysHere(asked)) {
        return inputs.map((input) => outcomeHere(resource, input, method === "PUT"));
      }
      const query: Query = resource.summarizeErrors === true ? [["SummarizeErrors", "false"]] : [];
      const path = `${asked.under ?? ""}/${resource.plural}`;
      const body = await write(
        method,
        resource,
        path,
        encodeInputs(resource, inputs),
        asked,
        query,
      );
      const { records, outcomes } = await answerOf(resource, body);
      return records.map((record, index) => {
        const { errors = [], warnings = [] } = outcomes[index] ?? {};
        return { record, errors, warnings };
      });
    },

    async remove(resource, key, asked = {}) {
      if (staysHere(asked)) return undefined;
      const path = `${asked.under ?? ""}${recordPath(resource, key)}`;
      const body = await write("DELETE", resource, path, undefined, asked);
      return body === "" ? undefined : (await answerOf(resource, body)).records[0];
    },

    async printed(resource, key) {
      const headers = { accept: "application/pdf" };
      const { body } = await read(recordPath(resource, key), [], { headers });
      const bytes = typeof body === "string" ? Buffer.from(body) : await collect(body, pdfBytesMax);
      if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") return bytes;
      const message = `The service sent something else than the ${resource.noun} as PDF.`;
      throw new UnavailableError("NoPdf", message);
    },

    async attachments(resource, key) {
      return client.at(attachment, `${recordPath(resource, key)}/Attachments`);
    },

    async attach(resource, key, { name, mimeType, size, includeOnline, body }) {
      if (staysHere({})) return undefined;
      const idempotencyKey = options.newKey?.();
      const response = await call({
        method: "PUT",
        path: attachmentPath(resource, key, name),
        query: includeOnline === true ? [["IncludeOnline", "true"]] : [],
        headers: {
          ...accept,
          "content-type": mimeType,
          "content-length": String(size),
          ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
          ...(isDry({}) ? { "x-dry-run": "true" } : {}),
        },
        body,
      });
      return onlyRecord(attachment, await answerOf(attachment, await textOf(response.body)));
    },

    async download(resource, key, name) {
      const path = attachmentPath(resource, key, name);
      const { body } = await call({ method: "GET", path, query: [], headers: {}, streamed: true });
      return isChunks(body) ? body : wholly(body);
    },

    async history(resource, key) {
      return client.at(historyRecord, `${recordPath(resource, key)}/History`);
    },

    async note(resource, key, details) {
      if (staysHere({})) return;
      const body = encodeInputs(historyRecord, [{ Details: details }]);
      await write("PUT", historyRecord, `${recordPath(resource, key)}/History`, body, {});
    },

    async emailInvoice(key) {
      // A message cannot be taken back, so a dry run never gets as far as asking for one.
      if (isDry({})) return;
      await write("POST", invoice, `${recordPath(invoice, key)}/Email`, "{}", { unitDecimals: 2 });
    },

    async onlineInvoiceUrl(key) {
      const body = await get(`${recordPath(invoice, key)}/OnlineInvoice`);
      const { OnlineInvoices: [online] = [] } = JSON.parse(body) as {
        OnlineInvoices?: { OnlineInvoiceUrl?: string }[];
      };
      if (online?.OnlineInvoiceUrl === undefined) {
        throw new NotFoundError("NotFound", `Invoice ${key} has no address online.`);
      }
      return online.OnlineInvoiceUrl;
    },

    async runRepeating() {
      if (staysHere({})) {
        const message = "This service cannot say beforehand what would be made.";
        throw new RefusedError("NoDryRun", message);
      }
      const path = "/RepeatingInvoices/Run";
      const body = await write("POST", repeatingRun, path, "{}", {});
      return (await answerOf(repeatingRun, body)).records;
    },

    async report(name, parameters = {}) {
      const [report] = await client.reports(name, parameters);
      if (report === undefined) throw new NotFoundError("NotFound", `There is no report ${name}.`);
      return report;
    },

    async reports(name, parameters = {}) {
      const { decodeReports } = await import("../wire/answer.ts");
      const path = `/Reports/${encodeURIComponent(name)}`;
      return decodeReports(await get(path, Object.entries(parameters)));
    },

    send: (request) => transport(request),

    close: async () => options.close?.(),
  };
  return client;
}

const accept = { accept: "application/json" } as const;

function listParameters(query: ListQuery): [string, string][] {
  const { parameters = {}, where, order, searchTerm } = query;
  return [
    ...Object.entries(parameters),
    ...given("where", where),
    ...given("order", order),
    ...given("searchTerm", searchTerm),
  ];
}

function given(name: string, value: string | undefined): [string, string][] {
  return value === undefined || value === "" ? [] : [[name, value]];
}

/** The path of one record below the API root. */
export function recordPath(resource: Resource, key: string): string {
  return `/${resource.plural}/${encodeURIComponent(key)}`;
}

/** Brackets are encoded as well, which a service may insist on. */
function attachmentPath(resource: Resource, key: string, name: string): string {
  const encoded = encodeURIComponent(name).replace(/[()]/g, (it) => (it === "(" ? "%28" : "%29"));
  return `${recordPath(resource, key)}/Attachments/${encoded}`;
}

/** A body that is at hand, as one piece. */
async function* wholly(body: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body as Uint8Array);
}

/** The fields by which a person may name a record, the id not counted. */
export function nameFields(resource: Resource): string[] {
  const named = Object.keys(resource.fields).filter((name) => resource.fields[name]?.key === true);
  return [...new Set([...(resource.keys ?? []), ...named])].filter((name) => name !== resource.id);
}

/** Whether the service finds a record by this key in a path, or only by a filter. */
function standsInPath(resource: Resource, key: string): boolean {
  const names = nameFields(resource);
  return (
    names.length === 0 ||
    resource.fields[resource.id]?.kind !== "id" ||
    isGuid(key) ||
    names.every((name) => resource.keys?.includes(name) === true)
  );
}

function idOf(resource: Resource, record: object): string {
  return String((record as Record<string, unknown>)[resource.id]);
}

function numberOf(record: object | undefined, field: string): number {
  return Number((record as Record<string, unknown> | undefined)?.[field] ?? Number.NaN);
}

function statusOf(record: object): string | undefined {
  const { Status, ContactStatus } = record as { Status?: string; ContactStatus?: string };
  return Status ?? ContactStatus;
}

interface Answer<R extends Resource> {
  readonly records: Shape<R>[];
  readonly outcomes: readonly Outcome[];
  readonly pagination?: Pagination | undefined;
}

/** The answer as the records it was decoded by, which the codec's types cannot follow. */
/** The records themselves, where the service runs in this process and a few fields are enough. */
function heldIn<R extends Resource>({ held }: ServiceResponse, resource: R): Answer<R> | undefined {
  if (held?.plural !== resource.plural) return undefined;
  return { ...held, outcomes: [] } as unknown as Answer<R>;
}

/** Whether every field that is needed stands in a summary as well. */
function isSummary(resource: Resource, fields: ListQuery["fields"]): boolean {
  if (!resource.summaryOnly || fields === undefined) return false;
  return fields.every((name) => {
    const field = resource.fields[name];
    return field !== undefined && field.kind !== "many" && field.shown === undefined;
  });
}

/** The resource with only the fields that are needed, so that no others are read. */
function withOnly<R extends Resource>(resource: R, fields: ListQuery["fields"]): R {
  if (fields === undefined) return resource;
  const kept = Object.entries(resource.fields).filter(([name]) => fields.includes(name));
  return { ...resource, fields: Object.fromEntries(kept) };
}

async function answerOf<R extends Resource>(resource: R, body: string): Promise<Answer<R>> {
  const { decodeAnswer } = await import("../wire/answer.ts");
  return decodeAnswer(resource, body) as unknown as Answer<R>;
}

function onlyRecord<R extends Resource>(resource: R, { records }: Answer<R>): Shape<R> {
  const [record] = records;
  if (record === undefined) {
    throw new NotFoundError("NotFound", `The service answered without the ${resource.noun}.`);
  }
  return record;
}

/** One record of a batch that was never sent, with the faults that its description can show. */
function outcomeHere<R extends Resource>(
  resource: R,
  input: Input<R>,
  creating: boolean,
): WriteResult<R> & { readonly faults: readonly Detail[] } {
  const faults = validate(resource.fields, input, { creating });
  // What the service would compute is missing, which the types of an answer do not foresee.
  const record = input as unknown as Shape<R>;
  return { record, errors: faults.map(({ message }) => message), warnings: [], faults };
}

/**
 * What a write that was never sent would have sent, over what is held already.
 *
 * @throws RefusedError with every fault in `details`
 */
function wouldBe<R extends Resource>(
  resource: R,
  input: Input<R>,
  options: { readonly creating: boolean; readonly held?: object },
): Shape<R> {
  const { record, faults } = outcomeHere(resource, input, options.creating);
  const [first, ...others] = faults;
  if (first === undefined) return { ...options.held, ...record };
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new RefusedError("ValidationException", `${first.message}${more}`, faults);
}
