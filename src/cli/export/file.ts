/**
 * Where an export goes: standard output, or a file that is there whole or not at all.
 *
 * What was in a file of that name stays until the new one is complete.
 */
import { closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { explainedWriting } from "../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../platform/part-file.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Context } from "../framework/context.ts";
import type { Sink } from "../render/sink.ts";

/**
 * Gives `write` a sink, and puts the file in its place when all is written.
 *
 * @param path  undefined or `-` for standard output
 * @throws UsageError `BadFile` when there is no such folder; DiskError
 */
export async function written(
  ctx: Context,
  path: string | undefined,
  write: (sink: Sink) => Promise<void>,
): Promise<void> {
  if (path === undefined || path === "-") {
    return write({ write: (text) => ctx.out.bytes(text) });
  }
  clearLeftovers(path);
  const made = partName(path);
  const descriptor = opened(path, made);
  let isOpen = true;
  try {
    await write({
      write: (text) => {
        const bytes = typeof text === "string" ? Buffer.from(text) : text;
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
      },
    });
    fsyncSync(descriptor);
    isOpen = false;
    closeSync(descriptor);
    renameSync(made, path);
  } catch (error) {
    if (isOpen) closeSync(descriptor);
    throw explainedWriting(path, error);
  } finally {
    removePart(made);
  }
}

function opened(path: string, made: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError("BadFile", `${path} is a folder, not a file.`);
  }
  try {
    return openSync(made, "wx");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw explainedWriting(path, error);
    const message = `The file ${path} cannot be written: its folder is not there.`;
    throw new UsageError("BadFile", message);
  }
}
