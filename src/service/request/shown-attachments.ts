/** Attachments of records in answers. */
import type { Attachment } from "../../resources/attachment.ts";
import { idOf, type Resource } from "../../resources/field.ts";
import { bankTransaction } from "../../resources/index.ts";
import type { StoredRecord } from "../../store/mapping/records.ts";
import { attachmentsOf, type KeptAttachment } from "../../store/records/attachments.ts";
import type { Tx } from "../../store/tx/tx.ts";
import type { RequestContext } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { encodeFileName } from "./file-names.ts";

/** Returns the attachments of a single record; undefined without any. */
export async function attachmentsShown(
  call: RequestContext,
  tx: Tx,
  endpoint: Pick<Endpoint, "resource">,
  record: StoredRecord,
): Promise<Attachment[] | undefined> {
  const files = await attachmentsOf(tx, idOf(endpoint.resource, record));
  return files.length === 0
    ? undefined
    : files.map((file) => shownAttachment(call, endpoint, file));
}

/**
 * Returns the resource that has the attachments: for a prepayment or overpayment, its bank
 * transaction.
 */
export function parentOf({ resource }: Pick<Endpoint, "resource">): Resource {
  return resource.attachments === undefined ? bankTransaction : resource;
}

/** Returns an attachment in the form of the API. */
export function shownAttachment(
  { baseUrl }: RequestContext,
  endpoint: Pick<Endpoint, "resource">,
  file: KeptAttachment,
): Attachment {
  const { id, recordId, name, mimeType, size, includeOnline } = file;
  return {
    AttachmentID: id,
    FileName: name,
    Url: `${baseUrl}/${parentOf(endpoint).plural}/${recordId}/Attachments/${encodeFileName(name)}`,
    MimeType: mimeType,
    ContentLength: size,
    ...(includeOnline ? { IncludeOnline: true } : {}),
  };
}
