/** The paths of a port: the API, its OpenAPI document, and the pages of online documents. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { noticePage } from "../../web/frame/message.ts";
import { collect } from "../../wire/body.ts";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import { allRoutes } from "../api/routing.ts";
import type { Service, ServiceOptions } from "../api/service.ts";
import { apiRoot } from "../books/book.ts";
import {
  bodyOf,
  hasBody,
  headOf,
  isSmall,
  type RequestTarget,
  refuseRepeated,
  targetBelow,
} from "../http/incoming.ts";
import { type Outgoing, outgoingOf } from "../http/outgoing.ts";
import { headersOf, type PortRequestInfo } from "../http/request-info.ts";
import { sendOutgoing } from "../http/send.ts";
import type { AnswerByBook, OnlineRequest } from "../online/online-routes.ts";
import { answerDescription } from "../openapi/document.ts";
import { pagesPath } from "../send/address.ts";

export interface ServedApp {
  readonly service: OpenService;
  /** Pages of online documents; undefined for a port without them. */
  readonly online?: OnlinePages | undefined;
  /** Returns the base URL of the API. */
  readonly baseUrl: () => string;
  /** Whether connections close after their next answer. */
  readonly isLast: () => boolean;
}

/** Handler of online documents, and reporter of its failures. */
export interface OnlinePages {
  readonly byBook: AnswerByBook;
  /** Receives every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
}

/** Answers a request to the API; undefined for other paths. */
export function answerApi(served: ServedApp, exchange: Exchange): Promise<void> | undefined {
  const requestTarget = targetBelow(exchange.incoming.url ?? "", apiRoot);
  if (requestTarget === undefined || isDescription(requestTarget, exchange)) return undefined;
  return answerExchange(served, exchange, () => answerTo(served.service, requestTarget, exchange));
}

/** Answers paths outside the API that `beside` does not know either. */
export function answerPath(served: ServedApp, exchange: Exchange): Promise<void> {
  return answerExchange(served, exchange, async () => {
    const { incoming, outgoing } = exchange;
    const response = await otherAnswer(served, exchange);
    return outgoingOf(response, {
      isHead: incoming.method === "HEAD",
      acceptEncoding: incoming.headers["accept-encoding"] as string | undefined,
      brokenOff: () => outgoing.destroy(),
    });
  });
}

async function answerExchange(
  { isLast }: ServedApp,
  { incoming, outgoing }: Exchange,
  produce: () => Promise<Outgoing>,
): Promise<void> {
  try {
    const response = await produce();
    if (isLast()) response.headers.connection = "close";
    if (hasBody(incoming) && !isSmall(incoming)) outgoing.once("finish", () => discard(incoming));
    await sendOutgoing(response, outgoing);
  } catch {
    outgoing.destroy();
  }
}

const discardMs = 500;
const discardBytesMax = 64 * 1024 * 1024;

/** Reads the rest of an unread body, so that the client goes on to read the refusal. */
function discard(incoming: IncomingMessage): void {
  if (incoming.readableEnded || incoming.destroyed) return;
  let bytes = 0;
  const cutOff = () => incoming.socket.destroySoon();
  const timeout = setTimeout(cutOff, discardMs).unref();
  incoming.once("close", () => clearTimeout(timeout));
  incoming.on("error", () => clearTimeout(timeout));
  incoming.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardBytesMax) cutOff();
  });
  incoming.resume();
}

/** Whether the request is for the OpenAPI document, which needs no credentials. */
function isDescription({ path }: RequestTarget, { incoming: { method } }: Exchange): boolean {
  return path === "/openapi.json" && (method === "GET" || method === "HEAD");
}

async function otherAnswer(served: ServedApp, exchange: Exchange): Promise<ServiceResponse> {
  const { url = "" } = exchange.incoming;
  for (const root of ["", apiRoot]) {
    const requestTarget = targetBelow(url, root);
    if (requestTarget === undefined || !isDescription(requestTarget, exchange)) continue;
    return answerDescription({ baseUrl: served.baseUrl() }, allRoutes());
  }
  const pageAnswer = served.online && (await answerPage(served.online, exchange));
  if (pageAnswer !== undefined) return pageAnswer;
  const isBrowser = exchange.incoming.headers.accept?.includes("text/html") === true;
  if (isBrowser) return noticePage(404, "There is nothing here", `The API is at ${apiRoot}.`);
  return answerText(404, `There is nothing here; the API is at ${apiRoot}.\n`);
}

