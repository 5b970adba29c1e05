/**
 * Saves a download, such as a PDF, to a file: atomically, and over an existing file only on
 * request.
 */
import { randomBytes } from "node:crypto";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { asDiskError } from "../../platform/disk.ts";
import { fileName } from "../../platform/file-name.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Resource, Shape } from "../../resources/field.ts";
import type { Chunks } from "../../wire/body.ts";
import { nameOf } from "../../wire/codec.ts";
import type { Context } from "../context/context.ts";
import { isTerminal } from "../framework/global-flags.ts";
import { InterruptedError } from "../render/error.ts";
import { formats } from "../render/formats/index.ts";
import { missingFont } from "../render/formats/paper.ts";

export interface SaveOptions {
  /** Path of a file or folder; the current folder when not given. */
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Writes a file and reports its path; in a dry run reports the path alone.
 *
 * @param name   safe default file name
 * @param bytes  called when the path is decided
 * @returns undefined in a dry run
 * @throws UsageError `NeedsConfirmation`, `CannotWrite`; DiskError; InterruptedError when the
 *   answer is no
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

async function placeFor(path: string | undefined, name: string): Promise<string> {
  if (path === undefined) return name;
  if ((await kindAt(path)) === "folder") return join(path, name);
  if (path.endsWith("/") || path.endsWith(sep)) throw cannotWrite(path, reasons.ENOENT);
  return path;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await kindAt(path)) === "folder";
}

async function kindAt(path: string): Promise<"file" | "folder" | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && (stats.isDirectory() ? "folder" : "file");
}

/** Writes the file, but never over one that was created in the meantime. */
async function write(path: string, bytes: Uint8Array | Chunks, isThere: boolean): Promise<void> {
  try {
    // A temporary name until the file is complete, where an existing file has the name.
    const partPath = isThere ? `${path}.${randomBytes(4).toString("hex")}.part` : path;
    try {
      await writeFile(partPath, bytes, { flag: "wx" });
      if (isThere) await rename(partPath, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") await rm(partPath, { force: true });
      throw error;
    }
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const reason = (reasons as Readonly<Record<string, string>>)[code];
    if (reason === undefined) throw asDiskError(path, cause);
    throw cannotWrite(path, reason, { cause });
  }
}

const cannotWrite = (path: string, reason: string, options?: ErrorOptions) =>
  new UsageError("CannotWrite", `Cannot write ${path}: ${reason}.`, [], options);

const reasons = {
  ENOENT: "there is no such folder",
  ENOTDIR: "what stands before its name is no folder",
  EEXIST: "it is there already",
  ENAMETOOLONG: "the name is too long",
} as const;

export interface PdfOptions {
  /**
   * Path of a file or folder, or `-` for standard output; the document number in the current folder
   * when not given.
   */
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

/**
 * Saves one record as PDF and reports the path.
 *
 * @throws UsageError `BinaryToTerminal`, `NeedsConfirmation`, `CannotWrite`
 */
export async function savePdf<R extends Resource>(
  ctx: Context,
  resource: R,
  foundRecord: Shape<R>,
  options: PdfOptions,
): Promise<void> {
  const record = foundRecord as Record<string, unknown>;
  const id = String(record[resource.id]);
  const client = await ctx.client();
  const name = fileName(nameOf(resource, record), id, "pdf");
  await savePrinted(ctx, name, options, (onMissing) => client.printed(resource, id, onMissing));
}

/**
 * Saves a PDF.
 *
 * @param requestPdf  requests it, and receives characters without a font
 */
export async function savePrinted(
  ctx: Context,
  name: string,
  { outputFile, force }: SaveOptions,
  requestPdf: (onMissing: (characters: string) => void) => Promise<Uint8Array>,
): Promise<void> {
  const warn = (characters: string) =>
    ctx.out.say(missingFont(characters, ", where the service runs"));
  await saveBytes(ctx, name, { outputFile, force }, () => requestPdf(warn));
}

/**
 * Saves a file of a record and reports its path; `-` writes to standard output.
 *
 * @param name  default file name; its extension names the format
 * @throws UsageError `BinaryToTerminal`, `NeedsConfirmation`, `CannotWrite`
 */
export async function saveBytes(
  ctx: Context,
  name: string,
  { outputFile, force }: SaveOptions,
  bytes: () => Promise<Uint8Array>,
): Promise<void> {
  if (outputFile === "-") {
    if (name.endsWith(".pdf") && isTerminal(1)) {
      throw new UsageError(
        "BinaryToTerminal",
        "A PDF is not for a terminal to show: send it to a file or a program, or leave out the -.",
      );
    }
    return ctx.out.bytes(await bytes());
  }
  const path = await saveFile(ctx, name, { outputFile, force }, bytes);
  if (path === undefined) return;
  // The file extension may have chosen a document format for the answer, which cannot hold a file
  // name.
  if (formats[ctx.flags.output].paper !== undefined) await ctx.out.bytes(`${path}\n`);
  else await ctx.out.value({ FileName: path }, path);
}
