/**
 * The body of a request or an answer: at hand, or piece by piece.
 *
 * Records are small and are taken whole, within a bound. A file is not, and is never in memory all
 * at once: it passes through in pieces, as they come.
 */
import { AcctError, RefusedError } from "../resources/errors.ts";

/** A body piece by piece, to be read once unless its maker says otherwise. */
export type Chunks = AsyncIterable<Uint8Array>;

export function isChunks(body: string | Uint8Array | Chunks | undefined): body is Chunks {
  return typeof body === "object" && Symbol.asyncIterator in body;
}

/**
 * Whether a body can be sent more than once: one at hand, or one that begins anew each time that it
 * is read, as a file does. A stream or an iterator is used up by whoever reads it.
 */
export function canBeSentAgain(body: Uint8Array | Chunks | undefined): boolean {
  return !isChunks(body) || !("next" in body || "pipe" in body);
}

export interface Limits {
  readonly bytesMax: number;
  /** What has them, as a refusal calls it: "A file". */
  readonly what: string;
}

export function tooLarge({ bytesMax, what }: Limits): RefusedError {
  return new RefusedError("BodyTooLarge", `${what} has at most ${bytesMax} bytes.`);
}

/**
 * The whole of a body.
 *
 * @throws RefusedError `BodyTooLarge` when it has more than `bytesMax`, `BodyIncomplete` when it
 *   breaks off
 */
export async function collect(body: Uint8Array | Chunks, bytesMax: number): Promise<Uint8Array> {
  const limits = { bytesMax, what: "A request body" };
  if (!isChunks(body)) {
    if (body.length > bytesMax) throw tooLarge(limits);
    return body;
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of bounded(body, limits)) {
    parts.push(part);
    bytes += part.length;
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, bytes);
}

/**
 * The pieces of a body that arrives from outside, as long as they are within their limits.
 *
 * @throws RefusedError as `collect`
 */
export async function* bounded(
  body: Uint8Array | Chunks,
  { bytesMax, what }: Limits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of isChunks(body) ? arriving(body) : [body]) {
    bytes += part.length;
    if (bytes > bytesMax) throw tooLarge({ bytesMax, what });
    yield part;
  }
}

async function* arriving(body: Chunks): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw cause instanceof AcctError ? cause : brokenOff(cause);
  }
}

/** The code of a content coding that is not taken, which is answered with 415. */
export const unsupportedCoding = "UnsupportedCoding";

/**
 * A body without its content coding; what it unpacks to is counted where it is read.
 *
 * @param coding  the header `content-encoding`
 * @throws RefusedError `UnsupportedCoding`
 */
export function uncoded(body: Uint8Array | Chunks, coding: string): Uint8Array | Chunks {
  const name = coding.trim().toLowerCase();
  if (name === "" || name === "identity") return body;
  if (name === "gzip" || name === "x-gzip") return gunzipped(isChunks(body) ? body : [body]);
  const message = `The coding ${coding.slice(0, 40)} of the body is not taken: send it as it is, or by gzip.`;
  throw new RefusedError(unsupportedCoding, message);
}

async function* gunzipped(body: Chunks | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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

/** What breaks off on its way is the sender's trouble and no fault of this program. */
export function brokenOff(cause: unknown): RefusedError {
  const message = "The body of the request broke off before its end.";
  return new RefusedError("BodyIncomplete", message, [], { cause });
}

/** The whole of an answer, as text. */
export async function textOf(body: string | Uint8Array | Chunks): Promise<string> {
  if (typeof body === "string") return body;
  if (!isChunks(body)) return Buffer.from(body).toString("utf8");
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
