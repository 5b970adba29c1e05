/** Surveys a bank file before anything of it is sent: its accounts, days, lines, balances and faults. */

import {
  type AccountId,
  type BankFilePart,
  type ContinuityFinding,
  checkStatement,
  joinPages,
  type StatementSummary,
} from "../bank-files/index.ts";
import { addMonths, type DateText, mediumDate } from "../ledger/dates/calendar.ts";
import { amountText, unsupportedCurrency } from "../resources/common.ts";
import { AcctError, RefusedError, UsageError } from "../resources/errors.ts";
import { counted } from "../resources/scalar.ts";
import type { BankAccount, BankAccounts, OpenAccount } from "./account-lookup.ts";
import { type ImportOptions, partsOf, type StatementFile } from "./statement-files.ts";

/** Returns why the account of a file is left open; undefined where its number says it. */
export function openAccountOf(
  file: StatementFile,
  accounts: BankAccounts,
  options: ImportOptions,
): OpenAccount | undefined {
  let statedAccount: AccountId | undefined;
  const accountOf = (id: AccountId) => {
    statedAccount ??= id;
    return accounts.factsOf(id);
  };
  try {
    for (const filePart of partsOf(file, { ...options, accountOf })) {
      if (filePart.kind !== "head") continue;
      statedAccount = filePart.head.account;
      break;
    }
  } catch (error) {
    // Faults and open questions of the file are told where it is read.
    if (!(error instanceof AcctError)) throw error;
  }
  return statedAccount && accounts.openFor(statedAccount);
}

/**
 * Checks that balances given by flags can apply: there must be a single statement.
 *
 * @throws UsageError, RefusedError
 */
export function checkTyped(statements: readonly SurveyedStatement[], options: ImportOptions): void {
  const { openingBalance, closingBalance } = options;
  if (openingBalance === undefined && closingBalance === undefined) return;
  const [only, ...others] = statements;
  if (only === undefined || others.length > 0) {
    const message = "--opening-balance and --closing-balance are of one statement alone.";
    throw new UsageError("BadValue", message);
  }
  const { opening, closing, currency } = only.summary;
  for (const [what, told, typed] of [
    ["opening", opening?.amount, openingBalance],
    ["closing", closing?.amount, closingBalance],
  ] as const) {
    if (told === undefined || typed === undefined || told === typed) continue;
    throw new RefusedError(
      "Balance",
      `The ${what} balance of the file is ${amountText(told, currency)}, not ${amountText(typed, currency)}.`,
    );
  }
}

/** A file that was read to its end. */
export interface SurveyedFile extends Survey {
  readonly file: StatementFile;
  readonly options: ImportOptions;
  readonly notices: readonly string[];
}

export interface SurveyedStatement {
  readonly account: BankAccount;
  readonly summary: StatementSummary;
  /** Days of the first and last line, or the period that the file states. */
  readonly from: DateText | undefined;
  readonly to: DateText | undefined;
}

interface Survey {
  readonly statements: readonly SurveyedStatement[];
  /** For each day, the index of its last line in the file, from 0. */
  readonly lastOfDay: ReadonlyMap<DateText, number>;
  /** Number of lines that are left out because they are in another currency than the account. */
  readonly inOtherCurrencies: number;
  /** Unsupported currencies of original amounts. */
  readonly unkept: ReadonlySet<string>;
  /** Continuity findings of statements whose lines do not add up to their balances. */
  readonly findings: readonly ContinuityFinding[];
}

/**
 * Reads a file to its end without keeping its lines: memory grows with the count of days and
 * statements alone.
 *
 * @throws UsageError, RefusedError, NotFoundError, BankFileError
 */
export function surveyFile(
  file: StatementFile,
  accounts: BankAccounts,
  options: ImportOptions,
): SurveyedFile {
  const survey = surveyOf(partsOf(file, options), accounts, options);
  return { ...survey, file, options, notices: noticesOf(survey) };
}

