/** `acct purchase-order`: what is ordered from suppliers. */
import { purchaseOrder } from "../../resources/purchase-order.ts";
import { group } from "../framework/command.ts";
import { billVerb } from "./shared/convert.ts";
import { copyVerb } from "./shared/copy.ts";
import { createVerb, type DocumentKind, transitionVerb, updateVerb } from "./shared/document.ts";
import { listCommand } from "./shared/list.ts";
import { historyCommand, noteCommand, pdfCommand, showCommand } from "./shared/verbs.ts";

const order: DocumentKind<typeof purchaseOrder> = {
  resource: purchaseOrder,
  noun: "purchase-order",
  called: "purchase order",
  number: "PO-0007",
  whose: "the supplier",
  fields: [
    "Contact",
    "Date",
    "DeliveryDate",
    "ExpectedArrivalDate",
    "Reference",
    "Status",
    "LineAmountTypes",
    "PurchaseOrderNumber",
    "CurrencyCode",
    "CurrencyRate",
    "BrandingThemeID",
    "SentToContact",
    "DeliveryAddress",
    "AttentionTo",
    "Telephone",
    "DeliveryInstructions",
  ],
  newStatuses: ["DRAFT", "SUBMITTED", "AUTHORISED"],
  find: async (ctx, key) => (await ctx.client()).find(purchaseOrder, key),
};

const same = { live: order.noun, called: order.called, find: order.find };

export const purchaseOrderNoun = group(
  "purchase-order",
  purchaseOrder.summary,
  [
    listCommand({
      resource: purchaseOrder,
      // --from, --to and --period say it.
      omit: ["Date"],
      examples: [
        "acct purchase-order list --status AUTHORISED",
        "acct po list --period last-quarter -o csv",
      ],
    }),
    showCommand(purchaseOrder, { ...same, example: "acct purchase-order show PO-0007 -o json" }),
    pdfCommand(purchaseOrder, { ...same, example: "acct purchase-order pdf PO-0007" }),
    createVerb(
      order,
      'acct purchase-order create --contact "Clay Supplies" --delivery-date +14d ' +
        "--line 'description=Clay,quantity=10,unit-amount=42.50'",
    ),
    copyVerb(order),
    updateVerb(order, ["--delivery-date +7d", "--add-line 'item=GLAZE,quantity=2' --dry-run"]),
    transitionVerb(order, "submit", "SUBMITTED", "submit purchase orders for approval"),
    transitionVerb(order, "approve", "AUTHORISED", "approve purchase orders"),
    billVerb(order),
    transitionVerb(order, "delete", "DELETED", "delete purchase orders; their numbers stay taken"),
    historyCommand(purchaseOrder, same),
    noteCommand(purchaseOrder, same),
  ],
  { aliases: ["purchase-orders", "po"] },
);
