/**
 * Erasure of a person's data from the books: fields that were erased, and those kept, with the
 * reason.
 *
 * An extension: in the public API a contact can only be archived.
 */
import { boolean, date, id, integer, resource, type Shape, text, texts } from "./field.ts";

export const erasure = resource(
  "Erasure",
  () => ({
    ContactID: id({ always: true }),
    Name: text({ help: "what the contact is called afterwards" }),
    Erased: texts("Field", { help: "fields of the contact that are emptied" }),
    Kept: texts("Field", { help: "fields that its documents must bear until KeptUntil" }),
    KeptUntil: date({ help: "the day until which documents that were posted have to be kept" }),
    KeptBecause: text({ help: "the rule that says so" }),
    HistoryTexts: integer({
      always: true,
      help: "texts in histories that name it, and are replaced",
    }),
    Operations: integer({
      always: true,
      help: "entries of the log that tell of it, and are replaced",
    }),
    Payments: integer({ always: true, help: "payments whose bank details are emptied" }),
    Groups: integer({ always: true, help: "contact groups that it is taken out of" }),
    Emails: integer({ always: true, help: "messages to it that are removed from the outbox" }),
    Files: texts("File", { help: "files on the contact" }),
    FilesRemoved: boolean({ always: true, help: "whether they are removed as well" }),
    Mentions: texts("Mention", { help: "where something of it still stands, to be looked at" }),
  }),
  {
    plural: "Erasures",
    extension: true,
    id: "ContactID",
    columns: ["Name", "Erased", "Kept", "KeptUntil"],
    noun: "erasure",
    summary: "what of a person is erased from the books",
  },
);

export type Erasure = Shape<typeof erasure>;
