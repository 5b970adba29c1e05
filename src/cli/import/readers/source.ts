/**
 * Reads the bytes of an import file several times.
 *
 * The file stays open and is read up to its initial length, so that each pass gives the same rows
 * even if the file grows. Input that can be read only once (standard input, a pipe) is copied to a
 * temporary file first.
 */
import { closeSync, readSync, writeSync } from "node:fs";
import { inputStream, openInput } from "../../../platform/input-file.ts";
import { scratchFile } from "../../../platform/scratch-file.ts";
import { inputBounds } from "../../../resources/bounds.ts";

export interface SourceFile {
  /** File name as given. */
  readonly name: string;
  readonly bytes: number;
  /** Reads into `buffer` from `position`; returns fewer bytes only at the end of the file. */
  read(buffer: Uint8Array, position: number): number;
  close(): void;
}

/**
 * Opens a file, or reads all of standard input when `path` is `-`.
 *
 * @param piped  reads standard input
 * @throws UsageError `NoFile`, `FileTooLarge`
 */
export async function openSource(path: string, piped = inputStream): Promise<SourceFile> {
  if (path === "-") return copiedSource("standard input", piped(path, inputBounds.pipedRows));
  const { descriptor, size } = openInput(path, inputBounds.rows);
  if (size !== undefined) return sourceOf(path, descriptor, size);
  closeSync(descriptor);
  return copiedSource(path, inputStream(path, inputBounds.pipedRows));
}

async function copiedSource(name: string, chunks: AsyncIterable<Uint8Array>): Promise<SourceFile> {
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
      const bytesWanted = Math.min(buffer.length, bytes - position);
      let filled = 0;
      while (filled < bytesWanted) {
        const count = readSync(descriptor, buffer, filled, bytesWanted - filled, position + filled);
        if (count === 0) break; // The file became shorter.
        filled += count;
      }
      return filled;
    },
    close,
  };
}
