/** `acct overpayment`: the excess of payments over the amounts due. */
import { overpayment } from "../../resources/prepayment.ts";
import type { Child } from "../context/context.ts";
import { createAdvanceVerb } from "../shared/credits/advance.ts";
import { allocateVerb, unallocateVerb } from "../shared/credits/allocate.ts";
import { creditNoun } from "../shared/credits/find-credit.ts";
import { refundVerb } from "../shared/credits/refund-verb.ts";
import { transitionVerb } from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, showCommand } from "../shared/verbs.ts";

const noun = creditNoun(overpayment);

export const overpaymentVerbs: readonly Child[] = [
  listCommand({
    resource: overpayment,
    examples: [
      "acct overpayment list --remaining-credit 0.01..",
      'acct overpayment list --contact "Kauri Hotel" --period last-quarter -o csv',
    ],
  }),
  showCommand(noun),
  createAdvanceVerb(noun),
  allocateVerb(noun),
  unallocateVerb(noun),
  refundVerb(noun),
  transitionVerb(noun, "void", "VOIDED", "take back an overpayment that never was"),
  historyCommand(noun),
  noteCommand(noun),
];
