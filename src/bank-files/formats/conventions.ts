/**
 * In which order a file writes day, month and year, and with which decimal mark.
 *
 * Decided for a whole file, never for a line: a reader first shows every date and amount, then asks.
 */
import { type DateText, dateOf, isDate } from "../../ledger/dates/calendar.ts";
import { BankFileError, type DateOrder, dateOrders } from "../statement.ts";
import { type DecimalMark, fullYear, markOf } from "../values.ts";

const monthNames = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];

/** Days between 1899-12-30 and a date: how a spreadsheet keeps one that lost its format. */
const serialPattern = /^[34]\d{4}$/;

/** `28.02'2009`, `1/ 2'26`, `2026-01-31T10:00`, `31 Jan 2026`, `20260131`; undefined of other text. */
export function readOrderedDate(text: string, order: DateOrder): DateText | undefined {
  const parts = datePartsOf(text);
  if (parts === undefined) return undefined;
  if (typeof parts === "string") return parts;
  const [first, second, third] = parts;
  const [year, month, day] =
    first.length === 4 || order === "ymd"
      ? [first, second, third]
      : order === "dmy"
        ? [third, second, first]
        : [third, first, second];
  if (year.length !== 4 && year.length > 2) return undefined;
  const full = year.length === 4 ? Number(year) : fullYear(Number(year));
  const date = `${String(full).padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDate(date) ? date : undefined;
}

/** Day, month and year as they stand, or the date itself where it has one meaning. */
function datePartsOf(text: string): readonly [string, string, string] | string | undefined {
  const bare = text
    .trim()
    .replace(/\s+(?=\d{1,2}['’])/g, "")
    .replace(/([/.\-'’])\s+/g, "$1");
  if (serialPattern.test(bare)) return serialDate(Number(bare));
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(bare);
  if (compact !== null) return compact.slice(1, 4) as [string, string, string];
  const named = /^(\d{1,2})[ ./-]?([a-z]{3})[a-z]*\.?[ ,./-]+(\d{4}|\d{2})\b/i.exec(bare);
  const month = monthNames.indexOf(named?.[2]?.toLowerCase() ?? "") + 1;
  if (named !== null && month > 0) {
    const year = named[3] as string;
    const full = year.length === 4 ? Number(year) : fullYear(Number(year));
    const date = dateOf(full, month, 1);
    const exact = `${date.slice(0, 8)}${(named[1] as string).padStart(2, "0")}`;
    return isDate(exact) ? exact : undefined;
  }
  const match = /^(\d{1,4})[/.\-'’](\d{1,2})[/.\-'’](\d{1,4})(?:$|[\sT,])/.exec(bare);
  return match === null ? undefined : (match.slice(1, 4) as [string, string, string]);
}

function serialDate(serial: number): DateText {
  const moment = new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000);
  return moment.toISOString().slice(0, 10);
}

/** The readings of a file's dates that are still possible, and in which of them days run one way. */
export class DateOrderSurvey {
  readonly #states = dateOrders.map((order) => ({
    order,
    isPossible: true,
    last: "",
    rises: false,
    falls: false,
  }));
  #example: string | undefined;
  #isDotted = false;

  see(text: string): void {
    this.#example ??= text;
    this.#isDotted ||= /\d\.\s?\d/.test(text);
    for (const state of this.#states) {
      const date = readOrderedDate(text, state.order);
      if (date === undefined) {
        state.isPossible = false;
        continue;
      }
      if (state.last !== "") {
        if (date > state.last) state.rises = true;
        if (date < state.last) state.falls = true;
      }
      state.last = date;
    }
  }

  /**
   * @param given    what a person says
   * @param newest   whether the newest line is known to be the first, or the last
   * @throws BankFileError `BadDate` where no order fits, `Ambiguous` where several do
   */
  decide(given: DateOrder | undefined, newest?: "first" | "last" | undefined): DateOrder {
    if (this.#example === undefined) return given ?? "ymd";
    const possible = this.#states.filter(({ isPossible }) => isPossible);
    if (given !== undefined) {
      if (possible.some(({ order }) => order === given)) return given;
      throw new BankFileError("BadDate", `Not all dates of the file are in the order ${given}.`);
    }
    if (possible.length === 0) {
      throw new BankFileError(
        "BadDate",
        `The dates of the file, "${this.#example}" one of them, are in no one order.`,
      );
    }
    // A year of two digits stands first only where nothing else fits; with points the day does.
    const unusual: DateOrder[] = this.#isDotted ? ["ymd", "mdy"] : ["ymd"];
    const usual = possible.filter(({ order }) => !unusual.includes(order));
    const likely = usual.length > 0 ? usual : possible;
    if (this.#areSame(likely)) return likely[0]?.order as DateOrder;
    const oneWay = likely.filter(({ rises, falls }) => {
      if (newest === undefined) return !(rises && falls);
      return newest === "first" ? !rises : !falls;
    });
    const [only] = oneWay;
    if (oneWay.length === 1 && only !== undefined && (only.rises || only.falls)) return only.order;
    const choice = oneWay.length > 0 ? oneWay : likely;
    throw new BankFileError(
      "Ambiguous",
      `Dates of the file such as "${this.#example}" may be in the order ${choice.map(({ order }) => order).join(" or ")}; say which.`,
    );
  }

  /** Whether all orders read the same dates, as of `2026-01-31`. */
  #areSame(
    possible: readonly {
      readonly last: string;
      readonly rises: boolean;
      readonly falls: boolean;
    }[],
  ): boolean {
    const [first] = possible;
    return possible.every(
      ({ last, rises, falls }) =>
        last === first?.last && rises === first.rises && falls === first.falls,
    );
  }
}

/** The decimal mark of a file or column: that of the amounts which tell one. */
export class DecimalSurvey {
  #told: DecimalMark | undefined;
  #open: string | undefined;

  see(text: string): void {
    const mark = markOf(text);
    if (mark === "open") this.#open ??= text;
    else if (mark !== undefined) this.#told ??= mark;
  }

  get told(): DecimalMark | undefined {
    return this.#told;
  }

  /** @throws BankFileError `Ambiguous` where no amount tells it and it matters */
  decide(given: DecimalMark | undefined): DecimalMark | undefined {
    const mark = given ?? this.#told;
    if (mark !== undefined || this.#open === undefined) return mark;
    throw new BankFileError(
      "Ambiguous",
      `Amounts of the file such as "${this.#open}" are thousands or not; say whether the decimal mark is the comma or the point.`,
    );
  }
}
