/**
 * Imports statements: bank files are read in constant memory and sent in parts. A file is read to
 * its end before any part of it is sent.
 */

import {
  type AccountId,
  type BankFilePart,
  type ContinuityFinding,
  type CsvReading,
  checkStatement,
  joinPages,
  LineKeys,
  type StatementHead,
  type StatementLine,
  type StatementSummary,
} from "../../bank-files/index.ts";
import type { Client } from "../../client/client.ts";
import type { DateText } from "../../ledger/dates/calendar.ts";
import { add } from "../../ledger/money.ts";
import { inLittleMemory } from "../../platform/memory.ts";
import {
  type BankStatement,
  type BankStatementInput,
  bankStatement,
  sourceTextMax,
} from "../../resources/bank-statement.ts";
import { amountText, unsupportedCurrency } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import {
  AcctError,
  RefusedError,
  refusalFor,
  sentencesOf,
  UsageError,
} from "../../resources/errors.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import type { Questions } from "../framework/questions.ts";
import { accountChoices, isBankAccount } from "../prompts/wizards/lookups.ts";
import { type BankAccount, BankAccounts } from "./account-lookup.ts";
import { type Preview, previewed } from "./csv-preview.ts";
import { type Doubt, doubtsOf } from "./doubts.ts";
import { type ImportOptions, isCsv, partsOf } from "./statement-files.ts";

/** Maximum count of lines in one request, which is the limit of the service. */
const linesMax = 5_000;
/** Count of lines after which a part ends at the next change of day. */
const linesUsual = 2_000;

type SentLine = NonNullable<BankStatementInput["StatementLines"]>[number];

/** The result of an import. */
export interface Imported {
  readonly statements: readonly BankStatement[];
  /** Possible duplicates, to be asked or reported. */
  readonly doubts: readonly Doubt[];
  /** Count of statements whose lines do not add up to the balances of the file. */
  readonly gaps: number;
  /** Statements whose column mapping is confirmed by headings or a user alone, not by balances. */
  readonly unproven: readonly BankStatement[];
}

/**
 * Reads every file to its end, then sends the files one after the other.
 *
 * @throws UsageError, RefusedError, BankFileError before any line is kept
 */
export async function importFiles(
  ctx: Context,
  paths: readonly string[],
  options: ImportOptions,
  ask?: Questions,
): Promise<Imported> {
  const client = await ctx.client();
  const known = await BankAccounts.of(client, options.account, paths.some(isCsv));
  const surveys = new Map<string, SurveyedFile>();
  for (const path of paths) {
    const account =
      options.account ?? (ask && (await namedAccount({ ctx, ask, path }, known, options)));
    const isKnown = account === options.account;
    const accounts = isKnown ? known : await BankAccounts.of(client, account, isCsv(path));
    const told = { ...options, account, accountOf: accounts.factsOf };
    const isShown = ask !== undefined && isCsv(path);
    const own = isShown ? await naming(path, () => previewed({ ctx, ask, path }, told)) : told;
    const survey = await naming(path, () => surveyOf(partsOf(path, own), accounts, told));
    const notices = noticesOf(survey);
    for (const sentence of notices) ctx.out.say(`${path}: ${sentence}`);
    surveys.set(path, { ...survey, options: own, notices });
  }
  checkTyped(
    [...surveys.values()].flatMap(({ statements }) => statements),
    options,
  );
  return inLittleMemory(() => sendFiles({ ctx, client }, surveys));
}

/** Asks for the account of a file that leaves it open; undefined where its number says it. */
async function namedAccount(
  { ctx, ask, path }: Preview,
  accounts: BankAccounts,
  options: ImportOptions,
): Promise<string | undefined> {
  let told: AccountId | undefined;
  const accountOf = (id: AccountId) => {
    told ??= id;
    return accounts.factsOf(id);
  };
  try {
    for (const part of partsOf(path, { ...options, accountOf })) {
      if (part.kind !== "head") continue;
      told = part.head.account;
      break;
    }
  } catch (error) {
    // Faults and open questions of the file are told where it is read.
    if (!(error instanceof AcctError)) throw error;
  }
  const open = told && accounts.openFor(told);
  if (open === undefined) return undefined;
  const [likely] = open.fitting;
  return ask.choose({
    message: `${path}: ${open.reason}. Of which bank account is it?`,
    choices: await accountChoices(ctx, isBankAccount),
    initial: likely?.Code || likely?.AccountID,
  });
}

/**
 * Checks that balances given by flags can apply: there must be a single statement.
 *
 * @throws UsageError, RefusedError
 */
