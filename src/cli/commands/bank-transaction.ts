/** `acct bank-transaction`: receive-money and spend-money transactions of bank accounts. */

import { bankTransaction, bankTransactionTypes } from "../../resources/bank-transaction.ts";
import type { Child } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { moveReference } from "../shared/credits/advance.ts";
import {
  createVerb,
  type DocumentKind,
  transitionVerb,
  updateVerb,
} from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";

const transaction: DocumentKind<typeof bankTransaction> = {
  ...nounOf(bankTransaction),
  whose: "who paid, or was paid",
  fields: fieldsOf(bankTransaction, { except: ["Status", "CurrencyCode"] }),
  types: bankTransactionTypes,
  newStatuses: [],
  completed: moveReference,
};

export const bankTransactionVerbs: readonly Child[] = [
  listCommand({
    resource: bankTransaction,
    examples: [
      "acct bank-transaction list --type SPEND --period this-month",
      "acct bank-transaction list --bank-account 090 --no-is-reconciled -o csv",
    ],
  }),
  showCommand(transaction),
  createVerb(
    transaction,
    'acct bank-transaction create --type SPEND --bank-account 090 --contact "Kauri Hotel" ' +
      "--line 'description=Cleaning,unit-amount=46,account=408'",
  ),
  updateVerb(transaction, ["--is-reconciled", "--reference 'Card 7' --dry-run"]),
  transitionVerb(transaction, "void", "DELETED", "take back money received or spent"),
  historyCommand(transaction),
  noteCommand(transaction),
];
