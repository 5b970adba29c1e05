/** A file on a record: a receipt, a photo, the document as it was received. */
import { boolean, id, integer, resource, type Shape, text } from "./field.ts";

const attachmentFields = {
  AttachmentID: id({ always: true }),
  FileName: text({ always: true, verbatim: true }),
  /** Where its bytes are, as an absolute address. */
  Url: text({ always: true, verbatim: true }),
  MimeType: text({ always: true, verbatim: true }),
  /** In bytes. */
  ContentLength: integer({ always: true, min: 0 }),
  /** Only there when it is true: customers see the file with the invoice online. */
  IncludeOnline: boolean(),
} as const;

export const attachment = resource("Attachment", attachmentFields, {
  plural: "Attachments",
  id: "AttachmentID",
  collection: ["GET"],
  record: ["GET"],
  batchMax: 1,
  columns: ["FileName", "MimeType", "ContentLength", "IncludeOnline"],
  noun: "attachment",
  summary: "files on a record",
});

export type Attachment = Shape<typeof attachment>;
