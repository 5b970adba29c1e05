/**
 * /{Endpoint}/{id}/Attachments: files attached to records.
 *
 * An upload is received completely before the write transaction begins, to keep that short; file
 * and history note are saved in one transaction. A download reads one piece at a time, and holds no
 * transaction in between.
 */

import { attachment } from "../../resources/attachment.ts";
import { NotFoundError, refusal, UnavailableError } from "../../resources/errors.ts";
import { idOf } from "../../resources/field.ts";
import { counted, readId } from "../../resources/scalar.ts";
import type { StoredRecord } from "../../store/mapping/records.ts";
import {
  attachmentsOf,
  chunkBytes,
  chunkOf,
  describeAttachment,
  type KeptAttachment,
  noteAttachments,
  removeAttachment,
  saveAttachment,
} from "../../store/records/attachments.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { Chunks } from "../../wire/body.ts";
import { answer } from "../request/answer.ts";
import type { RequestContext } from "../request/context.ts";
import type { RecordHandler } from "../request/endpoint.ts";
import { type Endpoint, locate } from "../request/endpoint.ts";
import { dispositionOf, filesMax, readFileName, readMimeType } from "../request/file-names.ts";
import { enter } from "../request/history.ts";
import { checkBuying } from "../request/permissions.ts";
import { shownAttachment } from "../request/shown-attachments.ts";

export const listAttachments: RecordHandler = async (call, endpoint, key) => {
  const files = await call.read(async (tx) =>
    attachmentsOf(tx, idOf(endpoint.resource, await locate(call, tx, endpoint, key))),
  );
  return answer(
    call,
    attachment,
    files.map((file) => shownAttachment(call, endpoint, file)),
    "single",
  );
};

/** GET: answers the bytes of a file by name or AttachmentID, whatever the Accept header says. */
export const readAttachment: RecordHandler = async (call, endpoint, key, name) => {
  const { file, first } = await call.read(async (tx) => {
    const record = await locate(call, tx, endpoint, key);
    const files = await attachmentsOf(tx, idOf(endpoint.resource, record));
    const file = find(files, name, endpoint);
    return { file, first: await chunkOf(tx, file.contentId, 0) };
  });
  return {
    status: 200,
    headers: {
      "content-type": file.mimeType,
      "content-length": String(file.size),
      "content-disposition": dispositionOf(file.name),
      "x-content-type-options": "nosniff",
    },
    body: bytesOf(call, file, first),
  };
};

/** Finds an attachment by file name or AttachmentID. @throws NotFoundError */
function find(
  files: readonly KeptAttachment[],
  name: string,
  { resource }: Endpoint,
): KeptAttachment {
  const composed = name.normalize("NFC");
  const id = readId(name);
  const attachment =
    files.find((file) => file.name === composed) ??
    (id === undefined ? undefined : files.find((file) => file.id === id));
  if (attachment !== undefined) return attachment;
  const message = `There is no file ${name.slice(0, 60)} on the ${resource.noun}.`;
  throw new NotFoundError("NotFound", message);
}

/**
 * Yields the bytes of a file in pieces.
 *
 * @param firstPiece  the first piece, if already read
 * @throws UnavailableError when the file is replaced before its last piece is read
 */
export async function* bytesOf(
  call: RequestContext,
  file: KeptAttachment,
  firstPiece?: Uint8Array | undefined,
): Chunks {
  const { contentId, size } = file;
  for (let ordinal = 0, startIndex = 0; startIndex < size; ordinal += 1) {
    const isAtHand = ordinal === 0 && firstPiece !== undefined;
    const piece = isAtHand ? firstPiece : await call.read((tx) => chunkOf(tx, contentId, ordinal));
    if (piece === undefined) {
      throw new UnavailableError(
        "Replaced",
        `The file ${file.name} was replaced while it was read; read it again.`,
      );
    }
    yield piece;
    startIndex += piece.length;
  }
}

