/** /Quotes: what customers are offered. It never touches the ledger. */
import { quote } from "../../resources/index.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const quotes: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: quote,
  cacheable: true,

  byKey: (tx, key) => meantByNumber(tx, documentResources.quote, key, "QUOTE"),

  expand: (_call, tx, records, view) => withContents(tx, documentResources.quote, records, view),

  printed: async () => (await import("../pdf/order.ts")).quoteKind,

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.quote),
  ),
};
