/**
 * Spools a body to a temporary file until it is needed.
 *
 * A network sender may be slow and may never finish; so the body is received completely before
 * anything waits for it. The file is unlinked as soon as it is open, so that nothing remains
 * whatever happens, and only its owner could have read it.
 */
import type { FileHandle } from "node:fs/promises";
import { type Chunks, type Limits, limitChunks } from "./body.ts";

export interface SpooledFile extends AsyncDisposable {
  readonly bytes: number;
  /** SHA-256 of the body, hexadecimal. */
  readonly sha256: string;
  /**
   * The bytes from the start, on each call, in chunks of `pieceBytes` and a shorter last one. All
   * chunks share one buffer: a chunk must be used before the next is read.
   */
  pieces(pieceBytes: number): Chunks;
}

/**
 * Receives a body into a temporary file.
 * @throws RefusedError `BodyTooLarge` when it has more than `bytesMax`, `BodyIncomplete` when it
 *   breaks off
 */
export async function spool(body: Uint8Array | Chunks, limits: Limits): Promise<SpooledFile> {
  const { createHash } = process.getBuiltinModule("node:crypto");
  const { file, remove } = await openNameless();
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of limitChunks(body, limits)) {
      hash.update(chunk);
      await writeWhole(file, chunk);
      bytes += chunk.length;
    }
    return {
      bytes,
      sha256: hash.digest("hex"),
      pieces: (pieceBytes) => ({ [Symbol.asyncIterator]: () => read(file, pieceBytes) }),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function openNameless(): Promise<{ file: FileHandle; remove: () => Promise<void> }> {
  const { mkdtemp, open, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const folder = await mkdtemp(join(tmpdir(), "acct-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await open(join(folder, "body"), "wx+", 0o600);
    // On systems that cannot unlink an open file, it is deleted when closed.
    const isRemoved = await removeFolder().then(
      () => true,
      () => false,
    );
    const remove = async () => {
      await file.close();
      if (!isRemoved) await removeFolder();
    };
    return { file, remove };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let startIndex = 0; startIndex < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, startIndex, chunk.length - startIndex);
    startIndex += bytesWritten;
  }
}

async function* read(file: FileHandle, pieceBytes: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  for (let position = 0; ; ) {
    let filled = 0;
    while (filled < pieceBytes) {
      const { bytesRead } = await file.read(piece, filled, pieceBytes - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0) yield piece.subarray(0, filled);
    if (filled < pieceBytes) return;
    position += filled;
  }
}
