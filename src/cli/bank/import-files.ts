/** Imports the bank files of a command line. */

import { BankAccounts } from "../../bank-import/account-lookup.ts";
import { type Imported, sendFiles } from "../../bank-import/send-statements.ts";
import {
  type ImportOptions,
  isCsv,
  type StatementFile,
} from "../../bank-import/statement-files.ts";
import {
  checkTyped,
  openAccountOf,
  type SurveyedFile,
  surveyFile,
} from "../../bank-import/survey.ts";
import { inputChunks } from "../../platform/input-file.ts";
import { inputBounds } from "../../resources/bounds.ts";
import { AcctError, UsageError } from "../../resources/errors.ts";
import type { Context } from "../context/context.ts";
import type { Questions } from "../framework/questions.ts";
import { accountChoices, isBankAccount } from "../prompts/wizards/lookups.ts";
import { type Preview, type PreviewOptions, preview } from "./csv-preview.ts";

/**
 * Reads every file to its end, then sends the files one after the other.
 *
 * @throws UsageError, RefusedError, BankFileError before any line is kept
 */
export async function importFiles(
  ctx: Context,
  paths: readonly string[],
  options: PreviewOptions,
  ask?: Questions,
): Promise<Imported> {
  const client = await ctx.client();
  const files = [...new Set(paths)].map(fileAt);
  const bankAccounts = await BankAccounts.of(client, options.account, files.some(isCsv));
  const surveys: SurveyedFile[] = [];
  for (const file of files) {
    const account =
      options.account ?? (ask && (await askForAccount({ ctx, ask, file }, bankAccounts, options)));
    const isKnown = account === options.account;
    const accounts = isKnown ? bankAccounts : await BankAccounts.of(client, account, isCsv(file));
    const told = { ...options, account, accountOf: accounts.factsOf, today: await ctx.today() };
    const survey = await namingFile(file, async () => {
      const isShown = ask !== undefined && isCsv(file);
      return surveyFile(file, accounts, isShown ? await preview({ ctx, ask, file }, told) : told);
    });
    for (const sentence of survey.notices) ctx.out.say(`${file.name}: ${sentence}`);
    surveys.push(survey);
  }
  if (!files.some(isCsv)) checkCsvFlags(options);
  checkTyped(
    surveys.flatMap(({ statements }) => statements),
    options,
  );
  return sendFiles(
    { client, isTrial: ctx.flags.dryRun, say: (words) => ctx.out.say(words) },
    surveys,
  );
}

/** Flags of settings that only CSV files have. */
const csvFlags = {
  columns: "--map",
  delimiter: "--delimiter",
  isReversed: "--reversed",
  fillDates: "--fill-dates",
  preview: "--preview",
} as const satisfies { readonly [K in keyof PreviewOptions]?: string };

/** Refuses settings of CSV files where no file is one. @throws UsageError */
function checkCsvFlags(options: PreviewOptions): void {
  for (const [name, flag] of Object.entries(csvFlags)) {
    if (options[name as keyof typeof csvFlags] === undefined) continue;
    throw new UsageError("BadValue", `${flag} is for CSV files, and none of these is one.`);
  }
}

const fileAt = (path: string): StatementFile => ({
  name: path,
  open: () => inputChunks(path, inputBounds.rows),
});

/** Asks for the account of a file that leaves it open; undefined where its number says it. */
async function askForAccount(
  { ctx, ask, file }: Preview,
  accounts: BankAccounts,
  options: ImportOptions,
): Promise<string | undefined> {
  const openAccount = openAccountOf(file, accounts, options);
  if (openAccount === undefined) return undefined;
  const [likely] = openAccount.fitting;
  return ask.choose({
    message: `${file.name}: ${openAccount.reason}. Of which bank account is it?`,
    choices: await accountChoices(ctx, isBankAccount),
    initial: likely?.Code || likely?.AccountID,
  });
}

/** Runs work on a file, and prefixes the message of a refusal with the name of the file. */
async function namingFile<T>({ name }: StatementFile, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof AcctError && !error.message.startsWith(name)) {
      error.message = `${name}: ${error.message}`;
    }
    throw error;
  }
}
