/**
 * Decides the order of day, month and year in a file, always for the whole file, never for a line.
 */
import { addMonths, type DateText, longDate } from "../../ledger/dates/calendar.ts";
import { type AccountFacts, BankFileError, type DateOrder, dateOrders } from "../bank-statement.ts";
import { readDay } from "../days.ts";
import type { Questions } from "./open-questions.ts";

export interface DayCell {
  readonly text: string;
  readonly row: number;
}

/**
 * Orders in which each date exists; a two-digit year comes first only where no other order fits.
 */
export function possibleOrders(cells: readonly DayCell[]): readonly DateOrder[] {
  const possible = dateOrders.filter((order) =>
    cells.every(({ text }) => readDay(text, order) !== undefined),
  );
  const usualOrders = possible.filter((order) => order !== "ymd");
  const likely = usualOrders.length > 0 ? usualOrders : possible;
  const [first, ...others] = likely;
  const isSameDay = (order: DateOrder) =>
    cells.every(({ text }) => readDay(text, order) === readDay(text, first as DateOrder));
  return first !== undefined && others.every(isSameDay) ? [first] : likely;
}

export interface OrderSources {
  readonly given: DateOrder | undefined;
  /** Order of the known form of the bank. */
  readonly form: DateOrder | undefined;
  readonly settled: DateOrder | undefined;
  /** Direction in which dates are sorted, as proven by the balances. */
  readonly newest: "first" | "last" | undefined;
  /** First and last date of the statement in the preamble, as written. */
  readonly period: readonly string[];
  readonly facts: AccountFacts;
  readonly today: string | undefined;
}

/** Age of a day in months from which a two-digit year may rather come first. */
const oldMonths = 36;

/**
 * Orders in which each date exists; also with a two-digit year first, where in this order alone all
 * dates are of the years before today, such as `26/03/04` in 2026.
 */
function ordersWithToday(
  cells: readonly DayCell[],
  today: string | undefined,
): readonly DateOrder[] {
  const possible = possibleOrders(cells);
  if (today === undefined) return possible;
  const [from = "", to = ""] = [-oldMonths, 12].map((months) =>
    addMonths(today as DateText, months),
  );
  const isNear = (order: DateOrder) =>
    cells.every(({ text }) => {
      const day = readDay(text, order) ?? "";
      return day >= from && day <= to;
    });
  return isNear("ymd") && !possible.some(isNear)
    ? [...new Set([...possible, "ymd" as const])]
    : possible;
}

/**
 * Decides the order.
 *
 * @param further  dates of pending rows and value dates, which help to decide
 * @throws BankFileError `BadDate` where a day does not exist, or no order fits
 */
