/** To which organisation a request writes, as far as its head tells. */
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
 * A text that is the same for those who write to the same organisation: its id, or the token of who
 * names none, since that can be for one organisation alone.
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