/** PUT and POST: adds a file, or replaces the one with the same name. */
export const writeAttachment: RecordHandler = async (call, endpoint, key, name) => {
  const { file: sent, request } = call;
  if (sent === undefined) throw new Error("The route of an upload takes a file.");
  const fileName = readFileName(name);
  const mimeType = readMimeType(request.headers["content-type"]);
  const includeOnline = call.query.boolean("IncludeOnline") ?? false;
  if (sent.bytes === 0) {
    throw refusal(
      "Limit",
      `The file ${fileName} is empty; send its bytes as the body of the request.`,
    );
  }
  return call.write(async (tx) => {
    const record = await locate(call, tx, endpoint, key);
    checkBuying(call.principal, record.Type);
    if (includeOnline) checkOnline(endpoint, record);
    const recordId = idOf(endpoint.resource, record);
    const files = await attachmentsOf(tx, recordId);
    const replacedFile = files.find((file) => file.name === fileName);
    if (replacedFile === undefined && files.length >= filesMax) {
      throw refusal(
        "Limit",
        `The ${endpoint.resource.noun} has ${files.length} files, the most that it may have; ` +
          "replace one of them by sending it under the same name.",
      );
    }
    const isSameContent = replacedFile?.sha256 === sent.sha256;
    const storedAttachment: KeptAttachment = {
      id: replacedFile?.id ?? call.newId(),
      resource: endpoint.resource.name,
      recordId,
      name: fileName,
      mimeType,
      size: sent.bytes,
      sha256: sent.sha256,
      contentId: isSameContent ? replacedFile.contentId : call.newId(),
      includeOnline: includeOnline,
    };
    if (isSameContent) await describeAttachment(tx, storedAttachment);
    else await saveAttachment(tx, storedAttachment, sent.pieces(chunkBytes), replacedFile);
    tx.lock?.onWrite?.(endpoint.resource, [recordId]);
    await noteAttachments(tx, endpoint.resource, recordId, true);
    await enterFile(call, tx, storedAttachment, replacedFile);
    return answer(call, attachment, [shownAttachment(call, endpoint, storedAttachment)], "single");
  });
};

/** DELETE: removes a file by file name or AttachmentID. The history keeps its hash. */
export const deleteAttachment: RecordHandler = async (call, endpoint, key, name) => {
  const { resource } = endpoint;
  return call.write(async (tx) => {
    const record = await locate(call, tx, endpoint, key);
    checkBuying(call.principal, record.Type);
    const recordId = idOf(endpoint.resource, record);
    const files = await attachmentsOf(tx, recordId);
    const file = find(files, name, endpoint);
    await removeAttachment(tx, file);
    tx.lock?.onWrite?.(resource, [recordId]);
    if (files.length === 1) await noteAttachments(tx, resource, recordId, false);
    await enter(call, tx, resource, recordId, {
      changes: "Removed a file",
      details:
        `The file ${file.name} (${counted(file.size, "byte")}) was removed; its AttachmentID was ` +
        `${file.id}, its SHA-256 ${file.sha256}.`,
    });
    return answer(call, attachment, [shownAttachment(call, endpoint, file)], "single");
  });
};

/** Types of the documents that customers can see online. */
const onlineTypes: readonly unknown[] = ["ACCREC", "ACCRECCREDIT"];

function checkOnline({ resource }: Endpoint, record: StoredRecord): void {
  if (resource.attachments === "online" && onlineTypes.includes(record.Type)) return;
  throw refusal(
    "Form",
    "IncludeOnline is for sales invoices and sales credit notes, which customers see online; " +
      "send the file without it.",
  );
}

async function enterFile(
  call: RequestContext,
  tx: Tx,
  attachment: KeptAttachment,
  replacedFile: KeptAttachment | undefined,
): Promise<void> {
  const { id, resource, recordId, name, size, includeOnline } = attachment;
  const online = includeOnline ? ", shown with the invoice online" : "";
  const verb = replacedFile === undefined ? "attached" : "replaced";
  await enter(call, tx, { name: resource }, recordId, {
    changes: replacedFile === undefined ? "Attached a file" : "Replaced a file",
    details: `The file ${name} (${counted(size, "byte")}${online}) was ${verb}; its AttachmentID is ${id}.`,
  });
}
