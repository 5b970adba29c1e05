/** `acct bank-transfer`: money moved from one bank account to another. */
import { type BankTransferInput, bankTransfer } from "../../resources/bank-transfer.ts";
import { command, group } from "../framework/command.ts";
import { createRecords } from "./shared/create.ts";
import { transitionVerb } from "./shared/document.ts";
import { fieldsGiven, fileFlag, inputsOf, requireFields } from "./shared/input.ts";
import { listCommand } from "./shared/list.ts";
import { historyCommand, noteCommand, showCommand } from "./shared/verbs.ts";

const same = { live: "bank-transfer", called: "bank transfer" } as const;

const createCommand = command("create", "move money between bank accounts")
  .alias("new")
  .creates(bankTransfer)
  .fields(
    bankTransfer,
    [
      "FromBankAccount",
      "ToBankAccount",
      "Amount",
      "Date",
      "Reference",
      "FromIsReconciled",
      "ToIsReconciled",
    ],
    { FromBankAccount: { name: "from" }, ToBankAccount: { name: "to" } },
  )
  .flags<{ readonly file?: string }>([fileFlag])
  .example("acct bank-transfer create --from 090 --to 091 --amount 250")
  .example("acct bank-transfer create --file transfer.json")
  .action(async (ctx, options) => {
    const over: BankTransferInput = fieldsGiven(bankTransfer, options);
    const inputs = await inputsOf(ctx, bankTransfer, options.file, over);
    const flags = { FromBankAccount: "--from", ToBankAccount: "--to" };
    for (const input of inputs) requireFields(bankTransfer, input, flags);
    await createRecords(ctx, bankTransfer, inputs);
  });

const voidCommand = transitionVerb(
  {
    resource: bankTransfer,
    noun: same.live,
    number: "1c5d2a60-8c63-4f1b-9a3e-5f2f6f0e7d11",
    find: async (ctx, key) => (await ctx.client()).find(bankTransfer, key),
  },
  "void",
  "DELETED",
  "take bank transfers back",
);

export const bankTransferNoun = group(
  "bank-transfer",
  bankTransfer.summary,
  [
    listCommand({
      resource: bankTransfer,
      examples: ["acct bank-transfer list --period this-month"],
    }),
    showCommand(bankTransfer, same),
    createCommand,
    voidCommand,
    historyCommand(bankTransfer, same),
    noteCommand(bankTransfer, same),
  ],
  { aliases: ["bank-transfers"] },
);
