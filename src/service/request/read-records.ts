/** Reads records: lists with all query options, and single records. */

import { refusal } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import { filterFields, type ListQuery, list } from "../../store/mapping/records.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { Pagination, View } from "../../wire/codec.ts";
import { readModifiedSince } from "../../wire/dates.ts";
import { encodeRecords } from "../../wire/encode/encode.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { type OrderTerm, parseOrder } from "../../wire/query/order.ts";
import type { FilterField, Where } from "../../wire/query/tree.ts";
import { parseWhere } from "../../wire/query/where.ts";
import { answer, answerFields, answerWritten, hasHandles } from "./answer.ts";
import { type RequestContext, unitDecimalsOf } from "./context.ts";
import type { RecordHandler } from "./endpoint.ts";
import { type Endpoint, locate } from "./endpoint.ts";
import { isPurchase, maySeePurchases } from "./permissions.ts";
import { lazy } from "./route.ts";

const attachments = lazy(() => import("./shown-attachments.ts"));

const pageMax = 1_000_000;
const pageSizeMax = 1000;
const pageSizeDefault = 100;

export async function readCollection(
  call: RequestContext,
  endpoint: Endpoint,
): Promise<ServiceResponse> {
  const { resource, summaryOmits, summaryView = "list" } = endpoint;
  const isSummary = summaryOmits !== undefined && (call.query.boolean("summaryOnly") ?? false);
  const paging = pagingOf(call, resource, isSummary);
  const view: View = paging !== undefined && !isSummary ? "paged" : "list";
  const fields = isSummary ? keptOf(call, resource) : undefined;
  const { records, pagination } = await call.read(async (tx) => {
    const query = { ...listQuery(call, endpoint), ...paging?.window, fields };
    const listedRecords = await list(tx, resource, query);
    const pagination = paging && paginationOf(paging, listedRecords);
    const shownRecords =
      fields === undefined
        ? await endpoint.expand?.(call, tx, listedRecords.records, view)
        : listedRecords.records;
    return { records: shownRecords ?? listedRecords.records, pagination };
  });
  if (isSummary) for (const record of records) omit(record, summaryOmits);
  if (pagination === undefined) return answer(call, resource, records, view);
  if (fields !== undefined) return answerFields(call, resource, records, pagination);
  return answer(call, resource, records, isSummary ? summaryView : view, { pagination });
}

/** Returns the requested fields if the store has them all; else undefined. */
function keptOf({ request }: RequestContext, { fields }: Resource): readonly string[] | undefined {
  const { wanted } = request;
  const isSortable = (name: string) => fields[name] !== undefined && fields[name].computed !== true;
  return wanted?.every(isSortable) ? wanted : undefined;
}

/** Returns the requested or enforced page; undefined where all records are answered at once. */
function pagingOf(call: RequestContext, resource: Resource, isSummary: boolean) {
  if (resource.paged === undefined) return undefined;
  const isEnforced = resource.paged === "enforced" || isSummary;
  const isAsked = ["page", "pageSize"].some((name) => call.query.get(name) !== undefined);
  return isEnforced || isAsked ? pageAsked(call) : undefined;
}

/** Returns the page that a list answers with, the first when none is asked for. */
export function pageAsked({ query }: RequestContext) {
  // Clients that count pages from 0 mean the first page.
  const number = query.integer("page", 0, pageMax) || 1;
  const size = query.integer("pageSize", 1, pageSizeMax) ?? pageSizeDefault;
  const count = query.boolean("count") ?? true;
  // Without a count, one additional record shows whether another page follows.
  const window = { limit: count ? size : size + 1, offset: (number - 1) * size, count };
  return { page: number, pageSize: size, window };
}

/**
 * Returns page number and count. Counting all matches is slow in a large book, so the caller may
 * skip it (`count=false`, an extension): then only the existence of a next page is known.
 */
export function paginationOf(
  { page, pageSize }: ReturnType<typeof pageAsked>,
  { records, count }: { readonly records: unknown[]; readonly count?: number | undefined },
): Pagination {
  if (count !== undefined) {
    const pageCount = Math.max(1, Math.ceil(count / pageSize));
    return { page, pageSize, pageCount, itemCount: count };
  }
  const isLast = records.length <= pageSize;
  records.length = Math.min(records.length, pageSize);
  return { page, pageSize, pageCount: isLast ? page : page + 1 };
}

function omit(record: Record<string, unknown>, fields: readonly string[]): void {
  for (const field of fields) delete record[field];
}

/** Returns the store query for the parameters and headers of a list request. */
function listQuery(call: RequestContext, endpoint: Endpoint): ListQuery {
  const { resource } = endpoint;
  const { query, principal } = call;
  const search = resource.search && query.get("searchTerm");
  const isMine = resource.createdByMyApp === true && query.boolean("createdByMyApp");
  return {
    where: conditionOf(call, endpoint),
    order: orderOf(call, endpoint),
    ...parametersOf(call, resource),
    modifiedSince: resource.modifiedSince === true ? modifiedSince(call) : undefined,
    search: search ? { fields: resource.search ?? [], text: search } : undefined,
    createdByApp: isMine ? principal.app : undefined,
  };
}

