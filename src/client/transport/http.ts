/**
 * HTTP transport to a remote service.
 *
 * The HTTP client is imported when a connection is opened, since loading it takes longer than all
 * other modules of a command. A failure without an answer becomes an `UnavailableError` whose code
 * says how far the request got; `retry.ts` decides whether to retry.
 */
import type { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import { UnavailableError, UsageError } from "../../resources/errors.ts";
import { type Chunks, isChunks } from "../../wire/body.ts";
import type { ServiceRequest, ServiceResponse, Transport } from "../../wire/http.ts";

export interface HttpOptions {
  /** Address of the API root, `http://127.0.0.1:9320/api.xro/2.0`. */
  readonly baseUrl: string;
  /** Headers of every request (authorization, organisation), computed for each. */
  readonly headers?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Program and version, for the service's log. */
  readonly userAgent?: string;
  readonly connectTimeoutMs?: number;
  /** Maximum wait for the first byte of an answer, and between any two, in milliseconds. */
  readonly answerTimeoutMs?: number;
  readonly bodyBytesMax?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpConnection {
  readonly transport: Transport;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
/** Default answer timeout; a service may spend a minute on one request. */
const answerTimeoutMs = 65_000;
const bodyBytesMax = 256 * 1024 * 1024;

/**
 * Opens a connection.
 *
 * @throws UsageError `BadBaseUrl`
 */
export async function connect(options: HttpOptions): Promise<HttpConnection> {
  const root = readBaseUrl(options.baseUrl);
  const { Agent } = await import("undici");
  const agent = new Agent({
    connect: { timeout: options.connectTimeoutMs ?? connectTimeoutMs },
    headersTimeout: options.answerTimeoutMs ?? answerTimeoutMs,
    bodyTimeout: options.answerTimeoutMs ?? answerTimeoutMs,
    maxResponseSize: options.bodyBytesMax ?? bodyBytesMax,
  });
  return {
    transport: (request) => exchangeOver(agent, root, options, request),
    close: () => agent.destroy(),
  };
}

/**
 * Checks and trims the address of an API root.
 *
 * @throws UsageError `BadBaseUrl`
 */
export function readBaseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UsageError(
      "BadBaseUrl",
      `"${text}" is no address of a service; it looks like http://127.0.0.1:9320/api.xro/2.0.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("BadBaseUrl", "A base URL carries no name or password; use ACCT_TOKEN.");
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  url.search = "";
  url.hash = "";
  return url;
}

async function exchangeOver(
  agent: Agent,
  root: URL,
  options: HttpOptions,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const ownHeaders = await options.headers?.();
  try {
    const { statusCode, headers, body } = await agent.request({
      origin: root.origin,
      path: `${root.pathname === "/" ? "" : root.pathname}${request.path}${writeQuery(request.query)}`,
      method: request.method as Dispatcher.HttpMethod,
      headers: {
        // Compressed bodies are decompressed in memory, which must not happen with a file.
        "accept-encoding": request.streamed === true ? "identity" : "gzip",
        "user-agent": options.userAgent ?? "acct",
        ...ownHeaders,
        ...request.headers,
      },
      body: isChunks(request.body) ? await streamOf(request.body) : (request.body ?? null),
      signal: options.signal,
    });
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(", ") : (value ?? ""),
      ]),
    );
    const isPacked = named["content-encoding"] === "gzip";
    if (request.streamed === true && !isPacked && statusCode < 400) {
      return { status: statusCode, headers: named, body: arrivingChunks(body, root, options) };
    }
    const bytes = Buffer.from(await body.arrayBuffer());
    // The answer to HEAD states the encoding of a body that it does not have.
    if (!isPacked || bytes.length === 0) return { status: statusCode, headers: named, body: bytes };
    delete named["content-encoding"];
    const { gunzipSync } = await import("node:zlib");
    const maxOutputLength = options.bodyBytesMax ?? bodyBytesMax;
    return { status: statusCode, headers: named, body: gunzipSync(bytes, { maxOutputLength }) };
  } catch (error) {
    throw failureOf(error, root, options);
  }
}

async function streamOf(chunks: Chunks): Promise<Readable> {
  const { Readable } = await import("node:stream");
  return Readable.from(chunks, { objectMode: false });
}

/** Yields the chunks of an answer as they arrive; leaving the loop releases the connection. */
async function* arrivingChunks(
  body: Chunks,
  root: URL,
  options: HttpOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw failureOf(error, root, options);
  }
}

function failureOf(error: unknown, root: URL, { signal }: HttpOptions): unknown {
  return signal?.aborted === true ? signal.reason : unavailableError(error, root);
}

function writeQuery(query: ServiceRequest["query"]): string {
  if (query.length === 0) return "";
  const pairs = query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return `?${pairs.join("&")}`;
}

/** Error codes by how far a request got before it failed. */
export const failures = {
  /** The request was not sent. */
  unreachable: "Unreachable",
  /** The request may have arrived, and even been executed. */
  lost: "ConnectionLost",
  timeout: "Timeout",
} as const;

const unreachableCodes = new Map([
  ["ECONNREFUSED", "nothing listens there"],
  ["ENOTFOUND", "there is no host of that name"],
  ["EAI_AGAIN", "its name could not be looked up"],
  ["EHOSTUNREACH", "there is no way to that host"],
  ["ENETUNREACH", "there is no network"],
  ["UND_ERR_CONNECT_TIMEOUT", "it does not answer"],
  ["ETIMEDOUT", "it does not answer"],
]);

function unavailableError(error: unknown, root: URL): unknown {
  const code = codeOf(error);
  const cause = { cause: error };
  const unreachable = unreachableCodes.get(code);
  if (unreachable !== undefined) {
    const message = `Cannot reach ${root.origin}: ${unreachable}.`;
    return new UnavailableError(failures.unreachable, message, cause);
  }
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return new UnavailableError(failures.timeout, `${root.origin} took too long to answer.`, cause);
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE" || code === "ERR_BUFFER_TOO_LARGE") {
    return new UnavailableError(
      "AnswerTooLarge",
      `The answer of ${root.origin} is too large; ask for less at a time.`,
      cause,
    );
  }
  if (/CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code)) {
    return new UnavailableError(
      "BadCertificate",
      `The certificate of ${root.origin} is not trusted (${code}).`,
      cause,
    );
  }
  if (code === "UND_ERR_INVALID_ARG") {
    return new UsageError("BadRequest", `The request cannot be sent: ${(error as Error).message}.`);
  }
  if (/^(UND_ERR_|HPE_|E[A-Z]+$|Z_)/.test(code)) {
    return new UnavailableError(
      failures.lost,
      `The connection to ${root.origin} was cut before the whole answer came.`,
      cause,
    );
  }
  return error;
}

/** Returns the code of an error, or of its cause, such as failed attempts at every address. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  const innerError = errors?.[0] ?? cause;
  return innerError === undefined ? "" : codeOf(innerError);
}
