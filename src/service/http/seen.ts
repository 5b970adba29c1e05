/**
 * By which name a request is known: in the log, in the answer, and in the report of a fault.
 *
 * A caller, or a proxy in front, may have given it one; whatever is not well-formed is passed over,
 * so that no header can break a line of the log.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Seen } from "../../wire/http.ts";

/** What else of a request stands in its answer and in the log. */
export interface SeenOnPort extends Seen {
  /** Where it belongs to a trace; the answer says so. */
  readonly trace: Trace | undefined;
}

export interface Trace {
  /** 32 hexadecimal digits, from the caller. */
  readonly id: string;
  /** `traceparent` of the answer: the same trace, and a span of our own. */
  readonly parent: string;
}

/** Letters, digits and what ids are put together with. */
const wellFormed = /^[\w.:+/=-]{1,128}$/;

/**
 * The id that X-Request-Id gives, else that of the trace which `traceparent` names, else a new GUID.
 *
 * @source W3C Trace Context, "traceparent Header": versions to come may add fields at the end
 */
export function seenOf(headers: IncomingHttpHeaders): SeenOnPort {
  const given = headers["x-request-id"];
  const trace = headers.traceparent === undefined ? undefined : traceOf(headers.traceparent);
  const isGiven = typeof given === "string" && wellFormed.test(given);
  const id = isGiven ? given : (trace?.id ?? randomUUID());
  return {
    id,
    trace,
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

/** What the answer says of it. */
export function headersOf({ id, trace }: SeenOnPort): Record<string, string> {
  if (trace === undefined) return { "x-request-id": id };
  return { "x-request-id": id, traceparent: trace.parent };
}

const bySeen = new WeakMap<IncomingMessage, SeenOnPort>();

/** Keeps what is seen of a request for the app, which hands on nothing but the request itself. */
export function keepSeen(incoming: IncomingMessage, seen: SeenOnPort): void {
  bySeen.set(incoming, seen);
}

export function keptSeen(incoming: IncomingMessage): SeenOnPort {
  return bySeen.get(incoming) ?? seenOf(incoming.headers);
}
