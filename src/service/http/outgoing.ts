/** Converts answers of the service for the port, compressed where the client accepts it. */
import { type Chunks, isChunks } from "../../wire/body.ts";
import type { ServiceResponse } from "../../wire/http.ts";

/** Minimum size for compression in bytes: smaller bodies fit into one packet anyway. */
const compressedFrom = 1400;
/** Compression level: much faster than the default 6, and hardly larger for our texts. */
const level = 3;
const textual = /^(text\/|application\/([\w.-]+\+)?(json|xml)\b)/;

export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The body; null for an answer without one. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export interface OutgoingOptions {
  /** Whether the request is HEAD, which gets the headers of GET alone. */
  readonly isHead: boolean;
  /** `Accept-Encoding` of the request. */
  readonly acceptEncoding: string | undefined;
  /** Called when reading a body fails after the head was sent. */
  readonly brokenOff: (error: unknown) => void;
}

export async function outgoingOf(
  { status, headers, body }: ServiceResponse,
  { isHead, acceptEncoding, brokenOff }: OutgoingOptions,
): Promise<Outgoing> {
  const headerBytes: Record<string, string> = { "cache-control": "no-store" };
  for (const name in headers) headerBytes[name] = toHeaderBytes(headers[name] ?? "");
  if (isChunks(body)) {
    if (isHead) await body[Symbol.asyncIterator]().return?.();
    return { status, headers: headerBytes, body: isHead ? null : streamOf(body, brokenOff) };
  }
  if (body.length === 0) {
    if (status !== 204) headerBytes["content-length"] = "0";
    return { status, headers: headerBytes, body: null };
  }
  const isText = textual.test(headerBytes["content-type"] ?? "");
  if (isText) headerBytes.vary = "accept-encoding";
  let bytes = body as string | Uint8Array<ArrayBuffer>;
  if (isText && body.length >= compressedFrom && acceptsGzip(acceptEncoding)) {
    bytes = await gzip(bytes);
    headerBytes["content-encoding"] = "gzip";
  }
  if (!isHead) return { status, headers: headerBytes, body: bytes };
  headerBytes["content-length"] = String(Buffer.byteLength(bytes));
  return { status, headers: headerBytes, body: null };
}

/** Reads the body as fast as the client takes it. */
function streamOf(body: Chunks, brokenOff: (error: unknown) => void): ReadableStream<Uint8Array> {
  const bodyPieces = body[Symbol.asyncIterator]();
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bodyPieces.next();
          // A client that has received all bytes may close the connection before the stream ends.
          if (isLeft) return;
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          brokenOff(error);
          controller.close();
        }
      },
      async cancel() {
        isLeft = true;
        await bodyPieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the letters of Latin-1.
const latin1 = /^[\x00-\xff]*$/;

/** Encodes a header value for Node: characters beyond Latin-1 as bytes of UTF-8. */
function toHeaderBytes(value: string): string {
  return latin1.test(value) ? value : Buffer.from(value, "utf8").toString("latin1");
}

/** Whether an Accept-Encoding header offers gzip, and does not refuse it with `q=0`. */
function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false;
  return header.split(",").some((text) => {
    const [name = "", ...parameters] = text.toLowerCase().split(";");
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter));
    return (name.trim() === "gzip" || name.trim() === "x-gzip") && !isRefused;
  });
}

async function gzip(body: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { gzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    gzip(body, { level }, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}
