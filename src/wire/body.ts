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
