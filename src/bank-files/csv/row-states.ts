/**
 * Classifies the rows of a table: line, balance, total, continued text, or left out with a reason.
 */

import { longDate } from "../../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../../ledger/money.ts";
import { BankFileError, type DateOrder } from "../bank-statement.ts";
import { markOf } from "../bank-values.ts";
import { isDayLike, readDay } from "../days.ts";
import type { Layout } from "./amounts/ways.ts";
import { cellAmount, type Row } from "./cells.ts";
import {
  type Booking,
  bookingOf,
  isBalance,
  isHold,
  isTotal,
  isTotalAlone,
  sectionOf,
} from "./columns/cell-words.ts";
import { plainWords } from "./columns/headings.ts";
import { isDay, type Roles } from "./columns/roles.ts";
import type { Table } from "./find-tables.ts";
import type { Questions } from "./open-questions.ts";
import { closingName, notHeldName, openingName } from "./preamble.ts";

/** Class of a row before amounts are known. */
export type RowState = Booking | "held" | "title" | "balance";

const hasWord = (text: string) => /\p{L}{2}/u.test(text);

/** Joins single letters to a word: `S A L D O`. */
const joinLetters = (text: string) => text.replace(/(?<!\p{L})(\p{L}) (?=\p{L}(?!\p{L}))/gu, "$1");

/**
 * Booking status of each row: by its status column, by a word in place of the date, or by its
 * section.
 */
export function statesOf(
  { before: above, body, headings }: Table,
  roles: Roles,
): ReadonlyMap<Row, RowState> {
  const stateByRow = new Map<Row, RowState>();
  const dateColumn = roles.place("date");
  const types = roles.columns.filter(({ meaning }) => meaning?.role === "type");
  const isHeld = ({ texts }: Row) => types.some(({ place }) => isHold(texts[place] ?? ""));
  const titleIn = ({ texts }: Row) => {
    const [title = "", ...others] = texts.filter((text) => text !== "");
    return others.length === 0 ? sectionOf(title) : undefined;
  };
  // A title may stand above the headings of a table of its own.
  const title = above.at(-1);
  let section = title === undefined ? undefined : titleIn(title);
  let previousRow: Row | undefined;
  let isFirst = false;
  for (const row of body) {
    const isApart = previousRow !== undefined && row.row > previousRow.row + 1;
    if (isApart && !isFirst) section = undefined;
    previousRow = row;
    const opened = titleIn(row);
    if (opened !== undefined || row.texts.join("\n") === headings.join("\n")) {
      section = opened;
      isFirst = true;
      stateByRow.set(row, "title");
      continue;
    }
    isFirst = false;
    const day = dateColumn === undefined ? "" : (row.texts[dateColumn] ?? "");
    const rowBooking = roles.booking(row) ?? (isDay(day) ? undefined : bookingOf(day));
    const state = isHeld(row) ? "held" : (rowBooking ?? section);
    if (state !== undefined) stateByRow.set(row, state);
  }
  return stateByRow;
}

/**
 * Rows at both ends, if words mark them as balances, or if they alone have no words in a file
 * without headings, and no cell in two or more columns that all others fill.
 */
export function balanceRows(rows: readonly Row[], roles: Roles): readonly Row[] {
  const hasHeadings = roles.columns.some(({ heading }) => heading !== "");
  const isAlone = (row: Row) =>
    !hasHeadings &&
    rows.length > 2 &&
    rows.every((other) => other === row || other.texts.some(hasWord)) &&
    !row.texts.some(hasWord) &&
    row.texts.filter(
      (text, at) => text === "" && rows.every((other) => other === row || other.texts[at] !== ""),
    ).length > 1;
  const isWorded = (row: Row) =>
    roles.columns.some(
      ({ place, role }) => role !== "type" && isBalance(joinLetters(row.texts[place] ?? "")),
    ) || isAlone(row);
  const firstLine = rows.findIndex((row) => !isWorded(row));
  const lastLine = rows.findLastIndex((row) => !isWorded(row));
  return firstLine < 0 ? [] : [...rows.slice(0, firstLine), ...rows.slice(lastLine + 1)];
}

/** Amount of a row that is not used as evidence: pending, undated, or a total. */
export function amountIn(row: Row, layout: Layout): Cents | undefined {
  const [mark = "point"] = layout.marks;
  const values = layout.places.map((columnIndex) => {
    const value = cellAmount(row.texts[columnIndex] ?? "", mark);
    return typeof value === "number" ? value : undefined;
  });
  const [first, second] = values;
  if (layout.kind !== "pair")
    return first === undefined
      ? undefined
      : layout.kind === "reversed"
        ? add(zeroCents, -first as Cents)
        : first;
  if (first === undefined && second === undefined) return undefined;
  return add(second ?? zeroCents, -Math.abs(first ?? 0) as Cents);
}

