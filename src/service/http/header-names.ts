/**
 * Header names as they go over a port: in canonical case, whatever module wrote them.
 *
 * HTTP does not mind the case, but there are clients in use that look names up as they came. The
 * service and the libraries for pages and sign-in write small letters, so all of them are spelt in
 * one place.
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

/** Names that are not one capital to a word. */
const spelt = [
  "ETag",
  "WWW-Authenticate",
  "X-AppMinLimit-Remaining",
  "X-DayLimit-Remaining",
  "X-MinLimit-Remaining",
  "X-XSS-Protection",
];

/** By the name in small letters; only names that a program uses come here, so it stays small. */
const known = new Map(spelt.map((name) => [name.toLowerCase(), name]));

/** `Content-Type` of `content-type`. */
export function canonicalName(name: string): string {
  const small = name.toLowerCase();
  let canonical = known.get(small);
  if (canonical === undefined) {
    canonical = small.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase());
    known.set(small, canonical);
  }
  return canonical;
}

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer of Node's server whose header names are in canonical case. */
export class CanonicalResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(canonicalName(name), value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return super.appendHeader(canonicalName(name), value);
  }

  override writeHead(status: number, ...rest: (string | Head | undefined)[]): this {
    const head = rest.map((each) => (typeof each === "object" ? canonicalHead(each) : each));
    return super.writeHead(status, ...(head as [Head?]));
  }
}

/** @param head  by name, or name and value in turn */
function canonicalHead(head: Head): Head {
  if (Array.isArray(head)) {
    return head.map((each, index) => (index % 2 === 0 ? canonicalName(String(each)) : each));
  }
  const named: OutgoingHttpHeaders = {};
  for (const name in head) named[canonicalName(name)] = head[name];
  return named;
}
