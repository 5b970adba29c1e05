/** Keeps the printed form of a record as a file. */
import { randomBytes } from "node:crypto";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../resources/errors.ts";
import type { Resource, Shape } from "../resources/field.ts";
import { nameOf } from "../wire/codec.ts";
import { fileName } from "../wire/file-name.ts";
import type { Context } from "./context.ts";
import { isTerminal } from "./globals.ts";
import { InterruptedError } from "./render/error.ts";

export interface PdfOptions {
  /** A file, a folder, or `-` for standard output; the number in this folder when not given. */
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Writes one record as PDF and says where.
 *
 * @throws UsageError `BinaryToTerminal`, `NeedsConfirmation`, `CannotWrite`
 */
export async function savePdf<R extends Resource>(
  ctx: Context,
  resource: R,
  found: Shape<R>,
  { outputFile, force }: PdfOptions,
): Promise<void> {
  const record = found as Record<string, unknown>;
  const id = String(record[resource.id]);
  const client = await ctx.client();
  if (outputFile === "-") {
    if (isTerminal(1)) {
      throw new UsageError(
        "BinaryToTerminal",
        "A PDF is not for a terminal to show: send it to a file or a program, or leave out the -.",
      );
    }
    return ctx.out.bytes(await client.printed(resource, id));
  }
  const path = await placeFor(outputFile, fileName(nameOf(resource, record), id, "pdf"));
  const isThere = (await kindAt(path)) !== undefined;
  if (ctx.flags.dryRun) return ctx.out.say(`${path} would be ${isThere ? "over" : ""}written.`);
  if (isThere && force !== true) {
    const question = `${path} is there already. Write over it?`;
    if (!(await ctx.ask.confirm(question, { flag: "--force" }))) {
      throw new InterruptedError(`${path} was left as it is.`);
    }
  }
  await write(path, await client.printed(resource, id), isThere);
  await ctx.out.value({ FileName: path }, path);
}

async function placeFor(asked: string | undefined, name: string): Promise<string> {
  if (asked === undefined) return name;
  return (await kindAt(asked)) === "folder" ? join(asked, name) : asked;
}

async function kindAt(path: string): Promise<"file" | "folder" | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? "folder" : "file");
}

/** Whole or not at all, and never over a file that came there in the meantime. */
async function write(path: string, bytes: Uint8Array, isThere: boolean): Promise<void> {
  try {
    if (!isThere) return await writeFile(path, bytes, { flag: "wx" });
    const part = `${path}.${randomBytes(4).toString("hex")}.part`;
    try {
      await writeFile(part, bytes, { flag: "wx" });
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const why = reasons[code];
    if (why === undefined) throw cause;
    throw new UsageError("CannotWrite", `Cannot write ${path}: ${why}.`, [], { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "what stands before its name is no folder",
  EISDIR: "it is a folder",
  EEXIST: "it is there already",
  EACCES: "it is not permitted",
  EPERM: "it is not permitted",
  EROFS: "nothing can be written there",
  ENOSPC: "no space is left",
  ENAMETOOLONG: "the name is too long",
};
