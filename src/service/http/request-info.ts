/**
 * The id of a request, in the log, in the answer, and in the report of a fault.
 *
 * The caller, or a proxy in front, may have given it one; an id that is not well-formed is ignored,
 * so that no header can break a line of the log.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestInfo } from "../../wire/http.ts";

/** With the trace of the request, which its answer and the log name. */
export interface PortRequestInfo extends RequestInfo {
  readonly trace: Trace | undefined;
}

export interface Trace {
  /** 32 hexadecimal digits, from the caller. */
  readonly id: string;
  /** `traceparent` of the answer: the same trace, and a span of our own. */
  readonly parent: string;
}

/** Letters, digits, and the punctuation of ids. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/**
 * The id that X-Request-Id gives, else that of the trace which `traceparent` names, else a new GUID.
 *
 * @param address  from where it was asked
 * @source W3C Trace Context, "traceparent Header": versions to come may add fields at the end
 */
export function requestInfoOf(headers: IncomingHttpHeaders, address: string): PortRequestInfo {
  const given = headers["x-request-id"];
  const trace = headers.traceparent === undefined ? undefined : traceOf(headers.traceparent);
  const isGiven = typeof given === "string" && wellFormed.test(given);
  const id = isGiven ? given : (trace?.id ?? randomUUID());
  return {
    id,
    trace,
    address,
    through: "API",
    route: undefined,
    app: undefined,
    organisation: undefined,
    code: undefined,
    chaos: undefined,
  };
}

const traceparent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const spanBytes = 8;

function traceOf(header: unknown): Trace | undefined {
  const [, version, id = "", span = "", flags, more] =
    (typeof header === "string" ? traceparent.exec(header) : null) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) {
    return undefined;
  }
  if (/^0+$/.test(id) || /^0+$/.test(span)) return undefined;
  return { id, parent: `00-${id}-${randomBytes(spanBytes).toString("hex")}-${flags}` };
}

/** The headers of the answer that name the request. */
export function headersOf({ id, trace }: PortRequestInfo): Record<string, string> {
  if (trace === undefined) return { "x-request-id": id };
  return { "x-request-id": id, traceparent: trace.parent };
}

const ids = new WeakMap<IncomingMessage, string>();

/** Notes the id of a request that is not for the API, for those who answer it. */
export function noteRequestId(incoming: IncomingMessage, id: string): void {
  ids.set(incoming, id);
}

/** Undefined for a request of another listener. */
export function requestIdOf(incoming: IncomingMessage): string | undefined {
  return ids.get(incoming);
}
