/**
 * Converts requests of Node's HTTP server to requests of the service.
 *
 * Requests are untrusted: a large body is passed on in pieces, for the service to read as far as it
 * wants; bytes beyond ASCII in URLs and headers are decoded as UTF-8 where valid; and paths are not
 * resolved or rewritten.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { refusal } from "../../resources/errors.ts";
import { brokenOffError, type Chunks } from "../../wire/body.ts";
import type { ServiceRequest } from "../../wire/http.ts";
import { headerNameOf } from "./header-names.ts";

/** A path below the API root, whose letter case is ignored. */
export interface RequestTarget {
  /** Path with a leading slash. */
  readonly path: string;
  /** Query string without the question mark. */
  readonly search: string;
}

/**
 * Parses a request target.
 *
 * @param url  request target of the request line
 * @param root  `/api.xro/2.0`
 * @returns undefined for a target that is not below the root
 */
export function targetBelow(url: string, root: string): RequestTarget | undefined {
  // Proxies send the absolute form of the target, whose origin is skipped.
  const originLength = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const requestTarget = utf8Of(originLength === 0 ? url : url.slice(originLength));
  const questionMarkAt = requestTarget.indexOf("?");
  const path = questionMarkAt < 0 ? requestTarget : requestTarget.slice(0, questionMarkAt);
  const search = questionMarkAt < 0 ? "" : requestTarget.slice(questionMarkAt + 1);
  if (root === "") return { path: path || "/", search };
  const isUnderRoot =
    path.slice(0, root.length).toLowerCase() === root.toLowerCase() &&
    (path.length === root.length || path[root.length] === "/");
  return isUnderRoot ? { path: path.slice(root.length) || "/", search } : undefined;
}

/** Headers that must not be repeated: a second value could change host, caller or content type. */
const onceOnly = new Set(["host", "authorization", "content-type"]);
const hostForm = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d{0,5})?$/i;

/**
 * Returns a sentence on an ambiguous or invalid head; undefined for a valid one.
 *
 * @source RFC 9112, 3.2: several Host headers, or one that is none, are answered with 400
 */
export function headFault({ rawHeaders, headers, url = "" }: IncomingMessage): string | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    if (onceOnly.has(name) && seen.has(name)) return `The request has two headers ${name}.`;
    seen.add(name);
  }
  const { host = "" } = headers;
  if (!hostForm.test(host)) return "The header host of the request is no host.";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.toLowerCase() === host.toLowerCase()) return undefined;
  return "The address of the request names another host than its header.";
}

/** Converts a request without its body. */
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
    if (typeof value !== "string" || !ascii.test(value)) return utf8Headers(headers);
  }
  // Nearly always there is nothing to convert, and the object belongs to this request alone.
  return headers as Record<string, string>;
}

/** Single-valued headers: for repeated ones Node would keep the first value, or join them. */
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

/** @throws RefusedError for a repeated single-valued header */
export function refuseRepeated({ headers, rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length === 2 * Object.keys(headers).length) return;
  const names = rawHeaders.flatMap((header, at) => (at % 2 === 0 ? header.toLowerCase() : []));
  const again = names.find((name, at) => single.has(name) && names.indexOf(name) < at);
  if (again === undefined) return;
  const message = `The header ${headerNameOf(again)} is sent several times; send it once.`;
  throw refusal("Parameter", message);
}

function utf8Headers(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) texts[name] = utf8Of(typeof value === "string" ? value : value.join());
  }
  return texts;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the question is what lies beyond ASCII.
const ascii = /^[\x00-\x7f]*$/;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes as UTF-8 a text that Node has read as Latin-1, where it is valid UTF-8. */
function utf8Of(text: string): string {
  if (ascii.test(text)) return text;
  try {
    return utf8.decode(Buffer.from(text, "latin1"));
  } catch {
    return text;
  }
}

/**
 * Returns the body: read whole if it is small, else in pieces; undefined without a body.
 *
 * A reader that stops leaves the connection open, since the refusal needs it. An incomplete body or
 * invalid chunked encoding throws.
 *
 * @param beginReading  called before the first piece is read, to send `100 Continue`
 */
export function bodyOf(
  incoming: IncomingMessage,
  beginReading: () => void,
): Promise<Uint8Array> | Chunks | undefined {
  if (!hasBody(incoming)) return undefined;
  return isSmall(incoming) ? readWhole(incoming) : piecesOf(incoming, beginReading);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

const smallBytesMax = 64 * 1024;

/** Whether a body is so small that it arrives together with its head, or soon after. */
export function isSmall({ headers }: IncomingMessage): boolean {
  const { expect, "content-length": length } = headers;
  return expect === undefined && Number(length ?? Number.POSITIVE_INFINITY) <= smallBytesMax;
}

/** Reads by events: an async iterator over one piece would take longer than finding a record. */
function readWhole(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => parts.push(chunk));
    incoming.on("end", () =>
      resolve(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)),
    );
    incoming.on("error", (cause) => reject(brokenOffError(cause)));
    incoming.on("close", () => {
      if (!incoming.complete) reject(brokenOffError(unfinishedError()));
    });
  });
}

async function* piecesOf(incoming: IncomingMessage, begin: () => void): AsyncGenerator<Uint8Array> {
  begin();
  yield* incoming.iterator({ destroyOnReturn: false });
  if (!incoming.complete) throw unfinishedError();
}

function unfinishedError(): Error {
  return new Error("The connection was closed before the body was whole.");
}
