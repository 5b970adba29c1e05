/**
 * The bytes of the file that is imported, to be read several times over.
 *
 * A file is held open by its descriptor and read up to the length that it had at first, so that one
 * which grows meanwhile gives the same rows each time. What can be read only once (standard input, a
 * pipe) is kept in a temporary file first.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { inputStream, openInput } from "../../../platform/input-file.ts";
import { scratchFile } from "../../../platform/scratch-file.ts";
import { inputBounds } from "../../../resources/bounds.ts";

export interface SourceFile {
  /** As the person named it. */
  readonly name: string;
  readonly bytes: number;
  /** Reads into `buffer` from `position`; fewer bytes than asked for only at the end. */
  read(buffer: Uint8Array, position: number): number;
  close(): void;
}

/**
 * Opens a file, or takes all that comes on standard input when `path` is `-`.
 *
 * @param standardInput  only called for `-`
 * @throws UsageError `NoFile`, `FileTooLarge`
 */
export async function openSource(
  path: string,
  standardInput: () => AsyncIterable<Uint8Array>,
): Promise<SourceFile> {
  if (path === "-") return copied("standard input", standardInput());
  const { descriptor, size } = openInput(path, inputBounds.rows);
  if (size !== undefined) return sourceOf(path, descriptor, size);
  closeSync(descriptor);
  return copied(path, inputStream(path, inputBounds.pipedRows));
}

async function copied(name: string, chunks: AsyncIterable<Uint8Array>): Promise<SourceFile> {
  const scratch = scratchFile();
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      writeSync(scratch.descriptor, chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    scratch.remove();
    throw error;
  }
  return sourceOf(name, scratch.descriptor, bytes, scratch.remove);
}

function sourceOf(
  name: string,
  descriptor: number,
  bytes: number,
  close: () => void = () => closeSync(descriptor),
): SourceFile {
  return {
    name,
    bytes,
    read(buffer, position) {
      const wanted = Math.min(buffer.length, bytes - position);
      let filled = 0;
      while (filled < wanted) {
        const count = readSync(descriptor, buffer, filled, wanted - filled, position + filled);
        if (count === 0) break; // The file became shorter.
        filled += count;
      }
      return filled;
    },
    close,
  };
}
