/** An attachment of a record: a receipt, a photo, the original document. */
import { boolean, id, integer, many, resource, type Shape, text } from "./field.ts";

const attachmentFields = {
  AttachmentID: id({ always: true }),
  FileName: text({ always: true, verbatim: true }),
  /** Absolute address of the contents. */
  Url: text({ always: true, verbatim: true }),
  MimeType: text({ always: true, verbatim: true }),
  /** Size in bytes. */
  ContentLength: integer({ always: true, min: 0 }),
  /** Whether customers see the file with the online invoice; present only when true. */
  IncludeOnline: boolean(),
} as const;

/** Columns of attachments in tables for people. */
const columns = ["FileName", "MimeType", "ContentLength", "IncludeOnline"] as const;

/** Attachments of a record, included in single reads of records that have some. */
export const attachments = many("Attachment", attachmentFields, {
  readOnly: true,
  computed: true,
  shown: "single",
  whenAny: true,
  columns,
});

export const attachment = resource("Attachment", attachmentFields, {
  plural: "Attachments",
  id: "AttachmentID",
  collection: ["GET"],
  record: ["GET"],
  columns,
  noun: "attachment",
  summary: "files on a record",
});

export type Attachment = Shape<typeof attachment>;
