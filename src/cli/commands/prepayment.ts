/** `acct prepayment`: money that came or went before its invoice. */
import { prepayment } from "../../resources/prepayment.ts";
import { group } from "../framework/command.ts";
import type { Context } from "../framework/context.ts";
import { allocateVerb, creditNoun, unallocateVerb } from "./shared/allocate.ts";
import { transitionVerb } from "./shared/document.ts";
import { listCommand } from "./shared/list.ts";
import { refundVerb } from "./shared/refund.ts";
import { historyCommand, noteCommand, showCommand } from "./shared/verbs.ts";

const credit = {
  resource: prepayment,
  noun: "prepayment",
  number: creditNoun(prepayment).example,
  find: async (ctx: Context, key: string) => (await ctx.client()).find(prepayment, key),
} as const;

const same = { live: "prepayment" } as const;

export const prepaymentNoun = group(
  "prepayment",
  prepayment.summary,
  [
    listCommand({
      resource: prepayment,
      examples: [
        "acct prepayment list --remaining-credit 0.01..",
        'acct prepayment list --contact "Acme" --period last-quarter -o csv',
      ],
    }),
    showCommand(prepayment, same),
    allocateVerb(prepayment),
    unallocateVerb(prepayment),
    refundVerb(prepayment),
    transitionVerb(credit, "void", "VOIDED", "take back a prepayment that never was"),
    historyCommand(prepayment, same),
    noteCommand(prepayment, same),
  ],
  { aliases: ["prepayments"] },
);
