/** `acct credit-note`: credit notes to customers and from suppliers. */

import { creditNote } from "../../resources/credit-note.ts";
import type { Child } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { allocateVerb, unallocateVerb } from "../shared/credits/allocate.ts";
import { refundVerb } from "../shared/credits/refund-verb.ts";
import {
  createVerb,
  type DocumentKind,
  transitionVerb,
  updateVerb,
} from "../shared/document-verbs.ts";
import { eInvoiceCommand, importEInvoiceCommand } from "../shared/e-invoice.ts";
import { emailVerb } from "../shared/email-verb.ts";
import { listCommand } from "../shared/list-verb.ts";
import {
  historyCommand,
  noteCommand,
  nounOf,
  onlineVerbs,
  pdfCommand,
  showCommand,
} from "../shared/verbs.ts";

const credit: DocumentKind<typeof creditNote> = {
  ...nounOf(creditNote),
  whose: "who is credited, or credits",
  fields: fieldsOf(creditNote, { except: ["DueDate", "CISDeduction"] }),
  newStatuses: ["DRAFT", "SUBMITTED", "AUTHORISED"],
};

export const creditNoteVerbs: readonly Child[] = [
  listCommand({
    resource: creditNote,
    examples: [
      "acct credit-note list --status AUTHORISED --remaining-credit 0.01..",
      'acct credit-note list --contact "Kauri Hotel" --period last-quarter -o csv',
    ],
  }),
  showCommand(credit),
  pdfCommand(credit),
  createVerb(
    credit,
    'acct credit-note create --type ACCRECCREDIT --contact "Kauri Hotel" ' +
      "--line 'description=Returned,quantity=1,unit-amount=50,account=200'",
  ),
  updateVerb(credit, ["--reference 'Broken lamp'", "--add-line 'item=LAMP,quantity=1' --dry-run"]),
  transitionVerb(credit, "submit", "SUBMITTED", "submit credit notes for approval"),
  transitionVerb(credit, "approve", "AUTHORISED", "approve credit notes"),
  transitionVerb(credit, "void", "VOIDED", "void approved credit notes that were not used"),
  transitionVerb(credit, "delete", "DELETED", "delete credit notes that were not approved"),
  allocateVerb(credit),
  unallocateVerb(credit),
  refundVerb(credit),
  eInvoiceCommand(credit),
  ...onlineVerbs(credit),
  emailVerb(credit),
  historyCommand(credit),
  noteCommand(credit),
  importEInvoiceCommand(credit, "CreditNotes"),
];
