/**
 * From a request as Node's HTTP server reads it to a request of the service.
 *
 * Requests are hostile until shown otherwise: a large body is handed over piece by piece, for the
 * service to read as far as it wants; bytes beyond ASCII in addresses and headers are taken for
 * UTF-8 where they are; and nothing of an address is resolved or rewritten on the way.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { refusal } from "../../resources/errors.ts";
import { brokenOff, type Chunks } from "../../wire/body.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import { canonicalName } from "./header-names.ts";

/** An address below the API root, in any letter case of the root. */
export interface RequestTarget {
  /** Starting with `/`. */
  readonly path: string;
  /** Text after the question mark. */
  readonly search: string;
}

/**
 * @param url   the request target as it stands in the request line
 * @param root  `/api.xro/2.0`
 * @returns undefined when the target does not lie below the root
 */
export function targetBelow(url: string, root: string): RequestTarget | undefined {
  // The absolute form of a request line, which proxies send.
  const local = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const target = inUtf8(local === 0 ? url : url.slice(local));
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  const search = question < 0 ? "" : target.slice(question + 1);
  if (root === "") return { path: path || "/", search };
  const isBelow =
    path.slice(0, root.length).toLowerCase() === root.toLowerCase() &&
    (path.length === root.length || path[root.length] === "/");
  return isBelow ? { path: path.slice(root.length) || "/", search } : undefined;
}

/** Headers of which a second one would be another answer to who asks for what. */
const singleHeaders = new Set(["host", "authorization", "content-type"]);
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

/**
 * What is ambiguous or wrong about the head of a request, as a sentence.
 *
 * @source RFC 9112, 3.2: several Host headers, or one that is none, are answered with 400
 */
export function headFault({ rawHeaders, headers, url = "" }: IncomingMessage): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (singleHeaders.has(name) && seen.has(name)) return `The request has two headers ${name}.`;
    seen.add(name);
  }
  const { host = "" } = headers;
  if (!hostForm.test(host)) return "The header host of the request is no host.";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.toLowerCase() === host.toLowerCase()) return undefined;
  return "The address of the request names another host than its header.";
}

/** The request without its body. */
export function headOf(
  method: string,
  { path, search }: RequestTarget,
  headers: IncomingHttpHeaders,
): ServiceRequest {
  return {
    method,
    path,
    query: search === "" ? [] : [...new URLSearchParams(search)],
    headers: readHeaders(headers),
  };
}

function readHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== "string" || !ascii.test(value)) return rewritten(headers);
  }
  // Nearly always there is nothing to rewrite, and Node has made the object for this request.
  return headers as Record<string, string>;
}

/** Headers that say one thing: of several Node would keep the first, or join them. */
const single = new Set([
  "authorization",
  "content-type",
  "content-encoding",
  "if-modified-since",
  "idempotency-key",
  "xero-tenant-id",
  "x-dry-run",
  "x-operation-id",
  "x-operation-command",
  "x-export",
]);

/** @throws RefusedError where a header that says one thing is sent several times */
export function refuseRepeated({ headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length === 2 * Object.keys(headers).length) return;
  const names = rawHeaders.flatMap((each, at) => (at % 2 === 0 ? each.toLowerCase() : []));
  const again = names.find((name, at) => single.has(name) && names.indexOf(name) < at);
  if (again === undefined) return;
  const message = `The header ${canonicalName(again)} is sent several times; send it once.`;
  throw refusal("Parameter", message);
}

function rewritten(headers: IncomingHttpHeaders): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) read[name] = inUtf8(typeof value === "string" ? value : value.join());
  }
  return read;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the question is what lies beyond ASCII.
const ascii = /^[\x00-\x7f]*$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Node reads bytes as Latin-1; they are UTF-8 where they can be. */
function inUtf8(text: string): string {
  if (ascii.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

/**
 * The body: at hand once it has arrived where it is small, else piece by piece; undefined when the
 * request has none.
 *
 * A reader that stops leaves the connection as it is, since the refusal goes over it. A body that
 * breaks off, or is not what HTTP calls chunks, throws.
 *
 * @param begin  called before the first piece is read, for clients that wait to be asked
 */
export function bodyOf(
  incoming: IncomingMessage,
  begin: () => void,
): Promise<Uint8Array> | Chunks | undefined {
  if (!hasBody(incoming)) return undefined;
  return isSmall(incoming) ? wholeOf(incoming) : piecesOf(incoming, begin);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

const smallBytesMax = 64 * 1024;

/** Whether a body has arrived with its head, or nearly. */
export function isSmall({ headers }: IncomingMessage): boolean {
  const { expect, "content-length": length } = headers;
  return expect === undefined && Number(length ?? Number.POSITIVE_INFINITY) <= smallBytesMax;
}

/** Read by events, since to iterate over one piece takes longer than to find a record. */
function wholeOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () =>
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)),
    );
    incoming.on("error", (cause) => reject(brokenOff(cause)));
    incoming.on("close", () => {
      if (!incoming.complete) reject(brokenOff(unfinished()));
    });
  });
}

async function* piecesOf(incoming: IncomingMessage, begin: () => void): AsyncGenerator<Uint8Array> {
  begin();
  yield* incoming.iterator({ destroyOnReturn: false });
  if (!incoming.complete) throw unfinished();
}

function unfinished(): Error {
  return new Error("The connection was closed before the body was whole.");
}
