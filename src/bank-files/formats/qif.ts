/**
 * QIF: records of lines that begin with a letter, ended by `^`.
 *
 * Date order and decimal mark are not declared and are decided for the whole file, so the file is
 * read twice.
 */
import type { Cents } from "../../ledger/money.ts";
import { amountText } from "../../resources/common.ts";
import {
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type CsvReading,
  type DateOrder,
  type LinePart,
  type ReadOptions,
  type StatementHead,
  type StatementLine,
  StatementTotals,
} from "../bank-statement.ts";
import {
  cleanText,
  type DecimalMark,
  meaningful,
  negate,
  rawAmount,
  readAmount,
} from "../bank-values.ts";
import { countryNotice, usualMark, usualOrder } from "../csv/date-order.ts";
import { readDay } from "../days.ts";
import { linesOf } from "../split-stream.ts";
import { askSigns, DateOrderSurvey, DecimalSurvey } from "./conventions.ts";

export const qif: BankFormat = {
  title: "QIF",
  recognise: (fileStart) => /^\ufeff?\s*!(?:Type|Account|Option|Clear)\b/i.test(fileStart),
  read,
};

/** QIF types of accounts with transactions; other types are lists of the exporting program. */
const accountTypes = new Set(["bank", "cash", "ccard", "oth a", "oth l"]);

interface QifRecord {
  readonly type: string;
  /** Fields as written, each beginning with its letter. */
  readonly fields: readonly string[];
  readonly location: string;
}

/** Key under which date order and decimal mark are stored for an account. */
const settledKey = "qif";

/** Maximum number of fields in a record. */
const fieldsMax = 10_000;

/** Splits lines into records. @throws BankFileError `TooMuch` */
function* recordsOf(lines: Iterable<string>): Generator<QifRecord> {
  let type = "";
  let fields: string[] = [];
  let number = 0;
  let isAccount = false;
  let beginLine = 1;
  for (const line of lines) {
    number += 1;
    const header = /^\ufeff?\s*!(Type:)?\s*(.*?)\s*$/i.exec(line);
    if (header !== null) {
      if (fields.length > 0)
        yield { type: isAccount ? "account" : type, fields, location: `line ${beginLine}` };
      fields = [];
      const [, isType, name = ""] = header;
      isAccount = isType === undefined && /^account$/i.test(name);
      if (isType !== undefined) type = name.toLowerCase();
      continue;
    }
    if (/^\^/.test(line)) {
      yield { type: isAccount ? "account" : type, fields, location: `line ${beginLine}` };
      fields = [];
      continue;
    }
    if (line.trim() === "") continue;
    if (fields.length === 0) beginLine = number;
    fields.push(line);
    if (fields.length > fieldsMax) {
      throw new BankFileError(
        "TooMuch",
        `A record has more than ${fieldsMax} lines.`,
        `line ${beginLine}`,
      );
    }
  }
  // Some programs leave out the last `^`.
  if (fields.length > 0)
    yield { type: isAccount ? "account" : type, fields, location: `line ${beginLine}` };
}

function fieldOf({ fields }: QifRecord, letter: string): string | undefined {
  return cleanText(fields.find((field) => field[0] === letter)?.slice(1));
}

/** Detects date order and decimal mark of the whole file. @throws BankFileError `NotStatement` */
function surveyOf(lines: Iterable<string>) {
  const dates = new DateOrderSurvey();
  const amounts = new DecimalSurvey();
  let hasLists = false;
  let hasLines = false;
  let hasCard = false;
  let [positive, hasNegative] = [undefined as string | undefined, false];
  for (const record of recordsOf(lines)) {
    if (record.type === "account") continue;
    if (!accountTypes.has(record.type)) {
      hasLists = true;
      continue;
    }
    hasLines = true;
    if (record.type === "ccard") hasCard = true;
    const written = fieldOf(record, "T") ?? fieldOf(record, "U") ?? "";
    if (rawAmount(written)?.isNegative === true) hasNegative = true;
    else if (/[1-9]/.test(written)) positive ??= written;
    for (const field of record.fields) {
      if (field[0] === "D") dates.add(field.slice(1));
      else if ("TU$".includes(field[0] as string)) amounts.add(field.slice(1));
    }
  }
  if (!hasLines) {
    throw new BankFileError(
      "NotStatement",
      hasLists
        ? "The file holds investments, categories or memorised payments, and no lines of an account."
        : "The file holds no lines of an account.",
    );
  }
  return { dates, amounts, hasCard, unsigned: hasNegative ? undefined : positive };
}

