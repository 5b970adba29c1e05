/** `acct overpayment`: money beyond what was owed. */
import { overpayment } from "../../resources/prepayment.ts";
import { group } from "../framework/command.ts";
import type { Context } from "../framework/context.ts";
import { allocateVerb, creditNoun, unallocateVerb } from "./shared/allocate.ts";
import { transitionVerb } from "./shared/document.ts";
import { listCommand } from "./shared/list.ts";
import { refundVerb } from "./shared/refund.ts";
import { historyCommand, noteCommand, showCommand } from "./shared/verbs.ts";

const credit = {
  resource: overpayment,
  noun: "overpayment",
  number: creditNoun(overpayment).example,
  find: async (ctx: Context, key: string) => (await ctx.client()).find(overpayment, key),
} as const;

const same = { live: "overpayment" } as const;

export const overpaymentNoun = group(
  "overpayment",
  overpayment.summary,
  [
    listCommand({
      resource: overpayment,
      examples: [
        "acct overpayment list --remaining-credit 0.01..",
        'acct overpayment list --contact "Acme" --period last-quarter -o csv',
      ],
    }),
    showCommand(overpayment, same),
    allocateVerb(overpayment),
    unallocateVerb(overpayment),
    refundVerb(overpayment),
    transitionVerb(credit, "void", "VOIDED", "take back an overpayment that never was"),
    historyCommand(overpayment, same),
    noteCommand(overpayment, same),
  ],
  { aliases: ["overpayments"] },
);
