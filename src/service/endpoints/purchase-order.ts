/** /PurchaseOrders: what is ordered from suppliers. It never touches the ledger. */
import { purchaseOrder } from "../../resources/index.ts";
import type { DocumentBatchContext } from "../documents/batch-context.ts";
import { documentResources } from "../documents/document-resources.ts";
import { withContents } from "../documents/expand.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import { lazy } from "../request/lazy.ts";
import type { Endpoint } from "./endpoint.ts";

export const purchaseOrders: Endpoint<StoredDocument, DocumentBatchContext> = {
  resource: purchaseOrder,
  cacheable: true,

  byKey: (tx, key) => meantByNumber(tx, documentResources.purchaseOrder, key, "PURCHASEORDER"),

  expand: (_call, tx, records, view) =>
    withContents(tx, documentResources.purchaseOrder, records, view),

  printed: async () => (await import("../pdf/order.ts")).purchaseOrderKind,

  writer: lazy(async () =>
    (await import("../documents/writing.ts")).documentWriting(documentResources.purchaseOrder),
  ),
};
