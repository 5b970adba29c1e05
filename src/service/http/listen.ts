/** Opens a port, and closes it again without breaking off what is under way. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { AcctError } from "../../resources/errors.ts";
import { apiRoot } from "../book.ts";
import { answerPlainly, createApp, type Served } from "./app.ts";

/** The port cannot be opened: a matter of the machine, not of what was asked of a service. */
class PortError extends AcctError {}

export interface Port {
  /** `http://127.0.0.1:9320` */
  readonly origin: string;
  /** Takes no more requests, and returns when those under way are answered. */
  close(): Promise<void>;
}

export interface ListenOptions extends Pick<Served, "service"> {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** How long a client may take over the head of a request, and over all of it. */
const headersTimeoutMs = 20_000;
const requestTimeoutMs = 120_000;
/** How long a connection may stand still, also while an answer is on its way. */
const socketTimeoutMs = 120_000;
const keepAliveTimeoutMs = 30_000;
/** Lists of ids travel in addresses. */
const headBytesMax = 64 * 1024;
/** How long a closing port waits for its clients; the service itself is always waited for. */
const closingMs = 10_000;
const closingStepMs = 25;

/** @throws PortError */
export async function listen({ host, port, service }: ListenOptions): Promise<Port> {
  let isClosing = false;
  let origin = "";
  const served: Served = {
    service,
    baseUrl: () => `${origin}${apiRoot}`,
    isClosing: () => isClosing,
  };
  const app = createApp(served);
  const underWay = new Set<Promise<unknown>>();
  const answer = getRequestListener(app.fetch, {
    hostname: "localhost",
    // A request that is none: a broken address, no host.
    errorHandler: () => new Response(null, { status: 400 }),
  });
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: headBytesMax,
    },
    (incoming, outgoing) => {
      const answered = (
        answerPlainly(served, { incoming, outgoing }) ?? answer(incoming, outgoing)
      ).finally(() => underWay.delete(answered));
      underWay.add(answered);
    },
  );
  server.timeout = socketTimeoutMs;
  // Not answered by itself: the service says when it wants the body.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    server.emit("request", incoming, outgoing);
  });
  await opened(server, host, port);
  origin = originOf(host, (server.address() as AddressInfo).port);
  return {
    origin,
    close: async () => {
      isClosing = true;
      await closed(server);
      await Promise.allSettled(underWay);
    },
  };
}

function originOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function opened(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw explained(error as NodeJS.ErrnoException, host, port);
  }
}

const reasons = new Map([
  ["EADDRINUSE", "another program has it; choose another with --port"],
  ["EACCES", "this user may not open it; choose one above 1023 with --port"],
  ["EADDRNOTAVAIL", "this machine does not have that address; choose another with --host"],
  ["ENOTFOUND", "there is no such address; choose another with --host"],
  ["EAI_AGAIN", "its name could not be looked up; choose another address with --host"],
]);

function explained(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const code = error.code ?? "";
  const reason = reasons.get(code);
  if (reason === undefined) return error;
  return new PortError(code, `Port ${port} of ${host} cannot be opened: ${reason}.`);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is kept for a next request becomes idle when its answer has gone out.
    const idle = setInterval(() => server.closeIdleConnections(), closingStepMs);
    const last = setTimeout(() => server.closeAllConnections(), closingMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(last);
      resolve();
    });
    server.closeIdleConnections();
  });
}
