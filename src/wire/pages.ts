/** Reads lists page by page as their records are consumed. */
import { pathOf, type Resource, type Shape } from "../resources/field.ts";
import { textOf } from "./body.ts";
import type { Pagination, WriteOutcome } from "./codec.ts";
import type { ServiceRequest, ServiceResponse } from "./http.ts";

export interface ListQuery {
  /** Filters of the resource by parameter name (`Statuses`, `ContactIDs`, …). */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly where?: string | undefined;
  readonly order?: string | undefined;
  readonly searchTerm?: string | undefined;
  /** Filter: records changed at or after this time, milliseconds since 1970 UTC. */
  readonly modifiedSince?: number | undefined;
  /**
   * Names of the only fields needed; the others may be missing from the records. Fields in the
   * summary of a record are much cheaper than its lines and lists.
   */
  readonly fields?: readonly string[] | undefined;
  /** A single page to read, from 1; otherwise all pages are read as the records are consumed. */
  readonly page?: number | undefined;
  /** Filter: records after this number, for lists read by offset. */
  readonly offset?: number | undefined;
  /** Maximum records in all. */
  readonly limit?: number | undefined;
  /** Whether `itemCount` is needed (default true): counting costs more the larger a book is. */
  readonly count?: boolean | undefined;
  /** Decimals of unit amounts: 2 by default, or 4. */
  readonly unitDecimals?: 2 | 4 | undefined;
}

/** Records that arrive page by page. */
export interface Records<R extends Resource> extends AsyncIterable<Shape<R>> {
  /** Total number of records, once the first page has arrived and if the service gives it. */
  readonly itemCount: number | undefined;
  /** Whether records were left unread because of `limit` or `page`. */
  readonly more: boolean;
}

export type Query = [name: string, value: string][];

/** Read requests to the service; a failed request throws its error. */
export interface PageRequests {
  read(path: string, query: Query, options: RequestOptions): Promise<ServiceResponse>;
  /** Decimals of unit amounts when a query has none. */
  readonly unitDecimals?: ListQuery["unitDecimals"];
  /** Whether the service is this program's own, embedded or serving its books. */
  readonly isOwn?: boolean;
}

export type RequestOptions = Partial<Pick<ServiceRequest, "headers" | "wanted">>;

/** Query parameters for the form of records: decimals of unit amounts, and handles. */
export function formOf(
  { unitdp, fields, extension }: Resource,
  decimals: ListQuery["unitDecimals"],
): Query {
  const hasHandles = (fields.Handle ?? fields.Payments) !== undefined && extension !== true;
  return [
    ...(unitdp === true && decimals === 4 ? ([["unitdp", "4"]] as Query) : []),
    ...(hasHandles ? ([["handles", "true"]] as Query) : []),
  ];
}

export interface RecordsAnswer<R extends Resource> {
  readonly records: Shape<R>[];
  readonly outcomes: readonly WriteOutcome[];
  readonly pagination?: Pagination | undefined;
}

/** Casts an answer to the records it was decoded for, which the codec's types cannot express. */
export async function answerOf<R extends Resource>(
  resource: R,
  body: string,
): Promise<RecordsAnswer<R>> {
  const { decodeAnswer } = await import("./decode/decode-answer.ts");
  return decodeAnswer(resource, body) as unknown as RecordsAnswer<R>;
}

/** Records on one page; the service document allows no larger one. */
export const pageSize = 100;
/**
 * Records on one page of summaries from this program's own service: each page skips those before
 * it.
 */
const ownPageSize = 1000;

