/** `--on NOUN:KEY`: the record that a command is about, of whatever kind. */
import { account } from "../resources/account.ts";
import { bankTransaction } from "../resources/bank-transaction.ts";
import { bankTransfer } from "../resources/bank-transfer.ts";
import { contact } from "../resources/contact.ts";
import { creditNote } from "../resources/credit-note.ts";
import { UsageError } from "../resources/errors.ts";
import type { Resource } from "../resources/field.ts";
import { invoice } from "../resources/invoice.ts";
import { item } from "../resources/item.ts";
import { payment } from "../resources/payment.ts";
import { overpayment, prepayment } from "../resources/prepayment.ts";
import { purchaseOrder } from "../resources/purchase-order.ts";
import { quote } from "../resources/quote.ts";
import { findDocument } from "./commands/document.ts";
import type { Context } from "./context.ts";
import { didYouMean } from "./values/suggest.ts";
import { idOf } from "./verbs.ts";

interface Target {
  readonly resource: Resource;
  readonly find: (ctx: Context, key: string) => Promise<object>;
}

const byKey = (resource: Resource): Target => ({
  resource,
  find: async (ctx, key) => (await ctx.client()).find(resource, key),
});

/** The nouns whose records something may stand on. */
const targets: Readonly<Record<string, Target>> = {
  invoice: { resource: invoice, find: (ctx, key) => findDocument(ctx, "ACCREC", key) },
  bill: { resource: invoice, find: (ctx, key) => findDocument(ctx, "ACCPAY", key) },
  contact: byKey(contact),
  item: byKey(item),
  payment: byKey(payment),
  account: byKey(account),
  "credit-note": byKey(creditNote),
  quote: byKey(quote),
  "purchase-order": byKey(purchaseOrder),
  "bank-transaction": byKey(bankTransaction),
  "bank-transfer": byKey(bankTransfer),
  prepayment: byKey(prepayment),
  overpayment: byKey(overpayment),
};

export interface On {
  readonly target: Target;
  readonly key: string;
}

/** The flag for those nouns whose description says that they have what the command is about. */
export function onFlag(has: (resource: Resource) => boolean) {
  const names = Object.keys(targets).filter((noun) => {
    const target = targets[noun];
    return target !== undefined && has(target.resource);
  });
  return {
    placeholder: "NOUN:KEY",
    help: `the record, such as invoice:INV-0042; nouns: ${names.join(", ")}`,
    required: true,
    read: (text: string): On => {
      const colon = text.indexOf(":");
      const noun = text.slice(0, Math.max(0, colon)).toLowerCase();
      const key = text.slice(colon + 1).trim();
      const target = names.includes(noun) ? targets[noun] : undefined;
      if (target !== undefined && key !== "") return { target, key };
      throw new UsageError(
        "BadValue",
        `--on takes NOUN:KEY such as invoice:INV-0042, not "${text}".${didYouMean(noun, names)}`,
      );
    },
  } as const;
}

/** The record that `--on` means, by its id. */
export async function recordOn(
  ctx: Context,
  on: On | undefined,
): Promise<{ resource: Resource; id: string }> {
  if (on === undefined) throw new UsageError("MissingValue", "--on says which record.");
  const { resource, find } = on.target;
  return { resource, id: idOf(resource, await find(ctx, on.key)) };
}