function checkTyped(statements: readonly Surveyed[], options: ImportOptions): void {
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

async function sendFiles(
  to: Omit<StatementImport, "path" | "options">,
  surveys: ReadonlyMap<string, SurveyedFile>,
): Promise<Imported> {
  const made: BankStatement[] = [];
  const doubts: Doubt[] = [];
  const unproven: BankStatement[] = [];
  let gaps = 0;
  for (const [path, { statements, lastOfDay, findings, options, notices }] of surveys) {
    const sender = new Sender({ ...to, path, options }, lastOfDay);
    let place = 0;
    for (const { head, lines } of statementsIn(partsOf(path, options))) {
      const surveyed = statements[place];
      place += 1;
      if (surveyed === undefined) continue;
      const statement = await sender.send(surveyed, head, lines);
      made.push({ ...statement, Notices: [...notices, ...sender.warnings.splice(0)] });
      const isProven = head.reading?.proof !== undefined || isConfirmed(statement, options);
      if (head.reading !== undefined && !isProven) unproven.push(statement);
    }
    doubts.push(...sender.doubts);
    gaps += findings.length;
  }
  return { statements: made, doubts, gaps, unproven };
}

/** Runs work on a file, and prefixes the message of a refusal with the path of the file. */
async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AcctError && !error.message.startsWith(path)) {
      error.message = `${path}: ${error.message}`;
    }
    throw error;
  }
}

interface SurveyedFile extends Survey {
  readonly options: ImportOptions;
  readonly notices: readonly string[];
}

interface Surveyed {
  readonly account: BankAccount;
  readonly summary: StatementSummary;
  /** Days of the first and last line, or the period that the file states. */
  readonly from: DateText | undefined;
  readonly to: DateText | undefined;
}

