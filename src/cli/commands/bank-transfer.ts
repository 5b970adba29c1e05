/** `acct bank-transfer`: money moved from one bank account to another. */

import { bankTransfer } from "../../resources/bank-transfer.ts";
import type { Child } from "../context/context.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fileFlag, requireFields } from "../framework/input.ts";
import { transitionVerb } from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";

const noun = nounOf(bankTransfer);

const flags = { FromBankAccount: "--from", ToBankAccount: "--to" };

const voidCommand = transitionVerb(noun, "void", "DELETED", "take bank transfers back");

export const bankTransferVerbs: readonly Child[] = [
  listCommand({
    resource: bankTransfer,
    examples: ["acct bank-transfer list --period this-month"],
  }),
  showCommand(noun),
  createVerb(noun, {
    summary: "move money between bank accounts",
    fields: fieldsOf(bankTransfer, { except: ["Status"] }),
    options: { FromBankAccount: { name: "from" }, ToBankAccount: { name: "to" } },
    flags: [fileFlag],
    check: (input) => requireFields(bankTransfer, input, flags),
    examples: [
      "acct bank-transfer create --from 090 --to 091 --amount 250",
      "acct bank-transfer create --file transfer.json",
    ],
  }),
  voidCommand,
  historyCommand(noun),
  noteCommand(noun),
];
