/** A file on a record: a receipt, a photo, the document as it was received. */
import { boolean, id, integer, many, resource, type Shape, text } from "./field.ts";

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

/** What a person is shown of a file in a table. */
const columns = ["FileName", "MimeType", "ContentLength", "IncludeOnline"] as const;

/** The files on a record, in single reads of records that have some. */
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
  batchMax: 1,
  columns,
  noun: "attachment",
  summary: "files on a record",
});

export type Attachment = Shape<typeof attachment>;
