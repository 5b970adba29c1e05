/** /PurchaseOrders: what is ordered from suppliers. It never touches the ledger. */
import { purchaseOrder } from "../../resources/index.ts";
import { families } from "../documents/family.ts";
import { withContents } from "../documents/shown.ts";
import { meantByNumber, type StoredDocument } from "../documents/stored.ts";
import type { Work } from "../documents/work.ts";
import type { Endpoint } from "../endpoint.ts";
import { loaded } from "../loaded.ts";

export const purchaseOrders: Endpoint<StoredDocument, Work> = {
  resource: purchaseOrder,
  timeless: true,

  byKey: (tx, key) => meantByNumber(tx, families.purchaseOrder, key, "PURCHASEORDER"),

  decorate: (_call, tx, records, view) => withContents(tx, families.purchaseOrder, records, view),

  printed: async () => (await import("../printed/order.ts")).purchaseOrderKind,

  writing: loaded(async () =>
    (await import("../documents/writing.ts")).documentWriting(families.purchaseOrder),
  ),
};
