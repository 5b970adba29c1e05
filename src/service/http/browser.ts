/** Requests of a browser for pages: their cookies and forms, and the answers to them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { clientOf, type Trusts } from "../../platform/proxies.ts";
import { collect } from "../../wire/body.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { bodyOf, hasBody, targetBelow } from "./incoming.ts";
import { outgoingOf } from "./outgoing.ts";
import { requestIdOf } from "./request-info.ts";
import { sendOutgoing } from "./send.ts";

export interface BrowserRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Percent-encoded, beginning with a slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  readonly host: string;
  /** Where a form was sent from, as far as the browser says it. */
  readonly origin: string | undefined;
  /** Whether the browser asks ahead of its person. */
  readonly isAhead: boolean;
  /** Whether what led here is no page of this server, as far as the browser says it. */
  readonly isFromElsewhere: boolean;
  readonly form: URLSearchParams | undefined;
  /** From where it came. @param trusts  proxies whose word counts for it */
  readonly from: (trusts: Trusts) => RequestOrigin;
  /** What the browser calls itself. */
  readonly agent: string | undefined;
}

/** Where a request came from, and its name. */
export interface RequestOrigin {
  /** IP address of the browser or the app. */
  readonly address: string;
  readonly requestId: string | undefined;
}

export function originOf(incoming: IncomingMessage, trusts: Trusts): RequestOrigin {
  return { address: placeOf(incoming, trusts), requestId: requestIdOf(incoming) };
}

/** From where it was asked. */
export function placeOf({ headers, socket }: IncomingMessage, trusts: Trusts): string {
  const forwarded = headers["x-forwarded-for"];
  return clientOf(socket.remoteAddress ?? "", forwarded && String(forwarded), trusts);
}

/** Bytes of a form: some fields, percent-encoded. */
const formBytesMax = 64 * 1024;

/** Answers a request with what `work` makes of it. Never throws. */
export async function answerBrowser(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  work: (request: BrowserRequest) => Promise<ServiceResponse>,
): Promise<void> {
  try {
    const request = await requestOf(incoming, outgoing);
    const answer = "status" in request ? request : await work(request);
    const made = await outgoingOf(answer, {
      isHead: incoming.method === "HEAD",
      acceptEncoding: incoming.headers["accept-encoding"] as string | undefined,
      brokenOff: () => outgoing.destroy(),
    });
    await sendOutgoing(made, outgoing);
  } catch {
    outgoing.destroy();
  }
}

/** @returns an answer where the request cannot be one for a page */
async function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<BrowserRequest | ServiceResponse> {
  const { method = "GET", headers, url = "/" } = incoming;
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return plainAnswer(405);
  const { path, search } = targetBelow(url, "") ?? { path: "/", search: "" };
  const form = method === "POST" ? await formOf(incoming, outgoing) : undefined;
  if (form === "none") return plainAnswer(400);
  return {
    method,
    path,
    query: new URLSearchParams(search),
    cookies: cookiesIn(headers.cookie),
    host: headers.host ?? "",
    origin: headers.origin,
    isAhead: headers["sec-purpose"] !== undefined || headers.purpose !== undefined,
    isFromElsewhere: headers["sec-fetch-site"] === "cross-site",
    form,
    from: (trusts) => originOf(incoming, trusts),
    agent: headers["user-agent"],
  };
}

/** The fields of a form; `none` for what is no form, or too large for one. */
async function formOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<URLSearchParams | "none"> {
  const type = incoming.headers["content-type"] ?? "";
  if (!hasBody(incoming)) return new URLSearchParams();
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return "none";
  const begin = () => {
    if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  };
  const body = (await bodyOf(incoming, begin)) ?? new Uint8Array();
  const bytes = await collect(body, formBytesMax).catch(() => undefined);
  return bytes === undefined ? "none" : new URLSearchParams(Buffer.from(bytes).toString());
}

/** @source RFC 6265, section 5.2: pairs, of which the first of a name counts */
function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !found.has(name)) found.set(name, pair.slice(at + 1).trim());
  }
  return found;
}

const reasons = { 400: "Bad Request", 405: "Method Not Allowed" } as const;

function plainAnswer(status: keyof typeof reasons): ServiceResponse {
  const headers = {
    "content-type": "text/plain; charset=UTF-8",
    "cache-control": "no-store",
    ...(status === 405 ? { allow: "GET, HEAD, POST" } : {}),
  };
  return { status, headers, body: `${reasons[status]}\n` };
}