function answerText(status: number, body: string): ServiceResponse {
  return { status, headers: { "content-type": "text/plain; charset=UTF-8" }, body };
}

const pageAddress = new RegExp(`^${pagesPath}/([^/]+)(?:/(pdf|logo)|/files/([^/]+))?$`);
/** Maximum size of a form in bytes: a name and a few sentences, percent-encoded. */
const formBytesMax = 32 * 1024;

/** Answers a request for the page of a document; undefined for other paths. */
async function answerPage(
  { byBook, report }: OnlinePages,
  exchange: Exchange,
): Promise<ServiceResponse | undefined> {
  const { incoming } = exchange;
  const { method = "", headers } = incoming;
  const { path = "", search } = targetBelow(incoming.url ?? "", "") ?? {};
  const [, token, part, fileId] = pageAddress.exec(path) ?? [];
  if (token === undefined) return undefined;
  const isForm = method === "POST" && part === undefined && fileId === undefined;
  if (!isForm && method !== "GET" && method !== "HEAD") return undefined;
  const request: Pick<OnlineRequest, "part" | "form"> = {
    part: fileId === undefined ? (part as "pdf" | "logo" | undefined) : { fileId },
    form: isForm ? await formOf(exchange) : undefined,
  };
  if (isForm && request.form === undefined) return answerText(413, "Payload Too Large");
  const { answerOnline } = await import("../online/online-routes.ts");
  return answerOnline(byBook, {
    method: method as OnlineRequest["method"],
    base: `${pagesPath}/${token}`,
    token,
    isCounted: !new URLSearchParams(search).has("preview") && headers["sec-purpose"] === undefined,
    ...request,
  }).catch((error: unknown) => {
    report(error, { method, path: pagesPath, query: [], headers: {} });
    return answerText(500, "This page cannot be shown now; try again later.\n");
  });
}

/** Reads a form; undefined for one that is too large. */
async function formOf({ incoming, outgoing }: Exchange): Promise<URLSearchParams | undefined> {
  const body = bodyOf(incoming, () => continueFor(incoming, outgoing)) ?? new Uint8Array();
  const bytes = await collect(await body, formBytesMax).catch(() => undefined);
  return bytes && new URLSearchParams(Buffer.from(bytes).toString());
}

/** Sends `100 Continue` to a client that waits for it. */
function continueFor(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers.expect !== undefined) outgoing.writeContinue();
}

type OpenService = Omit<Service, "close">;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly info: PortRequestInfo;
}

/** Answers a request to the API. */
async function answerTo(
  service: OpenService,
  requestTarget: RequestTarget,
  exchange: Exchange,
): Promise<Outgoing> {
  const startedAt = performance.now();
  const { incoming, outgoing, info } = exchange;
  const { method = "GET" } = incoming;
  const requestHead = headOf(method === "HEAD" ? "GET" : method, requestTarget, incoming.headers);
  const request: ServiceRequest = { ...requestHead, info };
  const answer = await withBody(request, exchange).then(service.transport, (error) =>
    service.refuse(request, error),
  );
  const response = await outgoingOf(answer, {
    isHead: method === "HEAD",
    acceptEncoding: request.headers["accept-encoding"],
    brokenOff: (error) => {
      outgoing.destroy();
      // The answer has begun, so the failure can only be logged.
      void service.refuse(request, error);
    },
  });
  Object.assign(response.headers, headersOf(info));
  const isBrief = typeof response.body === "string" && response.body.length < briefMax;
  if (isBrief && performance.now() - startedAt < quickMs) await turnEnd();
  return response;
}

/** Slower or longer answers do not wait for other requests of their turn. */
const quickMs = 5;
const briefMax = 16 * 1024;

let endOfTurn: Promise<void> | undefined;

/**
 * Resolves at the end of the event loop turn: quick answers to requests that arrived together are
 * sent together, so that a client or proxy on this machine is woken only once.
 */
function turnEnd(): Promise<void> {
  endOfTurn ??= new Promise((resolve) => {
    setImmediate(() => {
      endOfTurn = undefined;
      resolve();
    });
  });
  return endOfTurn;
}

/**
 * Adds the body to the request.
 *
 * @throws RefusedError `BodyIncomplete`, or for contradictory headers
 */
async function withBody(
  request: ServiceRequest,
  { incoming, outgoing }: Exchange,
): Promise<ServiceRequest> {
  refuseRepeated(incoming);
  const body = await bodyOf(incoming, () => continueFor(incoming, outgoing));
  return body === undefined ? request : { ...request, body };
}
