/** `acct attachment`: files attached to a record. */

import { closeSync } from "node:fs";
import type { Upload } from "../../client/client.ts";
import { fileName } from "../../platform/file-name.ts";
import { inputStream, openInput } from "../../platform/input-file.ts";
import { type Attachment, attachment } from "../../resources/attachment.ts";
import { inputBounds } from "../../resources/bounds.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import type { Chunks } from "../../wire/body.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { isTerminal } from "../framework/global-flags.ts";
import { type RecordRef, recordOn, recordRefFlag } from "../shared/record-ref.ts";
import { mediaTypeOf } from "../values/media-types.ts";

const onAttachments = recordRefFlag((resource) => resource.attachments !== undefined);

const listCommand = command("list", "the files on a record")
  .alias("ls")
  .answers(attachment)
  .flag("on", ...onAttachments)
  .example("acct attachment list --on invoice:INV-0204")
  .action(async (ctx, { on }) => {
    const client = await ctx.client();
    const { resource, id } = await recordOn(ctx, on);
    await ctx.out.records(attachment, await client.attachments(resource, id));
  });

interface AddOptions {
  readonly on?: RecordRef | undefined;
  readonly name?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly includeOnline?: boolean | undefined;
}

const addCommand = command("add", "put files on a record")
  .writes()
  .answers(attachment)
  .arguments("FILE", "a file, - for standard input", { live: "file" })
  .flag("on", ...onAttachments)
  .flag("name", "what one file is called there, if not as it is here")
  .flag("mime-type", "what it is, if its name does not say so", { placeholder: "TYPE" })
  .switch("include-online", "show it to customers with the invoice online")
  .note(
    "A file of the same name on the record is replaced, after a question; without a terminal to ask on, --yes must be given. A record takes 10 files of 25 MB.",
  )
  .example("acct attachment add receipt.pdf --on bill:S-1111")
  .example("acct attachment add photo.jpg --on invoice:INV-0204 --include-online")
  .action((ctx, files, options) => add(ctx, files, options));

async function add(ctx: Context, files: readonly string[], options: AddOptions): Promise<void> {
  if (options.name !== undefined && files.length > 1) {
    throw new UsageError("BadFlags", "--name is for one file; leave it out for several.");
  }
  // All files are checked before the first is uploaded.
  const uploads: (Upload & AsyncDisposable)[] = [];
  try {
    for (const file of files) uploads.push(await uploadOf(file, options));
    const client = await ctx.client();
    const { resource, id } = await recordOn(ctx, options.on);
    const names = uploads.map(({ name }) => name.normalize("NFC"));
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice !== undefined) {
      throw new UsageError("BadFlags", `Two of the files are called ${twice}; add one by --name.`);
    }
    const replacedFiles = (await client.attachments(resource, id)).filter((attachment) => {
      const upload = uploads[names.indexOf(attachment.FileName)];
      // What is sent again under its idempotency key replaces nothing.
      const isRepeat = ctx.flags.idempotencyKey && upload?.size === attachment.ContentLength;
      return upload !== undefined && !isRepeat;
    });
    if (replacedFiles.length > 0) {
      const called = replacedFiles.map(({ FileName }) => FileName).join(", ");
      await confirm(ctx, `Replace ${called} on the ${resource.noun}? What is there is not kept.`);
    }
    const attachments: Attachment[] = [];
    for (const upload of uploads) {
      const file = await client.attach(resource, id, upload);
      if (file !== undefined) attachments.push(file);
      else ctx.out.say(`Dry run: ${upload.name} (${counted(upload.size, "byte")}) would be sent.`);
    }
    const [only, ...others] = attachments;
    if (only !== undefined && others.length === 0) await ctx.out.record(attachment, only);
    else if (only !== undefined) await ctx.out.records(attachment, attachments);
  } finally {
    for (const upload of uploads) await upload[Symbol.asyncDispose]();
  }
}

/**
 * Opens a file for upload.
 *
 * @throws UsageError `NoFile`, `FileTooLarge`, `MissingValue`
 */
export async function uploadOf(
  path: string,
  { name, mimeType, includeOnline }: AddOptions,
): Promise<Upload & AsyncDisposable> {
  if (path === "-" && name === undefined) {
    throw new UsageError("MissingValue", "--name says what standard input is called.");
  }
  const { basename, resolve } = await import("node:path");
  const called = name ?? basename(resolve(path));
  const fileFacts = { name: called, mimeType: mimeType ?? mediaTypeOf(called), includeOnline };
  const bounds = inputBounds.attachment;
  const size = path === "-" ? undefined : sizeOf(path);
  if (size !== undefined) {
    const body = { [Symbol.asyncIterator]: () => inputStream(path, bounds) };
    return { ...fileFacts, size, body, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const { spool } = await import("../../wire/spool.ts");
  const spooled = await spool(inputStream(path, bounds), {
    bytesMax: bounds.bytes,
    what: "A file",
  });
  return {
    ...fileFacts,
    size: spooled.bytes,
    body: copyChunks(spooled.pieces(pieceBytes)),
    [Symbol.asyncDispose]: () => spooled[Symbol.asyncDispose](),
  };
}

/** Size of a file in bytes; undefined for a pipe or a device, which can be read only once. */
function sizeOf(path: string): number | undefined {
  const { descriptor, size } = openInput(path, inputBounds.attachment);
  closeSync(descriptor);
  return size;
}

const pieceBytes = 64 * 1024;

/** Copies each chunk, since the connection may still be sending it when the next is read. */
function copyChunks(pieces: Chunks): Chunks {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const filePiece of pieces) yield Buffer.from(filePiece);
    },
  };
}

