/** /Quotes: what customers are offered. It never touches the ledger. */
import { quote } from "../../resources/index.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const quotes: Endpoint<StoredDocument, Work> = {
  resource: quote,
  timeless: true,

  byKey: (tx, key) => meantByNumber(tx, families.quote, key, "QUOTE"),

  decorate: (_call, tx, records, view) => withContents(tx, families.quote, records, view),

  printed: async () => (await import("../printed/order.ts")).quoteKind,

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.quote),
  ),
};
