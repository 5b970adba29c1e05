/** Sends the statements of bank files in parts; each file was read to its end before. */

import {
  type BankFilePart,
  type CsvReading,
  LineKeys,
  type StatementHead,
  type StatementLine,
  type StatementSummary,
} from "../bank-files/index.ts";
import type { Client, WriteOptions } from "../client/client.ts";
import type { DateText } from "../ledger/dates/calendar.ts";
import { add } from "../ledger/money.ts";
import { inLittleMemory } from "../platform/memory.ts";
import {
  type BankStatement,
  type BankStatementInput,
  bankStatement,
  sourceTextMax,
} from "../resources/bank-statement.ts";
import type { Cents } from "../resources/decimal.ts";
import { refusalFor, sentencesOf } from "../resources/errors.ts";
import type { BankAccount } from "./account-lookup.ts";
import { type Doubt, doubtsOf, type SentLine } from "./settle-doubts.ts";
import { type ImportOptions, partsOf, type StatementFile } from "./statement-files.ts";
import type { SurveyedFile, SurveyedStatement } from "./survey.ts";

/** Maximum count of lines in one request, which is the limit of the service. */
const linesMax = 5_000;
/** Count of lines after which a part ends at the next change of day. */
const linesUsual = 2_000;

/** Where statements are sent to. */
export interface Recipient {
  readonly client: Client;
  /** Whether nothing is kept: each part is then answered as a statement of its own. */
  readonly isTrial: boolean;
  readonly write?: WriteOptions;
  /** Called with each warning of the service. */
  readonly say: (sentence: string) => void;
}

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

/** Sends the statements of files, one after the other. */
export function sendFiles(to: Recipient, surveys: readonly SurveyedFile[]): Promise<Imported> {
  return inLittleMemory(() => sendSurveyed(to, surveys));
}

async function sendSurveyed(to: Recipient, surveys: readonly SurveyedFile[]): Promise<Imported> {
  const sentStatements: BankStatement[] = [];
  const doubts: Doubt[] = [];
  const unproven: BankStatement[] = [];
  let gapCount = 0;
  for (const { file, statements, lastOfDay, findings, options, notices } of surveys) {
    const sender = new Sender({ ...to, file, options }, lastOfDay);
    let statementIndex = 0;
    for (const { head, lines } of statementsIn(partsOf(file, options))) {
      const surveyed = statements[statementIndex];
      statementIndex += 1;
      if (surveyed === undefined) continue;
      const statement = await sender.send(surveyed, head, lines);
      sentStatements.push({ ...statement, Notices: [...notices, ...sender.warnings.splice(0)] });
      const isProven = head.reading?.proof !== undefined || isConfirmed(statement, options);
      if (head.reading !== undefined && !isProven) unproven.push(statement);
    }
    doubts.push(...sender.doubts);
    gapCount += findings.length;
  }
  return { statements: sentStatements, doubts, gaps: gapCount, unproven };
}

interface Statement {
  readonly head: StatementHead;
  readonly lines: Iterable<StatementLine>;
}

/** Yields statements one after the other; the lines of one must be consumed before the next. */
function* statementsIn(parts: Iterator<BankFilePart>): Generator<Statement> {
  for (let partResult = parts.next(); !partResult.done; partResult = parts.next()) {
    if (partResult.value.kind !== "head") continue;
    const { head } = partResult.value;
    const lines = (function* () {
      for (let lineResult = parts.next(); !lineResult.done; lineResult = parts.next()) {
        if (lineResult.value.kind === "line") yield lineResult.value.line;
        if (lineResult.value.kind === "end") return;
      }
    })();
    yield { head, lines };
  }
}

interface StatementImport extends Recipient {
  readonly options: ImportOptions;
  readonly file: StatementFile;
}

/** Sends the statements of a file in parts. */
class Sender {
  readonly #to: StatementImport;
  readonly #lastOfDay: SurveyedFile["lastOfDay"];
  readonly #keys = new LineKeys();
  /** Possible duplicates: lines that the service neither added nor recognised. */
  readonly doubts: Doubt[] = [];
  /** Warnings from the service. */
  readonly warnings: string[] = [];
  #place = 0;

  constructor(to: StatementImport, lastOfDay: SurveyedFile["lastOfDay"]) {
    this.#to = to;
    this.#lastOfDay = lastOfDay;
  }

