/**
 * What stands at the addresses of a port: the API under its root, and what is beside it.
 *
 * The API's adapter hands requests to the service function and writes down what it answers. Pages
 * and sign-in are routes of the same app.
 */
import type { ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ServiceRequest, ServiceResponse } from "../../wire/http.ts";
import type { Service } from "../app.ts";
import { apiRoot } from "../book.ts";
import { answerDescription } from "../openapi/answer.ts";
import { methodsAt, routes } from "../routes.ts";
import { bodyOf, headOf, targetBelow } from "./incoming.ts";
import { outgoingOf } from "./outgoing.ts";

type Env = { Bindings: HttpBindings };

export interface Served {
  readonly service: Omit<Service, "close">;
  /** Absolute address of the API root. */
  readonly baseUrl: () => string;
  /** Whether the port is closing, and connections should be given up after each answer. */
  readonly isClosing: () => boolean;
}

export function createApp({ service, baseUrl, isClosing }: Served): Hono<Env> {
  const app = new Hono<Env>();
  // The one thing that a stranger may read, so that a client can find out how to become none.
  for (const path of ["/openapi.json", `${apiRoot}/openapi.json`]) {
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
    const began = performance.now();
    const { incoming, outgoing } = c.env;
    const target = targetBelow(incoming.url ?? "/", apiRoot);
    if (target === undefined) return next();
    const { method = "GET" } = incoming;
    const request = headOf(method === "HEAD" ? "GET" : method, target, incoming.headers);
    const answer =
      method === "OPTIONS"
        ? await optionsOf(service, request)
        : await service.handle(withBody(request, c.env));
    const { status, headers, body } = await outgoingOf(answer, {
      isHead: method === "HEAD",
      acceptEncoding: request.headers["accept-encoding"],
      brokenOff: (error) => {
        outgoing.destroy();
        // Nobody can be told any more but whoever keeps the log.
        void service.refuse(request, error);
      },
    });
    if (isClosing()) headers.connection = "close";
    const isBrief = typeof body === "string" && body.length < briefMax;
    if (isBrief && performance.now() - began < quickMs) await turnEnd();
    return new Response(body, { status, headers });
  });
  app.notFound((c) => c.text(`There is nothing here; the API is at ${apiRoot}.\n`, 404));
  return app;
}

/** What took longer, or is longer, is not held up by other requests of its turn. */
const quickMs = 5;
const briefMax = 16 * 1024;

/**
 * The end of this turn of the event loop: quick answers to the requests that had arrived go out
 * together, and a client or a proxy on this machine is woken once and not for each of them.
 */
const turnEnd = () => new Promise<void>((resolve) => setImmediate(resolve));

function withBody(request: ServiceRequest, { incoming, outgoing }: HttpBindings): ServiceRequest {
  const body = bodyOf(incoming, () => {
    // Who waits to be asked for the body is asked when the service wants it, and not before.
    if (incoming.headers.expect !== undefined) (outgoing as ServerResponse).writeContinue();
  });
  return body === undefined ? request : { ...request, body };
}

/** What may be done at an address. */
async function optionsOf(
  service: Served["service"],
  request: ServiceRequest,
): Promise<ServiceResponse> {
  try {
    await service.authenticate(request);
    const methods = methodsAt(request.path);
    const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    return { status: 204, headers: { allow: [...allowed, "OPTIONS"].join(", ") }, body: "" };
  } catch (error) {
    return service.refuse(request, error);
  }
}
