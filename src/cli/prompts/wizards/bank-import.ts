/** What `acct bank import` asks: the columns too, of a CSV file that does not name them. */

import { columnsToTell } from "../../bank/files.ts";
import type { Choice, Question, Wizard } from "../../framework/context.ts";
import { safeLine } from "../../render/safe.ts";
import { accountChoices, fileThere, isBankAccount } from "./lookups.ts";

/** What was found in the file that was named last. */
let looked: { readonly file: string; readonly columns: readonly string[] | undefined } | undefined;

function columnsOf(file: string): readonly string[] | undefined {
  if (looked?.file !== file) looked = { file, columns: columnsToTell(file) };
  return looked.columns;
}

function isUntold({ FILE = "" }: Readonly<Record<string, string | undefined>>): boolean {
  return FILE !== "" && columnsOf(FILE) !== undefined;
}

/** Asks which column holds something. */
function column(
  role: string,
  message: string,
  { optional, when }: Pick<Question, "optional" | "when"> = {},
): Question {
  return {
    to: "map",
    key: `map ${role}`,
    message,
    called: `the column of ${role}`,
    ...(optional === undefined ? {} : { optional }),
    when: (answers) => isUntold(answers) && when?.(answers) !== false,
    choices: async (_ctx, { FILE = "" }) =>
      (columnsOf(FILE) ?? []).map(
        (text, at): Choice<string> => ({
          name: safeLine(`${at + 1}  ${text}`),
          value: String(at + 1),
        }),
      ),
    word: (answer) => `${role}=${answer}`,
  };
}

const hasNoAmount: Question["when"] = (answers) => answers["map amount"] === undefined;

export const bankImportWizard: Wizard = {
  deed: "Take the statement in",
  questions: [
    {
      to: "FILE",
      message: "Which file of the bank?",
      called: "the file",
      check: (path) => {
        fileThere(path);
        columnsOf(path);
      },
    },
    {
      to: "account",
      message: "Of which bank account?",
      called: "the account",
      choices: async (ctx) => [
        ...(await accountChoices(ctx, isBankAccount)),
        { name: "That whose number is in the file", short: "by its number", value: "" },
      ],
    },
    column("date", "Which column is the date?"),
    column("amount", "Which column is the amount?", { optional: true }),
    column("debit", "Which column is money out?", { when: hasNoAmount }),
    column("credit", "Which column is money in?", { when: hasNoAmount }),
    column("payee", "Which column is who paid or was paid?", { optional: true }),
    column("text", "Which column is the text?", { optional: true }),
    {
      to: "save-mapping",
      message: "Keep these columns in a file for the next statement, if you like (bank.json)",
      called: "the file of the columns",
      optional: true,
      when: isUntold,
    },
  ],
};
