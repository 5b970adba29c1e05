/** Requests of browsers for pages: cookies, forms, and answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { clientOf, type Trusts } from "../../platform/proxies.ts";
import { collect } from "../../wire/body.ts";
import { type FilledForm, readFilledForm } from "../../wire/filled-form.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { fileLimits, filesMax } from "../request/file-names.ts";
import { bodyOf, hasBody, targetBelow } from "./incoming.ts";
import { outgoingOf } from "./outgoing.ts";
import { requestIdOf } from "./request-info.ts";
import { sendOutgoing } from "./send.ts";

export interface BrowserRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Path of the request, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly cookies: ReadonlyMap<string, string>;
  readonly host: string;
  /** `Origin` of a form, where the browser sends it. */
  readonly origin: string | undefined;
  /** Whether the browser prefetches the page. */
  readonly isAhead: boolean;
  /** Whether the request comes from another site, as far as the browser tells. */
  readonly isFromElsewhere: boolean;
  readonly form: URLSearchParams | undefined;
  /**
   * Reads a form with files, which is left unread until it is known who sends it; undefined for
   * other requests.
   */
  readonly upload: (() => Promise<FilledForm>) | undefined;
  /** Returns the origin of the request. @param trusts  proxies whose headers are trusted */
  readonly from: (trusts: Trusts) => RequestOrigin;
  /** `User-Agent` of the browser. */
  readonly agent: string | undefined;
  /** Sets a cookie with the answer. */
  readonly setCookie: (line: string) => void;
}

/** Network origin of a request, with its id. */
export interface RequestOrigin {
  /** IP address of the browser or app. */
  readonly address: string;
  readonly requestId: string | undefined;
  /** Secret of a browser in which somebody signed in before. */
  readonly browser?: string | undefined;
}

export function originOf(incoming: IncomingMessage, trusts: Trusts): RequestOrigin {
  const cookieByName = cookiesIn(incoming.headers.cookie);
  const names = ["https:", "http:"].map((origin) => cookieName(origin, browserCookie));
  return {
    address: placeOf(incoming, trusts),
    requestId: requestIdOf(incoming),
    browser: names.map((name) => cookieByName.get(name)).find((value) => value !== undefined),
  };
}

/** Name of the cookie that identifies a known browser, independent of the session. */
export const browserCookie = "acct_browser";
/** Maximum lifetime of a cookie in browsers: 400 days. */
export const browserCookieLife = "; Max-Age=34560000";

/**
 * Name of a cookie. Under TLS it has a prefix that stops other hosts and paths from setting it.
 *
 * @param origin  public address of the server
 */
export const cookieName = (origin: string, name: string): string =>
  `${origin.startsWith("https:") ? "__Host-" : ""}${name}`;

/** A `Set-Cookie` header. @param more  further attributes */
export function cookieLine(origin: string, name: string, value: string, more = ""): string {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(origin, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${more}`;
}

/** Returns the client's IP address, taken from headers of trusted proxies. */
export function placeOf({ headers, socket }: IncomingMessage, trusts: Trusts): string {
  const forwarded = headers["x-forwarded-for"];
  return clientOf(socket.remoteAddress ?? "", forwarded && String(forwarded), trusts);
}

/** Maximum size of a form in bytes, percent-encoded. */
const formBytesMax = 64 * 1024;
/** Maximum size of a form with files in bytes: as many files as a record may have. */
const uploadBytesMax = filesMax * fileLimits.bytesMax + formBytesMax;

/** Answers a browser request with the result of `work`. Never throws. */
export async function answerBrowser(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answerRequest: (request: BrowserRequest) => Promise<ServiceResponse>,
): Promise<void> {
  try {
    const request = await requestOf(incoming, outgoing);
    const answer = "status" in request ? request : await answerRequest(request);
    const response = await outgoingOf(answer, {
      isHead: incoming.method === "HEAD",
      acceptEncoding: incoming.headers["accept-encoding"] as string | undefined,
      brokenOff: () => outgoing.destroy(),
    });
    await sendOutgoing(response, outgoing);
  } catch {
    outgoing.destroy();
  }
}

/** Parses the request. @returns an error answer where it cannot be one for a page */
async function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<BrowserRequest | ServiceResponse> {
  const { method = "GET", headers, url = "/" } = incoming;
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return plainAnswer(405);
  const { path, search } = targetBelow(url, "") ?? { path: "/", search: "" };
  const upload = method === "POST" ? uploadOf(incoming, outgoing) : undefined;
  const isForm = method === "POST" && upload === undefined;
  const form = isForm ? await formOf(incoming, outgoing) : undefined;
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
    upload,
    from: (trusts) => originOf(incoming, trusts),
    agent: headers["user-agent"],
    setCookie: (line) => void outgoing.appendHeader("set-cookie", line),
  };
}

/** Reads the fields of a form; `none` for another content type, or a form that is too large. */
async function formOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<URLSearchParams | "none"> {
  const type = incoming.headers["content-type"] ?? "";
  if (!hasBody(incoming)) return new URLSearchParams();
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return "none";
  const body = (await bodyOf(incoming, beginning(incoming, outgoing))) ?? new Uint8Array();
  const bytes = await collect(body, formBytesMax).catch(() => undefined);
  return bytes === undefined ? "none" : new URLSearchParams(Buffer.from(bytes).toString());
}

const beginning =
  ({ headers }: IncomingMessage, outgoing: ServerResponse) =>
  () => {
    if (headers.expect !== undefined) outgoing.writeContinue();
  };

function uploadOf(incoming: IncomingMessage, outgoing: ServerResponse): BrowserRequest["upload"] {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(type)) return undefined;
  return async () => {
    const body = (await bodyOf(incoming, beginning(incoming, outgoing))) ?? new Uint8Array();
    return readFilledForm(type, body, uploadBytesMax);
  };
}

/** Parses cookies; the first of equal names wins. @source RFC 6265, section 5.2 */
function cookiesIn(header: string | undefined): ReadonlyMap<string, string> {
  const cookieByName = new Map<string, string>();
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookieByName.has(name)) cookieByName.set(name, pair.slice(at + 1).trim());
  }
  return cookieByName;
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
