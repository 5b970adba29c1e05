/**
 * Decides the date order and decimal mark of a file.
 *
 * They are decided for the whole file, never for a line: a reader first feeds all dates and
 * amounts, then asks.
 */

import { BankFileError, type DateOrder, dateOrders } from "../bank-statement.ts";
import { type DecimalMark, markOf } from "../bank-values.ts";
import { Questions, unsettledError } from "../csv/open-questions.ts";
import { readDay } from "../days.ts";

/**
 * Collects the date orders that are possible for all dates, and those in which dates are sorted.
 */
export class DateOrderSurvey {
  readonly #states = dateOrders.map((order) => ({
    order,
    isPossible: true,
    last: "",
    isRising: false,
    isFalling: false,
  }));
  #example: string | undefined;
  #isDotted = false;

  add(text: string): void {
    this.#example ??= text;
    this.#isDotted ||= /\d\.\s?\d/.test(text);
    for (const state of this.#states) {
      const date = readDay(text, state.order);
      if (date === undefined) {
        state.isPossible = false;
        continue;
      }
      if (state.last !== "") {
        if (date > state.last) state.isRising = true;
        if (date < state.last) state.isFalling = true;
      }
      state.last = date;
    }
  }

  /**
   * Decides the order.
   *
   * @param chosen    order that the user names
   * @param newest   whether the newest line is known to be the first, or the last
   * @param orderOf    order that is usual for the account
   * @throws BankFileError `BadDate` where no order fits, `Ambiguous` where several do
   */
  decide(
    chosen: DateOrder | undefined,
    newest?: "first" | "last" | undefined,
    orderOf?: (possible: readonly DateOrder[], example: string) => DateOrder | undefined,
  ): DateOrder {
    if (this.#example === undefined) return chosen ?? "ymd";
    const possible = this.#states.filter(({ isPossible }) => isPossible);
    if (chosen !== undefined) {
      if (possible.some(({ order }) => order === chosen)) return chosen;
      throw new BankFileError("BadDate", `Not all dates of the file are in the order ${chosen}.`);
    }
    if (possible.length === 0) {
      throw new BankFileError(
        "BadDate",
        `The dates of the file, "${this.#example}" one of them, are in no one order.`,
      );
    }
    // A two-digit year comes first only where nothing else fits; in dates with points the day comes
    // first.
    const unusual: DateOrder[] = this.#isDotted ? ["ymd", "mdy"] : ["ymd"];
    const frequent = possible.filter(({ order }) => !unusual.includes(order));
    const likely = frequent.length > 0 ? frequent : possible;
    if (this.#areSame(likely)) return likely[0]?.order as DateOrder;
    const oneWay = likely.filter(({ isRising, isFalling }) => {
      if (newest === undefined) return !(isRising && isFalling);
      return newest === "first" ? !isRising : !isFalling;
    });
    const [only] = oneWay;
    if (oneWay.length === 1 && only !== undefined && (only.isRising || only.isFalling))
      return only.order;
    const choice = oneWay.length > 0 ? oneWay : likely;
    const knownOrder = orderOf?.(
      choice.map(({ order }) => order),
      this.#example,
    );
    if (knownOrder !== undefined) return knownOrder;
    throw unsettledError(
      "Ambiguous",
      "--date-order",
      `Dates of the file such as "${this.#example}" are in one of several orders.`,
      choice.map(({ order }) => `--date-order ${order}`),
      { example: this.#example },
    );
  }

  /** Whether all orders read the same dates, as with `2026-01-31`. */
  #areSame(
    possible: readonly {
      readonly last: string;
      readonly isRising: boolean;
      readonly isFalling: boolean;
    }[],
  ): boolean {
    const [first] = possible;
    return possible.every(
      ({ last, isRising, isFalling }) =>
        last === first?.last && isRising === first.isRising && isFalling === first.isFalling,
    );
  }
}

/** Collects the decimal mark of a file or column from amounts that show it. */
export class DecimalSurvey {
  #told: DecimalMark | undefined;
  #open: string | undefined;

  add(text: string): void {
    const decimalMark = markOf(text);
    if (decimalMark === "open") this.#open ??= text;
    else if (decimalMark !== undefined && decimalMark !== "none") this.#told ??= decimalMark;
  }

  get mark(): DecimalMark | undefined {
    return this.#told;
  }

  /**
   * Decides the mark.
   *
   * @param usual  mark that is usual for the account
   * @throws BankFileError `Ambiguous` where no amount shows it and it matters
   */
  decide(
    decimalMark: DecimalMark | undefined,
    usual?: (example: string) => DecimalMark | undefined,
  ): DecimalMark | undefined {
    const mark = decimalMark ?? this.#told;
    if (mark !== undefined || this.#open === undefined) return mark;
    const knownMark = usual?.(this.#open);
    if (knownMark !== undefined) return knownMark;
    throw new BankFileError(
      "Ambiguous",
      `Amounts of the file such as "${this.#open}" are thousands or not; say whether the decimal mark is the comma or the point.`,
    );
  }
}

/** Asks whether signs count as written. @throws BankFileError `Ambiguous` */
export function askSigns(sentence: string, example: string): void {
  const questions = new Questions();
  questions.ask("--reversed", sentence, ["--reversed", "--no-reversed"], { example });
  questions.refuse();
}