  async send(
    { account, summary, from, to }: SurveyedStatement,
    statementHead: StatementHead,
    lines: Iterable<StatementLine>,
  ): Promise<BankStatement> {
    const { isTrial } = this.#to;
    const { closing } = summary;
    const firstInput = this.#headOf(account, statementHead, { summary, from, to });
    let made: BankStatement | undefined;
    for (const { part, rows, isLast } of this.#parts(account, statementHead, lines)) {
      const input = {
        ...(isLast && closing !== undefined ? { ClosingBalance: closing.amount } : {}),
        ...(isLast ? this.#typed(summary) : {}),
        ...this.#onDuplicate(),
        StatementLines: part,
      };
      const statement =
        made === undefined || isTrial
          ? await this.#keep({ ...firstInput, ...input })
          : await this.#keep({ ...input, BankStatementID: made.BankStatementID });
      this.doubts.push(...doubtsOf(statement, part, rows));
      made = isTrial || made === undefined ? sumOf(made, statement) : addBettered(made, statement);
    }
    return made as unknown as BankStatement;
  }

  async #keep(input: BankStatementInput): Promise<BankStatement> {
    const { client, write, say } = this.#to;
    const method = input.BankStatementID === undefined ? "PUT" : "POST";
    const [result] = await client.writeMany(method, bankStatement, [input], write);
    if (result === undefined || result.errors.length > 0) {
      const { errors = [] } = result ?? {};
      throw refusalFor(errors, errors.length === 0 ? "Nothing was kept." : sentencesOf(errors));
    }
    for (const warning of result.warnings) say(warning);
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
    statementHead: StatementHead,
    { summary: { opening, closing, sum }, from, to }: Omit<SurveyedStatement, "account">,
  ): BankStatementInput {
    const openingAmount = opening?.amount ?? (closing && add(closing.amount, -sum as Cents));
    const { reading, number } = statementHead;
    return {
      BankAccount: { AccountID },
      Source: this.#to.file.name.slice(-255),
      Format: statementHead.format,
      ...(number === undefined ? {} : { Number: number.slice(0, 64) }),
      ...(from === undefined ? {} : { FromDate: from }),
      ...(to === undefined ? {} : { ToDate: to }),
      ...(openingAmount === undefined ? {} : { OpeningBalance: openingAmount }),
      ...(reading === undefined ? {} : readingOf(reading, this.#to.options)),
    };
  }

  /**
   * Yields the lines in parts, of which the last may be empty. All lines of a day are in one part,
   * so that they are compared with the book together, unless they exceed the limit of a request.
   */
  *#parts(
    bankAccount: BankAccount,
    { format, account }: StatementHead,
    lines: Iterable<StatementLine>,
  ): Generator<{ part: SentLine[]; rows: (number | undefined)[]; isLast: boolean }> {
    let chunk: SentLine[] = [];
    let rows: (number | undefined)[] = [];
    const openDays = new Set<DateText>();
    for (const line of lines) {
      if (!bankAccount.takes(line)) continue;
      chunk.push(sentLine(line, this.#keys.next(format, account, line)));
      rows.push(line.row);
      const isLastOfDay = this.#lastOfDay.get(line.date) === this.#place;
      this.#place += 1;
      if (isLastOfDay) {
        openDays.delete(line.date);
        this.#keys.forget(line.date);
      } else openDays.add(line.date);
      if ((chunk.length >= linesUsual && openDays.size === 0) || chunk.length === linesMax) {
        yield { part: chunk, rows, isLast: false };
        [chunk, rows] = [[], []];
      }
    }
    yield { part: chunk, rows, isLast: true };
  }
}

/**
 * Adds up the line counts of parts: a dry run keeps nothing, so that each part is answered as a
 * statement of its own.
 */
function sumOf(statementBefore: BankStatement | undefined, newPart: BankStatement): BankStatement {
  return {
    ...newPart,
    LinesAdded: (statementBefore?.LinesAdded ?? 0) + newPart.LinesAdded,
    LinesKnown: (statementBefore?.LinesKnown ?? 0) + newPart.LinesKnown,
    LinesBettered: (statementBefore?.LinesBettered ?? 0) + (newPart.LinesBettered ?? 0),
  };
}

/** Adds up the count of lines whose texts were improved; the service adds up the other counts. */
function addBettered(sumBefore: BankStatement, made: BankStatement): BankStatement {
  return { ...made, LinesBettered: (sumBefore.LinesBettered ?? 0) + (made.LinesBettered ?? 0) };
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
  const isSmall = source.length <= sourceTextMax && (batch === undefined || batch.place === 1);
  const otherAccount = party?.iban ?? party?.account;
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
    ...(otherAccount === undefined ? {} : { OtherAccount: otherAccount.slice(0, 64) }),
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
    ...(isSmall ? { SourceText: source } : {}),
    ...(line.cells === undefined ? {} : { Cells: [...line.cells] }),
    ...(line.balance === undefined ? {} : { Balance: line.balance }),
  };
}

/**
 * Whether the user gave the closing balance, and the opening balance and the lines add up to it.
 */
const isConfirmed = ({ OpeningBalance, Gap }: BankStatement, options: ImportOptions) =>
  options.closingBalance !== undefined && OpeningBalance !== undefined && !Gap;
