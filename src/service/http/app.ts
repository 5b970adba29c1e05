/**
 * What stands at the addresses of a port: the API under its root, and what is beside it.
 *
 * The API's adapter hands requests to the service function and writes down what it answers. Pages
 * and sign-in are routes of the same app.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ServiceRequest } from "../../wire/http.ts";
import { apiRoot } from "../books/book.ts";
import { pagesPath } from "../online/address.ts";
import type { AnswerByBook, OnlineRequest } from "../online/routes.ts";
import { answerDescription } from "../openapi/document.ts";
import { routes } from "../request/routing.ts";
import type { Service, ServiceOptions } from "../request/service.ts";
import { bodyOf, hasBody, headOf, isSmall, type Target, targetBelow } from "./incoming.ts";
import { type Outgoing, outgoingOf } from "./outgoing.ts";
import { attachedInfo, headersOf, type PortRequestInfo } from "./request-info.ts";

type Env = { Bindings: HttpBindings };

export interface Served {
  readonly service: OpenService;
  /** What customers see documents by; a port without it has no pages. */
  readonly online?: OnlinePages | undefined;
  /** Absolute address of the API root. */
  readonly baseUrl: () => string;
  /** Whether connections are to be closed after their next answer. */
  readonly isLast: () => boolean;
}

const describedAt = ["/openapi.json", `${apiRoot}/openapi.json`];

export function createApp({ service, online, baseUrl, isLast }: Served): Hono<Env> {
  const app = new Hono<Env>();
  // The one thing that a stranger may read, so that a client can find out how to become none.
  for (const path of describedAt) {
    app.get(path, async (c) => {
      const described = await answerDescription({ baseUrl: baseUrl() }, routes);
      const { status, headers, body } = await outgoingOf(described, {
        isHead: c.env.incoming.method === "HEAD",
        acceptEncoding: c.req.header("accept-encoding"),
        brokenOff: () => undefined,
      });
      return new Response(body, { status, headers });
    });
  }
  app.use(async (c, next) => {
    const { incoming, outgoing } = c.env;
    const target = targetBelow(incoming.url ?? "/", apiRoot);
    if (target === undefined) return next();
    // The port speaks HTTP/1.1 alone.
    const info = attachedInfo(incoming as IncomingMessage);
    const exchange = { incoming, outgoing: outgoing as ServerResponse, info } as Exchange;
    const made = await answerTo(service, target, exchange).catch(() => undefined);
    if (made === undefined) {
      outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    const { status, headers, body } = made;
    if (isLast()) headers.connection = "close";
    return new Response(body, { status, headers });
  });
  if (online !== undefined) addOnlinePages(app, online, isLast);
  app.notFound((c) => c.text(`There is nothing here; the API is at ${apiRoot}.\n`, 404));
  return app;
}

/** Where the pages of documents are found, and who is told of their failures. */
export interface OnlinePages {
  readonly byBook: AnswerByBook;
  /** Told of every failure that is a bug. */
  readonly report: NonNullable<ServiceOptions["report"]>;
}

/** Bytes of a form: a name and a few sentences, percent-encoded. */
const formBytesMax = 32 * 1024;

function addOnlinePages(app: Hono<Env>, pages: OnlinePages, isLast: Served["isLast"]): void {
  const answer = async (c: Context<Env>, asked: Pick<OnlineRequest, "part" | "form">) => {
    const incoming = c.env.incoming as IncomingMessage;
    const token = c.req.param("token") ?? "";
    const isPreview = c.req.query("preview") !== undefined;
    const { answerOnline } = await import("../online/routes.ts");
    const made = await answerOnline(pages.byBook, {
      method: incoming.method as OnlineRequest["method"],
      base: `${pagesPath}/${token}`,
      token,
      counts: !isPreview && c.req.header("sec-purpose") === undefined,
      ...asked,
    }).catch((error: unknown) => {
      pages.report(error, {
        method: incoming.method ?? "GET",
        path: pagesPath,
        query: [],
        headers: {},
      });
      return {
        status: 500,
        headers: {},
        body: "This page cannot be shown now; try again later.\n",
      };
    });
    const { status, headers, body } = await outgoingOf(made, {
      isHead: incoming.method === "HEAD",
      acceptEncoding: c.req.header("accept-encoding"),
      brokenOff: () => c.env.outgoing.destroy(),
    });
    if (isLast()) headers.connection = "close";
    return new Response(body, { status, headers });
  };
  app.get(`${pagesPath}/:token`, (c) => answer(c, {}));
  app.get(`${pagesPath}/:token/pdf`, (c) => answer(c, { part: "pdf" }));
  app.get(`${pagesPath}/:token/logo`, (c) => answer(c, { part: "logo" }));
  app.get(`${pagesPath}/:token/files/:file`, (c) =>
    answer(c, { part: { fileId: c.req.param("file") } }),
  );
  app.post(`${pagesPath}/:token`, bodyLimit({ maxSize: formBytesMax }), async (c) =>
    answer(c, { form: new URLSearchParams(await c.req.text()) }),
  );
}

/**
 * Answers a plain request to the API without the app, whose way costs as much as finding a record.
 *
 * A large body is the app's, which knows how to be rid of one that nobody wanted to read.
 *
 * @returns undefined, with nothing done, when the request is the app's
 */
export function answerPlainly(
  { service, isLast }: Pick<Served, "service" | "isLast">,
  exchange: Exchange,
): Promise<void> | undefined {
  const { incoming, outgoing } = exchange;
  const { url = "" } = incoming;
  if ((hasBody(incoming) && !isSmall(incoming)) || !url.startsWith(`${apiRoot}/`)) return undefined;
  const target = targetBelow(url, apiRoot);
  if (target === undefined || target.path === "/openapi.json") return undefined;
  return answerTo(service, target, exchange)
    .then((made) => {
      if (isLast()) made.headers.connection = "close";
      return send(made, outgoing);
    })
    .catch(() => void outgoing.destroy());
}

type OpenService = Omit<Service, "close">;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly info: PortRequestInfo;
}