/** Iterates over a list; the first request is sent when the records are consumed. */
export function pagesOf<R extends Resource>(
  calls: PageRequests,
  resource: R,
  query: ListQuery = {},
): Records<R> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const paged = resource.paged !== undefined;
  const { offsetBy } = resource;
  // A short list fits one page; a service that ignores pageSize sends more, which is cut off here.
  const isLong =
    calls.isOwn === true && query.page === undefined && paged && isSummary(resource, query.fields);
  const size = Math.min(limit, isLong ? ownPageSize : pageSize);
  let itemCount: number | undefined;
  let hasMore = false;
  async function* walk() {
    let recordsLeft = limit;
    let after = query.offset ?? 0;
    for (let page = query.page ?? 1; recordsLeft > 0; page++) {
      const { records, pagination } = await readPage(calls, resource, query, { page, size, after });
      if (offsetBy === undefined) {
        itemCount = paged ? pagination?.itemCount : records.length;
      }
      yield* recordsLeft < records.length ? records.slice(0, recordsLeft) : records;
      // The service decides the size of a page: only an empty page ends the list.
      if (offsetBy !== undefined) after = numberOf(records.at(-1), offsetBy);
      const isLast = paged
        ? pagination === undefined
          ? records.length < size
          : page >= pagination.pageCount
        : offsetBy === undefined || records.length === 0;
      hasMore = !isLast || recordsLeft < records.length;
      recordsLeft -= records.length;
      if (isLast || query.page !== undefined) return;
    }
  }
  return {
    get itemCount() {
      return itemCount;
    },
    get more() {
      return hasMore;
    },
    [Symbol.asyncIterator]: walk,
  };
}

/** The position of the next records in a list: a page, or the number after which they come. */
interface PagePosition {
  readonly page: number;
  readonly size: number;
  readonly after: number;
}

async function readPage<R extends Resource>(
  { read, unitDecimals }: PageRequests,
  resource: R,
  query: ListQuery,
  { page, size, after }: PagePosition,
): Promise<RecordsAnswer<R>> {
  const isPaged = resource.paged !== undefined;
  const isShort = isSummary(resource, query.fields);
  const parameters = [
    ...listParameters(query),
    ...formOf(resource, query.unitDecimals ?? unitDecimals),
  ];
  if (resource.offsetBy !== undefined) parameters.push(["offset", String(after)]);
  if (isPaged) parameters.push(["page", String(page)]);
  if (isPaged && query.count === false) parameters.push(["count", "false"]);
  if (isShort) parameters.push(["summaryOnly", "true"]);
  if (isPaged && size !== pageSize) parameters.push(["pageSize", String(size)]);
  const headers: Record<string, string> =
    query.modifiedSince === undefined
      ? {}
      : { "if-modified-since": new Date(query.modifiedSince).toISOString().slice(0, 19) };
  const wantedFields = isShort ? query.fields : undefined;
  const response = await read(pathOf(resource), parameters, { headers, wanted: wantedFields });
  const answer = isShort ? heldIn(response, resource) : undefined;
  if (answer !== undefined) return answer;
  return answerOf(withFieldsOnly(resource, query.fields), await textOf(response.body));
}

function listParameters(query: ListQuery): Query {
  const { parameters = {}, where, order, searchTerm } = query;
  return [
    ...Object.entries(parameters),
    ...optionalParameter("where", where),
    ...optionalParameter("order", order),
    ...optionalParameter("searchTerm", searchTerm),
  ];
}

function optionalParameter(name: string, value: string | undefined): Query {
  return value === undefined || value === "" ? [] : [[name, value]];
}

function numberOf(record: object | undefined, field: string): number {
  return Number((record as Record<string, unknown> | undefined)?.[field] ?? Number.NaN);
}

/** The records as objects, when the service runs in this process and returns them so. */
export function heldIn<R extends Resource>(
  { held }: ServiceResponse,
  resource: R,
): RecordsAnswer<R> | undefined {
  if (held?.plural !== resource.plural) return undefined;
  return { ...held, outcomes: [] } as unknown as RecordsAnswer<R>;
}

/** Whether all needed fields are part of the summary. */
function isSummary(resource: Resource, fields: ListQuery["fields"]): boolean {
  if (!resource.summaryOnly || fields === undefined) return false;
  const { summaryLacks = [] } = resource;
  return fields.every((name) => {
    if (summaryLacks.includes(name)) return false;
    const field = resource.fields[name];
    return field !== undefined && field.kind !== "many" && field.shown === undefined;
  });
}

/** The resource reduced to the needed fields, so that no others are decoded. */
function withFieldsOnly<R extends Resource>(resource: R, fields: ListQuery["fields"]): R {
  if (fields === undefined) return resource;
  const entries = Object.entries(resource.fields).filter(([name]) => fields.includes(name));
  return { ...resource, fields: Object.fromEntries(entries) };
}
