/**
 * Spells response header names in canonical case.
 *
 * HTTP ignores their case, but some clients compare names exactly. The service and the libraries
 * for pages and sign-in use lower case, so all names are converted in this one place.
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

/** Names that do not simply capitalise each word. */
const spelt = [
  "ETag",
  "WWW-Authenticate",
  "X-AppMinLimit-Remaining",
  "X-DayLimit-Remaining",
  "X-MinLimit-Remaining",
  "X-XSS-Protection",
];

/** Canonical names by lower-case name; bounded, since only names from the program are added. */
const canonicalNames = new Map(spelt.map((name) => [name.toLowerCase(), name]));

/** Returns the canonical case: `Content-Type` for `content-type`. */
export function headerNameOf(name: string): string {
  const small = name.toLowerCase();
  let canonical = canonicalNames.get(small);
  if (canonical === undefined) {
    canonical = small.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    canonicalNames.set(small, canonical);
  }
  return canonical;
}

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response of Node's server with header names in canonical case. */
export class CanonicalResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(headerNameOf(name), value);
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    return super.appendHeader(headerNameOf(name), value);
  }

  override writeHead(status: number, ...headers: (string | Head | undefined)[]): this {
    const head = headers.map((text) => (typeof text === "object" ? canonicalHead(text) : text));
    return super.writeHead(status, ...(head as [Head?]));
  }
}

/** Converts the names of a head. @param head  an object, or names and values in turn */
function canonicalHead(head: Head): Head {
  if (Array.isArray(head)) {
    return head.map((header, index) => (index % 2 === 0 ? headerNameOf(String(header)) : header));
  }
  const canonicalHeaders: OutgoingHttpHeaders = {};
  for (const name in head) canonicalHeaders[headerNameOf(name)] = head[name];
  return canonicalHeaders;
}
