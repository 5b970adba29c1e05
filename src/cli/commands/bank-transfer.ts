/** `acct bank-transfer`: money moved from one bank account to another. */

import { type BankTransferInput, bankTransfer } from "../../resources/bank-transfer.ts";
import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsInOptions, fileFlag, inputsOf, requireFields } from "../framework/input.ts";
import { createRecords } from "../shared/bulk-results.ts";
import { transitionVerb } from "../shared/document-verbs.ts";
import { listCommand } from "../shared/list-verb.ts";
import { historyCommand, noteCommand, nounOf, showCommand } from "../shared/verbs.ts";

const noun = nounOf(bankTransfer);

const createCommand = command("create", "move money between bank accounts")
  .alias("new")
  .creates(bankTransfer)
  .fields(bankTransfer, fieldsOf(bankTransfer, { except: ["Status"] }), {
    FromBankAccount: { name: "from" },
    ToBankAccount: { name: "to" },
  })
  .flags<{ readonly file?: string }>([fileFlag])
  .example("acct bank-transfer create --from 090 --to 091 --amount 250")
  .example("acct bank-transfer create --file transfer.json")
  .action(async (ctx, options) => {
    const over: BankTransferInput = fieldsInOptions(bankTransfer, options);
    const inputs = await inputsOf(ctx, bankTransfer, options.file, over);
    const flags = { FromBankAccount: "--from", ToBankAccount: "--to" };
    for (const input of inputs) requireFields(bankTransfer, input, flags);
    await createRecords(ctx, bankTransfer, inputs);
  });

const voidCommand = transitionVerb(noun, "void", "DELETED", "take bank transfers back");

export const bankTransferVerbs: readonly Child[] = [
  listCommand({
    resource: bankTransfer,
    examples: ["acct bank-transfer list --period this-month"],
  }),
  showCommand(noun),
  createCommand,
  voidCommand,
  historyCommand(noun),
  noteCommand(noun),
];
