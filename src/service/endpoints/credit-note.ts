/** /CreditNotes: what customers are credited, and what suppliers credit. */
import type { CreditNote } from "../../resources/credit-note.ts";
import { creditNote } from "../../resources/index.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const creditNotes: Endpoint<StoredDocument, Work> = {
  resource: creditNote,
  timeless: true,

  byKey: (tx, key) => meantByNumber(tx, families.creditNote, key, "ACCRECCREDIT"),

  decorate: (_call, tx, records, view) => withContents(tx, families.creditNote, records, view),

  printed: async (record) =>
    (await import("../printed/credit-note.ts")).creditNoteKind(record as unknown as CreditNote),

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.creditNote),
  ),
};
