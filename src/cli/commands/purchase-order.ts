/** `acct purchase-order`: orders to suppliers. */

import { purchaseOrder } from "../../resources/purchase-order.ts";
import type { Child } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { billVerb, copyVerb } from "../shared/copy.ts";
import {
  createVerb,
  type DocumentKind,
  transitionVerb,
  updateVerb,
} from "../shared/document-verbs.ts";
import { emailVerb } from "../shared/email-verb.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, nounOf, pdfCommand, showCommand } from "../shared/verbs.ts";

const order: DocumentKind<typeof purchaseOrder> = {
  ...nounOf(purchaseOrder),
  whose: "the supplier",
  fields: fieldsOf(purchaseOrder),
  newStatuses: ["DRAFT", "SUBMITTED", "AUTHORISED"],
};

export const purchaseOrderVerbs: readonly Child[] = [
  listCommand({
    resource: purchaseOrder,
    // The flags --from, --to and --period set the date.
    omit: ["Date"],
    examples: [
      "acct purchase-order list --status AUTHORISED",
      "acct po list --period last-quarter -o csv",
    ],
  }),
  showCommand(order),
  pdfCommand(order),
  createVerb(
    order,
    'acct purchase-order create --contact "Canterbury Clay Supplies" --delivery-date +14d ' +
      "--line 'description=Clay,quantity=10,unit-amount=42.50'",
  ),
  copyVerb(order),
  updateVerb(order, ["--delivery-date +7d", "--add-line 'item=LAMP,quantity=2' --dry-run"]),
  transitionVerb(order, "submit", "SUBMITTED", "submit purchase orders for approval"),
  transitionVerb(order, "approve", "AUTHORISED", "approve purchase orders"),
  billVerb(order),
  transitionVerb(order, "delete", "DELETED", "delete purchase orders; their numbers stay taken"),
  emailVerb(order),
  historyCommand(order),
  noteCommand(order),
];
