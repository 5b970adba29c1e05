/**
 * Output files of answers and exports, written atomically. An existing file of that name is kept
 * until the new one is complete.
 */
import { closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { asDiskError } from "../../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { UsageError } from "../../../resources/errors.ts";
import type { Out } from "../output.ts";
import type { DirectSink, Sink } from "./sink.ts";

export interface FileSink extends DirectSink {
  /** Moves the file to its final path. */
  keep(): void;
  /** Discards the new file; no effect after `keep`. */
  discard(): void;
}

/**
 * Opens an output file.
 *
 * @throws UsageError `BadFile` when the folder does not exist; DiskError, also from its functions
 */
export function fileSink(path: string): FileSink {
  clearLeftovers(path);
  const partPath = partName(path);
  let descriptor: number | undefined = openPartFile(path, partPath);
  const explained = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw asDiskError(path, error);
    }
  };
  const close = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    write: (text) =>
      explained(() => {
        const bytes = typeof text === "string" ? Buffer.from(text) : text;
        for (let bytesDone = 0; bytesDone < bytes.length; ) {
          bytesDone += writeSync(descriptor as number, bytes, bytesDone);
        }
      }),
    keep: () =>
      explained(() => {
        fsyncSync(descriptor as number);
        close();
        renameSync(partPath, path);
        removePart(partPath);
      }),
    discard: () => {
      close();
      removePart(partPath);
    },
  };
}

interface Writing {
  readonly out: Out;
  readonly flags: { readonly dryRun: boolean };
}

/** Reports what was written to a file, or would be in a dry run. */
export function sayWritten({ out, flags }: Writing, what: string, path: string | undefined): void {
  if (path === undefined || path === "-") return;
  out.say(flags.dryRun ? `${path} would be written: ${what}.` : `Wrote ${what} to ${path}.`);
}

/**
 * Runs `write` with a sink, and moves the file to its path when all is written; a dry run discards
 * it.
 *
 * @param path  undefined or `-` for standard output
 * @throws UsageError `BadFile` when the folder does not exist; DiskError
 */
export async function writeTo(
  ctx: Writing,
  path: string | undefined,
  write: (sink: Sink) => Promise<void>,
): Promise<void> {
  if (path === undefined || path === "-") {
    return write({ write: (text) => ctx.out.bytes(text) });
  }
  const file = fileSink(path);
  try {
    await write(file);
    if (!ctx.flags.dryRun) file.keep();
  } finally {
    file.discard();
  }
}

function openPartFile(path: string, partPath: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError("BadFile", `${path} is a folder, not a file.`);
  }
  try {
    return openSync(partPath, "wx");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw asDiskError(path, error);
    const message = `The file ${path} cannot be written: its folder is not there.`;
    throw new UsageError("BadFile", message);
  }
}
