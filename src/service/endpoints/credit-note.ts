/** /CreditNotes: what customers are credited, and what suppliers credit. */
import { creditNote } from "../../resources/index.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";

export const creditNotes: Endpoint<StoredDocument, Work> = {
  resource: creditNote,

  byKey: (tx, key) => meantByNumber(tx, families.creditNote, key, "ACCRECCREDIT"),

  decorate: (_call, tx, records, view) => withContents(tx, families.creditNote, records, view),

  writing: async () =>
    (await import("../documents/writing.ts")).documentWriting(families.creditNote),
};