/** What answers a request to the API, when it is time for it to go out. */
async function answerTo(
  service: OpenService,
  target: Target,
  exchange: Exchange,
): Promise<Outgoing> {
  const began = performance.now();
  const { incoming, outgoing, info } = exchange;
  const { method = "GET" } = incoming;
  const head = headOf(method === "HEAD" ? "GET" : method, target, incoming.headers);
  const request: ServiceRequest = { ...head, info };
  const answer = await withBody(request, exchange).then(service.handle, (error) =>
    service.refuse(request, error),
  );
  const made = await outgoingOf(answer, {
    isHead: method === "HEAD",
    acceptEncoding: request.headers["accept-encoding"],
    brokenOff: (error) => {
      outgoing.destroy();
      // Nobody can be told any more but whoever keeps the log.
      void service.refuse(request, error);
    },
  });
  Object.assign(made.headers, headersOf(info));
  const isBrief = typeof made.body === "string" && made.body.length < briefMax;
  if (isBrief && performance.now() - began < quickMs) await turnEnd();
  return made;
}

/** Sends an answer. */
async function send({ status, headers, body }: Outgoing, outgoing: ServerResponse) {
  if (body instanceof ReadableStream) {
    const { Readable } = process.getBuiltinModule("node:stream");
    const { pipeline } = process.getBuiltinModule("node:stream/promises");
    outgoing.writeHead(status, headers);
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
    return;
  }
  if (body !== null) headers["content-length"] = String(Buffer.byteLength(body));
  outgoing.writeHead(status, headers).end(body);
}

/** What took longer, or is longer, is not held up by other requests of its turn. */
const quickMs = 5;
const briefMax = 16 * 1024;

let end: Promise<void> | undefined;

/**
 * The end of this turn of the event loop: quick answers to the requests that had arrived go out
 * together, and a client or a proxy on this machine is woken once and not for each of them.
 */
function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}

/** @throws RefusedError `BodyIncomplete` */
async function withBody(
  request: ServiceRequest,
  { incoming, outgoing }: Exchange,
): Promise<ServiceRequest> {
  const body = await bodyOf(incoming, () => {
    // Who waits to be asked for the body is asked when the service wants it, and not before.
    if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  });
  return body === undefined ? request : { ...request, body };
}
