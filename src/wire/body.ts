/**
 * Bodies of requests and answers: in memory, or as a stream of chunks.
 *
 * Records are small and are read whole, within a size limit. A file is never in memory all at once:
 * it is passed on chunk by chunk.
 */
import { AcctError, RefusedError } from "../resources/errors.ts";

/** A body as chunks, to be read once unless its maker says otherwise. */
export type Chunks = AsyncIterable<Uint8Array>;

export function isChunks(body: string | Uint8Array | Chunks | undefined): body is Chunks {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

/**
 * Whether a body can be sent again: one in memory, or one that restarts each time it is read, as a
 * file does. A stream or an iterator can be read only once.
 */
export function canBeSentAgain(body: Uint8Array | Chunks | undefined): boolean {
  return !isChunks(body) || !("next" in body || "pipe" in body);
}

export interface Limits {
  readonly bytesMax: number;
  /** Name of the limited thing for the error message: "A file". */
  readonly what: string;
}

export function tooLargeError({ bytesMax, what }: Limits): RefusedError {
  return new RefusedError("BodyTooLarge", `${what} has at most ${bytesMax} bytes.`);
}

/**
 * Reads a whole body.
 * @throws RefusedError `BodyTooLarge` when it has more than `bytesMax`, `BodyIncomplete` when it
 *   breaks off
 */
export async function collect(body: Uint8Array | Chunks, bytesMax: number): Promise<Uint8Array> {
  const limits = { bytesMax, what: "A request body" };
  if (!isChunks(body)) {
    if (body.length > bytesMax) throw tooLargeError(limits);
    return body;
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of limitChunks(body, limits)) {
    parts.push(chunk);
    bytes += chunk.length;
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, bytes);
}

/**
 * Passes on the chunks of a body from outside, and enforces its limits.
 * @throws RefusedError as `collect`
 */
export async function* limitChunks(
  body: Uint8Array | Chunks,
  { bytesMax, what }: Limits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of isChunks(body) ? rethrowBroken(body) : [body]) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLargeError({ bytesMax, what });
    yield chunk;
  }
}

async function* rethrowBroken(body: Chunks): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw cause instanceof AcctError ? cause : brokenOffError(cause);
  }
}

/** Error code for an unsupported content encoding, answered with 415. */
export const unsupportedCoding = "UnsupportedCoding";

/**
 * Decompresses a body; the size limit applies to the decompressed bytes when they are read.
 * @param coding  the header `content-encoding`
 * @throws RefusedError `UnsupportedCoding`
 */
export function decompress(body: Uint8Array | Chunks, coding: string): Uint8Array | Chunks {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  if (name === "gzip" || name === "x-gzip") return gunzip(isChunks(body) ? body : [body]);
  const message = `The coding ${coding.slice(0, 40)} of the body is not taken: send it as it is, or by gzip.`;
  throw new RefusedError(unsupportedCoding, message);
}

async function* gunzip(body: Chunks | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { createGunzip } = await import("node:zlib");
  const { Readable } = await import("node:stream");
  const source = Readable.from(body, { objectMode: false });
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  try {
    yield* source.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (!/^Z_/.test((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    const message = "The body is not whole, or not gzip as its Content-Encoding says.";
    throw new RefusedError("PostDataInvalidException", message, [], { cause });
  } finally {
    source.destroy();
  }
}

/** Makes the error for a body that broke off in transit, which is the sender's fault. */
export function brokenOffError(cause: unknown): RefusedError {
  const message = "The body of the request broke off before its end.";
  return new RefusedError("BodyIncomplete", message, [], { cause });
}

/** Reads a whole body as text. */
export async function textOf(body: string | Uint8Array | Chunks): Promise<string> {
  if (typeof body === "string") return body;
  if (!isChunks(body)) return Buffer.from(body).toString("utf8");
  const parts: Uint8Array[] = [];
  for await (const chunk of body) parts.push(chunk);
  return Buffer.concat(parts).toString("utf8");
}