interface Survey {
  readonly statements: readonly Surveyed[];
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
 */
async function surveyOf(
  parts: Iterable<BankFilePart>,
  accounts: BankAccounts,
  { to: upTo, account: key }: ImportOptions,
): Promise<Survey> {
  const statements: Surveyed[] = [];
  const lastOfDay = new Map<DateText, number>();
  let account: BankAccount | undefined;
  let [from, to]: [DateText | undefined, DateText | undefined] = [undefined, undefined];
  let place = 0;
  let inOtherCurrencies = 0;
  const unkept = new Set<string>();
  for (const part of parts) {
    if (part.kind === "head") {
      account = accounts.of(part.head);
      [from, to] = [part.head.from, part.head.to ?? upTo];
    } else if (part.kind === "line") {
      if (account?.takes(part.line) === false) {
        inOtherCurrencies += 1;
        continue;
      }
      const { date } = part.line;
      for (const { kind, amount, currency = "" } of part.line.parts)
        if (kind === "original" && amount === 0) unkept.add(currency);
      if (upTo !== undefined && date > upTo) {
        throw new UsageError("BadValue", `It has a line of ${date}, which is after --to ${upTo}.`);
      }
      if (from === undefined || date < from) from = date;
      if (to === undefined || date > to) to = date;
      lastOfDay.set(date, place);
      place += 1;
    } else if (account !== undefined) {
      const closed = part.statement.closing?.date;
      if (closed !== undefined && (to === undefined || closed > to)) to = closed;
      statements.push({ account, summary: part.statement, from, to });
    }
  }
  if (key !== undefined) checkOneAccount(statements);
  const findings = joinPages(statements.map(({ summary }) => summary)).flatMap(checkStatement);
  return { statements, lastOfDay, inOtherCurrencies, unkept, findings };
}

/**
 * Checks that a file fits the account that a flag names.
 *
 * @throws RefusedError where a CSV file has lines of several own accounts
 */
function checkOneAccount(statements: readonly Surveyed[]): void {
  const numbers = new Set(
    statements.flatMap(({ summary: { format, account, lineCount } }) =>
      format === "csv" && lineCount > 0 ? (account.iban ?? account.number ?? []) : [],
    ),
  );
  if (numbers.size < 2) return;
  throw new RefusedError(
    "OtherAccount",
    `It has lines of several accounts, ${[...numbers].join(", ")}; leave --account out, and each is found by its number.`,
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

interface Statement {
  readonly head: StatementHead;
  readonly lines: Iterable<StatementLine>;
}

/** Yields statements one after the other; the lines of one must be consumed before the next. */
function* statementsIn(parts: Iterator<BankFilePart>): Generator<Statement> {
  for (let next = parts.next(); !next.done; next = parts.next()) {
    if (next.value.kind !== "head") continue;
    const { head } = next.value;
    const lines = (function* () {
      for (let inner = parts.next(); !inner.done; inner = parts.next()) {
        if (inner.value.kind === "line") yield inner.value.line;
        if (inner.value.kind === "end") return;
      }
    })();
    yield { head, lines };
  }
}

interface StatementImport {
  readonly options: ImportOptions;
  readonly ctx: Context;
  readonly client: Client;
  readonly path: string;
}

/** Sends the statements of a file in parts. */
class Sender {
  readonly #to: StatementImport;
  readonly #lastOfDay: Survey["lastOfDay"];
  readonly #keys = new LineKeys();
  /** Possible duplicates: lines that the service neither added nor recognised. */
  readonly doubts: Doubt[] = [];
  /** Warnings from the service. */
  readonly warnings: string[] = [];
  #place = 0;

  constructor(to: StatementImport, lastOfDay: Survey["lastOfDay"]) {
    this.#to = to;
    this.#lastOfDay = lastOfDay;
  }

  async send(
    { account, summary, from, to }: Surveyed,
    head: StatementHead,
    lines: Iterable<StatementLine>,
  ): Promise<BankStatement> {
    const { ctx } = this.#to;
    const { closing } = summary;
    const first = this.#headOf(account, head, { summary, from, to });
    let made: BankStatement | undefined;
    for (const { part, rows, isLast } of this.#parts(account, head, lines)) {
      const input = {
        ...(isLast && closing !== undefined ? { ClosingBalance: closing.amount } : {}),
        ...(isLast ? this.#typed(summary) : {}),
        ...this.#onDuplicate(),
        StatementLines: part,
      };
      const statement =
        made === undefined || ctx.flags.dryRun
          ? await this.#keep({ ...first, ...input })
          : await this.#keep({ ...input, BankStatementID: made.BankStatementID });
      this.doubts.push(...doubtsOf(statement, part, rows));
      made =
        ctx.flags.dryRun || made === undefined ? added(made, statement) : bettered(made, statement);
    }
    return made as unknown as BankStatement;
  }

  async #keep(input: BankStatementInput): Promise<BankStatement> {
    const { ctx, client } = this.#to;
    const method = input.BankStatementID === undefined ? "PUT" : "POST";
    const [result] = await client.writeMany(method, bankStatement, [input]);
    if (result === undefined || result.errors.length > 0) {
      const { errors = [] } = result ?? {};
      throw refusalFor(errors, errors.length === 0 ? "Nothing was kept." : sentencesOf(errors));
    }
    for (const warning of result.warnings) ctx.out.say(warning);
    this.warnings.push(...result.warnings);
    return result.record;
  }

  #onDuplicate(): Pick<BankStatementInput, "OnDuplicate"> {
    const { onDuplicate } = this.#to.options;
    return onDuplicate === undefined ? {} : { OnDuplicate: onDuplicate };
  }

  /**
   * Returns the balances given by flags, and the gap: the change of the file's balances less the
   * sum of its lines.
   */
  #typed({ opening, closing, sum }: StatementSummary): BankStatementInput {
    const { openingBalance, closingBalance, allowGap } = this.#to.options;
    const isTyped = closing === undefined && closingBalance !== undefined;
    const gap = opening && closing ? closing.amount - opening.amount - sum : 0;
    return {
      ...(openingBalance === undefined ? {} : { OpeningBalance: openingBalance }),
      ...(isTyped ? { ClosingBalance: closingBalance, BalanceSource: "TYPED" as const } : {}),
      ...(allowGap ? { AllowGap: true } : {}),
      ...(gap === 0 ? {} : { Gap: gap as Cents }),
    } as BankStatementInput;
  }

  #headOf(
    { AccountID }: BankAccount,
    head: StatementHead,
    { summary: { opening, closing, sum }, from, to }: Omit<Surveyed, "account">,
  ): BankStatementInput {
    const before = opening?.amount ?? (closing && add(closing.amount, -sum as Cents));
    const { reading, number } = head;
    return {
      BankAccount: { AccountID },
      Source: this.#to.path.slice(-255),
      Format: head.format,
      ...(number === undefined ? {} : { Number: number.slice(0, 64) }),
      ...(from === undefined ? {} : { FromDate: from }),
      ...(to === undefined ? {} : { ToDate: to }),
      ...(before === undefined ? {} : { OpeningBalance: before }),
      ...(reading === undefined ? {} : readingOf(reading, this.#to.options)),
    };
  }

  /**
   * Yields the lines in parts, of which the last may be empty. All lines of a day are in one part,
   * so that they are compared with the book together, unless they exceed the limit of a request.
   */
  *#parts(
    target: BankAccount,
    { format, account }: StatementHead,
    lines: Iterable<StatementLine>,
  ): Generator<{ part: SentLine[]; rows: (number | undefined)[]; isLast: boolean }> {
    let part: SentLine[] = [];
    let rows: (number | undefined)[] = [];
    const openDays = new Set<DateText>();
    for (const line of lines) {
      if (!target.takes(line)) continue;
      part.push(sentLine(line, this.#keys.next(format, account, line)));
      rows.push(line.row);
      const isLastOfDay = this.#lastOfDay.get(line.date) === this.#place;
      this.#place += 1;
      if (isLastOfDay) {
        openDays.delete(line.date);
        this.#keys.forget(line.date);
      } else openDays.add(line.date);
      if ((part.length >= linesUsual && openDays.size === 0) || part.length === linesMax) {
        yield { part, rows, isLast: false };
        [part, rows] = [[], []];
      }
    }
    yield { part, rows, isLast: true };
  }
}

/**
 * Adds up the line counts of parts: a dry run keeps nothing, so that each part is answered as a
 * statement of its own.
 */
function added(before: BankStatement | undefined, made: BankStatement): BankStatement {
  return {
    ...made,
    LinesAdded: (before?.LinesAdded ?? 0) + made.LinesAdded,
    LinesKnown: (before?.LinesKnown ?? 0) + made.LinesKnown,
    LinesBettered: (before?.LinesBettered ?? 0) + (made.LinesBettered ?? 0),
  };
}

/** Adds up the count of lines whose texts were improved; the service adds up the other counts. */
function bettered(before: BankStatement, made: BankStatement): BankStatement {
  return { ...made, LinesBettered: (before.LinesBettered ?? 0) + (made.LinesBettered ?? 0) };
}

/** Returns how a CSV file was read; stored for later files where a user or flags settled it. */
function readingOf(
  { columns, headingKey, settled }: CsvReading,
  { isKept = false }: ImportOptions,
): BankStatementInput {
  return {
    HeadingKey: headingKey,
    Columns: columns.map(({ heading, role, because }) => ({
      Heading: heading.slice(0, 500),
      ...(role === undefined ? {} : { Role: role }),
      Because: because.slice(0, 80),
    })),
    ...(isKept ? { Settled: JSON.stringify(settled) } : {}),
  };
}

function sentLine(line: StatementLine, Key: string): SentLine {
  const { party, references, parts, isReturn, source, batch } = line;
  const isKept = source.length <= sourceTextMax && (batch === undefined || batch.place === 1);
  const other = party?.iban ?? party?.account;
  const details = parts.filter(({ kind }) => kind === "detail");
  const charges = parts.filter(({ kind }) => kind === "charge");
  const original = parts.find(({ kind, amount }) => kind === "original" && amount !== 0);
  const texts = [...new Set(Object.values(references).filter((each) => each !== undefined))];
  return {
    Key,
    Date: line.date,
    Amount: line.amount,
    ...(party?.name === undefined ? {} : { Payee: party.name.slice(0, 255) }),
    ...(line.text === "" ? {} : { Description: line.text.slice(0, 4000) }),
    ...(other === undefined ? {} : { OtherAccount: other.slice(0, 64) }),
    ...(texts.length === 0 ? {} : { References: texts }),
    ...(line.id === undefined ? {} : { BankReference: line.id.slice(0, 255) }),
    ...(charges.length === 0
      ? {}
      : { Charges: Math.abs(charges.reduce((sum, { amount }) => sum + amount, 0)) as Cents }),
    ...(original?.currency === undefined
      ? {}
      : {
          OriginalAmount: original.amount,
          OriginalCurrency: original.currency as NonNullable<SentLine["OriginalCurrency"]>,
        }),
    ...(details.length < 2
      ? {}
      : {
          Parts: details.map(({ amount, party: of, text }) => ({
            Amount: amount,
            ...(of?.name === undefined ? {} : { Payee: of.name.slice(0, 255) }),
            ...(text === undefined ? {} : { Description: text.slice(0, 4000) }),
          })),
        }),
    ...(isReturn ? { Flags: ["return"] } : {}),
    ...(isKept ? { SourceText: source } : {}),
    ...(line.cells === undefined ? {} : { Cells: [...line.cells] }),
    ...(line.balance === undefined ? {} : { Balance: line.balance }),
  };
}

/**
 * Whether the user gave the closing balance, and the opening balance and the lines add up to it.
 */
const isConfirmed = ({ OpeningBalance, Gap }: BankStatement, options: ImportOptions) =>
  options.closingBalance !== undefined && OpeningBalance !== undefined && !Gap;
