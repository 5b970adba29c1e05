/** /CreditNotes: what customers are credited, and what suppliers credit. */
import type { CreditNote } from "../../resources/credit-note.ts";
import { creditNote } from "../../resources/index.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const creditNotes: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: creditNote,
  cacheable: true,

  byKey: (tx, key) => meantByNumber(tx, documentResources.creditNote, key, "ACCRECCREDIT"),

  expand: (_call, tx, records, view) =>
    withContents(tx, documentResources.creditNote, records, view),

  printed: async (record) =>
    (await import("../pdf/credit-note.ts")).creditNoteKind(record as unknown as CreditNote),

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.creditNote),
  ),
};
