/** Keeps what a service sent as a file: whole or not at all, and over another only when told to. */
import { randomBytes } from "node:crypto";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { explainedWriting } from "../../../platform/disk.ts";
import { UsageError } from "../../../resources/errors.ts";
import type { Chunks } from "../../../wire/body.ts";
import type { Context } from "../../framework/context.ts";
import { InterruptedError } from "../../render/error.ts";

export interface SaveOptions {
  /** A file or a folder; this folder when not given. */
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Writes a file and tells where, or in a dry run where it would be.
 *
 * @param name   a name that is safe here, for where none was asked for
 * @param bytes  asked for when the place is settled
 * @returns undefined in a dry run
 * @throws UsageError `NeedsConfirmation`, `CannotWrite`; DiskError; InterruptedError when the answer is no
 */
export async function saveFile(
  ctx: Context,
  name: string,
  { outputFile, force }: SaveOptions,
  bytes: () => Promise<Uint8Array | Chunks>,
): Promise<string | undefined> {
  const path = await placeFor(outputFile, name);
  const isThere = (await kindAt(path)) !== undefined;
  if (ctx.flags.dryRun) {
    ctx.out.say(`${path} would be ${isThere ? "over" : ""}written.`);
    return undefined;
  }
  if (isThere && force !== true) {
    const question = `${path} is there already. Write over it?`;
    if (!(await ctx.ask.confirm(question, { flag: "--force" }))) {
      throw new InterruptedError(`${path} was left as it is.`);
    }
  }
  await write(path, await bytes(), isThere);
  return path;
}

async function placeFor(asked: string | undefined, name: string): Promise<string> {
  if (asked === undefined) return name;
  return (await kindAt(asked)) === "folder" ? join(asked, name) : asked;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await kindAt(path)) === "folder";
}

async function kindAt(path: string): Promise<"file" | "folder" | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? "folder" : "file");
}

/** Never over a file that came there in the meantime. */
async function write(path: string, bytes: Uint8Array | Chunks, isThere: boolean): Promise<void> {
  try {
    // A name of its own until it is whole, where something else has the name.
    const part = isThere ? `${path}.${randomBytes(4).toString("hex")}.part` : path;
    try {
      await writeFile(part, bytes, { flag: "wx" });
      if (isThere) await rename(part, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") await rm(part, { force: true });
      throw error;
    }
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const why = reasons[code];
    if (why === undefined) throw explainedWriting(path, cause);
    throw new UsageError("CannotWrite", `Cannot write ${path}: ${why}.`, [], { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "what stands before its name is no folder",
  EISDIR: "it is a folder",
  EEXIST: "it is there already",
  ENAMETOOLONG: "the name is too long",
};
