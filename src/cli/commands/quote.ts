/** `acct quote`: quotes to customers. */

import { quote } from "../../resources/quote.ts";
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
import {
  historyCommand,
  noteCommand,
  nounOf,
  onlineVerbs,
  pdfCommand,
  showCommand,
} from "../shared/verbs.ts";

const offered: DocumentKind<typeof quote> = {
  ...nounOf(quote),
  fields: fieldsOf(quote),
  newStatuses: ["DRAFT", "SENT"],
};

export const quoteVerbs: readonly Child[] = [
  listCommand({
    resource: quote,
    // The flags --from, --to and --period set the date.
    omit: ["Date"],
    examples: [
      "acct quote list --status SENT --expiry-date ..today",
      'acct quote list --contact "Kauri Hotel" --period this-year',
    ],
  }),
  showCommand(offered),
  pdfCommand(offered),
  createVerb(
    offered,
    'acct quote create --contact "Kauri Hotel" --expiry-date +30d --title "A table" ' +
      "--line 'description=Table,quantity=1,unit-amount=1200,account=200'",
  ),
  updateVerb(offered, ["--expiry-date +14d", "--add-line 'item=VASE,quantity=2' --dry-run"]),
  copyVerb(offered),
  transitionVerb(offered, "send", "SENT", "mark quotes as sent"),
  transitionVerb(offered, "accept", "ACCEPTED", "mark quotes as accepted"),
  transitionVerb(offered, "decline", "DECLINED", "mark quotes as declined"),
  billVerb(offered),
  transitionVerb(offered, "delete", "DELETED", "delete quotes that are not invoiced"),
  ...onlineVerbs(offered),
  emailVerb(offered),
  historyCommand(offered),
  noteCommand(offered),
];
