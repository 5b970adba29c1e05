/** The control routes: what a test may ask of its server from another process, or another language. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AcctError, NotFoundError, UsageError } from "../resources/errors.ts";
import type { AnswerPages } from "../service/server/serve.ts";
import { callOperation, type Operations } from "./test-operations.ts";

export const controlPath = "/_test";
/** Header with the key that `acct serve --ephemeral --ready json` tells. */
export const controlHeader = "x-acct-test";
const pagePath = `${controlPath}/`;
const bodyBytesMax = 1024 * 1024;

/** @param operations  of the server; undefined until it has started */
export function controlRoutes(operations: () => Operations | undefined, key: string): AnswerPages {
  return (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    if (url.pathname === pagePath && incoming.method === "GET") {
      return sendPage(url, outgoing, { operations, key });
    }
    if (!url.pathname.startsWith(pagePath)) return undefined;
    return answerControl(url, incoming, { operations, key }).then(([status, answer]) =>
      sendJson(outgoing, status, answer),
    );
  };
}

interface ControlledServer {
  readonly operations: () => Operations | undefined;
  readonly key: string;
}

async function answerControl(
  { pathname, searchParams }: URL,
  incoming: IncomingMessage,
  { operations, key }: ControlledServer,
): Promise<readonly [status: number, answer: unknown]> {
  if (!isKey(incoming.headers[controlHeader], key)) {
    return [403, { message: `The header ${controlHeader} lacks the key of this server.` }];
  }
  try {
    const input = { ...Object.fromEntries(searchParams), ...(await bodyOf(incoming)) };
    const askedOperation = `${incoming.method} ${pathname.slice(controlPath.length)}`;
    return [200, await callOperation(operations() ?? {}, askedOperation, input)];
  } catch (error) {
    if (!(error instanceof AcctError)) return [500, { message: (error as Error).stack }];
    const { name, code, message, details } = error;
    return [error instanceof NotFoundError ? 404 : 400, { error: name, code, message, details }];
  }
}

/** Sends the page of requests to a browser, whose address has the key. */
async function sendPage(
  { searchParams }: URL,
  outgoing: ServerResponse,
  { operations, key }: ControlledServer,
): Promise<void> {
  const { requestPage } = await import("./request-page.ts");
  const known = operations();
  if (known === undefined || !isKey(searchParams.get("key"), key)) {
    return sendJson(outgoing, 403, { message: "The address lacks the key of this server." });
  }
  const { headers, html } = await requestPage(known);
  outgoing.writeHead(200, headers).end(html);
}

/** Address of the page of requests. */
export const pageAddress = (origin: string, key: string) => `${origin}${pagePath}?key=${key}`;

function isKey(givenKey: unknown, key: string): boolean {
  const [one, other] = [String(givenKey), key].map((text) => Buffer.from(text));
  return one?.length === other?.length && timingSafeEqual(one as Buffer, other as Buffer);
}

/** Reads the JSON of a request. @throws UsageError `BadValue` */
async function bodyOf(incoming: IncomingMessage): Promise<object> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new UsageError("BadValue", "The body is larger than 1 MiB.");
    parts.push(chunk);
  }
  if (bytes === 0) return {};
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below, as of any other value that is none.
  }
  throw new UsageError("BadValue", "The body is no JSON object.");
}

function sendJson(outgoing: ServerResponse, status: number, answer: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  outgoing.end(JSON.stringify(answer ?? {}));
}