interface GetOptions {
  readonly on?: RecordRef | undefined;
  readonly outputFile?: string | undefined;
  readonly force?: boolean | undefined;
}

const getCommand = command("get", "save the files of a record")
  .arguments("FILE", "file names or ids; all of them when not given", { optional: true })
  .flag("on", ...onAttachments)
  .flag("output-file", "a file, a folder, or - for standard output", {
    placeholder: "FILE",
    live: "file",
  })
  .switch("force", "write over a file that is there")
  .note("Each is saved in this folder under its own name, or what is safe of it.")
  .example("acct attachment get receipt.pdf --on bill:S-1111")
  .example("acct attachment get --on bill:S-1111 --output-file receipts/")
  .example("acct attachment get notes.txt --on invoice:INV-0204 --output-file - | less")
  .action((ctx, names, options) => get(ctx, names, options));

async function get(ctx: Context, names: readonly string[], options: GetOptions): Promise<void> {
  const client = await ctx.client();
  const { resource, id } = await recordOn(ctx, options.on);
  const files = select(await client.attachments(resource, id), names);
  const bytesOf = (file: Attachment) => client.download(resource, id, file.FileName);
  const [only] = files;
  if (options.outputFile === "-") {
    if (only === undefined || files.length > 1) {
      throw new UsageError("BadFlags", "One file goes to standard output; say which.");
    }
    if (isTerminal(1) && !only.MimeType.startsWith("text/")) {
      throw new UsageError(
        "BinaryToTerminal",
        "Such a file is not for a terminal to show: send it to a file or a program.",
      );
    }
    return toStandardOutput(ctx, await bytesOf(only));
  }
  const { isFolder, saveFile } = await import("../shared/save-file.ts");
  const { outputFile } = options;
  if (files.length > 1 && outputFile !== undefined && !(await isFolder(outputFile))) {
    throw new UsageError("BadFlags", `${outputFile} is no folder, and there are several files.`);
  }
  for (const file of files) {
    const path = await saveFile(ctx, safeName(file), options, () => bytesOf(file));
    if (path !== undefined) await ctx.out.value({ FileName: path }, path);
  }
  if (files.length === 0) ctx.out.say("No files found.");
}

const removeCommand = command("remove", "take files off a record")
  .writes()
  .arguments("FILE", "file names or ids")
  .flag("on", ...onAttachments)
  .note("Asks first; without a terminal to ask on, --yes must be given.")
  .note("The history of the record keeps what was removed by its name, size and hash.")
  .example("acct attachment remove receipt.pdf --on invoice:INV-0204 --yes")
  .example("acct attachment remove receipt.pdf --on bill:S-1111 --yes")
  .action((ctx, names, options) => remove(ctx, names, options));

async function remove(
  ctx: Context,
  names: readonly string[],
  { on }: { readonly on?: RecordRef | undefined },
): Promise<void> {
  const client = await ctx.client();
  const { resource, id } = await recordOn(ctx, on);
  const files = [...new Set(select(await client.attachments(resource, id), names))];
  const fileNames = files.map(({ FileName }) => FileName).join(", ");
  await confirm(ctx, `Remove ${fileNames} from the ${resource.noun}? It cannot be brought back.`);
  for (const { AttachmentID, FileName } of files) {
    await client.detach(resource, id, AttachmentID);
    ctx.out.say(ctx.flags.dryRun ? `${FileName} would be removed.` : `Removed ${FileName}.`);
  }
}

/**
 * Selects attachments by name or id.
 *
 * @throws NotFoundError for a name or an id without attachment
 */
function select(files: readonly Attachment[], names: readonly string[]): readonly Attachment[] {
  if (names.length === 0) return files;
  return names.map((name) => {
    const composed = name.normalize("NFC");
    const attachment =
      files.find((file) => file.FileName === composed) ??
      files.find((file) => file.AttachmentID === name.toLowerCase());
    if (attachment !== undefined) return attachment;
    throw new NotFoundError("NotFound", `There is no file ${name} on the record.`);
  });
}

async function toStandardOutput(ctx: Context, bytes: Chunks): Promise<void> {
  const isText = isTerminal(1);
  for await (const filePiece of bytes) {
    await ctx.out.bytes(isText ? Buffer.from(filePiece).toString("utf8") : filePiece);
  }
}

/**
 * Returns a file name that is safe on this machine, derived from the name that the service gives.
 */
function safeName({ FileName, AttachmentID }: Attachment): string {
  const [, stem = FileName, extension = ""] = /^(.+)\.([a-z0-9]{1,16})$/i.exec(FileName) ?? [];
  return fileName(stem, AttachmentID, extension).replace(/\.$/, "");
}

export const attachmentVerbs: readonly Child[] = [
  listCommand,
  addCommand,
  getCommand,
  removeCommand,
];
