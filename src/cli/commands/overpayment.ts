/** `acct overpayment`: money beyond what was owed. */
import { overpayment } from "../../resources/prepayment.ts";
import { allocateVerb, unallocateVerb } from "../allocate.ts";
import { group } from "../command.ts";
import { listCommand } from "../list.ts";
import { refundVerb } from "../refund.ts";
import { historyCommand, noteCommand, showCommand } from "../verbs.ts";

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
    historyCommand(overpayment, same),
    noteCommand(overpayment, same),
  ],
  { aliases: ["overpayments"] },
);
