/**
 * To which process of several a connection goes.
 *
 * Writers of one organisation take turns. Those that meet in one process share a commit; those in
 * several wait for each other's. So each organisation has one process in which it is written to. That
 * decides where a write is done fastest, and never whether it is right: whoever does it takes the lock
 * of the organisation.
 */
import type { IncomingHttpHeaders } from "node:http";
import { apiRoot } from "../book.ts";

/** A request before its body; headers by their names in small letters. */
export interface Head {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * To which organisation a request writes, as far as its head tells: a text that is the same for those
 * who write to the same one. It is its id, or the token of who names none, since that can be for one
 * organisation alone.
 *
 * @returns undefined for a request that only reads, or is not of the API
 */
export function writtenBy({ method, url = "", headers }: Head): string | undefined {
  if (method === undefined || reading.has(method) || !url.startsWith(apiRoot)) return undefined;
  const tenant = headers["xero-tenant-id"];
  const said = typeof tenant === "string" ? tenant.trim().toLowerCase() : "";
  return said || headers.authorization || undefined;
}

/** What stands between two line ends, by name and value. */
const line = /^([^:\s]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads the first request of a connection; what it means is for the server to say, which reads it
 * again.
 *
 * @param text  of its head, and whatever follows
 */
export function readHead(text: string): Head {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end < 0 ? text.length : end).split("\r\n");
  const [method, url] = first.split(" ");
  const headers = lines.flatMap((each) => {
    const [, name, value] = line.exec(each) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return { method, url, headers: Object.fromEntries(headers) };
}

/**
 * Among how many of the processes the organisations are shared out. More of them would take turns at
 * the processors with the database, and make smaller commits.
 *
 * @param processors  how many can run at a time
 */
export function writersAmong(processes: number, processors: number): number {
  return Math.min(processes, Math.max(1, Math.floor(processors / 2)));
}

/**
 * Which of the first `count` processes an organisation has. Every write asks; the hashes that Node has
 * would take it a fiftieth of the time that an invoice takes.
 *
 * @param organisation  what stands for it, the same each time
 */
export function placeOf(organisation: string, count: number): number {
  return fnv1a(organisation) % count;
}

/** FNV-1a of 32 bits, over UTF-16 units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
