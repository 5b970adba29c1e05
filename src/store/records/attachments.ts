/**
 * Attachments of records.
 *
 * The bytes are stored in chunks, so that neither a write nor a read holds a whole file in memory.
 * Chunks belong to a content and not to the attachment: a replaced file gets a new content and the
 * old one is deleted, so that a late reader of the old one gets nothing, and never the rest of
 * another file.
 */
import { sql } from "kysely";
import type { Resource } from "../../resources/field.ts";
import { deleteRows, insertNew, ownRows, updateRows } from "../operations/bulk.ts";
import type { Tables } from "../schema/index.ts";
import { tableOf } from "../schema/tables.ts";
import { invalidate } from "../transactions/reference-cache.ts";
import type { Tx } from "../tx/tx.ts";

/** Bytes of a chunk; the last of a file has fewer. */
export const chunkBytes = 256 * 1024;

export interface KeptAttachment {
  readonly id: string;
  /** Resource name of the attachment's record. */
  readonly resource: string;
  readonly recordId: string;
  readonly name: string;
  readonly mimeType: string;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string;
  readonly contentId: string;
  readonly includeOnline: boolean;
}

const columns = [
  "id",
  "resource",
  "record_id as recordId",
  "name",
  "mime_type as mimeType",
  "size",
  "sha256",
  "content_id as contentId",
  "include_online as includeOnline",
] as const;

type AttachmentRow = Omit<KeptAttachment, "includeOnline"> & { readonly includeOnline: number };

const attachmentFrom = (row: AttachmentRow): KeptAttachment => ({
  ...row,
  includeOnline: row.includeOnline === 1,
});

/** The attachments of a record, in the order in which they were added. */
export async function attachmentsOf(tx: Tx, recordId: string): Promise<KeptAttachment[]> {
  const rows = await ownRows(tx, "attachment", { record_id: recordId })
    .select(columns)
    .orderBy("id")
    .execute();
  return rows.map(attachmentFrom);
}

/**
 * Stores a file, replacing `replacedFile` if given.
 * @param pieces  the bytes in pieces of `chunkBytes`; each is copied before the next is read
 * @throws Error when their total differs from the stated size of the file
 */
export async function saveAttachment(
  tx: Tx,
  file: KeptAttachment,
  pieces: AsyncIterable<Uint8Array>,
  replacedFile?: KeptAttachment,
): Promise<void> {
  if (replacedFile !== undefined) await removeAttachment(tx, replacedFile);
  let ordinal = 0;
  let size = 0;
  for await (const piece of pieces) {
    // The chunk is copied: rows may wait to be sent together, while the reader reuses its memory.
    const bytes = Buffer.from(piece);
    await insertNew(tx, "attachment_chunk", [{ content_id: file.contentId, ord: ordinal, bytes }]);
    ordinal += 1;
    size += piece.length;
  }
  if (size !== file.size) throw new Error(`The file has ${size} bytes, not ${file.size}.`);
  await insertNew(tx, "attachment", [rowOf(file)]);
}

function rowOf({ recordId, mimeType, contentId, includeOnline, ...file }: KeptAttachment) {
  const { id, resource, name, size, sha256 } = file;
  const own = { id, resource, record_id: recordId, name, mime_type: mimeType, size, sha256 };
  return { ...own, content_id: contentId, include_online: includeOnline ? 1 : 0 };
}

/** Updates the details of an attachment; its bytes stay. It is logged as a replacement. */
export async function describeAttachment(tx: Tx, file: KeptAttachment): Promise<void> {
  await deleteRows(tx, "attachment", sql`id = ${file.id}`);
  await insertNew(tx, "attachment", [rowOf(file)]);
}

/** One chunk of a file; undefined when the file was replaced or has no such chunk. */
export async function chunkOf(
  tx: Tx,
  contentId: string,
  ordinal: number,
): Promise<Uint8Array | undefined> {
  const row = await ownRows(tx, "attachment_chunk", { content_id: contentId, ord: ordinal })
    .select("bytes")
    .executeTakeFirst();
  return row?.bytes;
}

/** Deletes an attachment with its bytes. */
export async function removeAttachment(tx: Tx, { id, contentId }: KeptAttachment): Promise<void> {
  await deleteRows(tx, "attachment_chunk", sql`content_id = ${contentId}`);
  await deleteRows(tx, "attachment", sql`id = ${id}`);
}

/** Tables whose records have a flag for attachments. */
type FlaggedTable = {
  [T in keyof Tables]: "has_attachments" extends keyof Tables[T] ? T : never;
}[keyof Tables];

/** Sets the attachment flag of a record, leaving its update time unchanged. */
export async function noteAttachments(
  tx: Tx,
  resource: Resource,
  recordId: string,
  hasFiles: boolean,
): Promise<void> {
  const table = tableOf(resource);
  const column = table.column("HasAttachments");
  if (column === undefined) return;
  if (table.version !== undefined) await invalidate(tx, table.version);
  const name = table.name as FlaggedTable;
  await updateRows(tx, name, { has_attachments: hasFiles ? 1 : 0 }, sql`id = ${recordId}`);
}