export interface RowContext {
  readonly roles: Roles;
  readonly stateByRow: ReadonlyMap<Row, RowState>;
  readonly way: Layout;
  /** Amounts of the rows that are lines; the next is the column of balances. */
  readonly amounts: ReadonlyMap<Row, Cents | undefined>;
  readonly balance: number | undefined;
  readonly order: DateOrder | undefined;
  readonly fillDates: boolean;
  /** Whether lines are taken although balances or sums contradict them. */
  readonly allowGap: boolean;
  readonly questions: Questions;
  say(notice: string): void;
  /** Writes an amount of the account. */
  money(cents: number): string;
}

export interface FoundLine {
  readonly row: Row;
  readonly day: string;
  readonly amount: Cents;
  /** Following rows that continue the text of this line. */
  readonly more: Row[];
}

export interface FoundRows {
  readonly lines: readonly FoundLine[];
  readonly leftOut: readonly {
    readonly row: Row;
    readonly reason: "pending" | "not booked" | "held";
    readonly amount: Cents | undefined;
  }[];
  /** Rows below the last line. */
  readonly footer: readonly Row[];
  /** Opening and closing balance in rows that are not lines. */
  readonly told: { readonly opening?: Cents; readonly closing?: Cents };
}

/**
 * Classifies the rows.
 *
 * @throws BankFileError for a row that is neither a line nor to be left out, naming it
 */
export function rowsIn(body: readonly Row[], context: RowContext): FoundRows {
  const { roles, stateByRow, way, amounts, balance } = context;
  const lines: FoundLine[] = [];
  const leftOut: FoundRows["leftOut"][number][] = [];
  const undated: { readonly row: Row; readonly amount: Cents }[] = [];
  const statedEnds: { opening?: Cents; closing?: Cents } = {};
  let footer: Row[] = [];
  let [day, sum, since, lastRow] = ["", 0, 0, undefined as Row | undefined];
  const noteSum = (row: Row, amount: number | undefined) => {
    footer.push(row);
    askTotal(context, row, amount, { lines, leftOut, since, told: statedEnds });
    context.say(`Row ${row.row} is a sum, ${context.money(amount ?? 0)}, and no line.`);
  };
  for (const row of body) {
    const state = stateByRow.get(row);
    const dateText = roles.text(row, "date");
    if (state === "title" || state === "balance") {
      if (state === "balance") Object.assign(statedEnds, noteBalance(context, row, body));
      continue;
    }
    const own = amounts.has(row) ? amounts.get(row) : amountIn(row, way);
    if (state === "pending" || state === "not booked" || state === "held") {
      if (own !== undefined || isDay(dateText)) leftOut.push({ row, reason: state, amount: own });
      continue;
    }
    const isDated = isDay(dateText);
    const hasBalance = balance !== undefined && (row.texts[balance] ?? "") !== "";
    const isSum = own === sum || own === since;
    if (isDated && isSum && !hasBalance && lines.length > 1 && row.texts.some(isTotalAlone)) {
      noteSum(row, own);
      since = 0;
    } else if (isDated && own !== undefined && !amounts.has(row)) {
      throw noSum(row);
    } else if (isDated && own !== undefined) {
      lines.push({ row, day: dateText, amount: own, more: [] });
      [day, lastRow, footer] = [dateText, row, []];
      sum += own;
      since += own;
    } else if (isDated) {
      checkDated(context, row, dateText, balance);
      day = dateText;
    } else if (own !== undefined || hasNumber(row, way)) {
      if (dateText !== "" && isDayLike(dateText))
        throw new BankFileError("BadDate", `"${dateText}" is no date.`, `row ${row.row}`);
      if ((isSum || row.texts.some(isTotal)) && lines.length > 0) {
        noteSum(row, own);
        since = 0;
      } else if (lines.length > 0 || !row.texts.some(isTotal)) {
        if (own !== undefined && dateText === "" && day !== "") {
          undated.push({ row, amount: own });
          lines.push({ row, day, amount: own, more: [] });
          lastRow = row;
          sum += own;
          since += own;
        } else throw noDay(context, row, own);
      }
    } else if (
      lastRow !== undefined &&
      row.row === lastRow.row + 1 &&
      isText(row, roles) &&
      !row.texts.some(isTotalAlone)
    ) {
      lines.at(-1)?.more.push(row);
      lastRow = row;
    } else {
      footer.push(row);
    }
  }
  const [first] = undated;
  if (first !== undefined && !context.fillDates) {
    context.questions.ask(
      "--fill-dates",
      `Row ${first.row.row} has an amount, ${context.money(first.amount)}, but no day; the row above it has one.`,
      ["--fill-dates"],
      { row: first.row.row, example: context.money(first.amount) },
    );
  }
  askSum(context, lines, sum);
  return { lines, leftOut, footer, told: statedEnds };
}

/**
 * Asks about a first or last line that is the sum of all others: without words it may be a total, or
 * a balance at the end of lines that begin with one.
 */
