/** The questions of `acct bank import`; the CSV preview follows when file and account are known. */

import type { Wizard } from "../context/context.ts";
import { accountChoices, checkReadable, isBankAccount } from "../prompts/wizards/lookups.ts";

export const bankImportWizard: Wizard = {
  deed: "Take the statement in",
  questions: [
    { to: "FILE", message: "Which file of the bank?", called: "the file", check: checkReadable },
    {
      to: "account",
      message: "Of which bank account?",
      called: "the account",
      choices: async (ctx) => [
        ...(await accountChoices(ctx, isBankAccount)),
        { name: "That whose number is in the file", short: "by its number", value: "" },
      ],
    },
  ],
};
