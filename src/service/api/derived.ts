/**
 * The routes derived from a resource description, the same for every resource: the collection, the
 * record, and below the record its allocations, history, attachments and online page.
 */
import { attachment } from "../../resources/attachment.ts";
import { boolean, date, pathOf, type Resource } from "../../resources/field.ts";
import { historyRecord } from "../../resources/index.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { RequestContext } from "../request/context.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { type AccessRule, allocationAccess, attachmentAccess } from "../request/permissions.ts";
import { readCollection, readOne } from "../request/read-records.ts";
import { lazy, type Route, type RouteHandler } from "../request/route.ts";

const allocations = lazy(() => import("../records/allocation.ts"));
const attachments = lazy(() => import("../records/attachment.ts"));
const histories = lazy(() => import("../records/history.ts"));
const online = lazy(() => import("../send/address.ts"));
const printing = lazy(() => import("../send/print.ts"));
const writing = lazy(() => import("../request/write.ts"));

/** @param loading  the module of the endpoint, loaded by the first request for it */
export function derivedRoutes(
  resource: Resource,
  access: AccessRule,
  loading: () => Promise<Endpoint>,
): Route[] {
  const endpoint = lazy(loading);
  const record = `${pathOf(resource)}/{${resource.id}}`;
  /** Returns a handler that calls the named function of the endpoint's module. */
  const by =
    <N extends string>(
      load: () => Promise<{ readonly [K in N]: AnswerFor }>,
      name: N,
    ): RouteHandler =>
    async (call, ...parameters) => {
      const answer: AnswerFor = (await load())[name];
      return answer(call, await endpoint(), ...parameters);
    };
  return [
    ...recordRoutes(resource, access, record, endpoint),
    ...(resource.allocations === true ? allocationRoutes(record, access, by) : []),
    ...(resource.history === true ? historyRoutes(record, access, by) : []),
    ...(resource.attachments === undefined ? [] : attachmentRoutes(record, access, by)),
    ...(resource.online === true ? onlineRoutes(record, access, resource, by) : []),
  ];
}

type AnswerFor = (
  call: RequestContext,
  endpoint: Endpoint,
  ...parameters: string[]
) => Promise<ServiceResponse>;

type By = <N extends string>(
  load: () => Promise<{ readonly [K in N]: AnswerFor }>,
  name: N,
) => RouteHandler;

/** The routes of one record. DELETE is registered with the resource, since its rules differ. */
function recordRoutes(
  resource: Resource,
  access: AccessRule,
  record: string,
  endpoint: () => Promise<Endpoint>,
): Route[] {
  const commonParts = { access, resource, answers: resource };
  const writeRoute = (method: "PUT" | "POST"): Pick<Route, "method" | "takes" | "answer"> => ({
    method,
    takes: resource,
    answer: async (call, key) => (await writing()).write(call, await endpoint(), method, key),
  });
  const readRoute: Pick<Route, "method" | "answer" | "printed"> = {
    method: "GET",
    answer: async (call, key = "") => readOne(call, await endpoint(), key),
    ...(resource.printed === true && {
      printed: async (call, key = "") => (await printing()).printOne(call, await endpoint(), key),
    }),
  };
  const list: Pick<Route, "method" | "answer"> = {
    method: "GET",
    answer: async (call) => readCollection(call, await endpoint()),
  };
  return [
    ...resource.collection.map((method) => ({
      path: pathOf(resource),
      ...commonParts,
      ...(method === "GET" ? list : writeRoute(method)),
    })),
    ...resource.record
      .filter((method) => method !== "DELETE")
      .map((method) => ({
        path: record,
        ...commonParts,
        ...(method === "GET" ? readRoute : writeRoute("POST")),
      })),
  ];
}

function allocationRoutes(record: string, of: AccessRule, by: By): Route[] {
  const path = `${record}/Allocations`;
  const access = allocationAccess(of);
  return [
    {
      method: "PUT",
      path,
      access,
      parameters: {
        onDate: date({ help: "day of the allocations, where bodies have none" }),
        firstOpenDay: boolean({ help: "where that day is locked: the first one after the lock" }),
      },
      answer: by(allocations, "allocate"),
    },
    {
      method: "DELETE",
      path: `${path}/{AllocationID}`,
      access,
      answer: by(allocations, "deleteAllocation"),
    },
  ];
}

function historyRoutes(record: string, access: AccessRule, by: By): Route[] {
  const historyRoute = { path: `${record}/History`, access, answers: historyRecord };
  const addingNotes = { ...historyRoute, takes: historyRecord, answer: by(histories, "addNotes") };
  return [
    { method: "GET", ...historyRoute, answer: by(histories, "readHistory") },
    { method: "PUT", ...addingNotes },
    { method: "POST", ...addingNotes },
  ];
}

function attachmentRoutes(record: string, of: AccessRule, by: By): Route[] {
  const access = attachmentAccess(of);
  const list = { path: `${record}/Attachments`, access, answers: attachment };
  const file = { ...list, path: `${list.path}/{FileName}` };
  const fileRoute = {
    ...file,
    takes: "file",
    parameters: { IncludeOnline: boolean({ help: "show the file with the online invoice" }) },
    answer: by(attachments, "writeAttachment"),
  } as const;
  return [
    { method: "GET", ...list, answer: by(attachments, "listAttachments") },
    { method: "GET", ...file, answers: "file", answer: by(attachments, "readAttachment") },
    { method: "PUT", ...fileRoute },
    { method: "POST", ...fileRoute },
    { method: "DELETE", ...file, answer: by(attachments, "deleteAttachment") },
  ];
}

function onlineRoutes(record: string, access: AccessRule, resource: Resource, by: By): Route[] {
  const onlineRoute = { path: `${record}/OnlineInvoice`, access, resource };
  return [
    { method: "GET", ...onlineRoute, answer: by(online, "readOnline") },
    { method: "DELETE", ...onlineRoute, answer: by(online, "revokeOnline") },
  ];
}