function* read(text: () => Iterable<string>, options: ReadOptions): Generator<BankFilePart> {
  const { dates, amounts, hasCard, unsigned } = surveyOf(linesOf(text()));
  const facts = options.accountOf?.({}) ?? {};
  const { isReversed } = options;
  if (unsigned !== undefined && (hasCard || facts.isCard === true) && isReversed === undefined)
    askSigns(
      `Amounts of a card do not tell money in from money out (${unsigned}): purchases are positive, or amounts are as written.`,
      unsigned,
    );
  const settledBefore = facts.settled?.[settledKey];
  const openTexts: string[] = [];
  const order = dates.decide(options.dateOrder, undefined, (possible, example) => {
    const usualDates = settledBefore?.dateOrder ?? usualOrder(facts);
    if (usualDates === undefined || !possible.includes(usualDates)) return undefined;
    openTexts.push(
      settledBefore?.dateOrder === undefined
        ? countryNotice(usualDates, facts.country, example)
        : `Days are read as settled before (${usualDates}).`,
    );
    return usualDates;
  });
  const decimalMark = amounts.decide(options.decimal, (example) => {
    const known = settledBefore?.decimal ?? usualMark(facts);
    const other = known === "comma" ? "point" : "comma";
    const where = settledBefore?.decimal === undefined ? `in ${facts.country}` : "settled before";
    if (known !== undefined)
      openTexts.push(
        `The decimal mark is the ${known}, as ${where}: ${example} is ${amountText(readAmount(example, "", known), facts.currency)}; --decimal ${other} reads it otherwise.`,
      );
    return known;
  });
  const csvReading: CsvReading = {
    ...{ headingKey: settledKey, columns: [], proof: "form", leftOut: [] },
    settled: { dateOrder: order, ...(decimalMark === undefined ? {} : { decimal: decimalMark }) },
  };
  let name: string | undefined;
  let open: { head: StatementHead; totals: StatementTotals } | undefined;
  for (const record of recordsOf(linesOf(text()))) {
    const isAccount = record.type === "account";
    if (isAccount) name = fieldOf(record, "N");
    if (open !== undefined && (isAccount || open.head.account.type !== record.type)) {
      yield open.totals.end(open.head);
      open = undefined;
    }
    if (!accountTypes.has(record.type)) continue;
    if (open === undefined) {
      const statementHead = {
        format: "qif",
        account: { name, type: record.type },
        isRepeat: false,
        reading: csvReading,
      } as const;
      open = { head: statementHead, totals: new StatementTotals() };
      for (const sentence of openTexts) open.totals.warn(sentence);
      yield { kind: "head", head: statementHead };
    }
    const line = lineOf(record, order, decimalMark, isReversed === true);
    const linkName = fieldOf(record, "L");
    const isOpening =
      /^opening balance$/i.test(line.party?.name ?? "") && /^\[.*\]$/.test(linkName ?? "");
    if (!isOpening) yield open.totals.line(line);
  }
  if (open !== undefined) yield open.totals.end(open.head);
}

function lineOf(
  record: QifRecord,
  order: DateOrder,
  mark: DecimalMark | undefined,
  isReversed: boolean,
): StatementLine {
  const { fields, location: place } = record;
  const dateText = fieldOf(record, "D");
  const date = readDay(dateText ?? "", order);
  if (date === undefined) {
    throw new BankFileError(
      "BadDate",
      dateText === undefined ? "A record has no date." : `"${dateText}" is no date.`,
      place,
    );
  }
  const amount = readAmount(fieldOf(record, "T") ?? fieldOf(record, "U") ?? "", place, mark);
  return {
    date,
    amount: isReversed ? negate(amount) : amount,
    isReturn: false,
    party: fieldOf(record, "P") === undefined ? undefined : { name: fieldOf(record, "P") },
    references: { cheque: meaningful(fieldOf(record, "N")) },
    text: fieldOf(record, "M") ?? "",
    parts: splitsOf(record, amount, mark).map((linePart) =>
      isReversed ? { ...linePart, amount: negate(linePart.amount) } : linePart,
    ),
    source: fields.join("\n"),
  };
}

/**
 * Splits of a transaction.
 *
 * @throws BankFileError `BadFile` where they do not add up to its amount
 */
function splitsOf(record: QifRecord, amount: Cents, mark: DecimalMark | undefined): LinePart[] {
  const { fields, location: place } = record;
  const splits: { category: string | undefined; memo?: string | undefined; amount: Cents }[] = [];
  for (const field of fields) {
    const value = cleanText(field.slice(1));
    const lastSplit = splits.at(-1);
    if (field[0] === "S") splits.push({ category: value, amount: 0 as Cents });
    else if (lastSplit !== undefined && field[0] === "E") lastSplit.memo = value;
    else if (lastSplit !== undefined && field[0] === "$")
      lastSplit.amount = readAmount(value ?? "", place, mark);
  }
  const total = splits.reduce((sum, split) => sum + split.amount, 0);
  if (splits.length > 0 && total !== amount) {
    throw new BankFileError("BadFile", "The parts of a record do not make its amount.", place);
  }
  const category = fieldOf(record, "L");
  if (splits.length === 0 && category !== undefined) splits.push({ category, amount });
  return splits.map(({ category, memo, amount }) => ({
    kind: "split",
    amount,
    text: [category, memo].filter((text) => text !== undefined).join(": "),
  }));
}
