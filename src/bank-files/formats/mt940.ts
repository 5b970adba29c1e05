/**
 * MT940, the SWIFT statement, with the deviations of banks: line ends, padding, bank names and
 * envelopes around messages, and wrapped lines.
 *
 * A field begins with its tag at the start of a line, `:61:`, and continues to the next tag.
 */
import { type DateText, dateOf, daysBetween, yearOf } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../ledger/money.ts";
import { hasFormOfIban } from "../../resources/common.ts";
import {
  type AccountId,
  type Balance,
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type LinePart,
  type StatementHead,
  type StatementLine,
  StatementTotals,
} from "../bank-statement.ts";
import {
  accountOf,
  cleanText,
  meaningful,
  negate,
  originalPart,
  readAmount,
  readShortDate,
} from "../bank-values.ts";
import { linesOf } from "../split-stream.ts";
import { readDetails, slashMoney } from "./mt940-details.ts";

interface Mt940Field {
  readonly tag: string;
  readonly text: string;
  readonly place: string;
}

export const mt940: BankFormat = {
  title: "MT940",
  recognise: (fileStart) =>
    /(?:^|[\r\n}]|\{4:|\p{Cc})\s*:20:/u.test(fileStart) && /:(?:25P?|28C?):/.test(fileStart),
  read: (text) => new Mt940Reader().read(text()),
};

/** Maximum length of a field in characters; SWIFT allows some 400. */
const fieldLengthMax = 65_536;

/** Fields of MT942, the intraday report, that MT940 does not have. */
const intradayTags = new Set(["34F", "13D", "90D", "90C"]);

/**
 * Statement line: value date, booking date, mark, third letter of the currency, amount, type,
 * reference, bank reference, second line. A letter after the mark may be the currency's letter:
 * `DR` is a debit in EUR, `RCR` a reversed credit in EUR.
 */
const linePattern =
  /^(\d{6})(\d{4}|\s{4})?(R[CD]|E[CD]|[CD])([A-Z])?\s*(\d{1,15}(?:[.,]\d{0,5})?)\s*([NFS][A-Z0-9 ]{3})?((?:(?!\/\/)[^\n])*)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

const balancePattern = /^([CD])\s*(\d{6})\s*([A-Z]{3})?\s*([\d., ]+)$/;

class OpenStatement {
  readonly totals = new StatementTotals();
  readonly place: string;
  id: string | undefined;
  account: AccountId = {};
  currency: string | undefined;
  number: string | undefined;
  page: number | undefined;
  opening: Balance | undefined;
  closing: Balance | undefined;
  hasHead = false;
  /** Line that waits for its details field. */
  line:
    | { readonly field: Mt940Field; readonly details: string[]; readonly names: string[] }
    | undefined;

  constructor(location: string) {
    this.place = location;
  }

  head(): StatementHead {
    const { account, currency, id, number, page, opening } = this;
    return { format: "mt940", account, currency, id, number, page, isRepeat: false, opening };
  }
}

class Mt940Reader {
  #statement: OpenStatement | undefined;

  *read(chunks: Iterable<string>): Generator<BankFilePart> {
    for (const field of fieldsOf(chunks)) yield* this.#field(field);
    if (this.#statement === undefined) {
      throw new BankFileError("NotStatement", "The file holds no statement.");
    }
    yield* this.#end(this.#statement);
  }

  *#field(field: Mt940Field): Generator<BankFilePart> {
    const { tag, text, place } = field;
    if (intradayTags.has(tag)) {
      throw new BankFileError(
        "NotStatement",
        "The file is MT942: an intraday report, whose lines come again in the statement; ask the bank for that, as MT940 or CAMT.053.",
      );
    }
    if (tag === "20") {
      if (this.#statement !== undefined) yield* this.#end(this.#statement);
      this.#statement = new OpenStatement(place);
      this.#statement.id = firstLine(text);
      return;
    }
    const statement = this.#statement;
    if (statement === undefined) {
      throw new BankFileError("BadFile", `The field ${tag} stands before any statement.`, place);
    }
    if (tag === "25" || tag === "25P") readAccount(statement, firstLine(text) ?? "");
    else if (tag === "28" || tag === "28C") {
      const [number, page] = text.split("\n", 1)[0]?.split("/") ?? [];
      statement.number = meaningful(number);
      statement.page = Number(page) > 0 ? Number(page) : undefined;
    } else if (tag === "60F" || tag === "60M") {
      statement.opening = readBalance(statement, field);
    } else if (tag === "61") {
      yield* this.#line(statement);
      yield* this.#told(statement);
      statement.line = { field, details: [], names: [] };
    } else if (tag === "86") statement.line?.details.push(text);
    else if (tag === "NS") statement.line?.names.push(text);
    else if (tag === "62F" || tag === "62M") {
      yield* this.#line(statement);
      statement.closing = readBalance(statement, field);
    }
  }

