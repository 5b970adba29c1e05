/**
 * Reads input that a user names: a file, a pipe, a device, or `-` for standard input.
 *
 * The size is checked before reading, and bytes are counted while reading, as pipes and devices
 * have no size and files may grow. All input of the command line is read here.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type Bounds, inWords } from "../resources/bounds.ts";
import { UsageError } from "../resources/errors.ts";

export type InputBounds = Pick<Bounds, "bytes">;

export interface OpenInput {
  readonly descriptor: number;
  /** Size in bytes; undefined for a pipe or a device. */
  readonly size: number | undefined;
}

/** Opens input. @throws UsageError `NoFile`, `FileTooLarge` */
export function openInput(path: string, bounds: InputBounds): OpenInput {
  const descriptor = openToRead(path);
  const stat = fstatSync(descriptor);
  try {
    if (stat.isDirectory()) throw new UsageError("NoFile", `${path} is a folder, not a file.`);
    if (stat.isFile() && stat.size > bounds.bytes) throw tooLarge(path, bounds);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { descriptor, size: stat.isFile() ? stat.size : undefined };
}

function openToRead(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError("NoFile", `There is no file ${path}.`);
    if (code === "EACCES") throw new UsageError("NoFile", `The file ${path} may not be read.`);
    throw error;
  }
}

const chunkBytes = 256 * 1024;

/** Yields the bytes of input in chunks, each in a buffer of its own. @throws as `openInput` */
export function* inputChunks(path: string, bounds: InputBounds): Generator<Uint8Array> {
  const { descriptor } = openInput(path, bounds);
  try {
    for (let bytes = 0; ; ) {
      const chunk = new Uint8Array(chunkBytes);
      const count = readSync(descriptor, chunk);
      if (count === 0) return;
      bytes += count;
      if (bytes > bounds.bytes) throw tooLarge(path, bounds);
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the text of a small file. @throws as `openInput` */
export function inputText(path: string, bounds: InputBounds): string {
  return Buffer.concat([...inputChunks(path, bounds)]).toString("utf8");
}

/**
 * Yields the bytes of input until it ends or is aborted; it does not block other work while a pipe
 * is idle.
 *
 * @throws as `openInput`
 */
export async function* inputStream(
  path: string,
  bounds: InputBounds,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<Buffer> {
  const { addAbortSignal } = await import("node:stream");
  const { createReadStream } = await import("node:fs");
  const isStandard = path === "-";
  const source = isStandard
    ? process.stdin
    : createReadStream(path, { fd: openInput(path, bounds).descriptor });
  let bytes = 0;
  for await (const chunk of addAbortSignal(signal, source)) {
    bytes += (chunk as Buffer).length;
    if (bytes > bounds.bytes) throw tooLarge(isStandard ? "Standard input" : path, bounds);
    yield chunk as Buffer;
  }
}

/** Reads all input into memory. @throws as `openInput` */
export async function readInput(
  path: string,
  bounds: InputBounds,
  signal?: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of inputStream(path, bounds, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function tooLarge(path: string, { bytes }: InputBounds): UsageError {
  return new UsageError("FileTooLarge", `${path} has more than ${inWords(bytes)}: it is not read.`);
}
