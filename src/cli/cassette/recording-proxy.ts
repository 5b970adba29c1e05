/** A proxy to a service that writes down what passes. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AcctError, RefusedError, UnavailableError, UsageError } from "../../resources/errors.ts";
import { collect, decompress } from "../../wire/body.ts";
import { isRead, type ServiceRequest } from "../../wire/http.ts";
import { refuseReadOnly } from "../connection/guard.ts";
import { type RemoteSender, remoteSender } from "../connection/remote-sender.ts";
import type { Context } from "../context/context.ts";
import { exchangeWriter, headLine, keptAnswer, keptBody } from "./cassette.ts";

const apiRoot = "/api.xro/2.0";
const bodyBytesMax = 64 * 1024 * 1024;

/** A proxy that listens. */
export interface Recording {
  /** Base URL for the program that is recorded. */
  readonly url: string;
  readonly count: () => number;
  close(): Promise<void>;
}

/**
 * Opens the proxy.
 *
 * @param file  is made, for its owner alone
 * @throws UsageError where the file is there; AuthError of a profile without a sign-in;
 * UnavailableError `Port`
 */
export async function record(ctx: Context, file: string, port: number): Promise<Recording> {
  const service = await remoteSender(ctx, "acct record");
  const descriptor = openNew(file);
  writeSync(descriptor, headLine);
  const lineOf = exchangeWriter();
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    passOn(ctx, service, incoming, outgoing).then(
      (exchange) => {
        if (exchange === undefined) return;
        writeSync(descriptor, lineOf(exchange));
        count += 1;
      },
      (error) => answer(outgoing, statusOf(error), String(error.message)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  }).catch(async (error) => {
    closeSync(descriptor);
    rmSync(file);
    await service.close();
    throw new UnavailableError("Port", `No proxy can be opened on port ${port}: ${error.message}.`);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}${apiRoot}`,
    count: () => count,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      closeSync(descriptor);
      await service.close();
    },
  };
}

/** Status of an answer that the proxy gives itself. */
function statusOf(error: unknown): number {
  if (error instanceof RefusedError) return 403;
  return error instanceof AcctError ? 502 : 500;
}

function openNew(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError("BadFile", `${file} is there already; name another, or remove it.`);
  }
}

function answer(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

/** Headers of one hop, or made anew for the next. */
const ofHop =
  /^(connection|host|keep-alive|content-length|content-encoding|transfer-encoding|accept-encoding|expect)$/;

/** Passes a request on, and its answer back; undefined for one that is not written down. */
async function passOn(
  ctx: Context,
  service: RemoteSender,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const url = new URL(incoming.url ?? "", "http://localhost");
  if (!url.pathname.startsWith(`${apiRoot}/`)) {
    const message = `Only requests below ${apiRoot} are passed on; sign in at the service itself.`;
    return void answer(outgoing, 404, message);
  }
  const bytes = await collect(incoming, bodyBytesMax);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      ofHop.test(name) ? [] : [[name, String(value)]],
    ),
  );
  const coding = incoming.headers["content-encoding"] ?? "";
  const body = Buffer.from(await collect(decompress(bytes, coding), bodyBytesMax));
  const request: ServiceRequest = {
    method: incoming.method ?? "GET",
    path: url.pathname.slice(apiRoot.length),
    query: [...url.searchParams],
    headers,
    ...(body.length > 0 && { body }),
  };
  if (!isRead(request)) refuseReadOnly(ctx);
  const startedAt = performance.now();
  const serviceAnswer = await service.send(request);
  const ms = Math.round(performance.now() - startedAt);
  const shown = Object.entries(serviceAnswer.headers).filter(([name]) => !ofHop.test(name));
  outgoing.writeHead(serviceAnswer.status, Object.fromEntries(shown)).end(serviceAnswer.body);
  const { method, path, query } = request;
  return {
    ...{ method, path, query, headers: { ...service.headers, ...headers }, ms },
    body: keptBody(body, headers["content-type"]),
    answer: keptAnswer(serviceAnswer.status, serviceAnswer.headers, serviceAnswer.body),
  };
}