function surveyOf(
  parts: Iterable<BankFilePart>,
  accounts: BankAccounts,
  { to: upTo, account: key, today }: ImportOptions,
): Survey {
  const statements: SurveyedStatement[] = [];
  const lastOfDay = new Map<DateText, number>();
  let account: BankAccount | undefined;
  let [from, to]: [DateText | undefined, DateText | undefined] = [undefined, undefined];
  let statementIndex = 0;
  let inOtherCurrencies = 0;
  const unsupportedCurrencies = new Set<string>();
  const latest = today === undefined ? undefined : addMonths(today as DateText, 12);
  for (const filePart of parts) {
    if (filePart.kind === "head") {
      account = accounts.of(filePart.head);
      [from, to] = [filePart.head.from, filePart.head.to ?? upTo];
    } else if (filePart.kind === "line") {
      if (account?.takes(filePart.line) === false) {
        inOtherCurrencies += 1;
        continue;
      }
      const { date } = filePart.line;
      if (latest !== undefined && date > latest) {
        throw new RefusedError(
          "BadDate",
          `It has a line of ${mediumDate(date)}, more than a year after today: the day is wrong, or the clock of this machine.`,
        );
      }
      for (const { kind, amount, currency = "" } of filePart.line.parts)
        if (kind === "original" && amount === 0) unsupportedCurrencies.add(currency);
      if (upTo !== undefined && date > upTo) {
        throw new UsageError("BadValue", `It has a line of ${date}, which is after --to ${upTo}.`);
      }
      if (from === undefined || date < from) from = date;
      if (to === undefined || date > to) to = date;
      lastOfDay.set(date, statementIndex);
      statementIndex += 1;
    } else if (account !== undefined) {
      const { to: told } = filePart.statement;
      if (upTo !== undefined && told !== undefined && told !== upTo)
        throw new UsageError("BadValue", `It goes up to ${told}, as it says, not to --to ${upTo}.`);
      const closed = filePart.statement.closing?.date;
      if (closed !== undefined && (to === undefined || closed > to)) to = closed;
      statements.push({ account, summary: filePart.statement, from, to });
    }
  }
  if (key !== undefined) checkOneAccount(statements);
  const findings = joinPages(statements.map(({ summary }) => summary)).flatMap(checkStatement);
  return { statements, lastOfDay, inOtherCurrencies, unkept: unsupportedCurrencies, findings };
}

/**
 * Checks that a file fits the account that a flag names.
 *
 * @throws RefusedError where a file has lines of several own accounts
 */
function checkOneAccount(statements: readonly SurveyedStatement[]): void {
  const statedAccounts = statements.flatMap(({ summary: { account, lineCount } }) =>
    lineCount > 0 ? account : [],
  );
  const numbers = new Set(statedAccounts.flatMap(({ iban, number }) => iban ?? number ?? []));
  const accountNames = new Set(statedAccounts.flatMap(({ name }) => name ?? []));
  const several = [numbers, accountNames].find(({ size }) => size > 1);
  if (several === undefined) return;
  const isCsv = statements[0]?.summary.format === "csv";
  throw new RefusedError(
    "OtherAccount",
    `It has lines of several accounts, ${[...several].join(", ")}; leave --account out, and each is found by its number or name.${isCsv ? " --map ownAccount= takes them all for one account." : ""}`,
  );
}

/** Returns warnings about the statements of a file, and about the lines that were left out. */
function noticesOf({ statements, inOtherCurrencies, unkept, findings }: Survey): string[] {
  const notices = statements.flatMap(({ account }) => account.said ?? []);
  for (const statement of joinPages(statements.map(({ summary }) => summary))) {
    const { pending, withdrawn, warnings, format } = statement;
    notices.push(...warnings);
    if (pending > 0 && format !== "csv")
      notices.push(`${counted(pending, "pending line")} left out.`);
    if (withdrawn.length > 0) {
      const lines = counted(withdrawn.length, "line");
      notices.push(`the bank takes back ${lines} of before; see to them.`);
    }
  }
  notices.push(...findings.map(({ sentence }) => sentence));
  if (inOtherCurrencies > 0)
    notices.push(`${counted(inOtherCurrencies, "line")} in other currencies left out.`);
  for (const code of unkept)
    notices.push(`original amounts in ${code} left out: ${unsupportedCurrency(code)}`);
  return notices;
}
