/**
 * One request to the API as Node's server hands it over, and the answer to it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServiceRequest } from "../../wire/http.ts";
import type { Service } from "../request/service.ts";
import { bodyOf, headOf, type Target } from "./incoming.ts";
import { type Outgoing, outgoingOf } from "./outgoing.ts";
import { headersOf, type PortRequestInfo } from "./request-info.ts";

export type Answering = Omit<Service, "close">;

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly info: PortRequestInfo;
}

/** What answers a request to the API, when it is time for it to go out. */
export async function answerTo(
  service: Answering,
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
export async function send({ status, headers, body }: Outgoing, outgoing: ServerResponse) {
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
