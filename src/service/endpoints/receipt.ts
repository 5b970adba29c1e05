/** /Receipts: what users have spent on behalf of the business. It never touches the ledger. */
import { receipt } from "../../resources/index.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import type { StoredDocument } from "../documents/stored.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const receipts: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: receipt,
  cacheable: true,

  expand: (_call, tx, records, view) => withContents(tx, documentResources.receipt, records, view),

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.receipt),
  ),
};