function conditionOf(call: RequestContext, endpoint: Endpoint): Where | undefined {
  const { resource } = endpoint;
  const args: Where[] = [...(endpoint.defaultFilter?.(call) ?? []), ...salesOnly(call, resource)];
  const whereText = resource.where ? call.query.get("where") : undefined;
  if (whereText !== undefined)
    args.push(parseWhere(whereText, resource.name, filterFields(resource), call));
  return args.length > 1 ? { op: "and", args } : args[0];
}

/** Returns the filter that hides purchases from callers who may see only sales. */
function salesOnly({ principal }: RequestContext, resource: Resource): readonly Where[] {
  const { name, fields } = resource;
  const type = fields.Type;
  if (maySeePurchases(principal.role) || type?.kind !== "choice") return [];
  const bought = type.values.filter((choice) => isPurchase(choice));
  const fieldOf = filterFields(resource);
  return bought.map((choice) => parseWhere(`Type!="${choice}"`, name, fieldOf));
}

/** Returns the requested order, else by time of change; the store breaks ties by id. */
function orderOf(
  call: RequestContext,
  { resource, listOrder }: Endpoint,
): readonly OrderTerm[] | undefined {
  const { changedAt = "UpdatedDateUTC" } = resource;
  const changeField = resource.fields[changedAt] === undefined ? undefined : changedAt;
  const text = resource.order === true ? call.query.get("order") : undefined;
  const order = text ?? listOrder ?? changeField;
  return order === undefined ? undefined : parseOrder(order, resource.name, filterFields(resource));
}

/**
 * Returns filters of parameters such as IDs, Statuses and DateFrom.
 *
 * @throws RefusedError for an invalid value, except within the lists of ids, numbers and statuses,
 *   whose unknown entries match nothing
 */
function parametersOf(call: RequestContext, resource: Resource): Pick<ListQuery, "in" | "ranges"> {
  const fieldOf = filterFields(resource);
  const oneOf: NonNullable<ListQuery["in"]>[number][] = [];
  const ranges: NonNullable<ListQuery["ranges"]>[number][] = [];
  for (const { name, field, test = "in" } of resource.parameters ?? []) {
    const filterField = fieldOf(field.split("."));
    if (filterField === undefined) continue;
    if (test !== "in") {
      const bound = call.query.day(name);
      if (bound !== undefined) ranges.push({ field, [test]: bound });
      continue;
    }
    const entries = call.query.list(name);
    const isList = lists.test(name);
    if (isList && filterField.kind !== "choice" && call.query.isEmpty(name)) {
      throw refusal("Parameter", `The parameter ${name} is empty; leave it out for all records.`);
    }
    if (entries === undefined) continue;
    const values = entries.flatMap((entry) => {
      const value = storedSpelling(filterField, entry);
      if (value === undefined && !isList) throw unusableRefusal(name, filterField, entry);
      return value ?? [];
    });
    oneOf.push({ field, values });
  }
  return { in: oneOf, ranges };
}

/** Parameters that are lists by the public API, whose unknown entries are skipped. */
const lists = /^(?:IDs|Statuses|ContactIDs|InvoiceNumbers|References)$/;

/** Returns the refusal of a parameter with a value that its field cannot have. */
function unusableRefusal(name: string, { choices }: FilterField, entry: string) {
  const expectedValue = choices === undefined ? "a GUID" : `one of ${choices.join(", ")}`;
  return refusal(
    "Parameter",
    `The parameter ${name} must be ${expectedValue}, not '${entry.slice(0, 60)}'.`,
  );
}

/** Returns a filter value in the spelling of the store. */
function storedSpelling({ kind, choices = [] }: FilterField, entry: string): string | undefined {
  if (kind === "id") return readId(entry);
  if (kind !== "choice") return entry;
  return choices.find((choice) => choice.toLowerCase() === entry.toLowerCase());
}

/** Returns the time of `If-Modified-Since` in milliseconds since 1970 UTC. */
export function modifiedSince(call: RequestContext): number | undefined {
  const text = call.request.headers["if-modified-since"];
  if (text === undefined || text === "") return undefined;
  const sinceMs = readModifiedSince(text);
  if (sinceMs === undefined) {
    throw refusal(
      "Parameter",
      `The header If-Modified-Since is no date and time: '${text.slice(0, 60)}'.`,
    );
  }
  return sinceMs;
}

export const readOne: RecordHandler = async (call, endpoint, key) => {
  const { resource, cacheable: timeless } = endpoint;
  const handles = hasHandles(call, resource);
  const form = { view: "single", unitDecimals: unitDecimalsOf(call, resource), handles } as const;
  const readList = async (tx: Tx) => {
    const record = await locate(call, tx, endpoint, key);
    const [shown = record] = (await endpoint.expand?.(call, tx, [record], "single")) ?? [];
    if (shown.HasAttachments === true) {
      const { attachmentsShown } = await attachments();
      shown.Attachments = await attachmentsShown(call, tx, endpoint, record);
    }
    return encodeRecords(call.format, resource, [shown], form);
  };
  const writtenAnswer = timeless
    ? await call.readCached(
        // The cache key includes the permission to see purchases, since answers differ.
        `${resource.name} ${key} ${call.format} ${form.unitDecimals} ${handles} ${maySeePurchases(call.principal.role)}`,
        readList,
      )
    : await call.read(readList);
  return answerWritten(call, writtenAnswer);
};