function askSum(
  { balance, allowGap, questions, money }: RowContext,
  lines: FoundRows["lines"],
  sum: number,
): void {
  if (allowGap || balance !== undefined || lines.filter(({ amount }) => amount).length < 3) return;
  const end = [lines.at(-1), lines[0]].find((line) => line?.amount && line.amount * 2 === sum);
  if (end === undefined) return;
  const { row } = end.row;
  questions.ask(
    "--allow-gap",
    `Row ${row}, ${money(end.amount)}, is the sum of all other rows; where it is a line all the same,`,
    ["--allow-gap"],
    { row, example: money(end.amount) },
  );
}

/** Asks about a total that the lines above it do not make, so that some may be missing. */
function askTotal(
  { allowGap, questions, money }: RowContext,
  row: Row,
  total: number | undefined,
  found: Pick<FoundRows, "lines" | "leftOut" | "told"> & { readonly since: number },
): void {
  const isWorded = row.texts.some((text) => isTotalAlone(text) && !isBalance(text));
  if (allowGap || !isWorded || total === undefined) return;
  const { lines, leftOut, since } = found;
  const amounts = lines.map(({ amount }) => amount);
  const others = leftOut.map(({ amount = 0 }) => amount);
  const sumOf = (cents: readonly number[]) => cents.reduce((sum, each) => sum + each, 0);
  const sum = sumOf(amounts);
  const sums = [
    since,
    sum,
    sum + (found.told.opening ?? 0),
    sum + sumOf(others),
    sumOf(amounts.filter((each) => each > 0)),
    sumOf(amounts.filter((each) => each < 0)),
    sumOf(amounts.map(Math.abs)),
  ];
  if (sums.some((each) => Math.abs(each) === Math.abs(total))) return;
  questions.ask(
    "--allow-gap",
    `Row ${row.row} is a total, ${money(total)}, but the lines above make ${money(sum)}, so that some may be missing; where none is,`,
    ["--allow-gap"],
    { row: row.row, example: money(total) },
  );
}

function noSum({ row }: Row): BankFileError {
  const message = `Row ${row} has amounts of money out and money in that are no sum of the lines.`;
  return new BankFileError("BadAmount", message);
}

function noDay({ money }: RowContext, row: Row, amount: Cents | undefined): BankFileError {
  return new BankFileError(
    "BadDate",
    `Row ${row.row} has an amount${amount === undefined ? "" : `, ${money(amount)}`}, but no day.`,
  );
}

const hasNumber = (row: Row, { places }: Layout) =>
  places.some((columnIndex) => {
    const text = row.texts[columnIndex] ?? "";
    return text !== "" && markOf(text) !== "none";
  });

/** Whether a row has words only, in text columns. */
function isText(row: Row, roles: Roles): boolean {
  const filledColumns = row.texts.flatMap((text, index) => (text === "" ? [] : [index]));
  return (
    filledColumns.length > 0 &&
    filledColumns.every((columnIndex) =>
      ["text", "payee", "reference", "type"].includes(roles.columns[columnIndex]?.role ?? ""),
    )
  );
}

/** Balance that a row tells: opening or closing by its words, or else by its day among the rows. */
function noteBalance(
  { way, say, money, roles, order = "dmy" }: RowContext,
  row: Row,
  body: readonly Row[],
): FoundRows["told"] {
  const amount = amountIn(row, way);
  const amountPart = amount === undefined ? "" : `, ${money(amount)}`;
  say(`Row ${row.row} tells a balance${amountPart}, and no amount.`);
  const plainText = plainWords(joinLetters(row.texts.join(" ")));
  if (amount === undefined || notHeldName.test(plainText)) return {};
  if (openingName.test(plainText)) return { opening: amount };
  if (closingName.test(plainText)) return { closing: amount };
  const days = body.flatMap((row) => readDay(roles.text(row, "date"), order) ?? []);
  const [first = "", last = ""] = [days[0], days.at(-1)];
  if (first === last) return {};
  return body.indexOf(row) * 2 < body.length === first < last
    ? { opening: amount }
    : { closing: amount };
}

/** Checks a dated row without an amount: it must state a balance. */
function checkDated(
  context: RowContext,
  row: Row,
  written: string,
  balance: number | undefined,
): void {
  const stated = balance === undefined ? "" : (row.texts[balance] ?? "");
  if (stated !== "") {
    context.say(`Row ${row.row} tells a balance, ${stated}, and no amount.`);
    return;
  }
  const number = row.texts.findIndex(
    (text, columnIndex) =>
      text !== "" &&
      markOf(text) !== "none" &&
      !isDayLike(text) &&
      context.roles.columns[columnIndex]?.role === undefined,
  );
  const day = readDay(written, context.order ?? "dmy");
  const unread =
    number < 0 ? "" : ` Column ${number + 1}${nameOf(context.roles, number)} was not read.`;
  throw new BankFileError(
    "BadAmount",
    `Row ${row.row} has a day, ${day === undefined ? written : longDate(day)}, but no amount.${unread}`,
  );
}

function nameOf(roles: Roles, columnIndex: number): string {
  const heading = roles.columns[columnIndex]?.heading ?? "";
  return heading === "" ? "" : `, ${heading},`;
}
