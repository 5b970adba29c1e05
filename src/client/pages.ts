/** Lists, read page by page as their records are consumed. */
import { pathOf, type Resource } from "../resources/field.ts";
import { textOf } from "../wire/body.ts";
import type { ServiceResponse } from "../wire/http.ts";
import { type Answer, answerOf, type Requests } from "./requests.ts";
import type { ListQuery, Records } from "./types.ts";

/** Records on one page; the service document knows no larger one. */
export const pageSize = 100;

/** Nothing is asked for before the records are. */
export function pagesOf<R extends Resource>(
  calls: Requests,
  resource: R,
  query: ListQuery = {},
): Records<R> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const paged = resource.paged !== undefined;
  const { offsetBy } = resource;
  // A short list is one short page; a service that knows no pageSize sends more, cut off here.
  const size = Math.min(limit, pageSize);
  let itemCount: number | undefined;
  let more = false;
  async function* walk() {
    let left = limit;
    let after = query.offset ?? 0;
    for (let page = query.page ?? 1; left > 0; page++) {
      const { records, pagination } = await readPage(calls, resource, query, { page, size, after });
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
}

/** Where in a list its next records stand: by their page, or after a number. */
interface Place {
  readonly page: number;
  readonly size: number;
  readonly after: number;
}

async function readPage<R extends Resource>(
  { read, unitdp }: Requests,
  resource: R,
  query: ListQuery,
  { page, size, after }: Place,
): Promise<Answer<R>> {
  const paged = resource.paged !== undefined;
  const isShort = isSummary(resource, query.fields);
  const asked = [...listParameters(query), ...unitdp(resource, query)];
  if (resource.offsetBy !== undefined) asked.push(["offset", String(after)]);
  if (paged) asked.push(["page", String(page)]);
  if (paged && query.count === false) asked.push(["count", "false"]);
  if (isShort) asked.push(["summaryOnly", "true"]);
  if (paged && size < pageSize) asked.push(["pageSize", String(size)]);
  const headers: Record<string, string> =
    query.modifiedSince === undefined
      ? {}
      : { "if-modified-since": new Date(query.modifiedSince).toISOString().slice(0, 19) };
  const wanted = isShort ? query.fields : undefined;
  const response = await read(pathOf(resource), asked, { headers, wanted });
  const held = isShort ? heldIn(response, resource) : undefined;
  if (held !== undefined) return held;
  return answerOf(withOnly(resource, query.fields), await textOf(response.body));
}

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

function numberOf(record: object | undefined, field: string): number {
  return Number((record as Record<string, unknown> | undefined)?.[field] ?? Number.NaN);
}

/** The records themselves, where the service runs in this process and hands them over. */
export function heldIn<R extends Resource>(
  { held }: ServiceResponse,
  resource: R,
): Answer<R> | undefined {
  if (held?.plural !== resource.plural) return undefined;
  return { ...held, outcomes: [] } as unknown as Answer<R>;
}

/** Whether every field that is needed stands in a summary as well. */
function isSummary(resource: Resource, fields: ListQuery["fields"]): boolean {
  if (!resource.summaryOnly || fields === undefined) return false;
  const { summaryLacks = [] } = resource;
  return fields.every((name) => {
    if (summaryLacks.includes(name)) return false;
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