export function orderOf(
  cells: readonly DayCell[],
  further: readonly DayCell[],
  sources: OrderSources,
  questions: Questions,
  addNotice: (notice: string) => void,
): DateOrder | undefined {
  const { given, form, settled, newest, facts } = sources;
  if (given !== undefined) {
    const wrong = cells.find(({ text }) => readDay(text, given) === undefined);
    if (wrong === undefined) return given;
    if (dateOrders.every((order) => readDay(wrong.text, order) === undefined)) throw noDay(wrong);
    throw new BankFileError(
      "BadDate",
      `Not all dates of the file are in the order ${given}: "${wrong.text}" is none.`,
      `row ${wrong.row}`,
    );
  }
  let possible = ordersWithToday(cells, sources.today);
  if (possible.length === 0) {
    const unreadable = cells.find(({ text }) =>
      dateOrders.every((order) => readDay(text, order) === undefined),
    );
    if (unreadable !== undefined) throw noDay(unreadable);
    const ordersOf = ({ text }: DayCell) => dateOrders.filter((order) => readDay(text, order));
    const pairs = cells.flatMap((a) => {
      const b = cells.find((cell) => !ordersOf(cell).some((order) => ordersOf(a).includes(order)));
      return b === undefined ? [] : [[a, b] as const];
    });
    const named = (pairs[0] ?? cells.slice(0, 2)).map(({ text, row }) => `"${text}" (row ${row})`);
    throw new BankFileError(
      "BadDate",
      `The dates of the file, such as ${named.join(" and ")}, are in no one order.`,
    );
  }
  const narrow = (test: (order: DateOrder) => boolean) => {
    const fittingOrders = possible.filter(test);
    if (fittingOrders.length > 0) possible = fittingOrders;
  };
  narrow((order) => further.every(({ text }) => readDay(text, order) !== undefined));
  if (possible.length > 1) {
    const days = (order: DateOrder) => cells.map(({ text }) => readDay(text, order) as DateText);
    const runs = (order: DateOrder, to: "first" | "last") =>
      days(order).every(
        (day, at, dayList) =>
          at === 0 ||
          (to === "last" ? day >= (dayList[at - 1] as string) : day <= (dayList[at - 1] as string)),
      );
    if (newest === undefined) narrow((order) => runs(order, "last") || runs(order, "first"));
    else narrow((order) => runs(order, newest));
    narrow((order) => isWithin(days(order), sources.period, order));
  }
  const [only] = possible;
  if (possible.length === 1) {
    checkForm(only as DateOrder, sources, cells, questions);
    return only;
  }
  if (form !== undefined && possible.includes(form)) return form;
  if (settled !== undefined && possible.includes(settled)) return settled;
  const example =
    cells.find(({ text }) => new Set(possible.map((order) => readDay(text, order))).size > 1) ??
    cells[0];
  const usualDates = usualOrder(facts);
  const isUsual = usualDates !== undefined && !possible.includes("ymd");
  if (isUsual && possible.includes(usualDates) && example !== undefined) {
    addNotice(countryNotice(usualDates, facts.country, example.text));
    return usualDates;
  }
  const readings = possible
    .map((order) => longDate(readDay(example?.text ?? "", order) as DateText))
    .join(" or ");
  questions.ask(
    "--date-order",
    `Days are in one of several orders: "${example?.text}" is ${readings}.`,
    possible.map((order) => `--date-order ${order}`),
    { example: example?.text, row: example?.row },
  );
  return undefined;
}

/**
 * Asks where dates differ from the known form of the bank, since the file may be of another bank.
 */
function checkForm(
  order: DateOrder,
  { form }: OrderSources,
  cells: readonly DayCell[],
  questions: Questions,
): void {
  if (form === undefined || order === form) return;
  const differing = cells.find(({ text }) => readDay(text, form) !== readDay(text, order));
  if (differing === undefined) return;
  questions.ask(
    "--date-order",
    `Days such as "${differing.text}" are not written as this bank does.`,
    [`--date-order ${order}`],
    { example: differing.text, row: differing.row },
  );
}

function noDay({ text, row }: DayCell): BankFileError {
  return new BankFileError("BadDate", `"${text.slice(0, 40)}" is no date.`, `row ${row}`);
}

/** Whether all dates are within the period in the preamble, read in the same order. */
function isWithin(days: readonly DateText[], period: readonly string[], order: DateOrder): boolean {
  const periodEnds = period.map((text) => readDay(text, order)).filter((day) => day !== undefined);
  if (periodEnds.length < 2) return period.length < 2;
  const [from, to] = [
    periodEnds.reduce((a, b) => (a < b ? a : b)),
    periodEnds.reduce((a, b) => (a > b ? a : b)),
  ];
  return days.every((day) => day >= from && day <= to);
}

/** Note that dates are read in the usual order of the country. */
export function countryNotice(order: DateOrder, country: string | undefined, text: string): string {
  const [first, other] = order === "mdy" ? ["month", "dmy"] : ["day", "mdy"];
  return `Days are read ${first} first, as in ${country}: ${text} is ${longDate(readDay(text, order) as DateText)}; --date-order ${other} reads them otherwise.`;
}

/** Decimal mark of a country, where the account is in its currency. */
export function usualMark({ country, isOwnCurrency }: AccountFacts): "comma" | "point" | undefined {
  if (country === undefined || isOwnCurrency !== true || country.length !== 2) return undefined;
  const { language } = new Intl.Locale("und", { region: country }).maximize();
  return new Intl.NumberFormat(`${language}-${country}`).format(1.5).includes(",")
    ? "comma"
    : "point";
}

/** Date order of a country, where the account is in its currency. */
export function usualOrder({ country, isOwnCurrency }: AccountFacts): DateOrder | undefined {
  if (country === undefined || isOwnCurrency !== true || /^(?:CA|PH|GLOBAL)$/.test(country))
    return undefined;
  return country === "US" ? "mdy" : "dmy";
}
