/**
 * The id of a request, for the log, the answer and fault reports.
 *
 * The caller, or a proxy in front, may set it; a malformed id is ignored, so that no header can
 * forge log lines.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestInfo } from "../../wire/http.ts";

/** Request info with the trace, which the answer and the log name. */
export interface PortRequestInfo extends RequestInfo {
  readonly trace: Trace | undefined;
}

export interface Trace {
  /** Trace id of the caller, 32 hexadecimal digits. */
  readonly id: string;
  /** `traceparent` of the answer: the same trace, with our own span. */
  readonly parent: string;
}

/** Pattern of well-formed ids: letters, digits, and punctuation of ids. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/**
 * Returns the info of a request. Its id comes from X-Request-Id, else of the trace in
 * `traceparent`, else a new GUID.
 *
 * @param address  IP address of the client
 * @source W3C Trace Context, "traceparent Header": later versions may add fields at the end
 */
export function requestInfoOf(headers: IncomingHttpHeaders, address: string): PortRequestInfo {
  const header = headers["x-request-id"];
  const trace = headers.traceparent === undefined ? undefined : traceOf(headers.traceparent);
  const isGiven = typeof header === "string" && wellFormed.test(header);
  const id = isGiven ? header : (trace?.id ?? randomUUID());
  return {
    id,
    trace,
    address,
    through: "API",
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

/** Returns the response headers with request id and trace. */
export function headersOf({ id, trace }: PortRequestInfo): Record<string, string> {
  if (trace === undefined) return { "x-request-id": id };
  return { "x-request-id": id, traceparent: trace.parent };
}

const idByRequest = new WeakMap<IncomingMessage, string>();

/** Stores the id of a request outside the API, for its handlers. */
export function noteRequestId(incoming: IncomingMessage, id: string): void {
  idByRequest.set(incoming, id);
}

/** Returns the stored id; undefined for a request of another listener. */
export function requestIdOf(incoming: IncomingMessage): string | undefined {
  return idByRequest.get(incoming);
}