  *#told(statement: OpenStatement): Generator<BankFilePart> {
    if (!statement.hasHead) yield { kind: "head", head: statement.head() };
    statement.hasHead = true;
  }

  *#line(statement: OpenStatement): Generator<BankFilePart> {
    const { line } = statement;
    if (line === undefined) return;
    statement.line = undefined;
    const parsed = readLine(statement, line.field, line.details, line.names);
    if (parsed === undefined) statement.totals.pending += 1;
    else yield statement.totals.line(parsed);
  }

  *#end(statement: OpenStatement): Generator<BankFilePart> {
    yield* this.#line(statement);
    yield* this.#told(statement);
    if (statement.closing === undefined) {
      throw new BankFileError(
        "Truncated",
        "A statement has no closing balance: the file was cut off.",
        `statement of ${statement.place}`,
      );
    }
    yield statement.totals.end(statement.head(), { closing: statement.closing });
  }
}

function* fieldsOf(chunks: Iterable<string>): Generator<Mt940Field> {
  let tag: string | undefined;
  let text = "";
  let location = "";
  let number = 0;
  let isColon = false;
  for (const raw of linesOf(chunks)) {
    number += 1;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: some banks begin a message with one
    let line = raw.replace(/[\u0000-\u0008]/g, "").replace(/^.*\{4:/, "");
    // A tag may be wrapped after its first colon.
    if (isColon) line = `:${line}`;
    isColon = line === ":";
    if (isColon || line === "-" || line.startsWith("-}")) continue;
    const fieldStart = /^:(\d\d[A-Z]?|NS[A-Z]?):/.exec(line);
    if (fieldStart === null) {
      text += `\n${line}`;
      if (text.length > fieldLengthMax) {
        throw new BankFileError(
          "TooMuch",
          `A field is longer than ${fieldLengthMax} characters.`,
          location,
        );
      }
      continue;
    }
    if (tag !== undefined) yield { tag, text: text.trimEnd(), place: location };
    tag = fieldStart[1];
    text = line.slice(fieldStart[0].length);
    location = `line ${number}`;
  }
  if (tag !== undefined) yield { tag, text: text.trimEnd(), place: location };
}

function firstLine(text: string): string | undefined {
  return cleanText(text.split("\n", 1)[0]);
}

/** Parses an account: `DE89…`, `45050050/76198810`, `BIC/number/HUF`, `1291.99.348EUR`. */
function readAccount(statement: OpenStatement, text: string): void {
  const glued = /^(.*\d)\s*\/?\s*([A-Z]{3})$/.exec(text);
  const isGlued = glued !== null && (/\s[A-Z]{3}$/.test(text) || !hasFormOfIban(text));
  const wholeText = isGlued ? (glued[1] as string) : text;
  if (isGlued) statement.currency = glued[2];
  const slashAt = wholeText.indexOf("/");
  const number = cleanText(wholeText.slice(slashAt + 1)) ?? "";
  statement.account = {
    ...(slashAt > 0 ? { bank: wholeText.slice(0, slashAt) } : {}),
    ...(hasFormOfIban(number) ? { iban: number.replaceAll(" ", "") } : { number }),
  };
}

function readBalance(statement: OpenStatement, { tag, text, place }: Mt940Field): Balance {
  const match = balancePattern.exec(firstLine(text) ?? "");
  if (match === null) {
    throw new BankFileError("BadFile", `The balance "${text.slice(0, 40)}" cannot be read.`, place);
  }
  const [, mark, date = "", currency, amount = ""] = match;
  if (currency !== undefined) {
    if (statement.currency !== undefined && statement.currency !== currency) {
      statement.totals.warn(`A balance of an account in ${statement.currency} is in ${currency}.`);
    }
    statement.currency ??= currency;
    const { iban } = statement.account;
    if (iban?.endsWith(currency)) statement.account = { iban: iban.slice(0, -currency.length) };
  }
  const value = readSwiftAmount(amount, place);
  return {
    date: readShortDate(date, place),
    amount: mark === "D" ? negate(value) : value,
    isIntermediate: tag.endsWith("M"),
  };
}

/** Parses an amount with a decimal comma; some banks write a point. */
function readSwiftAmount(text: string, location: string): Cents {
  const digits = text.replace(/[.,]$/, "");
  return readAmount(digits, location, text.includes(",") ? "comma" : "point");
}

/** Parses a statement line. @returns undefined for a line that is only expected */
function readLine(
  { currency }: OpenStatement,
  { text, place }: Mt940Field,
  details: readonly string[],
  names: readonly string[],
): StatementLine | undefined {
  const match = linePattern.exec(text);
  if (match === null) {
    throw new BankFileError("BadFile", `The line "${text.slice(0, 40)}" cannot be read.`, place);
  }
  const [, value = "", day = "", mark = "", , written = "", type, reference = "", bank, more] =
    match;
  if (mark.startsWith("E")) return undefined;
  const unsigned = readSwiftAmount(written, place);
  const amount = mark === "C" || mark === "RD" ? unsigned : negate(unsigned);
  const valueDate = readShortDate(value, place);
  const facts = readDetails(details, names);
  const owner = readReference(reference, more);
  const original = slashMoney("OCMT", more) ?? facts.original;
  const charge = slashMoney("CHGS", more) ?? facts.charge;
  const parts: LinePart[] = [];
  if (original !== undefined) {
    const read = () => readSwiftAmount(original.amount, place);
    parts.push(...originalPart(original.currency, () => (amount < 0 ? negate(read()) : read())));
  }
  if (charge !== undefined) {
    const fee = negate(readSwiftAmount(charge.amount, place));
    parts.push({ kind: "charge", amount: fee, currency: charge.currency });
  }
  const party = { ...owner.party, ...facts.party };
  const source = [
    `:61:${text}`,
    ...names.map((name) => `:NS:${name}`),
    ...details.map((detail) => `:86:${detail}`),
  ];
  return {
    date: bookingDate(valueDate, day),
    valueDate,
    amount,
    currency,
    type: facts.code ?? cleanText(type),
    isReturn: mark.startsWith("R") || facts.isReturn,
    party: Object.values(party).some((text) => text !== undefined) ? party : undefined,
    references: { ...facts.references, customer: owner.reference, transaction: meaningful(bank) },
    text: cleanText([owner.text, facts.text].join(" ")) ?? "",
    parts,
    source: source.join("\n"),
  };
}

/** Booking date `MMDD`, in the year that brings it nearest to the value date. */
function bookingDate(valueDate: DateText, monthDay: string): DateText {
  const [month, day] = [Number(monthDay.slice(0, 2)), Number(monthDay.slice(2))];
  if (month < 1 || month > 12 || day < 1 || day > 31) return valueDate;
  const dates = [-1, 0, 1].map((yearShift) => dateOf(yearOf(valueDate) + yearShift, month, day));
  const distance = (date: DateText) => Math.abs(daysBetween(valueDate, date));
  return dates.reduce((best, date) => (distance(date) < distance(best) ? date : best));
}

const referenceLength = 16;

/**
 * Parses the reference field, which at some banks contains the counterparty, and the line below it.
 */
function readReference(written: string, supplement: string | undefined) {
  const firstPart = meaningful(written.slice(0, referenceLength));
  const restText = cleanText(written.slice(referenceLength));
  const below = /\/(?:OCMT|CHGS)\//.test(supplement ?? "") ? undefined : cleanText(supplement);
  const wholeText = cleanText(written) ?? "";
  if (hasFormOfIban(wholeText)) return { party: { iban: wholeText, name: below }, text: undefined };
  // EREF and similar words only say that the details contain the reference.
  const reference = /^(?:EREF|PREF|MARF)$/.test(firstPart ?? "") ? undefined : firstPart;
  const isAccount = below !== undefined && (hasFormOfIban(below) || /^P?\d{6,12}$/.test(below));
  return {
    reference,
    party: {
      name: restText,
      ...(isAccount ? accountOf(below) : {}),
    },
    text: isAccount ? undefined : below,
  };
}
